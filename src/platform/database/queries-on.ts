import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import type { PoolClient } from 'pg'
import { Counter } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { processFigures } from '../process-figures.ts'
import type { Vault } from '../sealing/vault.ts'
import { ask } from './batch.ts'
import type { ProcessContext } from './process-context.ts'
import type { Roles } from './roles.ts'
import { db } from './sql.ts'
import type { Statement } from './statement.ts'
import { patience } from './timeouts.ts'

export type Mode = 'live' | 'sandbox'

/** One business in one mode: the boundary that no query crosses. */
export interface Realm {
  id: number
  businessId: string
  mode: Mode
}

/** Who acts, for the audit: `token:tok_…`, `cli`, `job:<name>`, `system`. */
export interface Actor {
  name: string
  /** Our ID of the request, unique. */
  requestId?: string
  /** The caller's own ID of the request. */
  callerRequestId?: string
  ip?: string
}

/** Adds a job in the transaction of a connection. Returns its ID. */
export type Enqueue = (client: PoolClient, job: string, input: unknown, options?: EnqueueOptions) => Promise<string>

export interface EnqueueOptions {
  /** Not before. */
  startAfter?: Date
}

export type Query<T> = Compilable<T> | RawBuilder<T> | Statement<T>

/** A transaction of any kind, for statements whose rows carry their realm. */
export interface Queries {
  readonly actor: Actor
  readonly now: Date
  readonly context: ProcessContext
  /** The keys that seal what rows hold of people. */
  readonly vault: Vault
  /** The roles that a transaction may switch to. */
  readonly roles: Roles
  /** The connection, for a savepoint or a job within this transaction. */
  readonly client: PoolClient
  rows<T>(query: Query<T>): Promise<T[]>
  maybeRow<T>(query: Query<T>): Promise<T | undefined>
  /** Exactly one row, for `returning` and aggregates; any other count throws. */
  row<T>(query: Query<T>): Promise<T>
  /** The number of rows changed. */
  run(query: Query<unknown>): Promise<number>
  /** Raises the time limit of the following statements, for those that read whole tables. */
  allowMs(ms: number): Promise<void>
  /** Adds a job that exists once this transaction commits. Its input is stored in clear text: identifiers only. */
  enqueue(job: string, input: unknown, options?: EnqueueOptions): Promise<string>
}

const counted = new Counter({
  name: 'kitlane_slow_statements_total',
  help: 'Statements that took longer than SLOW_STATEMENT_MS, by their name, or by verb and tables.',
  labelNames: ['statement'],
  registers: [processFigures],
})

interface SlowStatements {
  ms: number
  log: Logger
}

/** Logs and counts a statement that takes too long, from its sending to its answer. Returns its promise. */
function watchSlow<T>(answer: Promise<T>, slow: SlowStatements, name?: string, text = ''): Promise<T> {
  const sentMs = performance.now()
  const check = () => {
    const tookMs = performance.now() - sentMs
    if (tookMs < slow.ms) return
    const statement = name ?? statementName(text)
    counted.inc({ statement })
    slow.log.warn({ statement, durationMs: Math.round(tookMs) }, 'slow statement')
  }
  answer.then(check, check)
  return answer
}

const VERBS = /\b(insert|update|delete)\b(?! of| skip)/
const TABLES = /\b(?:from|join|into|update)\s+(?:only\s+)?"?([a-z_][\w.]*)"?(?![\w.(])/gi
const WORDS = new Set(['lateral', 'select', 'set', 'of', 'skip', 'nowait', 'where', 'distinct'])
const SHOWN = 4

/** Verb and first tables, such as `update:kits:orders`: what a statement without a name is called. No value is part of it. */
export function statementName(text: string): string {
  const verb = VERBS.exec(text.toLowerCase().replace(/\bfor (no key )?update\b/g, ''))?.[1] ?? 'select'
  const tables = [...text.matchAll(TABLES)].map(([, table = '']) => table.toLowerCase())
  const known = [...new Set(tables)].filter((table) => !WORDS.has(table)).slice(0, SHOWN)
  return [verb, ...known].join(':')
}

export interface QueriesOptions {
  clock: Clock
  context: ProcessContext
  vault: Vault
  enqueue: Enqueue
  roles: Roles
  /** Which statements are logged. */
  slow?: SlowStatements | undefined
  /** Behind a pooler a connection keeps no state: no named statements, and each BEGIN carries the limits. */
  pooled: boolean
  /** Told of statements that may take longer. */
  allow?(ms: number): void
}

/** The text and the values of a query. */
const compile = (query: Compilable<unknown> | RawBuilder<unknown>): CompiledQuery =>
  'isRawBuilder' in query ? query.compile(db) : query.compile()

/** The statements of one transaction on a connection. */
export function queriesOn(client: PoolClient, actor: Actor, options: QueriesOptions): Queries {
  const { clock, context, vault, roles, enqueue, pooled, slow } = options
  // Zero: the default limit.
  let allowedMs = 0
  const send = (query: Query<unknown>) => {
    const timeoutMs = allowedMs > 0 ? allowedMs + patience.query_timeout : undefined
    if ('text' in query) {
      const { name, text, values } = query
      const answer = ask(client, { name: pooled ? undefined : name, text, values, timeoutMs })
      return slow ? watchSlow(answer, slow, name) : answer
    }
    const { sql: text, parameters: values } = compile(query)
    const answer = ask(client, { text, values, timeoutMs })
    return slow ? watchSlow(answer, slow, undefined, text) : answer
  }
  return {
    actor,
    now: clock.now(),
    context,
    vault,
    roles,
    client,
    async rows<T>(query: Query<T>) {
      return (await send(query)).rows as T[]
    },
    async maybeRow<T>(query: Query<T>) {
      return (await send(query)).rows[0] as T | undefined
    },
    async row<T>(query: Query<T>) {
      const { rows } = await send(query)
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`)
      return rows[0] as T
    },
    async run(query: Query<unknown>) {
      return (await send(query)).rowCount ?? 0
    },
    async allowMs(ms: number) {
      await client.query(`set local statement_timeout = ${Math.trunc(ms)}`)
      allowedMs = ms
      options.allow?.(ms)
    },
    enqueue: (job, input, options) => enqueue(client, job, input, options),
  }
}
