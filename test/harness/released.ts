// Keeps the API of a commit that installations run: `node test/harness/released.ts <commit or tag>` writes its OpenAPI
// document into test/released, compressed (50 kB).
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { root } from './sources.ts'

const FOLDER = join(root, 'test/released')
const ENDING = '.openapi.json.br'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Content = Record<string, { schema?: Schema }>
interface Parameter {
  in: string
  name: string
  required?: boolean
  schema?: Schema
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content?: Content }
  responses?: Record<string, { content?: Content }>
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: {
    schemas?: Record<string, Schema>
    parameters?: Record<string, Parameter>
    examples?: Record<string, unknown>
  }
}

/** The documents for businesses, for the dashboard and for the operator as one. */
export function merged(documents: readonly ApiDocument[]): ApiDocument {
  const all = <K extends 'schemas' | 'parameters' | 'examples'>(section: K) =>
    Object.assign({}, ...documents.map(({ components }) => components?.[section] ?? {}))
  return {
    paths: Object.assign({}, ...documents.map(({ paths }) => paths)),
    components: { schemas: all('schemas'), parameters: all('parameters'), examples: all('examples') },
  }
}

export const releasedApis = (): { name: string; api: ApiDocument }[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => ({
      name: file.slice(0, -ENDING.length),
      api: JSON.parse(brotliDecompressSync(readFileSync(join(FOLDER, file))).toString()),
    }))

/** What a client of `old` could not do any more, or would not understand, as sentences. */
export function breaks(old: ApiDocument, now: ApiDocument): string[] {
  const found: string[] = []
  const codes = codesOf(now)
  for (const code of codesOf(old)) if (!codes.has(code)) found.push(`the error code ${code} is gone`)
  for (const [path, methods] of Object.entries(old.paths)) {
    for (const [method, before] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path}`
      const after = now.paths[path]?.[method]
      if (!after) found.push(`${route} is gone`)
      else found.push(...breaksOf(before, after, { old, now }).map((what) => `${route}: ${what}`))
    }
  }
  return found
}

/** Each has an example of its name. In older documents the schema of an error was named after its codes: `Error.FORBIDDEN.LAST_ADMIN`. */
const codesOf = ({ components: { schemas = {}, examples = {} } = {} }: ApiDocument): Set<string> =>
  new Set([
    ...Object.keys(examples),
    ...Object.keys(schemas).flatMap((name) => /^Error\.(.+)$/.exec(name)?.[1]?.split('.') ?? []),
  ])

interface Both {
  old: ApiDocument
  now: ApiDocument
}

function breaksOf(before: Operation, after: Operation, { old, now }: Both): string[] {
  const found: string[] = []
  const asked = shapeOf({ ...parametersOf(before, old), body: bodyOf(before) }, old)
  const taken = shapeOf({ ...parametersOf(after, now), body: bodyOf(after) }, now)
  for (const [place, types] of asked) {
    const nowTypes = taken.get(place)
    if (!nowTypes) found.push(`${place} of the request is gone`)
    else if (![...types].every((type) => takes(nowTypes, type)))
      found.push(`${place} of the request takes ${inWords(nowTypes)}, no longer ${inWords(types)}`)
  }
  for (const [place, types] of taken)
    if (!asked.has(place) && !types.has('missing') && isKnown(asked, place))
      found.push(`${place} of the request is new and demanded`)
  for (const [status, { content = {} }] of Object.entries(before.responses ?? {})) {
    // Which codes a route answers may change; what is in an answer may not. A new success would be one, too.
    if (Number(status) >= 400) continue
    for (const [media, { schema }] of Object.entries(content)) {
      const then = after.responses?.[status]?.content?.[media]
      if (!then) found.push(`the answer ${status} as ${media} is gone`)
      const given = shapeOf({ [status]: then?.schema }, now)
      for (const [place, types] of then ? shapeOf({ [status]: schema }, old) : []) {
        const nowTypes = given.get(place)
        if (!nowTypes) found.push(`${place} of the answer is gone`)
        else if (![...nowTypes].every((type) => takes(types, type)))
          found.push(`${place} of the answer is ${inWords(nowTypes)}, no longer ${inWords(types)}`)
      }
    }
  }
  return found
}

function bodyOf({ requestBody }: Operation): Schema | undefined {
  const schema = requestBody?.content?.['application/json']?.schema
  return schema && (requestBody?.required ? schema : { anyOf: [schema, { type: 'missing' }] })
}
const parametersOf = ({ parameters = [] }: Operation, { components }: ApiDocument): Record<string, Schema> =>
  Object.fromEntries(
    parameters
      .flatMap((one) => ('$ref' in one ? (components?.parameters?.[one.$ref.replace(/^.*\//, '')] ?? []) : one))
      .map(({ in: where, name, required, schema = {} }) => [
        `${where} ${name}`,
        required ? schema : { anyOf: [schema, { type: 'missing' }] },
      ]),
  )
const takes = (types: ReadonlySet<string>, type: string) =>
  types.has(type) || (type === 'integer' && types.has('number')) || types.has('anything')
const inWords = (types: ReadonlySet<string>) => [...types].sort().join(' or ')
/** Whether the client sends what holds this place. */
const isKnown = (asked: ReadonlyMap<string, unknown>, place: string) =>
  !/[.[]/.test(place) || asked.has(place.replace(/(?:\.[^.[]+|\[\])$/, ''))

/** Each place of the schemas with the types that it may have; `missing`: it may be left out. */
function shapeOf(schemas: Record<string, Schema | undefined>, api: ApiDocument): Map<string, Set<string>> {
  const shape = new Map<string, Set<string>>()
  const add = (place: string, type: string) => shape.set(place, (shape.get(place) ?? new Set()).add(type))
  const walk = (schema: Schema, place: string, within: readonly string[]): void => {
    const { $ref } = schema
    if ($ref !== undefined) {
      const name = $ref.slice('#/components/schemas/'.length)
      const named = api.components?.schemas?.[name]
      // A schema that holds itself is followed once.
      if (named && !within.includes(name)) walk(named, place, [...within, name])
      return
    }
    const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf
    for (const branch of branches ?? []) walk(branch, place, within)
    const types = [schema.type ?? []].flat()
    for (const type of types) add(place, type)
    if (types.length === 0 && !branches) add(place, 'anything')
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      walk(property, `${place}.${name}`, within)
      if (!schema.required?.includes(name)) add(`${place}.${name}`, 'missing')
    }
    if (schema.items) walk(schema.items, `${place}[]`, within)
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${place}.*`, within)
  }
  for (const [place, schema] of Object.entries(schemas)) if (schema) walk(schema, place, [])
  return shape
}

if (import.meta.main) {
  const [commit = ''] = process.argv.slice(2)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const name = commit.startsWith('v') ? commit : git('rev-parse', '--short=8', commit).trim()
  const read = (file: string): ApiDocument => JSON.parse(git('show', `${commit}:${file}`))
  const files = git('ls-tree', '--name-only', commit).split('\n')
  const api = JSON.stringify(merged(files.filter((file) => /^openapi.*\.json$/.test(file)).map(read)))
  writeFileSync(join(FOLDER, `${name}${ENDING}`), brotliCompressSync(api))
}
