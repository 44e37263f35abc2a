import type { Tx } from '../../../platform/database/tx.ts'
import * as customers from '../../customers/service.ts'
import type { IdentityRecord } from '../../define-module.ts'
import { countEmailsBefore, deleteEmailsBefore, deleteEmailsOf } from '../../emails/erasure-queries.ts'
import { emptyCarrierMessages, messagesOf } from '../../fulfilment/erasure-queries.ts'
import { blankConsents, blankKits, blankReasons, lockKits } from '../../kits/erasure-queries.ts'
import { acrossRealms, deleteData, deleteReceivedOfResults } from '../../lab/erasure-queries.ts'
import { type BlankedOrder, blankRecipients } from '../../orders/erasure-queries.ts'
import { deleteTerms } from '../../orders/search-queries.ts'
import { deleteReports, deleteUnassessedResults } from '../../reports/erasure-queries.ts'
import { identityOf, tells } from '../rules.ts'
import { fromRegistration, scrubEvents } from '../scrub-events.ts'
import { hasHold } from './hold-queries.ts'
import { aged, countAged, type Found, selectAged, selectHeldCustomers } from './purge-queries.ts'
import type { AgedKind } from './rules.ts'

/** One sort of rows that end by age, of people who were not erased. */
export interface AgedPurge {
  kind: AgedKind
  count(tx: Tx, before: Date): Promise<Found>
  /** Purges up to `limit`. Returns how many. */
  purge(tx: Tx, before: Date, limit: number): Promise<number>
}

/** In this order: a report before what it was made of, and before the requisition that it answers. */
export const agedPurges: readonly AgedPurge[] = [
  {
    kind: 'laboratory',
    count: (tx, before) => countAged(tx, aged.agedReports(tx, before)),
    async purge(tx, before, limit) {
      const ids = await selectAged(tx, aged.agedReports(tx, before), limit)
      await deleteUnassessedResults(tx, { ofReports: ids })
      await deleteReports(tx, ids)
      return ids.length
    },
  },
  {
    kind: 'laboratory',
    count: (tx, before) => countAged(tx, aged.agedUnassessed(tx, before)),
    async purge(tx, before, limit) {
      const ids = await selectAged(tx, aged.agedUnassessed(tx, before), limit)
      await deleteReceivedOfResults(tx, ids)
      await deleteUnassessedResults(tx, { ids })
      return ids.length
    },
  },
  {
    kind: 'laboratory',
    count: (tx, before) => countAged(tx, aged.agedData(tx, before)),
    async purge(tx, before, limit) {
      const ids = await selectAged(tx, aged.agedData(tx, before), limit)
      await deleteData(tx, ids)
      return ids.length
    },
  },
  {
    kind: 'requisition',
    count: (tx, before) => countAged(tx, aged.agedKits(tx, before)),
    async purge(tx, before, limit) {
      const kitIds = await lockKits(tx, await selectAged(tx, aged.agedKits(tx, before), limit))
      const registrations = await blankKits(tx, kitIds)
      const consents = await blankConsents(tx, kitIds, undefined)
      await forgetWhatPassed(tx, { kitIds, orderIds: [] }, [...registrations.map(fromRegistration), ...consents])
      return kitIds.length
    },
  },
  {
    kind: 'requisition',
    count: async (tx, before) => countAged(tx, await aged.agedOrders(tx, before, await heldEmails(tx))),
    async purge(tx, before, limit) {
      const orderIds = await selectAged(tx, await aged.agedOrders(tx, before, await heldEmails(tx)), limit)
      const orders = await blankRecipients(tx, orderIds)
      await deleteTerms(tx, orders)
      await forgetWhatPassed(tx, { kitIds: [], orderIds }, orders, orders)
      return orders.length
    },
  },
  {
    // An e-mail must be opened to see whose it is: any hold in the realm holds all of them back.
    kind: 'correspondence',
    async count(tx, before) {
      const due = await countEmailsBefore(tx, before)
      return { due, held: (await hasHold(tx)) ? due : 0, awaitingReport: 0 }
    },
    purge: async (tx, before, limit) => ((await hasHold(tx)) ? 0 : deleteEmailsBefore(tx, before, limit)),
  },
]

/** Events, e-mails and carriers' words about requisitions that have ended. */
async function forgetWhatPassed(
  tx: Tx,
  about: { kitIds: readonly string[]; orderIds: readonly string[] },
  records: readonly IdentityRecord[],
  orders: readonly BlankedOrder[] = [],
): Promise<void> {
  const { kitIds, orderIds } = about
  const carrierMessages = await acrossRealms(tx, () => emptyCarrierMessages(tx, orderIds, kitIds))
  const identity = identityOf(records, messagesOf(carrierMessages))
  await scrubEvents(tx, { customerId: undefined, ...about }, identity, orders)
  await blankReasons(tx, about, (reason) => tells(reason, identity))
  await deleteEmailsOf(tx, orderIds, kitIds)
}

async function heldEmails(tx: Tx): Promise<string[]> {
  const emails: string[] = []
  for (const id of await selectHeldCustomers(tx)) {
    const customer = await customers.maybeFind(tx, id)
    if (customer) emails.push(customer.email)
  }
  return emails
}
