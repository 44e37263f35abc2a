import type { z } from 'zod'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { selectPage, selectPageOfAll } from './queries.ts'
import { toHeld } from './record.ts'
import type { HoldOfAllQuery, HoldQuery } from './schema.ts'

/** Held samples of this realm: released ones first, then those nearest to their end. */
export async function listHolds(tx: Tx, { page, size, state, kitID }: z.output<typeof HoldQuery>) {
  const { rows, total } = await selectPage(tx, { page, size, states: state, kitIds: kitID })
  return { data: rows.map((row) => toHeld(row)), pagination: pagination(page, size, total) }
}

/** Live ones of every business, or of some. */
export async function listHoldsOfAll(tx: SystemTx, { page, size, state, businessID }: z.output<typeof HoldOfAllQuery>) {
  const { rows, total } = await selectPageOfAll(tx, { page, size, states: state, businessIds: businessID })
  const data = rows.map(({ businessId: id, businessName: name, panelName, ...row }) => ({
    ...toHeld(row),
    business: { id, name },
    panelName,
  }))
  return { data, pagination: pagination(page, size, total) }
}
