import { z } from 'zod'
import { addressNames, addressValues } from '../../domain/addresses.ts'

type Normalise = (value: unknown) => unknown
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any'

/** A number as text: what other languages' JSON writers and spreadsheets send. */
export const DIGITS = /^-?\d{1,15}(?:\.\d{1,15})?$/

const made = new WeakMap<z.ZodType, { normalise: Normalise | undefined }>()

/**
 * Lenient in, strict out, for every schema alike: `null` and `""` of an optional field are absent, digits are a number,
 * a single value is a list of one, a name may be spelled in another way. What a field's own schema takes is left as it is. A list longer than its schema
 * allows is cut to one more than that, to spend no time on what is refused anyway.
 */
function normaliserOf(schema: z.ZodType): Normalise | undefined {
  const known = made.get(schema)
  if (known) return known.normalise
  const normalise = make(schema)
  made.set(schema, { normalise })
  return normalise
}

export const normalise = (schema: z.ZodType, value: unknown): unknown => normaliserOf(schema)?.(value) ?? value

function make(schema: z.ZodType): Normalise | undefined {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodObject) return ofObject(bare)
  if (bare instanceof z.ZodArray) return ofArray(bare)
  if (bare instanceof z.ZodUnion) return ofUnion(bare)
  if (bare instanceof z.ZodNumber) return bare.def.coerce ? onlyDigits : toNumber
  return undefined
}

/** The schema that sees the value first: beneath `optional`, `default` and the like, before a `transform`. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.in as z.ZodType)
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? unwrap(innerType) : schema
}

const toNumber = (value: unknown) => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value)

/** Number() reads `0x10`, `1e1` and spaces, too, which nobody means as a page or its size. */
const onlyDigits = (value: unknown) => (typeof value === 'string' && !DIGITS.test(value.trim()) ? Number.NaN : value)

function ofObject(schema: z.ZodObject): Normalise {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, field]) => ({
    key,
    inner: normaliserOf(field),
    ...absences(field),
  }))
  const named = ownNames(schema)
  return (given) => {
    if (!isRecord(given)) return given
    const value = named(given)
    let copy: Record<string, unknown> | undefined
    for (const { key, inner, isNullAbsent, isEmptyAbsent } of fields) {
      const sent = Object.hasOwn(value, key) ? value[key] : undefined
      if (sent === undefined) continue
      const isAbsent = (sent === null && isNullAbsent) || (sent === '' && isEmptyAbsent)
      const next = isAbsent || !inner ? sent : inner(sent)
      if (next === sent && !isAbsent) continue
      copy ??= { ...value }
      if (isAbsent) delete copy[key]
      else copy[key] = next
    }
    return copy ?? value
  }
}

type Fields = Record<string, unknown>

/** What names have in common that differ only in case, in `_` and `-`, or in the `[]` that some put behind lists in queries. */
const lettersOf = (name: string): string => name.replaceAll(/[_-]|\[\]$/g, '').toLowerCase()

/**
 * Renames fields that are written in another way than those of the schema: `kit_type`, `KitType` for `kitType`. Ignoring
 * them would do something else than was asked: filter nothing, or place an order instead of pricing it. Where the
 * name itself is there too, it counts. Those of an address may have names and values that other programs use.
 */
export function toOwnNames(names: readonly string[]): (fields: Fields) => Fields {
  const known = new Set(names)
  const nameOf = new Map<string, string>()
  for (const name of names) if (!nameOf.has(lettersOf(name))) nameOf.set(lettersOf(name), name)
  const ofAddress = addressNames(names)
  for (const [letters, name] of ofAddress) if (!nameOf.has(letters)) nameOf.set(letters, name)
  const valuesOf = ofAddress.size > 0 ? addressValues : (fields: Fields) => fields
  return (fields) => {
    let copy: Fields | undefined
    for (const key of Object.keys(fields)) {
      if (known.has(key)) continue
      const name = nameOf.get(lettersOf(key))
      if (name === undefined || (copy ?? fields)[name] !== undefined) continue
      copy ??= { ...fields }
      copy[name] = fields[key]
      delete copy[key]
    }
    return valuesOf(copy ?? fields)
  }
}

/** Gives the fields of an object the names of its schema. One that keeps unknown fields takes each as it is. */
export function ownNames(schema: z.ZodObject): ReturnType<typeof toOwnNames> {
  const keepsUnknown = schema.def.catchall && !(schema.def.catchall instanceof z.ZodNever)
  return keepsUnknown ? (fields) => fields : toOwnNames(Object.keys(schema.shape))
}

/** Where `null` or `""` has a meaning of its own, such as "unset", the field's schema accepts it. */
function absences(field: z.ZodType): { isNullAbsent: boolean; isEmptyAbsent: boolean } {
  const isOptional = field._zod.optin !== undefined
  const takes = (value: unknown) => field.safeParse(value).success
  const bare = unwrap(field)
  // Number('') is 0, which nobody sent.
  const readsEmptyAsZero = bare instanceof z.ZodNumber && bare.def.coerce
  return { isNullAbsent: isOptional && !takes(null), isEmptyAbsent: isOptional && (readsEmptyAsZero || !takes('')) }
}

function ofArray(schema: z.ZodArray): Normalise {
  const inner = normaliserOf(schema.element as z.ZodType)
  const max = maxLength(schema)
  return (value) => {
    if (!Array.isArray(value)) return value === null || value === undefined || value === '' ? value : [each(value)]
    const list = value.length > max ? value.slice(0, max + 1) : value
    return inner ? list.map(inner) : list
  }
  function each(value: unknown): unknown {
    return inner ? inner(value) : value
  }
}

/** The most entries that a list may have. */
export function maxLength(schema: z.ZodArray): number {
  const limits = (schema.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    'maximum' in def && typeof def.maximum === 'number' ? [def.maximum] : [],
  )
  return Math.min(...limits)
}

function ofUnion(schema: z.ZodUnion): Normalise {
  const options = (schema.options as z.ZodType[]).map((option) => ({
    kind: kindOf(option),
    inner: normaliserOf(option),
  }))
  const find = (kind: Kind) => options.find((option) => option.kind === kind || option.kind === 'any')
  return (value) => {
    const chosen = optionOf(schema, value)
    if (chosen) return normalise(chosen, value)
    const kind = kindOfValue(value)
    if (!kind) return value
    const native = find(kind)
    if (native) return native.inner && kind === 'array' ? native.inner(value) : value
    if (kind === 'string' && find('number')) return toNumber(value)
    return value === '' ? value : (find('array')?.inner?.(value) ?? value)
  }
}

/** Which of several shapes an object has, by the field that distinguishes them. */
export function optionOf(schema: z.ZodUnion, value: unknown): z.ZodType | undefined {
  if (!isRecord(value)) return undefined
  const objects = (schema.options as z.ZodType[]).filter((option) => unwrap(option) instanceof z.ZodObject)
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return objects.length === 1 ? objects[0] : undefined
  const { discriminator } = schema.def
  const choice = value[discriminator]
  return objects.find((option) => {
    const field = (unwrap(option) as z.ZodObject).shape[discriminator]
    return field?._zod.values?.has(choice as string)
  })
}

function kindOf(schema: z.ZodType): Kind | undefined {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodObject) return 'object'
  if (bare instanceof z.ZodArray) return 'array'
  if (bare instanceof z.ZodNumber) return 'number'
  if (bare instanceof z.ZodBoolean) return 'boolean'
  if (bare instanceof z.ZodUnknown || bare instanceof z.ZodAny) return 'any'
  // Texts, formats of texts, enumerations and literals.
  return 'string'
}

function kindOfValue(value: unknown): Kind | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return 'array'
  return typeof value as Kind
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
