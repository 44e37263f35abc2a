import { hash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Mode } from '../../platform/database/tx.ts'
import type { Access, Authenticate, NoteUse } from '../../platform/http/caller.ts'
import type { Logger } from '../../platform/log.ts'
import { parseToken } from '../../platform/tokens.ts'
import { putTokenUses } from './token-queries.ts'
import { lookUp } from './tokens.ts'

// Only the bound on a lost notification: a revocation itself arrives in milliseconds.
const CACHED_FOR_MS = 5000
const MAX_CACHED = 50_000

const actor = { name: 'system' }

interface TokenCache {
  authenticate: Authenticate
  /** Drops a token that changed; all of them without an ID (after the listening connection was lost). */
  forget(tokenId?: string): void
}

/** The hash of a token as text, for a map in memory. In one call, which takes 0.3 µs; in four, 1.5. */
const keyOfToken = (text: string): string => hash('sha256', text, 'base64')

/** Looks tokens up by hash, and keeps what it found for seconds. A mistyped token is refused without a query. */
export function tokenCache(database: Database, clock: Clock): TokenCache {
  const cache = new Map<string, { access: Access; until: number }>()
  // When a token's time in the cache is over, all that call with it wait for one look-up.
  const underWay = new Map<string, Promise<Access | undefined>>()
  // A look-up that began before a revocation must not be kept after it, nor joined.
  let generation = 0

  // The cache's key is a hash, so that no token stays in memory after its request.
  const authenticate: Authenticate = (token) => {
    const hash = keyOfToken(token)
    const now = clock.now().getTime()
    const cached = cache.get(hash)
    if (cached && now < cached.until) return cached.access
    const parsed = parseToken(token)
    if (!parsed || parsed.kind === 'operator') return undefined
    const joined = underWay.get(hash)
    if (joined) return joined
    const lookingUp = find(token, parsed.kind, hash, now).finally(() => {
      if (underWay.get(hash) === lookingUp) underWay.delete(hash)
    })
    underWay.set(hash, lookingUp)
    return lookingUp
  }

  async function find(token: string, mode: Mode, hash: string, now: number): Promise<Access | undefined> {
    const startedAt = generation
    const access = await database.asSystem(actor, (tx) => lookUp(tx, token))
    if (!access) return undefined
    if (access.realm.mode !== mode) throw new Error('a token text and its realm disagree on the mode')
    if (generation === startedAt) {
      if (cache.size >= MAX_CACHED) cache.clear()
      const expiry = access.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
      cache.set(hash, { access, until: Math.min(now + CACHED_FOR_MS, expiry) })
    }
    return access
  }

  const forget = (tokenId?: string) => {
    generation++
    underWay.clear()
    for (const [hash, { access }] of cache) {
      if (tokenId === undefined || access.callerId === tokenId) cache.delete(hash)
    }
  }
  return { authenticate, forget }
}

const WRITTEN_EVERY_MS = 60_000
// Uses of many tokens within this time are one statement.
const GATHERED_MS = 1000
const MAX_NOTED = 50_000

interface TokenUses {
  note: NoteUse
  /** Writes what was noted. */
  flush(): Promise<void>
}

/**
 * Keeps when each token was last used, to the minute. A request only looks into a map; a statement each second at most
 * writes the tokens that were not written within the minute.
 */
export function tokenUses(database: Database, clock: Clock, log: Logger): TokenUses {
  const noted = new Map<string, number>()
  let waiting: { id: string; at: Date }[] = []
  let timer: NodeJS.Timeout | undefined

  function note(id: string): void {
    const now = clock.now()
    const last = noted.get(id)
    if (last !== undefined && now.getTime() - last < WRITTEN_EVERY_MS) return
    if (noted.size >= MAX_NOTED) noted.clear()
    noted.set(id, now.getTime())
    waiting.push({ id, at: now })
    timer ??= setTimeout(() => void flush(), GATHERED_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const uses = waiting
    waiting = []
    if (uses.length === 0) return
    try {
      await database.asSystem({ name: 'system' }, (tx) => putTokenUses(tx, uses))
    } catch (err) {
      // The next use of each is noted again.
      for (const { id } of uses) noted.delete(id)
      log.warn({ err }, 'the last use of tokens could not be written')
    }
  }
  return { note, flush }
}
