import { sql } from 'kysely'
import type { SystemTx } from '../database/tx.ts'
import { expiryOf, type KeyStore } from './idempotency.ts'

const sealPlace = (place: string) => `operator_idempotency_keys.answer/${place}`

/** Keys of a caller who belongs to no realm. Answers are sealed: some hold tokens, which no table may hold in clear. */
export function operatorKeys(tx: SystemTx, callerId: string): KeyStore {
  const placeOf = (key: string) => `${callerId} ${key}`
  return {
    tx,
    async claim({ key, fingerprint }) {
      const claimed = await tx.run(sql`
        insert into operator_idempotency_keys as kept (key, fingerprint, created_at)
        values (${placeOf(key)}, ${fingerprint}, ${tx.now})
        on conflict (key) do update
          set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
          where kept.created_at < ${expiryOf(tx.now)}`)
      return claimed === 1
    },
    async find(key) {
      const place = placeOf(key)
      const { fingerprint, answer } = await tx.row(sql<{ fingerprint: Buffer; answer: Buffer | null }>`
        select fingerprint, answer from operator_idempotency_keys where key = ${place}`)
      return { fingerprint, answer: answer ? JSON.parse(tx.context.open(answer, sealPlace(place))) : undefined }
    },
    async keep(key, answer) {
      const place = placeOf(key)
      await tx.run(sql`
        update operator_idempotency_keys set answer = ${tx.context.seal(JSON.stringify(answer), sealPlace(place))}
        where key = ${place} and answer is null`)
    },
    async free(key) {
      await tx.run(sql`delete from operator_idempotency_keys where key = ${placeOf(key)} and answer is null`)
    },
  }
}

/** Deletes keys past their retention. */
export async function purgeOperatorKeys(tx: SystemTx): Promise<void> {
  await tx.run(sql`delete from operator_idempotency_keys where created_at < ${expiryOf(tx.now)}`)
}
