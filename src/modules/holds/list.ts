import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import type { HoldState } from './decision.ts'
import { selectPage, selectPageOfAll } from './queries.ts'
import { toHeld } from './record.ts'

interface Listing {
  page: number
  size: number
  state?: readonly HoldState[] | undefined
  businessID?: readonly string[] | undefined
  kitID?: readonly string[] | undefined
}

/** Held samples of this realm: released ones first, then those nearest to their end. */
export async function listHolds(tx: Tx, { page, size, state, kitID }: Listing) {
  const { rows, total } = await selectPage(tx, { page, size, states: state, kitIds: kitID })
  return { data: rows.map((row) => toHeld(row)), pagination: pagination(page, size, total) }
}

/** Live ones of every business, or of some. */
export async function listHoldsOfAll(tx: SystemTx, { page, size, state, businessID }: Listing) {
  const { rows, total } = await selectPageOfAll(tx, { page, size, states: state, businessIds: businessID })
  const data = rows.map((row) => ({
    ...toHeld(row),
    business: { id: row.businessId, name: row.businessName },
    panelName: row.panelName,
  }))
  return { data, pagination: pagination(page, size, total) }
}
