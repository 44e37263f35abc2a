/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  additionalProperties?: boolean | Schema
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  deprecated?: boolean
  example?: unknown
}

export interface Ref {
  $ref?: string
}

export interface Parameter extends Ref {
  name: string
  in: string
  required?: boolean
  description?: string
  deprecated?: boolean
  schema?: Schema
  example?: unknown
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Readonly<Record<string, Ref & { summary?: string; value?: unknown }>>
}

export interface Answer extends Ref {
  description?: string
  content?: Readonly<Record<string, Media>>
}

export interface Operation {
  operationId: string
  tags?: readonly string[]
  summary?: string
  description?: string
  deprecated?: boolean
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly Parameter[]
  requestBody?: Answer & { required?: boolean }
  responses: Readonly<Record<string, Answer>>
}

export interface Document {
  info: { title: string; version: string; description?: string }
  tags: readonly { name: string; description?: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const JSON_TYPE = 'application/json'

/** The part that a reference names, with what stands beside the reference; the part itself if it is there in full. */
export function follow<Part extends Ref>(document: object, part: Part): Part {
  const { $ref, ...beside } = part
  if ($ref === undefined) return part
  const names = $ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = names.reduce((at, name) => (at as Record<string, unknown>)[name], document as unknown) as Part
  return { ...follow(document, found), ...beside } as Part
}

/** One call of the API, or one event of a webhook. */
export interface Listed {
  /** `POST`; of an event too. */
  method: string
  /** `/api/v1/orders/{id}`, or the name of the event. */
  path: string
  operation: Operation
}

export const listOperations = (paths: Document['paths'] = {}): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
