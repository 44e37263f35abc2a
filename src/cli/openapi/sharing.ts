import { isShape, mapValues } from './json-schemas.ts'
import type { Shape } from './lenient-shape.ts'
import type { OpenApi, Operation } from './open-api.ts'

/** Where a schema or a parameter stands: it is named after the field, and where that name is taken, after its owner too. */
interface Place {
  owner: string
  field: string
}

type Visit = (schema: Shape, place: Place) => Shape | undefined

// A shorter part is read faster where it stands, and a name is worth it only if it saves more than this.
const MIN_LENGTH = 60
const MIN_SAVED = 60
const SCHEMAS = '#/components/schemas/'
const REFERENCE = `{"$ref":"${SCHEMAS}"}`.length

/** Says each part that a document repeats once, among its components, and refers to it. Names do not depend on the order of paths. */
export function shared(document: OpenApi): OpenApi {
  const addresses = Object.keys(document.paths)
  const { paths, ...rest } = withSharedSchemas(
    withSharedSchemas(withSharedParameters(withPaths(document, addresses.toSorted())), (schema) => schema),
    withoutWords,
  )
  return withPaths({ paths, ...rest }, addresses)
}

const withPaths = (document: OpenApi, addresses: readonly string[]): OpenApi => ({
  ...document,
  paths: Object.fromEntries(addresses.flatMap((one) => (document.paths[one] ? [[one, document.paths[one]]] : []))),
})

/** What beside a reference says more of one place: the words for it. */
function withoutWords({ description: _, default: __, deprecated: ___, ...rest }: Shape): Shape {
  return rest
}

/** Parameters that differ in nothing but their example. */
function withSharedParameters(document: OpenApi): OpenApi {
  const found = new Map<string, { parameter: Shape; count: number; place: Place }>()
  const keyOf = ({ example: _, ...parameter }: Shape) => JSON.stringify(parameter)
  const all = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const { operationId, parameters = [] } of all)
    for (const parameter of parameters as Shape[]) {
      if (parameter.$ref) continue
      const known = found.get(keyOf(parameter))
      if (known) known.count++
      else
        found.set(keyOf(parameter), {
          parameter,
          count: 1,
          place: { owner: operationId, field: String(parameter.name) },
        })
    }
  const repeated = [...found].filter(([, { count }]) => count > 1)
  // Many share it, and none owns it.
  const places = repeated.map(([key, { place }]) => [key, { ...place, owner: '' }] as const)
  const names = namesFor(places, document.components.parameters ?? {})
  const paths = mapOperations(document.paths, ({ parameters, ...rest }) => ({
    ...rest,
    ...(parameters && {
      parameters: (parameters as Shape[]).map((one) => {
        const name = names.get(keyOf(one))
        return name ? { $ref: `#/components/parameters/${name}` } : one
      }),
    }),
  }))
  const named = Object.fromEntries(repeated.map(([key, { parameter }]) => [names.get(key) ?? '', parameter]))
  return withComponents({ ...document, paths }, 'parameters', named)
}

/** `core`: the part of a schema that is compared and shared; the rest of it stays beside the reference. */
function withSharedSchemas(document: OpenApi, core: (schema: Shape) => Shape): OpenApi {
  const found = new Map<string, { schema: Shape; count: number; place: Place }>()
  visit(document, (schema, place) => {
    const part = core(schema)
    if (schema.$ref || !('type' in part || 'anyOf' in part || 'oneOf' in part || 'allOf' in part)) return undefined
    const known = found.get(JSON.stringify(part))
    if (!known) found.set(JSON.stringify(part), { schema: part, count: 1, place })
    else {
      known.count++
      // What many fields have is named after none of them.
      if (known.place.field !== place.field && part.format) known.place = { owner: '', field: String(part.format) }
    }
    return undefined
  })
  const repeated = [...found].filter(([key, { count, place }]) => {
    const saved = (count - 1) * key.length - count * (REFERENCE + place.field.length)
    return count > 1 && key.length >= MIN_LENGTH && saved >= MIN_SAVED
  })
  const names = namesFor(
    repeated.map(([key, { place }]) => [key, place]),
    document.components.schemas ?? {},
  )
  // A part that stands only in another shared one appears once anyway.
  for (;;) {
    const uses = new Map<string, number>()
    const replaced = visit(document, (schema) => referenceTo(schema, uses))
    const named: Record<string, Shape> = {}
    for (const [key, name] of names)
      named[name] = within(JSON.parse(key), { owner: name, field: name }, (schema) => referenceTo(schema, uses))
    const singleUse = [...names].filter(([, name]) => (uses.get(name) ?? 0) < 2)
    if (singleUse.length === 0) return withComponents(replaced, 'schemas', named)
    for (const [key] of singleUse) names.delete(key)
  }

  function referenceTo(schema: Shape, uses: Map<string, number>): Shape | undefined {
    if (schema.$ref) return undefined
    const part = core(schema)
    const name = names.get(JSON.stringify(part))
    if (!name) return undefined
    uses.set(name, (uses.get(name) ?? 0) + 1)
    const beside = Object.entries(schema).filter(([key]) => !(key in part))
    return { ...Object.fromEntries(beside), $ref: SCHEMAS + name }
  }
}

/** A name for each, by where it stands first. */
function namesFor(places: readonly (readonly [string, Place])[], taken: Readonly<Record<string, unknown>>) {
  const used = new Set(Object.keys(taken))
  const names = new Map<string, string>()
  for (const [key, { owner, field }] of places) {
    const [short, long] = [inCapitals(field), inCapitals(owner) + inCapitals(field)]
    const free = [short, long, ...Array.from({ length: 99 }, (_, more) => `${long}${more + 2}`)]
    const name = free.find((one) => !used.has(one))
    if (name === undefined) throw new Error(`Too many shapes are called ${long}`)
    used.add(name)
    names.set(key, name)
  }
  return names
}

const inCapitals = (name: string) =>
  name
    .replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/[^A-Za-z0-9]/g, '')

const mapOperations = (paths: OpenApi['paths'], change: (operation: Operation) => unknown): OpenApi['paths'] =>
  mapValues(paths, (path) => mapValues(path, (operation) => change(operation) as Operation))

function withComponents(document: OpenApi, section: string, more: Record<string, unknown>): OpenApi {
  const all = Object.entries({ ...document.components[section], ...more }).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...document, components: { ...document.components, [section]: Object.fromEntries(all) } } as OpenApi
}

/** Asks of each schema of a document, from the outside in, what takes its place; undefined: it stays, and what is in it is asked of. */
function visit(document: OpenApi, ask: Visit): OpenApi {
  const media = (content: unknown, place: Place) =>
    mapValues(content as Record<string, Shape>, (one) =>
      isShape(one.schema) ? { ...one, schema: visited(one.schema, place, ask) } : one,
    )
  const operation = ({ parameters, requestBody, responses, ...rest }: Operation) => {
    const owner = rest.operationId
    const body = requestBody as Shape | undefined
    return {
      ...rest,
      ...(parameters && {
        parameters: (parameters as Shape[]).map((one) =>
          isShape(one.schema) ? { ...one, schema: visited(one.schema, { owner, field: String(one.name) }, ask) } : one,
        ),
      }),
      ...(body && { requestBody: { ...body, content: media(body.content, { owner, field: `${owner}Body` }) } }),
      responses: mapValues(responses as Record<string, Shape>, (one) =>
        one.content ? { ...one, content: media(one.content, { owner, field: `${owner}Answer` }) } : one,
      ),
    }
  }
  const { webhooks, components } = document
  const schemas = mapValues((components.schemas ?? {}) as Record<string, Shape>, (schema, name) =>
    within(schema, { owner: name, field: name }, ask),
  )
  return {
    ...document,
    paths: mapOperations(document.paths, operation),
    ...(webhooks && { webhooks: mapOperations(webhooks as OpenApi['paths'], operation) }),
    components: { ...components, schemas },
  } as OpenApi
}

const visited = (schema: Shape, place: Place, ask: Visit): Shape => ask(schema, place) ?? within(schema, place, ask)

/** The same for the schemas inside of one. */
function within(schema: Shape, { owner, field }: Place, ask: Visit): Shape {
  return mapValues(schema, (value, key) => {
    if (key === 'properties')
      return mapValues(value as Record<string, Shape>, (one, name) => visited(one, { owner, field: name }, ask))
    if (key === 'items' && isShape(value)) return visited(value, { owner, field: `${field} entry` }, ask)
    if (key === 'additionalProperties' && isShape(value)) return visited(value, { owner, field: `${field} value` }, ask)
    if (key === 'anyOf' || key === 'oneOf' || key === 'allOf')
      return (value as Shape[]).map((one) => {
        const form = one.type === 'array' ? '' : ` ${[one.type ?? 'choice'].flat()[0]}`
        return visited(one, { owner, field: field + form }, ask)
      })
    return value
  })
}
