import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { AppError } from '../../domain/errors.ts'
import { idConstraints, randomFraction } from '../../domain/ids.ts'
import { ColdKeys, type Vault } from '../sealing/vault.ts'
import { type Asked, ask } from './batch.ts'
import { limits } from './pool.ts'
import type { ProcessContext } from './process-context.ts'
import { type Actor, type Queries, type QueriesOptions, queriesOn, type Realm } from './queries-on.ts'
import type { Replica } from './replica.ts'
import { MAX_TRANSACTION_MS } from './timeouts.ts'
import { failedToConnect, isEnded, isUnavailable } from './unavailable.ts'

export type { Actor, Mode, Queries, Realm } from './queries-on.ts'

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

/** Runs `work` so that what it wrote before a refusal is undone alone, and the transaction can go on. */
export async function inSavepoint<T>({ client }: Queries, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint work')
  try {
    return await work()
  } catch (err) {
    if (err instanceof AppError) await client.query('rollback to savepoint work')
    throw err
  }
}

export interface DatabaseOptions extends QueriesOptions {
  pool: Pool
  /** Where reads may go. */
  replica?: Replica | undefined
}

// A group waits less than a single request: a lock that blocks one member blocks the others too.
const GROUP_LOCK_MS = 200

const alone = async <T>(work: Promise<T>): Promise<Grouped<T>> => ({ result: await work, writes: [] })

export type ReadFrom = 'primary' | 'replica'

/** What holds for one transaction, by the name of the setting. */
type Settings = Record<string, string>

/** Behind a pooler nothing has a name, and each transaction sets its limits. */
function openingOf(settings: Settings, { isReadOnly, pooled }: { isReadOnly: boolean; pooled: boolean }): Asked[] {
  const all = Object.entries(pooled ? { ...limits, ...settings } : settings)
  const text = `select ${all.map(([name], at) => `set_config('${name}', $${at + 1}, true)`).join(', ')}`
  const named = (name: string) => (pooled ? undefined : name)
  return [
    isReadOnly ? { name: named('begin_read_only'), text: 'begin read only' } : { name: named('begin'), text: 'begin' },
    { name: named(all.map(([name]) => name).join(' ')), text, values: all.map(([, value]) => value) },
  ]
}

const commitOf = (pooled: boolean): Asked => ({ name: pooled ? undefined : 'commit', text: 'commit' })

// Serialization failure and deadlock
const RETRIED_STATES = new Set(['40001', '40P01'])
/** How often a transaction is tried in all. */
const ATTEMPTS = 4

/** Whether a transaction may be tried again: PostgreSQL rolled everything back. */
function isRetryable(err: unknown): boolean {
  if (!(err instanceof DatabaseError)) return false
  return RETRIED_STATES.has(err.code ?? '') || (err.code === '23505' && idConstraints.has(err.constraint ?? ''))
}

/** Waits for the work. The connection is kept until the work ends, even if BEGIN fails. */
async function after<T>(began: Promise<unknown>, working: Promise<T>): Promise<T> {
  await settled([began, working])
  return working
}

/** Waits for all promises, then throws the first failure. Later failures only repeat that the transaction is aborted. */
export async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** COMMIT was sent, and no answer arrived. */
const unknownOutcome = (cause: unknown): AppError =>
  new AppError(
    'OVERLOADED',
    'The database went away before it confirmed this. Send it again with the same Idempotency-Key: it is not done twice',
    { cause },
  )

/** @throws an error of its own if the connection is lost before the answer to COMMIT arrives: the outcome is unknown. */
function committed(committing: Promise<unknown>): Promise<unknown> {
  return committing.catch((err: unknown) => {
    throw isEnded(err) ? unknownOutcome(err) : err
  })
}

/** Rolls back. Returns an error if the connection must not be reused: it is lost, or its database has become read-only. */
async function undo(client: PoolClient, err: unknown): Promise<Error | undefined> {
  const failed = await client.query('rollback').then(
    () => undefined,
    (rollbackError: Error) => rollbackError,
  )
  return failed ?? (isUnavailable(err) ? (err as Error) : undefined)
}

/** Opens transactions. The program has one. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #pool: Pool

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#pool = options.pool
  }

  /** The keys that seal what rows and files hold of people. */
  get vault(): Vault {
    return this.#options.vault
  }

  /** What the process knows and no table holds. */
  get context(): ProcessContext {
    return this.#options.context
  }

  /** The time that the next transaction would have. */
  now(): Date {
    return this.#options.clock.now()
  }

  /** Runs `work` in one transaction of `realm`: commits, or rolls back if it throws. Retries only if the database certainly did nothing. */
  async inRealm<T>(realm: Realm, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!Number.isInteger(realm.id)) throw new TypeError('a realm id is an integer')
    await this.#options.vault.warm([realm.id])
    return this.#transaction({ 'kitlane.realm': String(realm.id) }, actor, (queries) =>
      alone(work({ ...queries, realm })),
    )
  }

  /**
   * Runs `work`, which only reads, at the replica where it has all that was committed until now. Else, and after a failure
   * there, at the primary. `what` names it: what turns out to write is not tried again.
   */
  async readInRealm<T>(
    what: string,
    realm: Realm,
    actor: Actor,
    work: (tx: Tx, where: ReadFrom) => Promise<T>,
  ): Promise<T> {
    if (!Number.isInteger(realm.id)) throw new TypeError('a realm id is an integer')
    await this.#options.vault.warm([realm.id])
    const found = await this.#atReplica(what, { 'kitlane.realm': String(realm.id) }, actor, (queries) =>
      alone(work({ ...queries, realm }, 'replica')),
    )
    return found ? found.result : this.inRealm(realm, actor, (tx) => work(tx, 'primary'))
  }

  /** The same over all realms. */
  async readAsSystem<T>(what: string, actor: Actor, work: (tx: SystemTx, where: ReadFrom) => Promise<T>): Promise<T> {
    const found = await this.#atReplica(what, { role: this.#options.roles.system }, actor, (queries) =>
      alone(work({ ...queries, system: true }, 'replica')),
    )
    return found ? found.result : this.asSystem(actor, (tx) => work(tx, 'primary'))
  }

  async #atReplica<T>(
    what: string,
    settings: Settings,
    actor: Actor,
    work: (queries: Queries) => Promise<Grouped<T>>,
  ): Promise<{ result: T } | undefined> {
    const { replica } = this.#options
    const position = await replica?.position(what)
    if (!replica || !position) return undefined
    // In the same transaction: the next connection may lead to another standby.
    const reached = async (queries: Queries) => {
      await replica.reach(queries.client, position)
      return work(queries)
    }
    try {
      return { result: await this.#once(settings, actor, reached, this.#options.vault, replica) }
    } catch (err) {
      if (err instanceof AppError && err.status < 500) throw err
      replica.fail(what, err)
      return undefined
    }
  }

  /** Runs `work` in one transaction over all realms. */
  asSystem<T>(actor: Actor, work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return this.#transaction({ role: this.#options.roles.system }, actor, (queries) =>
      alone(work({ ...queries, system: true })),
    )
  }

  /**
   * Runs `work` in one transaction of several realms, as a role that sees only these and may do only one thing. `work`
   * returns its writes without awaiting them, so that writes and COMMIT take one round trip.
   */
  async inRealms<T>(
    role: GroupRole,
    realmIds: readonly number[],
    work: (tx: GroupTx) => Promise<Grouped<T>>,
  ): Promise<T> {
    if (!realmIds.every(Number.isInteger)) throw new TypeError('a realm id is an integer')
    await this.#options.vault.warm(realmIds)
    const settings = {
      role: this.#options.roles[role],
      'kitlane.realms': `,${realmIds.join(',')},`,
      lock_timeout: String(GROUP_LOCK_MS),
      // PostgreSQL takes a plan for known arrays as cheaper, and planned five of the statements of an order each time: a fifth of
      // what the database did for an order alone.
      plan_cache_mode: 'force_generic_plan',
    }
    return this.#transaction(settings, { name: 'group' }, (queries) => work({ ...queries, group: true }))
  }

  async #transaction<T>(settings: Settings, actor: Actor, work: (queries: Queries) => Promise<Grouped<T>>): Promise<T> {
    const { vault } = this.#options
    let keys = vault.withoutWaiting()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(settings, actor, work, keys)
      } catch (err) {
        if (err instanceof ColdKeys) {
          // Once: a realm that is made within the transaction has no keys before it.
          keys = vault
          await vault.warm(err.realmIds)
          continue
        }
        if (attempt >= ATTEMPTS || !isRetryable(err)) throw err
        await delay(randomFraction() * 20 * 2 ** attempt)
      }
    }
  }

  async #once<T>(
    settings: Settings,
    actor: Actor,
    work: (queries: Queries) => Promise<Grouped<T>>,
    vault: Vault,
    replica?: Replica,
  ): Promise<T> {
    const { pooled } = this.#options
    const client = await (replica?.pool ?? this.#pool).connect().catch(failedToConnect)
    let broken: Error | undefined
    const startedMs = performance.now()
    let allowedMs = MAX_TRANSACTION_MS
    const allow = (ms: number) => {
      allowedMs += ms
    }
    try {
      // BEGIN, the realm and the first statement leave in one message.
      const opening = openingOf(settings, { isReadOnly: replica !== undefined, pooled })
      const began = settled(opening.map((statement) => ask(client, statement)))
      const { result, writes } = await after(began, work(queriesOn(client, actor, { ...this.#options, vault, allow })))
      if (performance.now() - startedMs > allowedMs) {
        await settled(writes)
        throw new AppError('OVERLOADED', 'This took too long, try again')
      }
      // A write that failed makes the commit a rollback.
      await committed(settled([...writes, ask(client, commitOf(pooled))]))
      return result
    } catch (err) {
      broken = await undo(client, err)
      throw err
    } finally {
      client.release(broken)
    }
  }
}
