import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { bytesOf, keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { sealedAttempts } from './queries.ts'

export interface EmptiedAnswer {
  deliveryId: string
  number: number
  at: Date
  answer: string
}

/**
 * Empties what receivers answered about events: an answer may repeat what it was sent. That and when it was sent stays.
 * Returns the answers.
 */
export async function emptyAnswers(tx: Tx, eventIds: readonly string[]): Promise<EmptiedAnswer[]> {
  const rows = await tx.rows(sql<EmptiedAnswer & { isSealed: boolean }>`
    with old as (
      select a.realm_id, a.delivery_id, a.number, a.at, coalesce(a.sealed::text, a.answer) as answer,
        a.sealed is not null as is_sealed
      from webhook_attempts a join webhook_deliveries d on d.realm_id = a.realm_id and d.id = a.delivery_id
      where a.realm_id = ${tx.realm.id} and d.event_id = any(${eventIds}) and (a.sealed is not null or a.answer <> '')
    )
    update webhook_attempts a set answer = null, sealed = null from old
    where a.realm_id = old.realm_id and a.delivery_id = old.delivery_id and a.number = old.number
    returning old.delivery_id as "deliveryId", old.number, old.at, old.answer, old.is_sealed as "isSealed"`)
  const keys = await keyringOf(tx)
  return rows.map(({ isSealed, answer, ...row }) => {
    if (!isSealed) return { ...row, answer }
    const place = [row.deliveryId, row.number]
    return { ...row, answer: sealedAttempts.openBytes(keys, place, bytesOf(answer)).toString() }
  })
}
