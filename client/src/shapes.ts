import type { List } from './list.ts'
import type { operations } from './schema.gen.ts'

type Id = keyof operations
type Success = 200 | 201 | 202 | 204
type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Json } } ? Json : undefined
type AnswersOf<All> = { [Status in keyof All & Success]: JsonOf<All[Status]> }[keyof All & Success]

type KeyOf<Union> = Union extends unknown ? keyof Union : never
type Absent<One, All> = [Exclude<All, keyof One>] extends [never]
  ? One
  : One & { [Key in Exclude<All, keyof One> & string]?: undefined }
/** A union of objects in which each has the others' fields as absent: `made.jobId` can be asked for without a cast. */
type Loose<Union, All = KeyOf<Union>> = Union extends readonly unknown[]
  ? Union
  : Union extends object
    ? Absent<Union, All>
    : Union

/** What a route answers, by its operationId in the OpenAPI document. */
export type AnswerOf<Op extends Id> = Loose<AnswersOf<operations[Op]['responses']>>

/** What a route is sent. */
export type BodyOf<Op extends Id> = operations[Op] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

/** The query parameters of a route. */
export type QueryOf<Op extends Id> = NonNullable<operations[Op]['parameters']['query']>

type Declared<Op extends Id, Name extends string> = operations[Op] extends {
  parameters: { path: Record<Name, infer Type> }
}
  ? Type
  : never

/** A parameter in the path of a route. Numbers may be given where a text is meant. */
export type PathOf<Op extends Id, Name extends string> =
  | Declared<Op, Name>
  | (string extends Declared<Op, Name> ? number : never)

type ItemOf<Answer> = Answer extends readonly (infer Item)[]
  ? Item
  : Answer extends { data: readonly (infer Item)[] } | { rows: readonly (infer Item)[] }
    ? Item
    : never

/** A list: `await` gives its first page, `for await` all its items. */
export type ListOf<Op extends Id> = List<AnswerOf<Op>, ItemOf<AnswerOf<Op>>>

/** What one call may say for itself; the rest is as the client was told. */
export interface CallOptions {
  /** Ends the call, also while it waits for its next try. */
  signal?: AbortSignal
  /** For each try, in milliseconds. */
  timeoutMs?: number
  maxRetries?: number
  /** Of a write: the same key with the same request does its work once, for 24 hours. Made by itself otherwise. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

export interface WaitOptions<Job> {
  /** Called with each state of the job that was read, the last one too. */
  onProgress?: (job: Job) => void
  /** Ends the waiting, not the job. */
  signal?: AbortSignal
}
