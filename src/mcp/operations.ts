import { readShipped } from '../platform/package-root.ts'

/** A part of the document with what it refers to in its place. */
export type Part = { readonly [name: string]: unknown }

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Part
}

/** One operation of the OpenAPI document that an assistant may call. */
export interface Operation {
  /** Its operationId. */
  name: string
  /** `GET`, `POST`, … */
  method: string
  /** `/api/v1/orders/{id}` */
  path: string
  /** What a token must hold; undefined: any token will do. */
  scope: string | undefined
  /** What it may cause (`domain/effects.ts`); undefined: not known. */
  effects: readonly string[] | undefined
  summary: string
  description: string
  /** Of the path and the query. */
  parameters: readonly Parameter[]
  /** The schema of its JSON body. */
  body: Part | undefined
  bodyRequired: boolean
}

interface Described {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  security?: { token?: string[] }[]
  'x-effects'?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Part }> }
  responses: Record<string, { content?: Record<string, { schema: Part }> }>
}

/** Prices and changes nothing. */
export const QUOTE = 'createQuote'
/** The one operation with an effect: as a tool it makes an order that waits until a person pays it. */
export const PLACE = 'createOrder'

// Second names of routes.
const leftOut = new Set(['createCustomerAlias'])
// Publishing a report, or acknowledging a critical result, needs the judgement of a person.
const judgedByPeople = 'reports:review'
const JSON_TYPE = 'application/json'

/** The operations of openapi.json that an assistant may call, whatever its token holds. */
export async function readOperations(): Promise<Operation[]> {
  const document: Part = JSON.parse(await readShipped('openapi.json'))
  const paths = document.paths as Record<string, Record<string, unknown>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, given]) => {
      const described = inline(given, document) as Described
      const operation = operationOf(method.toUpperCase(), path, described)
      return operation && isForAssistants(operation, described) ? [operation] : []
    }),
  )
}

function operationOf(method: string, path: string, described: Described): Operation | undefined {
  const { operationId, summary, description = '', parameters = [], requestBody, security = [] } = described
  const token = security.find((one) => one.token)?.token
  if (!token) return undefined
  return {
    name: operationId,
    method,
    path,
    summary,
    description,
    scope: token[0],
    effects: described['x-effects'],
    parameters: parameters.filter((one) => one.in === 'path' || one.in === 'query'),
    body: requestBody?.content[JSON_TYPE]?.schema,
    bodyRequired: requestBody?.required ?? false,
  }
}

/**
 * What an assistant may do: read, and what has no effect. It reads what others wrote, and may take that for its orders, so
 * what spends, publishes, sends data out, lets somebody in, deletes or changes who is notified is done by a person.
 */
function isForAssistants(operation: Operation, { deprecated, responses }: Described): boolean {
  const { name, method, scope, effects } = operation
  if (deprecated || leftOut.has(name)) return false
  if (method !== 'GET' && name !== PLACE && effects?.length !== 0) return false
  if (scope === judgedByPeople && method !== 'GET') return false
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content ? [content] : [],
  )
  // Files are nothing that an assistant reads. A secret that is shown once belongs into a program, not a conversation.
  return answers.every((content) => {
    const schema = content[JSON_TYPE]?.schema
    return schema !== undefined && schema.format !== 'binary' && !hasField(schema, 'secret')
  })
}

/** Copies a part of the document: its references are replaced by what they name, its examples are left out. */
function inline(part: unknown, document: Part, within: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((one) => inline(one, document, within))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...rest } = part as Part & { $ref?: string }
  // A shape that holds itself is left open.
  if ($ref !== undefined && within.includes($ref)) return {}
  const named = $ref === undefined ? {} : (inline(partAt(document, $ref), document, [...within, $ref]) as Part)
  const own = Object.entries(rest).flatMap(([name, value]) =>
    // In `properties` these are names of fields.
    /^examples?$/.test(name) && !isSchema(value) ? [] : [[name, inline(value, document, within)]],
  )
  return { ...named, ...Object.fromEntries(own) }
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ['type', 'anyOf', '$ref'].some((name) => name in value)

function partAt(document: Part, ref: string): unknown {
  const names = ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>((part, name) => (part as Part)[name], document)
}

function hasField(part: unknown, name: string): boolean {
  if (Array.isArray(part)) return part.some((one) => hasField(one, name))
  if (typeof part !== 'object' || part === null) return false
  const { properties } = part as { properties?: object }
  return (properties !== undefined && name in properties) || Object.values(part).some((one) => hasField(one, name))
}
