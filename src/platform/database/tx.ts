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
  /** Ours: no other request has it. */
  requestId?: string
  /** What the caller calls it. */
  callerRequestId?: string
  ip?: string
}

/** Adds a job in a connection's transaction. */
export type Enqueue = (client: PoolClient, job: string, input: unknown, options?: EnqueueOptions) => Promise<string>

export interface EnqueueOptions {
  /** Not before. */
  startAfter?: Date
}

export type Query<T> = Compilable<T> | RawBuilder<T> | Statement<T>

/** A transaction of any kind, for verbs whose rows name their realm themselves. */
export interface Queries {
  readonly actor: Actor
  readonly now: Date
  readonly context: ProcessContext
  /** What a transaction may become. */
  readonly roles: Roles
  /** The connection itself, for what must join this transaction (a job, a savepoint). */
  readonly client: PoolClient
  rows<T>(query: Query<T>): Promise<T[]>
  maybeRow<T>(query: Query<T>): Promise<T | undefined>
  /** Exactly one row, else an error: for `returning` and aggregates. */
  row<T>(query: Query<T>): Promise<T>
  /** The number of rows changed. */
  run(query: Query<unknown>): Promise<number>
  /** Lets the statements that follow take so long: for what reads whole tables. */
  allowMs(ms: number): Promise<void>
  /** A job that exists when this transaction commits. Its input is kept in clear: identifiers only. */
  enqueue(job: string, input: unknown, options?: EnqueueOptions): Promise<string>
}

/** A transaction inside one realm. Services and queries receive it; only the http edge, the job runner and the CLI open it. */
export interface Tx extends Queries {
  readonly realm: Realm
}

/** A transaction across realms: token lookup, sweeps, administration. */
export interface SystemTx extends Queries {
  readonly system: true
}

/** A transaction inside a few realms, whose requests are answered together; its rows name their realm. */
export interface GroupTx extends Queries {
  readonly group: true
}

/** What a group may do: place orders, or read them. */
export type GroupRole = 'placement' | 'reading'

/** What a group came to, and the statements that write it: the commit travels with them in one message. */
export interface Grouped<T> {
  result: T
  writes: readonly Promise<unknown>[]
}

/** Acts inside one realm of a transaction over several: administration that uses the same verbs as everyone. */
export const within = (tx: Queries, realm: Realm): Tx => ({ ...tx, realm })

function compile(query: Exclude<Query<unknown>, Statement<unknown>>): CompiledQuery {
  return 'isRawBuilder' in query ? query.compile(db) : query.compile()
}

function queriesOn(client: PoolClient, actor: Actor, options: DatabaseOptions): Queries {
  const { clock, context, roles, enqueue, pooled } = options
  // Zero: as long as every other statement.
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

// Serialization failure and deadlock: nothing was done.
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
  /** Behind a pooler a connection keeps nothing: no named statements, and the limits go with each BEGIN. */
  pooled: boolean
}

// A group waits less than a single request does: what holds it up holds up its neighbours.
const GROUP_LOCK_MS = 200
const CLOSE_MS = 2000

/** Opens transactions. One for the whole program. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #pool: Pool
  readonly #begin: string

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#pool = options.pool
    this.#begin = `begin;${options.pooled ? limitsOfTransaction : ''}`
  }

  /** Runs `work` in one transaction of `realm`; commits its result, rolls back what throws. Retries only what surely did nothing. */
  inRealm<T>(realm: Realm, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!Number.isInteger(realm.id)) throw new TypeError('a realm id is an integer')
    return this.#transaction(`${this.#begin} set local kitlane.realm = '${realm.id}'`, actor, (queries) =>
      work({ ...queries, realm }),
    )
  }

  /** Runs `work` in one transaction across realms. */
  asSystem<T>(actor: Actor, work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return this.#transaction(`${this.#begin} set local role ${this.#options.roles.system}`, actor, (queries) =>
      work({ ...queries, system: true }),
    )
  }

  /**
   * Runs `work` in one transaction of several realms, by a role that sees these and may do one thing only. `work` hands
   * back its writes unawaited, so that they and the commit take one round trip.
   */
  async inRealms<T>(
    role: GroupRole,
    realmIds: readonly number[],
    work: (tx: GroupTx) => Promise<Grouped<T>>,
  ): Promise<T> {
    if (!realmIds.every(Number.isInteger)) throw new TypeError('a realm id is an integer')
    const begin = `${this.#begin} set local role ${this.#options.roles[role]}; set local kitlane.realms = ',${realmIds.join(',')},'; set local lock_timeout = ${GROUP_LOCK_MS}`
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#onceTogether(begin, work)
      } catch (err) {
        if (attempt >= ATTEMPTS || !isRetryable(err)) throw err
        await delay(randomFraction() * 20 * 2 ** attempt)
      }
    }
  }

  async #onceTogether<T>(begin: string, work: (tx: GroupTx) => Promise<Grouped<T>>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      gather(client)
      const began = client.query(begin)
      const working = work({ ...queriesOn(client, { name: 'group' }, this.#options), group: true })
      const { result, writes } = await after(began, working)
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

  async #transaction<T>(begin: string, actor: Actor, work: (queries: Queries) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(begin, actor, work)
      } catch (err) {
        if (attempt >= ATTEMPTS || !isRetryable(err)) throw err
        await delay(randomFraction() * 20 * 2 ** attempt)
      }
    }
  }

  async #once<T>(begin: string, actor: Actor, work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      // Realm, BEGIN and the first statement travel together: they cost no round trip.
      gather(client)
      const began = client.query(begin)
      const result = await after(began, work(queriesOn(client, actor, this.#options)))
      await committed(client.query('commit'))
      return result
    } catch (err) {
      broken = await undo(client, err)
      throw err
    } finally {
      client.release(broken)
    }
  }

  /** Waits for a server that does not say goodbye no longer than the program may take to end. */
  async close(): Promise<void> {
    await Promise.race([this.#pool.end(), delay(CLOSE_MS, undefined, { ref: false })])
  }
}
