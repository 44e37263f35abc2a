import { type Queries, type Realm, within } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import * as emails from '../emails/service.ts'
import { creditsLow } from '../emails/templates.ts'
import * as events from '../events/service.ts'

/** A balance that fell below the threshold of its business. */
export interface LowBalance {
  realm: Realm
  kitType: string
  available: number
  threshold: number
}

/** Tells a business which balances fell below its threshold, once for each fall. No statement where none did. */
export async function warnOfLowCredits(tx: Queries, low: readonly LowBalance[]): Promise<void> {
  for (const [realm, types] of Map.groupBy(low, (one) => one.realm)) {
    const facts = types.map(({ kitType, available: credits, threshold }) => ({
      type: publicKitType(kitType),
      credits,
      threshold,
    }))
    await events.record(
      within(tx, realm),
      facts.map((data) => ({ type: 'credits.low', data })),
    )
    await emails.queue(
      within(tx, realm),
      facts.map(({ type, credits, threshold }) => ({ content: creditsLow(type, credits, threshold), to: 'business' })),
    )
  }
}
