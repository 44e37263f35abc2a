import { groupOf, isInClient, nameOf } from '../docs/reference/client-call.ts'

/** In place of a part that stands under `components`. */
interface Ref {
  $ref?: string
}

/** A shape of JSON, as the documents describe it. */
export interface Schema extends Ref {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Parameter extends Ref {
  name?: string
  in?: string
  required?: boolean
  description?: string
  schema?: Schema
}

type Content = Record<string, { schema?: Schema }>

interface Operation {
  operationId: string
  summary?: string
  description?: string
  deprecated?: boolean
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Ref & { required?: boolean; content?: Content }
  responses: Record<string, Ref & { description?: string; content?: Content }>
}

/** What clients are made from: the OpenAPI document of all routes. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** What a method of a client does. `LIST` goes by page numbers, `FEED` by the last ID, `FILE` is no JSON. */
export type Verb = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'LIST' | 'FEED' | 'FILE' | 'WAIT'

export interface ClientMethod {
  /** `['orders']`, or `['operator', 'businesses']`. */
  group: readonly string[]
  /** In camel case, without what the group says already. */
  name: string
  id: string
  verb: Verb
  path: string
  /** The names in the path, in their order. */
  pathParameters: readonly string[]
  query: readonly Parameter[]
  body: Schema | undefined
  /** Whether body, or query where there is no body, may be left out. */
  isOptional: boolean
  /** What success answers as JSON, each form once; `undefined` where it answers nothing. */
  answers: readonly (Schema | undefined)[]
  comment: string
}

/** Jobs that end by themselves. */
const jobs = new Set(['getBulkOrderJob', 'getFileJob'])

/** For each route that takes a token, one method in the group of its noun; for a job, another that waits for its end. */
export function clientMethods(document: ApiDocument): ClientMethod[] {
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => isInClient(path, operation))
      .flatMap(([method, operation]) => methodsOf(document, method, path, operation)),
  )
  const names = methods.map(({ group, name }) => [...group, name].join('.'))
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  if (twice.length > 0)
    throw new Error(`src/docs/reference/client-call.ts gives several routes the name ${twice.join(', ')}`)
  return methods
}

function methodsOf(document: ApiDocument, method: string, path: string, operation: Operation): ClientMethod[] {
  const { operationId: id, summary = id, description = '' } = operation
  const parameters = parametersOf(document, operation)
  const requestBody = operation.requestBody && follow(document, operation.requestBody)
  const query = parameters.filter((one) => one.in === 'query')
  const group = groupOf(path)
  const comment = description.startsWith(`${summary}.`) ? description : `${summary}. ${description}`
  const call: ClientMethod = {
    group,
    id,
    path,
    query,
    comment: comment.replaceAll(/\s+/g, ' ').trim(),
    name: nameOf(id, group),
    verb: verbOf(document, method, operation),
    pathParameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    body: requestBody && (requestBody.content?.['application/json']?.schema ?? {}),
    isOptional: requestBody ? !requestBody.required : !query.some(({ required }) => required),
    answers: answersOf(document, operation),
  }
  if (!jobs.has(id)) return [call]
  const waits = 'Reads the job again and again, until it has ended.'
  return [call, { ...call, name: 'waitFor', verb: 'WAIT', comment: waits }]
}

const answersOf = (document: ApiDocument, { responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, answer]) => follow(document, answer).content?.['application/json']?.schema)

const parametersOf = (document: ApiDocument, { parameters = [] }: Operation) =>
  parameters.map((parameter) => follow(document, parameter))

function verbOf(document: ApiDocument, method: string, operation: Operation): Verb {
  const { content = {} } = follow(document, operation.responses['200'] ?? {})
  if (method !== 'get') return method.toUpperCase() as Verb
  if (Object.keys(content).some((type) => /^image\/|octet-stream/.test(type))) return 'FILE'
  const answer = follow(document, content['application/json']?.schema ?? {})
  const has = (name: string) => parametersOf(document, operation).some((one) => one.name === name)
  if (has('after') && answer.properties?.hasMore) return 'FEED'
  return has('page') && (answer.type === 'array' || answer.properties?.pagination) ? 'LIST' : 'GET'
}

/** What stands at the address `#/components/…/…` of a part; the part itself if it is there in full. */
export function follow<Part extends Ref>(document: ApiDocument, part: Part): Part {
  const keys = part.$ref?.replace('#/', '').split('/')
  return keys ? (keys.reduce((at, key) => (at as Record<string, unknown>)[key], document as unknown) as Part) : part
}
