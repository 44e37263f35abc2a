import { setTimeout as delay } from 'node:timers/promises'
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { Clock } from '../clock.ts'
import { randomFraction } from '../ids.ts'
import type { Local } from './local.ts'
import { db } from './sql.ts'

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
  requestId?: string
  ip?: string
}

/** Adds a job in a connection's transaction. */
export type Enqueue = (client: PoolClient, job: string, input: unknown, options?: EnqueueOptions) => Promise<string>

export interface EnqueueOptions {
  /** Not before. */
  startAfter?: Date
}

export type Query<T> = Compilable<T> | RawBuilder<T>

interface Queries {
  readonly actor: Actor
  readonly now: Date
  readonly local: Local
  /** The connection itself, for what must join this transaction (a job, a savepoint). */
  readonly client: PoolClient
  rows<T>(query: Query<T>): Promise<T[]>
  maybeRow<T>(query: Query<T>): Promise<T | undefined>
  /** Exactly one row, else an error: for `returning` and aggregates. */
  row<T>(query: Query<T>): Promise<T>
  /** The number of rows changed. */
  run(query: Query<unknown>): Promise<number>
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

/** Acts inside one realm of a system transaction: administration that uses the same verbs as everyone. */
export const within = (tx: SystemTx, realm: Realm): Tx => ({ ...tx, realm })

function compile(query: Query<unknown>): CompiledQuery {
  return 'isRawBuilder' in query ? query.compile(db) : query.compile()
}

function queriesOn(client: PoolClient, actor: Actor, { clock, local, enqueue }: DatabaseOptions): Queries {
  const send = (query: Query<unknown>) => {
    const { sql, parameters } = compile(query)
    return client.query(sql, parameters as unknown[])
  }
  return {
    actor,
    now: clock.now(),
    local,
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
    enqueue: (job, input, options) => enqueue(client, job, input, options),
  }
}

// Serialization failure and deadlock: nothing was done. The id indexes: two random identifiers met (40 bits), a new try draws others.
const RETRIED_STATES = new Set(['40001', '40P01'])
const RETRIED_CONSTRAINTS = new Set(['kits_id', 'orders_pkey', 'customers_pkey', 'reports_pkey'])
const ATTEMPTS = 4

function isRetryable(err: unknown): boolean {
  if (!(err instanceof DatabaseError)) return false
  return RETRIED_STATES.has(err.code ?? '') || (err.code === '23505' && RETRIED_CONSTRAINTS.has(err.constraint ?? ''))
}

export interface DatabaseOptions {
  pool: Pool
  clock: Clock
  local: Local
  enqueue: Enqueue
}

/** Opens transactions. One for the whole program. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #pool: Pool

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#pool = options.pool
  }

  /** Runs `work` in one transaction of `realm`; commits its result, rolls back what throws. Retries only what surely did nothing. */
  inRealm<T>(realm: Realm, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!Number.isInteger(realm.id)) throw new TypeError('a realm id is an integer')
    return this.#transaction(`begin; set local kitlane.realm = '${realm.id}'`, actor, (queries) =>
      work({ ...queries, realm }),
    )
  }

  /** Runs `work` in one transaction across realms. */
  asSystem<T>(actor: Actor, work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return this.#transaction('begin; set local role kitlane_system', actor, (queries) =>
      work({ ...queries, system: true }),
    )
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
      // Realm and BEGIN travel in one message: the realm costs no round trip.
      await client.query(begin)
      const result = await work(queriesOn(client, actor, this.#options))
      await client.query('commit')
      return result
    } catch (err) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError
      })
      throw err
    } finally {
      client.release(broken)
    }
  }

  /** True when the database answers. */
  async isAlive(): Promise<boolean> {
    return this.#pool.query('select 1').then(
      () => true,
      () => false,
    )
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}
