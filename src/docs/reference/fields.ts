import { type Document, follow, type Schema } from './document.ts'

/** One field of a request or an answer, in words. */
export interface Field {
  name: string
  /** `text`, `list of objects`, … */
  type: string
  isRequired: boolean
  isDeprecated: boolean
  description: string
  /** Limits, formats and defaults, each as a few words. */
  facts: string[]
  /** The words that it may be; empty: any. */
  words: string[]
  shape: Shape
}

/** What an object holds; several alternatives where it may be one of several. */
export type Shape = readonly { fields: readonly Field[] }[]

// Deeper shapes are read in the OpenAPI document; the deepest of ours that is not a report has 6.
const MAX_DEPTH = 8

/** The fields of a body. */
export function shapeOf(document: Document, schema: Schema | undefined, within: readonly string[] = []): Shape {
  if (!schema || within.length > MAX_DEPTH) return []
  const { $ref } = schema
  if ($ref && within.includes($ref)) return []
  const inside = [...within, $ref ?? '']
  const { items, properties, required = [], allOf, additionalProperties, ...whole } = follow(document, schema)
  const choices = choicesOf(document, whole)
  if (choices.length > 0) return choices.flatMap((one) => shapeOf(document, one, inside))
  if (allOf) return [{ fields: allOf.flatMap((one) => shapeOf(document, one, inside).flatMap(({ fields }) => fields)) }]
  if (items) return shapeOf(document, items, inside)
  if (properties) {
    const fields = Object.entries(properties).map(([name, one]) =>
      fieldOf(document, name, one, required.includes(name), inside),
    )
    return [{ fields }]
  }
  return typeof additionalProperties === 'object' ? shapeOf(document, additionalProperties, inside) : []
}

/** One field, by its name. */
export function fieldOf(
  document: Document,
  name: string,
  schema: Schema,
  isRequired: boolean,
  within: readonly string[] = [],
): Field {
  const whole = plain(document, schema)
  return {
    name,
    isRequired,
    type: typeOf(document, schema),
    isDeprecated: whole.deprecated ?? false,
    description: (follow(document, schema).description ?? whole.description ?? '').trim(),
    facts: factsOf(whole, follow(document, schema)),
    words: wordsOf(document, whole),
    shape: shapeOf(document, schema, within),
  }
}

/** The alternatives that a reader has to know: without the lenient forms of the same value. */
function choicesOf(document: Document, { anyOf, oneOf }: Schema): Schema[] {
  const all = [...(anyOf ?? oneOf ?? [])]
  const has = (type: string) => all.some((one) => kindOf(follow(document, one)) === type)
  return all.filter((one) => {
    const { maxLength, pattern, ...rest } = follow(document, one)
    const kind = kindOf(rest)
    if (kind === 'null' || (kind === 'string' && maxLength === 0)) return false
    // A number as text, a boolean as text, one value in place of a list.
    if (kind === 'string' && (has('integer') || has('number')) && pattern?.includes('\\d')) return false
    return !(has('array') && kind !== 'array')
  })
}

function kindOf({ type, properties }: Schema): string | undefined {
  const kinds = typeof type === 'string' ? [type] : (type ?? []).filter((one) => one !== 'null')
  return kinds[0] ?? (properties ? 'object' : undefined)
}

/** A schema without its lenient forms, if one form is left. */
function plain(document: Document, schema: Schema): Schema {
  const whole = follow(document, schema)
  const choices = choicesOf(document, whole)
  const { anyOf: _, oneOf: __, ...outside } = whole
  return choices.length === 1 && choices[0] ? { ...plain(document, choices[0]), ...outside } : whole
}

const names: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
const formats: Record<string, string> = { date: 'date', 'date-time': 'time', binary: 'file' }

/** A type in words: `list of texts`. */
export function typeOf(document: Document, schema: Schema): string {
  const whole = plain(document, schema)
  const choices = choicesOf(document, whole)
  if (choices.length > 1) return [...new Set(choices.map((one) => typeOf(document, one)))].join(' or ')
  if (whole.allOf) return 'object'
  if (whole.const !== undefined) return JSON.stringify(whole.const)
  const kind = kindOf(whole)
  if (kind === 'array') return `list of ${plural(whole.items ? typeOf(document, whole.items) : 'values')}`
  if (kind === 'string' && whole.format) return formats[whole.format] ?? 'text'
  return names[kind ?? ''] ?? kind ?? 'any value'
}

const plural = (type: string) => (/^(text|object|number|whole number|date|time|file)$/.test(type) ? `${type}s` : type)

function wordsOf(document: Document, { enum: words, items, ...whole }: Schema): string[] {
  const all = words ?? (items ? plain(document, items).enum : undefined)
  if (all) return all.filter((one) => one !== null && one !== '').map(String)
  const choices = choicesOf(document, whole)
  return [...new Set(choices.flatMap((one) => wordsOf(document, plain(document, one))))]
}

const count = (figure: number) => figure.toLocaleString('en')

function factsOf(schema: Schema, outer: Schema): string[] {
  const { minLength = 0, maxLength, minimum, exclusiveMinimum, maximum, minItems = 0, maxItems } = schema
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && most !== undefined && (least > 0 || unit === ''))
      return `${count(least)} to ${count(most)}${unit}`
    if (most !== undefined) return `at most ${count(most)}${unit}`
    return least ? `at least ${count(least)}${unit}` : undefined
  }
  // The bounds of whole numbers in JavaScript tell nobody anything.
  const isReal = (figure: number | undefined) => figure !== undefined && Math.abs(figure) < Number.MAX_SAFE_INTEGER
  const fallback = outer.default ?? schema.default
  return [
    range(minLength || undefined, maxLength, ' characters'),
    range(minItems || undefined, maxItems, ' entries'),
    range(isReal(minimum) ? minimum : undefined, isReal(maximum) ? maximum : undefined, ''),
    exclusiveMinimum === undefined ? undefined : `more than ${count(exclusiveMinimum)}`,
    fallback === undefined || fallback === null
      ? undefined
      : `default ${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}`,
  ].filter((one) => one !== undefined)
}
