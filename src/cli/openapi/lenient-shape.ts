import { DIGITS } from '../../platform/http/lenient.ts'

/** The part of JSON Schema that describes requests. */
export interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  description?: string
  default?: unknown
  [other: string]: unknown
}

/** Documents the forms that `normalise` accepts. Requests only: answers are strict. */
export function lenientShape(shape: Shape): Shape {
  const inner: Shape = { ...shape }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    // The value as it came decides which of several shapes is meant, so only their fields are lenient.
    if (shape[key]) inner[key] = shape[key].map((one) => (one.type === 'object' ? lenientShape(one) : one))
  }
  if (shape.type === 'object' && shape.properties) {
    const required = new Set(shape.required)
    inner.properties = Object.fromEntries(
      Object.entries(shape.properties).map(([key, field]) => {
        const lenient = lenientShape(field)
        return [key, required.has(key) ? lenient : absentable(lenient)]
      }),
    )
  }
  if (shape.type === 'integer' || shape.type === 'number') return either(inner, [inText])
  if (shape.type === 'array' && shape.items) {
    const items = lenientShape(shape.items)
    return either({ ...inner, items }, [items])
  }
  return inner
}

const inText: Shape = { type: 'string', pattern: DIGITS.source }
const nothing: Shape = { type: 'null' }
const empty: Shape = { type: 'string', maxLength: 0 }

/** Keeps description and default at the top, where documentation tools look for them. */
function either({ description, default: preset, ...shape }: Shape, others: Shape[]): Shape {
  return {
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
    anyOf: [shape, ...others],
  }
}

function absentable(shape: Shape): Shape {
  if (shape.not) return shape
  if (shape.$ref) return either(shape, [nothing])
  if (shape.enum) {
    const { type: _, ...rest } = shape
    return { ...rest, enum: [...new Set([...shape.enum, '', null])] }
  }
  if (shape.anyOf?.some(({ type }) => type === 'null')) return shape
  if (shape.anyOf) return { ...shape, anyOf: [...shape.anyOf, nothing] }
  if (shape.type === 'string') {
    const takesEmpty = !shape.minLength && !shape.pattern && !shape.format
    return takesEmpty ? { ...shape, type: ['string', 'null'] } : either(shape, [empty, nothing])
  }
  return typeof shape.type === 'string' ? { ...shape, type: [shape.type, 'null'] } : shape
}
