import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../database/tx.ts'
import { type IdempotencyKey, isStored, KEPT_FOR_MS } from './idempotency.ts'
import type { WireAnswer } from './wire.ts'

const LOCK_TIMEOUT = '55P03'
const running = (cause?: unknown) =>
  new AppError('IDEMPOTENCY_CONFLICT', 'A request with this Idempotency-Key is still running', { cause })

/**
 * As `once`, for callers who belong to no realm: their keys are kept by caller, their answers sealed, since some hold
 * tokens that no table may hold in clear. @throws IDEMPOTENCY_MISMATCH, IDEMPOTENCY_CONFLICT
 */
export async function onceForOperator<Unkept extends object>(
  tx: SystemTx,
  { key, fingerprint, callerId }: IdempotencyKey & { callerId: string },
  work: () => Promise<WireAnswer | Unkept>,
  refused: (err: AppError) => WireAnswer,
): Promise<WireAnswer | Unkept> {
  const place = `${callerId} ${key}`
  if (!(await claim(tx, place, fingerprint))) return replay(tx, place, fingerprint)
  await tx.client.query('savepoint work')
  let answer: WireAnswer | Unkept
  try {
    answer = await work()
  } catch (err) {
    if (!(err instanceof AppError) || !isStored(err)) throw err
    await tx.client.query('rollback to savepoint work')
    answer = refused(err)
  }
  if (!('status' in answer && 'body' in answer)) throw new Error('only what is kept takes an Idempotency-Key')
  await tx.run(sql`
    update operator_idempotency_keys set answer = ${tx.context.seal(JSON.stringify(answer), sealedFor(place))}
    where key = ${place}`)
  return answer
}

const sealedFor = (place: string) => `operator_idempotency_keys.answer/${place}`

async function claim(tx: SystemTx, place: string, fingerprint: Buffer): Promise<boolean> {
  try {
    const claimed = await tx.run(sql`
      insert into operator_idempotency_keys as kept (key, fingerprint, created_at)
      values (${place}, ${fingerprint}, ${tx.now})
      on conflict (key) do update
        set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
        where kept.created_at < ${new Date(tx.now.getTime() - KEPT_FOR_MS)}`)
    return claimed === 1
  } catch (err) {
    if ((err as { code?: string }).code !== LOCK_TIMEOUT) throw err
    throw running(err)
  }
}

async function replay(tx: SystemTx, place: string, fingerprint: Buffer): Promise<WireAnswer> {
  const kept = await tx.row(sql<{ fingerprint: Buffer; answer: Buffer | null }>`
    select fingerprint, answer from operator_idempotency_keys where key = ${place}`)
  if (!kept.fingerprint.equals(fingerprint)) {
    throw new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request')
  }
  if (kept.answer === null) throw running()
  const answer: WireAnswer = JSON.parse(tx.context.open(kept.answer, sealedFor(place)))
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}

/** Forgets keys past their retention. */
export async function purgeOperatorKeys(tx: SystemTx): Promise<void> {
  await tx.run(sql`
    delete from operator_idempotency_keys where created_at < ${new Date(tx.now.getTime() - KEPT_FOR_MS)}`)
}
