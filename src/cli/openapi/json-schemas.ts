import { z } from 'zod'
import type { Shape } from './lenient-shape.ts'

/** Whether a shape is what callers send or what they are answered: defaults and transforms make the two differ. */
export type Io = 'input' | 'output'

/** The JSON Schema of each; a named shape becomes a reference, and `named` has what it refers to. */
export interface JsonSchemas {
  of(schema: z.ZodType): Shape
  named: Record<string, Shape>
}

const ROOT = '~'
const schemasPath = '#/components/schemas/'

/** In one go, because a shape refers to others by the names that all of them have. */
export function jsonSchemas(roots: Iterable<z.ZodType>, io: Io): JsonSchemas {
  const all = z.registry<{ id: string }>()
  const named = new Map(z.globalRegistry._idmap as Map<string, z.ZodType>)
  // A shape that is composed for other modules too has its name twice: here it is that of these routes.
  const given = [...roots]
  for (const schema of given) {
    const id = z.globalRegistry.get(schema)?.id
    if (id !== undefined) named.set(id, schema)
  }
  const known = new Map([...named].map(([id, schema]) => [schema, id]))
  for (const schema of given) if (!known.has(schema)) known.set(schema, `${ROOT}${known.size}`)
  for (const [schema, id] of known) all.add(schema, { id })
  const { schemas } = z.toJSONSchema(all, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    uri: (id) => schemasPath + id,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'undefined' && io === 'output') jsonSchema.type = 'null'
    },
  })
  const clean = new Map(Object.entries(schemas).map(([id, shape]) => [id, tidied(shape as Shape)]))
  /** A nameless root within another one is written out. */
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined)
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...rest } = value as Shape
    if (typeof $ref === 'string' && $ref.startsWith(schemasPath + ROOT))
      return { ...(inlined(clean.get($ref.slice(schemasPath.length))) as Shape), ...rest }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner)]))
  }
  const isNamed = ([id]: [string, unknown]) => !id.startsWith(ROOT)
  return {
    named: Object.fromEntries([...clean].filter(isNamed).map(([id, shape]) => [id, inlined(shape) as Shape])),
    of(schema) {
      const id = known.get(schema) ?? ''
      return id.startsWith(ROOT) ? (inlined(clean.get(id)) as Shape) : { $ref: schemasPath + id }
    },
  }
}

const isNotEmpty = (shape: Shape) => Object.keys(shape).length > 0

const IDENTITY = new Set(['id', '$id', '$schema'])
const DATES = new Set<unknown>(['date', 'date-time', 'email'])

/** What is left out: how Zod identifies a schema, what any integer fits, what `format` says too, and that answers
 * hold no more, which a later version may change. Nor patterns by Unicode's properties, which most tools read without
 * JavaScript's flag `u`, so that even the examples break them: their field's description says it. */
const isNoise = (key: string, value: unknown, { format }: Shape): boolean =>
  IDENTITY.has(key) ||
  ((key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) ||
  (key === 'pattern' && (DATES.has(format) || String(value).includes('\\p{'))) ||
  (key === 'additionalProperties' && value === false)

/** A property may be called `id`: only the keywords of a schema are left out. */
function tidied(shape: Shape): Shape {
  const entries = Object.entries(shape).filter(([key, value]) => !isNoise(key, value, shape))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') return [key, mapValues(value as Record<string, Shape>, tidied)]
      // A branch that says nothing, such as a transform of `''`, would make the whole union say nothing.
      if (key === 'anyOf') return [key, (value as Shape[]).filter(isNotEmpty).map(tidied)]
      if (Array.isArray(value)) return [key, value.map((one) => (isShape(one) ? tidied(one) : one))]
      return [key, isShape(value) && key !== 'default' ? tidied(value) : value]
    }),
  )
}

export const isShape = (value: unknown): value is Shape =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const mapValues = <T, U>(record: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** The same with other names of the shapes that it refers to. */
export function renamed<T>(value: T, name: (name: string) => string): T {
  if (Array.isArray(value)) return value.map((one) => renamed(one, name)) as T
  if (!isShape(value)) return value
  return mapValues(value as Record<string, unknown>, (inner, key) => {
    const found =
      key === '$ref' && typeof inner === 'string' && inner.startsWith(schemasPath)
        ? inner.slice(schemasPath.length)
        : undefined
    return found === undefined ? renamed(inner, name) : schemasPath + name(found)
  }) as T
}
