import fc from 'fast-check'
import { z } from 'zod'
import { CORE } from './orders.ts'

/** The parts of JSON Schema that Zod writes for the input of a route. */
export interface Shape {
  $ref?: string
  $defs?: Record<string, Shape>
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  minItems?: number
}

const shapes = new WeakMap<z.ZodType, Shape>()

export function shapeOf(schema: z.ZodType): Shape {
  const known = shapes.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
  shapes.set(schema, known)
  return known
}

/** Values of fields by name, where a schema cannot give a valid one. */
export type Hints = Record<string, unknown>

const hints: Hints = {
  kitType: CORE,
  kit_type: CORE,
  type: CORE,
  email: 'ada@example.test',
  country: 'US',
  state: 'IL',
  zip: '62701',
  street1: '1 Main Street',
  city: 'Springfield',
  phone: '+15550100199',
  paymentMethod: 'credits',
  id: 'pm_card_visa',
  dateOfBirth: '1990-05-17',
  collectedDate: '2026-01-15',
  zone: 'Europe/Madrid',
  date: '2026-01-15',
  status: 'kitInTransit',
  unit: 'mg/dL',
  unit_of_measure: 'mg/dL',
  biomarkerId: 'ldl',
  biomarker: 'ldl',
  url: 'https://example.com/hook',
  brandColor: '#336699',
  language: 'en',
  advance: 'PT1S',
  firstDate: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
}

const MAX_SAMPLES = 4

/** Values that the schema accepts: each branch, with required fields only and with all. `known` overrides by name. */
export function samples(schema: z.ZodType, known: Hints = {}): unknown[] {
  const root = shapeOf(schema)
  const choices = branches(root, root)
  const of = (fields: 'required' | 'all') => choices.map((branch) => sample(branch, root, fields, known))
  const plain = [...of('required'), ...of('all')]
  const isTaken = (value: unknown) => schema.safeParse(value).success
  const taken = plain.filter(isTaken)
  // If fields exclude or require each other: try all but one, or any two optional ones.
  const more = taken.length > 0 ? [] : plain.flatMap((value) => [...allButOne(value)])
  const pairs = taken.length > 0 ? [] : choices.flatMap((_, i) => withTwo(plain[i], plain[choices.length + i]))
  const found = new Map([...taken, ...pairs.filter(isTaken), ...more.filter(isTaken)].map((v) => [stringify(v), v]))
  return found.size > 0 ? [...found.values()].slice(0, choices.length * 2 + MAX_SAMPLES) : plain
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function allButOne(value: unknown): unknown[] {
  if (!isObject(value)) return []
  return Object.keys(value).map((left) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== left)))
}

function withTwo(few: unknown, all: unknown): unknown[] {
  if (!isObject(few) || !isObject(all)) return []
  const optional = Object.entries(all).filter(([key]) => !(key in few))
  return optional.flatMap(([a, x], i) => optional.slice(i + 1).map(([b, y]) => ({ ...few, [a]: x, [b]: y })))
}

function follow(shape: Shape, root: Shape): Shape {
  if (!shape.$ref) return shape
  return root.$defs?.[shape.$ref.replace('#/$defs/', '')] ?? {}
}

function branches(shape: Shape, root: Shape): Shape[] {
  const { anyOf, oneOf, ...rest } = follow(shape, root)
  const choices = anyOf ?? oneOf
  return choices ? choices.flatMap((choice) => branches(choice, root)) : [rest]
}

function sample(given: Shape, root: Shape, fields: 'required' | 'all', known: Hints, name = ''): unknown {
  if (given.examples) return given.examples[0]
  if (name in known) return known[name]
  const [shape = {}] = branches(given, root)
  if ('const' in shape) return shape.const
  if (shape.enum) return shape.enum[0]
  if (name in hints && shape.type === 'string') return hints[name]
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'object') {
    const wanted = Object.entries(shape.properties ?? {}).filter(
      ([key]) => fields === 'all' || shape.required?.includes(key) || key in known,
    )
    return Object.fromEntries(wanted.map(([key, inner]) => [key, sample(inner, root, fields, known, key)]))
  }
  if (type === 'array') {
    return Array.from({ length: Math.max(1, shape.minItems ?? 0) }, () =>
      sample(shape.items ?? {}, root, fields, known, name),
    )
  }
  if (type === 'integer' || type === 'number') return Math.max(1, shape.minimum ?? 1)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return text(shape)
}

function text({ format, minLength = 0 }: Shape): string {
  if (format === 'date') return '2026-01-15'
  if (format === 'date-time') return '2026-01-15T12:00:00.000Z'
  if (format === 'email') return 'ada@example.test'
  if (format === 'uri') return 'https://example.com/hook'
  return 'sample'.padEnd(minLength, '-')
}

/** JSON text that JSON.stringify cannot produce: numbers beyond a double, lone surrogates. */
export class Raw {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

export function stringify(value: unknown): string {
  if (value instanceof Raw) return value.json
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${stringify(inner)}`)}}`
  }
  return JSON.stringify(value) ?? 'null'
}

const evil = ["' or 1=1 --", '{{7*7}}', '../../etc/passwd', '=cmd|calc!A1', '\u202e\ufeff\u0000x', '😀'.repeat(300)]
const dates = ['2026-02-30', '0000-00-00', '99999-01-01', '2026-13-01T99:99:99Z', '2026-01-15T25:00:00Z', '1899-12-31']

/** Values that are known to break services. */
export const hostile: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  [],
  {},
  [[]],
  [null],
  '\0',
  'a\0b',
  new Raw('"\\ud800"'),
  new Raw('"a\\udc00b"'),
  new Raw(`1${'0'.repeat(400)}`),
  new Raw('-0'),
  new Raw('-0.0'),
  new Raw('9007199254740993'),
  new Raw('1e308'),
  new Raw('1e999'),
  new Raw('-1e-999'),
  -1,
  0,
  0.5,
  2 ** 31,
  2 ** 53,
  '9223372036854775808',
  'NaN',
  'x'.repeat(300_000),
  'x'.repeat(10_000),
  { __proto__: null, toString: 1 },
  new Raw('{"__proto__":{"admin":true}}'),
  new Raw('{"constructor":{"prototype":{"x":1}}}'),
  new Raw(`${'['.repeat(50)}${']'.repeat(50)}`),
  ...dates,
  ...evil,
]

type Path = readonly (string | number)[]

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object' || value instanceof Raw) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))]
}

function replaceAt(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? replaceAt(item, rest, change) : item))
  const object = value as Record<string, unknown>
  return { ...object, [key]: replaceAt(object[key], rest, change) }
}

/** Changes one to three places of a valid value: to a hostile value, any JSON value, or the old value in an array. */
export function mutated(valid: readonly unknown[]): fc.Arbitrary<unknown> {
  const change: fc.Arbitrary<(old: unknown) => unknown> = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...hostile).map((value) => () => value) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => () => value) },
    { weight: 1, arbitrary: fc.constant((old: unknown) => [old]) },
    { weight: 1, arbitrary: fc.constant((old: unknown) => String(stringify(old))) },
  )
  const once = (value: unknown) =>
    fc.tuple(fc.constantFrom(...pathsOf(value)), change).map(([path, apply]) => replaceAt(value, path, apply))
  return fc
    .constantFrom(...valid)
    .chain(once)
    .chain((value) => fc.oneof(fc.constant(value), once(value), once(value).chain(once)))
}
