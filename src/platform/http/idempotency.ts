import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { SystemTx, Tx } from '../database/tx.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { WireAnswer } from './wire.ts'

export interface IdempotencyKey {
  key: string
  fingerprint: Buffer
}

/** Retention of keys, published in the documentation. */
export const KEPT_FOR_MS = 24 * 3600 * 1000

const FORM = /^[\x21-\x7e]{1,255}$/

/** The caller's key with a fingerprint of what it was sent with; undefined without the header. */
export function readKey(request: {
  method: string
  url: string
  rawBody?: Buffer
  headers: Record<string, string | string[] | undefined>
}): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || request.method === 'GET' || request.method === 'HEAD') return undefined
  if (typeof key !== 'string' || !FORM.test(key)) {
    throw new AppError('VALIDATION_FAILED', 'Idempotency-Key: 1 to 255 visible ASCII characters', {
      details: [{ message: '1 to 255 visible ASCII characters', path: 'Idempotency-Key' }],
    })
  }
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  if (request.rawBody) hash.update(request.rawBody)
  return { key, fingerprint: hash.digest() }
}

// Refusals of the request itself: the caller mends it and sends it again under the same key.
const NOT_STORED = new Set<ErrorCode>(['VALIDATION_FAILED', 'KIT_TYPE_NOT_PROVISIONED'])
/** Whether a refusal is kept as the answer of its key. */
export const isStored = (err: AppError) =>
  err.status < 500 && ![401, 403, 429].includes(err.status) && !NOT_STORED.has(err.code)

/**
 * Runs `work` at most once per key, in the transaction of its effects; a later twin gets the first answer, byte for byte.
 * `refused` turns a refusal into the answer to keep (its effects are undone first). Work that goes on after the commit
 * leaves the key claimed, and keeps its answer itself.
 * @throws IDEMPOTENCY_MISMATCH, or IDEMPOTENCY_CONFLICT while the first is still running.
 */
export async function once<Later extends object>(
  tx: Tx,
  { key, fingerprint }: IdempotencyKey,
  work: () => Promise<WireAnswer | Later>,
  refused: (err: AppError) => WireAnswer,
): Promise<WireAnswer | Later> {
  if (!(await claim(tx, key, fingerprint))) return replay(tx, key, fingerprint)
  await tx.client.query('savepoint work')
  let answer: WireAnswer | Later
  try {
    answer = await work()
  } catch (err) {
    if (!(err instanceof AppError) || !isStored(err)) throw err
    await tx.client.query('rollback to savepoint work')
    answer = refused(err)
  }
  if (isWire(answer)) await keepAnswer(tx, key, answer)
  return answer
}

const isWire = (answer: WireAnswer | object): answer is WireAnswer => 'status' in answer && 'body' in answer

/** Keeps the answer of a claimed key, in the transaction of its effects; one that is there stays. */
export async function keepAnswer(tx: Tx, key: string, { status, headers, body }: WireAnswer): Promise<void> {
  await tx.run(sql`
    update idempotency_keys set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
    where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

/** Frees a claimed key that has no answer: the caller mends the request and sends it again. */
export async function freeKey(tx: Tx, key: string): Promise<void> {
  await tx.run(sql`delete from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

/** False when the key exists. Waits for a twin in flight at most as long as lock_timeout. */
async function claim(tx: Tx, key: string, fingerprint: Buffer): Promise<boolean> {
  try {
    const claimed = await tx.run(sql`
      insert into idempotency_keys as kept (realm_id, key, fingerprint, created_at)
      values (${tx.realm.id}, ${key}, ${fingerprint}, ${tx.now})
      on conflict (realm_id, key) do update
        set fingerprint = excluded.fingerprint, status = null, created_at = excluded.created_at
        where kept.created_at < ${new Date(tx.now.getTime() - KEPT_FOR_MS)}`)
    return claimed === 1
  } catch (err) {
    const LOCK_TIMEOUT = '55P03'
    if ((err as { code?: string }).code !== LOCK_TIMEOUT) throw err
    throw new AppError('IDEMPOTENCY_CONFLICT', 'A request with this Idempotency-Key is still running', { cause: err })
  }
}

async function replay(tx: Tx, key: string, fingerprint: Buffer): Promise<WireAnswer> {
  const stored = await tx.row(
    sql<{
      fingerprint: Buffer
      status: number | null
      headers: Record<string, string>
      body: string
    }>`select fingerprint, status, headers, body from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key}`,
  )
  if (!stored.fingerprint.equals(fingerprint)) {
    throw new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request')
  }
  if (stored.status === null) {
    throw new AppError('IDEMPOTENCY_CONFLICT', 'A request with this Idempotency-Key is still running')
  }
  return {
    status: stored.status,
    headers: { ...stored.headers, 'idempotent-replayed': 'true' },
    body: stored.body,
  }
}

/** Forgets keys past their retention. */
export async function purgeKeys(tx: SystemTx): Promise<void> {
  const before = new Date(tx.now.getTime() - KEPT_FOR_MS)
  await tx.run(sql`delete from idempotency_keys where created_at < ${before}`)
}
