import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { SecretKey } from '../crypto.ts'
import { type KeyProvider, noProvider } from './key-provider.ts'
import * as keyQueries from './key-queries.ts'
import { type HashIn, hashWith, type Keyring, keyring } from './keyring.ts'

/** The number of the keys of what belongs to no business. */
export const OPERATOR = 0

/** A key is not in memory, and a key management service would have to be asked for it within a transaction. */
export class ColdKeys extends Error {
  readonly realmIds: readonly number[]
  constructor(realmIds: readonly number[]) {
    super(`the keys of the realms ${realmIds.join(', ')} are not in memory`)
    this.realmIds = realmIds
  }
}

/** The keys of all realms. The program has one. */
export interface Vault {
  /** The keys of one realm, made at its first use. At most ten seconds old. */
  of(realmId: number): Promise<Keyring>
  /** The keys of several realms, loaded together. */
  ofAll(realmIds: Iterable<number>): Promise<ReadonlyMap<number, Keyring>>
  /**
   * Has the keys of realms unwrapped before a transaction needs them, so that none waits for a key management service.
   * Undefined where nothing is to do. Never rejects: code that needs a missing key fails with the reason.
   */
  warm(realmIds: readonly number[]): Promise<unknown> | undefined
  /**
   * The vault for a transaction: it throws `ColdKeys` where a key management service would have to be asked. The code that opened
   * the transaction warms these keys and begins again.
   */
  withoutWaiting(): Vault
  /** Has every key loaded again at its next use: this process knows new ones at once. */
  forget(): void
  /** Hashes for any realm, to look for the same text in all of them. */
  hashIn(): Promise<HashIn>
  /** Makes a new data key for each of these realms, which seals from a time on. */
  renew(realmIds: readonly number[], usedFrom: Date): Promise<void>
  /** The key of secrets, which stays as long as the database. */
  secrets(): Promise<SecretKey>
  /** Wraps up to so many keys with the master key of now that another one has wrapped. Returns how many. */
  rewrap(limit: number): Promise<number>
  close(): Promise<void>
}

export interface VaultOptions {
  database: keyQueries.KeyDatabase
  provider: KeyProvider
  /** The time of the database. */
  now(): Date
}

// A process knows a new key within ten seconds; rotation seals with it from the thirtieth on.
const FRESH_MS = 10_000
// An unwrapped key is forgotten after five minutes, and asked for again.
const UNWRAPPED_MS = 300_000

type LoadedKey = keyQueries.StoredKey & keyQueries.Packing

interface Entry {
  keys: Promise<Keyring>
  /** Whether its keys were unwrapped once, and are in memory since. */
  isWarm: boolean
  loadedAtMs: number
  /** When its keys were unwrapped. */
  unwrappedAtMs: number
}

interface Unwrapped {
  key: KeyObject
  atMs: number
}

const idOf = (id: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(id)
  return bytes
}

export function openVault({ database, provider, now }: VaultOptions): Vault {
  const entries = new Map<number, Entry>()
  const unwrapped = new Map<number, Unwrapped>()

  async function keyOf({ id, realmId, wrapped, wrappedBy }: keyQueries.StoredKey): Promise<KeyObject> {
    const known = unwrapped.get(id)
    if (known) return known.key
    const key = createSecretKey(await provider.unwrap(wrapped, wrappedBy, realmId))
    unwrapped.set(id, { key, atMs: performance.now() })
    return key
  }

  async function keyringOf(realmId: number, stored: ReadonlyMap<number, readonly LoadedKey[]>): Promise<Keyring> {
    const data = new Map<number, SecretKey>()
    let current: SecretKey | undefined
    for (const key of stored.get(realmId) ?? []) {
      if (key.purpose !== 'data') continue
      data.set(key.id, { id: idOf(key.id), key: await keyOf(key) })
      // The newest come first.
      if (key.usedFrom <= now()) current ??= data.get(key.id)
    }
    const index = stored.get(OPERATOR)?.find(({ purpose }) => purpose === 'index')
    if (!current || !index) throw new Error(`The realm ${realmId} has no keys`)
    return keyring({ realmId, packs: index.packs, current, data, hashIn: hashWith(await keyOf(index)) })
  }

  async function newKey(realmId: number, purpose: keyQueries.Purpose): Promise<keyQueries.NewKey> {
    return { realmId, purpose, wrapped: await provider.wrap(randomBytes(32), realmId), wrappedBy: provider.current }
  }

  /** The keys of these realms and the operator's, of which the index key is. Makes those that are missing. */
  async function load(realmIds: readonly number[]): Promise<Map<number, LoadedKey[]>> {
    const all = [...new Set([OPERATOR, ...realmIds])]
    const stored = Map.groupBy(await keyQueries.selectKeys(database, all), ({ realmId }) => realmId)
    const purposesOf = (realmId: number) => stored.get(realmId)?.map(({ purpose }) => purpose) ?? []
    const missing = all.flatMap((realmId) => {
      const wanted: keyQueries.Purpose[] = realmId === OPERATOR ? ['data', 'index', 'secrets'] : ['data']
      const had = purposesOf(realmId)
      return wanted.filter((purpose) => !had.includes(purpose)).map((purpose) => newKey(realmId, purpose))
    })
    if (missing.length === 0) return stored
    await keyQueries.insertKeys(database, await Promise.all(missing))
    return Map.groupBy(await keyQueries.selectKeys(database, all), ({ realmId }) => realmId)
  }

  function forget(nowMs: number): void {
    for (const [realmId, { unwrappedAtMs }] of entries)
      if (nowMs - unwrappedAtMs > UNWRAPPED_MS) entries.delete(realmId)
    for (const [id, { atMs }] of unwrapped) if (nowMs - atMs > UNWRAPPED_MS) unwrapped.delete(id)
  }

  function refresh(realmIds: readonly number[], nowMs: number): void {
    forget(nowMs)
    const loaded = load(realmIds)
    for (const realmId of realmIds) {
      const keys = loaded.then((stored) => keyringOf(realmId, stored))
      const { unwrappedAtMs = nowMs, isWarm = false } = entries.get(realmId) ?? {}
      const entry: Entry = { keys, loadedAtMs: nowMs, unwrappedAtMs, isWarm }
      entries.set(realmId, entry)
      keys.then(
        () => {
          entry.isWarm = true
        },
        // The next caller tries again.
        () => entries.delete(realmId),
      )
    }
  }

  function fresh(realmId: number, nowMs: number): Promise<Keyring> | undefined {
    const entry = entries.get(realmId)
    return entry && nowMs - entry.loadedAtMs < FRESH_MS ? entry.keys : undefined
  }

  async function ofAll(realmIds: Iterable<number>): Promise<ReadonlyMap<number, Keyring>> {
    const nowMs = performance.now()
    const all = [...new Set(realmIds)]
    const stale = all.filter((realmId) => !fresh(realmId, nowMs))
    if (stale.length > 0) refresh(stale, nowMs)
    const keys = await Promise.all(all.map((realmId) => entries.get(realmId)?.keys))
    return new Map(keys.flatMap((found) => (found ? [[found.realmId, found] as const] : [])))
  }

  function of(realmId: number): Promise<Keyring> {
    const nowMs = performance.now()
    const known = fresh(realmId, nowMs)
    if (known) return known
    refresh([realmId], nowMs)
    return entries.get(realmId)?.keys as Promise<Keyring>
  }

  function isCold(realmId: number): boolean {
    const entry = entries.get(realmId)
    return !entry || performance.now() - entry.unwrappedAtMs > UNWRAPPED_MS
  }

  const isWaitedFor = (realmId: number) => isCold(realmId) || !entries.get(realmId)?.isWarm

  function refuseCold(realmIds: readonly number[]): void {
    const cold = realmIds.filter(isWaitedFor)
    if (cold.length > 0) throw new ColdKeys(cold)
  }

  const vault: Vault = {
    of,
    ofAll,
    warm(realmIds) {
      if (provider === noProvider || !realmIds.some(isCold)) return undefined
      return ofAll(realmIds).catch(() => {})
    },
    withoutWaiting: () => (provider.isRemote ? patient : vault),
    forget: () => entries.clear(),
    async hashIn() {
      const { hashIn } = await of(OPERATOR)
      return hashIn
    },
    async renew(realmIds, usedFrom) {
      const keys = await Promise.all(realmIds.map((realmId) => newKey(realmId, 'data')))
      await keyQueries.insertKeys(
        database,
        keys.map((key) => ({ ...key, usedFrom })),
      )
    },
    async secrets() {
      const key = (await load([])).get(OPERATOR)?.find(({ purpose }) => purpose === 'secrets')
      if (!key) throw new Error('The key of secrets was not made')
      return { id: idOf(key.id), key: await keyOf(key) }
    },
    async rewrap(limit) {
      const keys = await keyQueries.selectWrappedByOthers(database, provider.current, limit)
      const wrapped = keys.map(async ({ id, realmId, wrapped, wrappedBy }) => {
        const bytes = await provider.unwrap(wrapped, wrappedBy, realmId)
        return { id, wrapped: await provider.wrap(bytes, realmId), wrappedBy: provider.current }
      })
      await keyQueries.updateWrapped(database, await Promise.all(wrapped))
      return keys.length
    },
    close: () => database.pool.end(),
  }

  const patient: Vault = {
    ...vault,
    async of(realmId) {
      refuseCold([realmId])
      return of(realmId)
    },
    async ofAll(realmIds) {
      const all = [...realmIds]
      refuseCold(all)
      return ofAll(all)
    },
    async hashIn() {
      refuseCold([OPERATOR])
      return vault.hashIn()
    },
  }
  return vault
}
