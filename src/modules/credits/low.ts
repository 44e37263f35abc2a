import type { Tx } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import * as emails from '../emails/service.ts'
import { creditsLow } from '../emails/templates.ts'
import * as events from '../events/service.ts'
import type { Balance } from './ledger.ts'

/** Says which types fell below the threshold: those that were not below it before. No statement where none did. */
export async function warn(
  tx: Tx,
  before: ReadonlyMap<string, number>,
  balances: ReadonlyMap<string, Balance>,
): Promise<void> {
  const fallen = [...balances].flatMap(([kitType, { available, threshold }]) => {
    const isNew = threshold !== null && available < threshold && (before.get(kitType) ?? 0) >= threshold
    return isNew ? [{ type: publicKitType(kitType), credits: available, threshold }] : []
  })
  await events.record(
    tx,
    fallen.map((data) => ({ type: 'credits.low', data })),
  )
  await emails.queue(
    tx,
    fallen.map(({ type, credits, threshold }) => ({ letter: creditsLow(type, credits, threshold), to: 'business' })),
  )
}
