import { sql } from 'kysely'
import type { SystemTx } from '../database/tx.ts'
import { sealedText } from '../sealing/sealed-bytes.ts'
import { keyringOf } from '../sealing/sealed-columns.ts'
import { expiryOf, type KeyStore } from './idempotency.ts'
import type { WireAnswer } from './wire.ts'

/** Answers name people, and some hold tokens: all are sealed, status and headers before the body. */
export const sealedOperatorAnswers = sealedText({
  table: 'operator_idempotency_keys',
  key: { key: 'text' },
  realm: null,
  // The version before sealed answers by the key of the process: they stay so for the day that they are kept.
  clear: '$.sealed::text',
  emptied: [],
})

const asText = ({ body, ...head }: WireAnswer) => `${JSON.stringify(head)}\n${body}`

function fromText(text: string): WireAnswer {
  const end = text.indexOf('\n')
  return { ...JSON.parse(text.slice(0, end)), body: text.slice(end + 1) }
}

/** Keys of a caller who belongs to no realm. */
export function operatorKeys(tx: SystemTx, callerId: string): KeyStore {
  const placeOf = (key: string) => `${callerId} ${key}`
  return {
    tx,
    async claim({ key, fingerprint }) {
      const claimed = await tx.run(sql`
        insert into operator_idempotency_keys as kept (key, fingerprint, created_at)
        values (${placeOf(key)}, ${fingerprint}, ${tx.now})
        on conflict (key) do update
          set fingerprint = excluded.fingerprint, answer = null, sealed = null, created_at = excluded.created_at
          where kept.created_at < ${expiryOf(tx.now)}`)
      return claimed === 1
    },
    async find(key) {
      const place = placeOf(key)
      const { fingerprint, answer, sealed } = await tx.row(sql<Row>`
        select fingerprint, answer, sealed from operator_idempotency_keys where key = ${place}`)
      if (sealed) {
        const text = await sealedOperatorAnswers.openText(await keyringOf(tx), [place], sealed)
        return { fingerprint, answer: fromText(text) }
      }
      const oldPlace = `operator_idempotency_keys.answer/${place}`
      return { fingerprint, answer: answer ? JSON.parse(tx.context.open(answer, oldPlace)) : undefined }
    },
    async keep(key, answer) {
      const place = placeOf(key)
      const sealed = await sealedOperatorAnswers.sealText(await keyringOf(tx), [place], asText(answer))
      await tx.run(sql`
        update operator_idempotency_keys set sealed = ${sealed}
        where key = ${place} and answer is null and sealed is null`)
    },
    async free(key) {
      await tx.run(sql`
        delete from operator_idempotency_keys where key = ${placeOf(key)} and answer is null and sealed is null`)
    },
  }
}

interface Row {
  fingerprint: Buffer
  /** Of the version before. */
  answer: Buffer | null
  sealed: Buffer | null
}

/** Deletes keys past their retention. */
export async function purgeOperatorKeys(tx: SystemTx): Promise<void> {
  await tx.run(sql`delete from operator_idempotency_keys where created_at < ${expiryOf(tx.now)}`)
}
