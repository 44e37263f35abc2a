import { setTimeout as delay } from 'node:timers/promises'
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { idConstraints, randomFraction } from '../../domain/ids.ts'
import type { Clock } from '../clock.ts'
import { after, committed, settled, undo } from './commit.ts'
import { gather } from './cork.ts'
import { limitsOfTransaction } from './pool.ts'
import type { ProcessContext } from './process-context.ts'
import type { Roles } from './roles.ts'
import { db } from './sql.ts'
import type { Statement } from './statement.ts'
import { ANSWER_MS } from './timeouts.ts'

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

/** A transaction in one realm. Verbs and queries receive it; only the HTTP edge, the job runner and the CLI open one. */
export interface Tx extends Queries {
  readonly realm: Realm
}

/** A transaction over all realms: token lookup, sweeps, administration. */
export interface SystemTx extends Queries {
  readonly system: true
}

/** A transaction in several realms, for a group commit; its rows carry their realm. */
export interface GroupTx extends Queries {
  readonly group: true
}

/** What a group commit may do: place orders, or read them. */
export type GroupRole = 'placement' | 'reading'

/** The result of a group, and the pending statements that write it: they leave in one message with COMMIT. */
export interface Grouped<T> {
  result: T
  writes: readonly Promise<unknown>[]
}

/** Enters one realm within a transaction over several, so that administration can use the same verbs as everyone. */
export const within = (tx: Queries, realm: Realm): Tx => ({ ...tx, realm })

function compile(query: Exclude<Query<unknown>, Statement<unknown>>): CompiledQuery {
  return 'isRawBuilder' in query ? query.compile(db) : query.compile()
}

function queriesOn(client: PoolClient, actor: Actor, options: DatabaseOptions): Queries {
  const { clock, context, roles, enqueue, pooled } = options
  // Zero: the default limit.
  let allowedMs = 0
  const send = (query: Query<unknown>) => {
    gather(client)
    const bound = allowedMs > 0 && { query_timeout: allowedMs + ANSWER_MS }
    if ('text' in query) {
      const { name, text, values } = query
      return client.query({ text, values: values as unknown[], ...(!pooled && { name }), ...bound })
    }
    const { sql, parameters } = compile(query)
    return client.query({ text: sql, values: parameters as unknown[], ...bound })
  }
  return {
    actor,
    now: clock.now(),
    context,
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
    },
    enqueue: (job, input, options) => enqueue(client, job, input, options),
  }
}

// Serialization failure and deadlock: PostgreSQL rolled everything back.
const RETRIED_STATES = new Set(['40001', '40P01'])
const ATTEMPTS = 4

function isRetryable(err: unknown): boolean {
  if (!(err instanceof DatabaseError)) return false
  return RETRIED_STATES.has(err.code ?? '') || (err.code === '23505' && idConstraints.has(err.constraint ?? ''))
}

export interface DatabaseOptions {
  pool: Pool
  clock: Clock
  context: ProcessContext
  enqueue: Enqueue
  roles: Roles
  /** Behind a pooler a connection keeps no state: no named statements, and each BEGIN carries the limits. */
  pooled: boolean
}

// A group waits less than a single request: a lock that blocks one member blocks the others too.
const GROUP_LOCK_MS = 200
const CLOSE_MS = 2000

const alone = async <T>(work: Promise<T>): Promise<Grouped<T>> => ({ result: await work, writes: [] })

/** Opens transactions. The program has one. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #pool: Pool
  readonly #begin: string

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#pool = options.pool
    this.#begin = `begin;${options.pooled ? limitsOfTransaction : ''}`
  }

  /** Runs `work` in one transaction of `realm`: commits, or rolls back if it throws. Retries only if the database certainly did nothing. */
  inRealm<T>(realm: Realm, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!Number.isInteger(realm.id)) throw new TypeError('a realm id is an integer')
    return this.#transaction(`${this.#begin} set local kitlane.realm = '${realm.id}'`, actor, (queries) =>
      alone(work({ ...queries, realm })),
    )
  }

  /** Runs `work` in one transaction over all realms. */
  asSystem<T>(actor: Actor, work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return this.#transaction(`${this.#begin} set local role ${this.#options.roles.system}`, actor, (queries) =>
      alone(work({ ...queries, system: true })),
    )
  }

  /**
   * Runs `work` in one transaction of several realms, as a role that sees only these and may do only one thing. `work`
   * returns its writes without awaiting them, so that writes and COMMIT take one round trip.
   */
  inRealms<T>(role: GroupRole, realmIds: readonly number[], work: (tx: GroupTx) => Promise<Grouped<T>>): Promise<T> {
    if (!realmIds.every(Number.isInteger)) throw new TypeError('a realm id is an integer')
    const begin = `${this.#begin} set local role ${this.#options.roles[role]}; set local kitlane.realms = ',${realmIds.join(',')},'; set local lock_timeout = ${GROUP_LOCK_MS}`
    return this.#transaction(begin, { name: 'group' }, (queries) => work({ ...queries, group: true }))
  }

  async #transaction<T>(begin: string, actor: Actor, work: (queries: Queries) => Promise<Grouped<T>>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(begin, actor, work)
      } catch (err) {
        if (attempt >= ATTEMPTS || !isRetryable(err)) throw err
        await delay(randomFraction() * 20 * 2 ** attempt)
      }
    }
  }

  async #once<T>(begin: string, actor: Actor, work: (queries: Queries) => Promise<Grouped<T>>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      // BEGIN, the realm and the first statement leave in one message.
      gather(client)
      const began = client.query(begin)
      const { result, writes } = await after(began, work(queriesOn(client, actor, this.#options)))
      // A write that failed makes the commit a rollback.
      await committed(settled([...writes, client.query('commit')]))
      return result
    } catch (err) {
      broken = await undo(client, err)
      throw err
    } finally {
      client.release(broken)
    }
  }

  /** Closes the pool. Waits at most 2 s for a server that does not answer. */
  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), delay(CLOSE_MS, undefined, { ref: false })])
  }
}
