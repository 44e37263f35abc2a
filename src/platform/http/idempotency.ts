import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { inSavepoint, type Queries } from '../database/tx.ts'
import { inSlices } from '../slices.ts'
import { isTrueOrBare } from './fields.ts'
import { isRecord, ownNames } from './lenient.ts'
import type { WireAnswer } from './wire.ts'

export interface IdempotencyKey {
  key: string
  fingerprint: Buffer
}

/** Retention of keys, published in the documentation. */
const RETENTION_MS = 24 * 3600 * 1000
/** Keys that were claimed before this are new again. */
export const expiryOf = (now: Date): Date => new Date(now.getTime() - RETENTION_MS)

const FORM = /^[\x21-\x7e]{1,255}$/

interface Keyed {
  method: string
  url: string
  rawBody?: Buffer
  /** Of a long body, which is hashed in slices. */
  fingerprint?: Buffer
  headers: Record<string, string | string[] | undefined>
}

/** The header, or the name that other services have for it. */
const sentKey = ({ headers }: Pick<Keyed, 'headers'>) => headers['idempotency-key'] ?? headers['x-idempotency-key']

const HASHED_BYTES = 256 * 1024

/** Hashes a long body before `readKey` needs it. */
export async function hashLongBody(request: Keyed): Promise<void> {
  const { rawBody: raw } = request
  if (!raw || sentKey(request) === undefined) return
  const hash = hashOf(request)
  const steps = Array.from({ length: Math.ceil(raw.length / HASHED_BYTES) }, (_, step) => step * HASHED_BYTES)
  await inSlices(steps, (at) => void hash.update(raw.subarray(at, at + HASHED_BYTES)))
  request.fingerprint = hash.digest()
}

const hashOf = ({ method, url }: Keyed) => createHash('sha256').update(`${method} ${url}\n`)

function fingerprintOf(request: Keyed): Buffer {
  if (request.fingerprint) return request.fingerprint
  const hash = hashOf(request)
  if (request.rawBody) hash.update(request.rawBody)
  return hash.digest()
}

const refusedKey = (message: string) =>
  new AppError('VALIDATION_FAILED', `Idempotency-Key: ${message}`, { details: [{ message, path: 'Idempotency-Key' }] })

/** The caller's key with a fingerprint of what it was sent with; undefined without the header. @throws VALIDATION_FAILED */
function readKey(request: Keyed): IdempotencyKey | undefined {
  const key = sentKey(request)
  if (key === undefined || request.method === 'GET' || request.method === 'HEAD') return undefined
  if (typeof key !== 'string' || !FORM.test(key)) throw refusedKey('1 to 255 visible ASCII characters')
  if ((request.headers['x-idempotency-key'] ?? key) !== key)
    throw refusedKey('X-Idempotency-Key is another name of it, and was sent with another value: send one of them')
  return { key, fingerprint: fingerprintOf(request) }
}

/**
 * The key that a request of a route uses; undefined without one, and where the request only tries something: that leaves nothing to
 * do twice, and what it answers changes. @throws VALIDATION_FAILED
 */
export function keyOf(route: { query?: z.ZodType; isTrial?: true }, request: Keyed & { query: unknown }) {
  const key = readKey(request)
  return route.isTrial || isDryRun(route, request.query) ? undefined : key
}

function isDryRun({ query }: { query?: z.ZodType }, sent: unknown): boolean {
  if (!(query instanceof z.ZodObject) || !('dryRun' in query.shape) || !isRecord(sent)) return false
  const { dryRun } = ownNames(query)(sent)
  return dryRun !== undefined && isTrueOrBare.safeParse(dryRun).data !== false
}

// Whom a panel is for can change and people grow up; a layout template or a release can make a file readable.
const TURNABLE: ReadonlySet<string> = new Set([
  'AGE_NOT_ALLOWED',
  'SEX_NOT_ALLOWED',
  'GUARDIAN_REQUIRED',
  'FILE_NOT_READABLE',
])

/**
 * Whether a refusal of a handler is kept as the answer of its key: one that the request alone decides. What a later change
 * could turn, such as credits that did not suffice, is not: the same key tries again.
 */
export const isStored = (err: AppError) => err.status === 422 && !TURNABLE.has(err.code)

/** A key that was claimed before; without an answer, its request is still running. */
export interface ClaimedKey {
  fingerprint: Buffer
  answer: WireAnswer | undefined
}

/** Where the keys of one caller are kept, within one transaction. `realm-keys.ts` and `operator-keys.ts` are the two. */
export interface KeyStore {
  tx: Queries
  /** False when the key exists and has not expired. Waits for a duplicate in flight at most as long as lock_timeout. */
  claim(key: IdempotencyKey): Promise<boolean>
  find(key: string): Promise<ClaimedKey>
  /** Keeps the answer of a claimed key; one that is there stays. */
  keep(key: string, answer: WireAnswer): Promise<void>
  /** Frees a claimed key that has no answer. */
  free(key: string): Promise<void>
}

const running = (cause?: unknown) =>
  new AppError('IDEMPOTENCY_CONFLICT', 'A request with this Idempotency-Key is still running', { cause })

/**
 * Runs `work` at most once per key, in the transaction of its effects; a later duplicate gets the first answer, byte for
 * byte. `refused` turns a refusal into the answer to keep (its effects are undone first). Work that goes on after the
 * commit leaves the key claimed: `finish` ends it.
 * @throws IDEMPOTENCY_MISMATCH, or IDEMPOTENCY_CONFLICT while the first is still running.
 */
export async function once<Later extends object>(
  store: KeyStore,
  { key, fingerprint }: IdempotencyKey,
  work: () => Promise<WireAnswer | Later>,
  refused: (err: AppError) => WireAnswer,
): Promise<WireAnswer | Later> {
  if (!(await claim(store, { key, fingerprint }))) {
    const replayed = replay(await store.find(key), fingerprint)
    if ('refusal' in replayed) throw replayed.refusal
    return replayed.answer
  }
  const answer = await inSavepoint(store.tx, work).catch((err: unknown) => {
    if (err instanceof AppError && isStored(err)) return refused(err)
    throw err
  })
  if (isWire(answer)) await store.keep(key, answer)
  return answer
}

const isWire = (answer: WireAnswer | object): answer is WireAnswer => 'status' in answer && 'body' in answer

async function claim(store: KeyStore, key: IdempotencyKey): Promise<boolean> {
  try {
    return await store.claim(key)
  } catch (err) {
    const LOCK_TIMEOUT = '55P03'
    throw (err as { code?: string }).code === LOCK_TIMEOUT ? running(err) : err
  }
}

/** What a key that exists answers to a request. */
export function replay(
  { fingerprint, answer }: ClaimedKey,
  sent: Buffer,
): { answer: WireAnswer } | { refusal: AppError } {
  if (!fingerprint.equals(sent)) {
    return { refusal: new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request') }
  }
  if (!answer) return { refusal: running() }
  return { answer: { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } }
}

/**
 * Ends what goes on after the commit, each step in a transaction of its own: keeps the answer or the refusal, or frees the
 * key. A failure (5xx) leaves it claimed: what was begun may still come true, and the process that ends it stores the answer.
 */
export async function finish(
  inStore: (step: (store: KeyStore) => Promise<void>) => Promise<void>,
  { key }: IdempotencyKey,
  work: () => Promise<WireAnswer>,
  refused: (err: AppError) => WireAnswer,
): Promise<WireAnswer> {
  let answer: WireAnswer
  try {
    answer = await work()
  } catch (err) {
    if (err instanceof AppError && isStored(err)) await inStore((store) => store.keep(key, refused(err)))
    else if (err instanceof AppError && err.status < 500) await inStore((store) => store.free(key))
    throw err
  }
  await inStore((store) => store.keep(key, answer))
  return answer
}
