import { type Queries, within } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import * as emails from '../emails/service.ts'
import { creditsLow } from '../emails/templates.ts'
import * as events from '../events/service.ts'
import type { Fallen } from './ledger.ts'

/** Says which types fell below their threshold, once for each fall. No statement where none did. */
export async function warn(tx: Queries, fallen: readonly Fallen[]): Promise<void> {
  for (const [realm, types] of Map.groupBy(fallen, (one) => one.realm)) {
    const facts = types.map(({ kitType, available: credits, threshold }) => ({
      type: publicKitType(kitType),
      ...{ credits, threshold },
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
