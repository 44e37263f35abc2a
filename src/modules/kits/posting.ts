import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { type KitRow, markPosted } from './queries.ts'
import { stateOf } from './records.ts'
import { exceptionOf, standing } from './rules.ts'

/** Whether the person can say that the sample is posted: from the registration until somebody else knows it. */
export const canBePosted = (kit: KitRow): boolean =>
  kit.postedAt === null && standing(stateOf(kit)) === 'kitRegistered' && exceptionOf(stateOf(kit)) === undefined

/** Stores when the person reported the sample as posted. It moves nothing: the carrier or the laboratory does. */
export async function sayPosted(tx: Tx, kit: KitRow): Promise<void> {
  if (!canBePosted(kit)) return
  await markPosted(tx, kit.id)
  await audit.record(tx, [{ action: 'kit.posting_said', objectType: 'kit', objectId: kit.id }])
}
