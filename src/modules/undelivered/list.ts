import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import type { ParcelOutcome, UndeliveredState } from './decision.ts'
import { selectPage, selectPageOfAll, type UndeliveredOfAllRow } from './queries.ts'
import { toUndelivered } from './record.ts'
import type { UndeliveredKit } from './schema.ts'

interface Listing {
  page: number
  size: number
  state?: readonly UndeliveredState[] | undefined
  outcome?: readonly ParcelOutcome[] | undefined
  businessID?: readonly string[] | undefined
  kitID?: readonly string[] | undefined
}

const filterOf = ({ page, size, state, outcome, kitID }: Listing) => ({
  page,
  size,
  states: state,
  outcomes: outcome,
  kitIds: kitID,
})

/** Boxes of this realm, those that wait longest first. */
export async function listBoxes(tx: Tx, listing: Listing) {
  const { rows, total } = await selectPage(tx, filterOf(listing))
  return { data: rows.map(toUndelivered), pagination: pagination(listing.page, listing.size, total) }
}

/** Live boxes of every business, or of some. */
export async function listBoxesOfAll(tx: SystemTx, listing: Listing) {
  const { rows, total } = await selectPageOfAll(tx, { ...filterOf(listing), businessIds: listing.businessID })
  return { data: rows.map(toBoxOfAll), pagination: pagination(listing.page, listing.size, total) }
}

/** Live boxes by their kits. */
export async function reportedBoxes(tx: SystemTx, kitIds: readonly string[]): Promise<UndeliveredKit[]> {
  const { rows } = await selectPageOfAll(tx, { kitIds, page: 0, size: kitIds.length })
  return rows.map(toBoxOfAll)
}

function toBoxOfAll(row: UndeliveredOfAllRow): UndeliveredKit {
  const { firstName, lastName, address } = row.recipient
  return {
    ...toUndelivered(row),
    business: { id: row.businessId, name: row.businessName },
    panelName: row.panelName,
    ...(firstName !== null &&
      address !== null && { recipient: { name: [firstName, lastName].filter(Boolean).join(' '), address } }),
  }
}
