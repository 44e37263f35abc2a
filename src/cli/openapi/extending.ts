import { isDeepStrictEqual } from 'node:util'
import { isShape, mapValues, renamed } from './json-schemas.ts'
import type { Shape } from './lenient-shape.ts'
import type { OpenApi } from './open-api.ts'

const ENDING = 'Input'

/**
 * What callers send may differ from what they are answered: more forms are taken, and defaults may be left out. Only where
 * it does there are two shapes, `Kit` and `KitInput`.
 */
export function withOneCopy(document: OpenApi): OpenApi {
  const schemas = document.components.schemas ?? {}
  const { components, ...rest } = document
  const { schemas: _, ...others } = components
  const used = referredBy([rest, others], schemas)
  const inputs = Object.keys(schemas).filter((name) => used.has(name) && name.endsWith(ENDING))
  const plain = (name: string) => name.slice(0, -ENDING.length)
  const isAnswered = (name: string) => used.has(plain(name))
  const alike = new Set(inputs.filter(isAnswered))
  const joined = (name: string) => (alike.has(name) ? plain(name) : name)
  // Two shapes are alike only if those are that they refer to.
  for (let before = -1; before !== alike.size; ) {
    before = alike.size
    for (const name of alike)
      if (!isDeepStrictEqual(renamed(schemas[name], joined), schemas[plain(name)])) alike.delete(name)
  }
  const onlyInput = new Set(inputs.filter((name) => !isAnswered(name)))
  const final = (name: string) => (onlyInput.has(name) ? plain(name) : joined(name))
  const remaining = Object.entries(schemas).filter(([name]) => used.has(name) && !alike.has(name))
  const named = Object.fromEntries(remaining.map(([name, shape]) => [final(name), shape]))
  return renamed({ ...document, components: { ...document.components, schemas: named } }, final)
}

/** The names of all shapes that a part refers to, or a shape that is referred to. */
function referredBy(part: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) follow(one)
    else if (isShape(value)) {
      const [, name] = /^#\/components\/schemas\/(.+)$/.exec(value.$ref?.toString() ?? '') ?? []
      if (name !== undefined && !used.has(name)) {
        used.add(name)
        follow(schemas[name])
      }
      for (const inner of Object.values(value)) follow(inner)
    }
  }
  follow(part)
  return used
}

// `allOf` makes a shape harder to read: it has to say at least this much less, and to begin with half of its fields.
const MIN_SAVED = 200
const KEYWORDS = ['type', 'description', 'properties', 'required']

interface Named {
  name: string
  properties: Record<string, Shape>
  required: ReadonlySet<string>
  length: number
}

/** Describes an object that has all fields of a named one, and more, as that one with more. Only what is answered: forms are read as they stand. */
export function withExtensions(document: OpenApi): OpenApi {
  const schemas = document.components.schemas as Record<string, Shape>
  const named = Object.entries(schemas)
    .filter(([, shape]) => isPlain(shape))
    .map(([name, { properties = {}, required = [] }]) => ({
      name,
      properties,
      required: new Set(required),
      length: JSON.stringify([properties, required]).length,
    }))
    .filter(({ length }) => length >= MIN_SAVED)
    .sort((a, b) => b.length - a.length)
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (!isShape(value)) return value
    const base = isPlain(value) ? named.find((one) => isBaseOf(one, value)) : undefined
    return base ? extended(value, base, changed) : mapValues(value, changed)
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const forms = operations.map(({ requestBody, parameters }) => [requestBody, parameters])
  const inRequests = referredBy([forms, document.components.parameters], schemas)
  return {
    ...document,
    components: {
      ...document.components,
      schemas: mapValues(schemas, (shape, name) => (inRequests.has(name) ? shape : changed(shape))),
    },
  }
}

const isPlain = (shape: Shape): boolean =>
  shape.type === 'object' && isShape(shape.properties) && Object.keys(shape).every((key) => KEYWORDS.includes(key))

function isBaseOf(base: Named, { properties = {}, required = [] }: Shape): boolean {
  const [names, more] = [Object.keys(base.properties), Object.keys(properties).length]
  return (
    names.length < more &&
    names.length * 2 >= more &&
    names.every(
      (name) =>
        base.required.has(name) === required.includes(name) &&
        isDeepStrictEqual(base.properties[name], properties[name]),
    )
  )
}

function extended(
  { description, properties = {}, required = [] }: Shape,
  base: Named,
  changed: (value: unknown) => unknown,
): Shape {
  const isMore = (name: string) => !(name in base.properties)
  const more = Object.fromEntries(Object.entries(properties).filter(([name]) => isMore(name)))
  const demanded = required.filter(isMore)
  const rest: Shape = {
    type: 'object',
    properties: changed(more) as Record<string, Shape>,
    ...(demanded.length > 0 && { required: demanded }),
  }
  return {
    ...(description !== undefined && { description }),
    allOf: [{ $ref: `#/components/schemas/${base.name}` }, rest],
  }
}
