import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import type { Table } from './files.ts'
import type { CreditsOfDay, KitOfDay } from './queries.ts'

/** A kit whose last change was on that day. Nothing of its person, and nothing that was measured. */
export const kitTable: Table<KitOfDay> = {
  kitID: { type: 'STRING', of: (kit) => kit.kitId },
  orderID: { type: 'STRING', of: (kit) => kit.orderId },
  businessID: { type: 'STRING', of: (kit) => kit.businessId },
  business: { type: 'STRING', of: (kit) => kit.business },
  kitType: { type: 'STRING', of: (kit) => publicKitType(kit.kitType) },
  panel: { type: 'STRING', of: (kit) => kit.panel },
  kitStatus: { type: 'STRING', of: (kit) => kit.kitStatus },
  sampleStatus: { type: 'STRING', of: (kit) => kit.sampleStatus },
  reportStatus: { type: 'STRING', of: (kit) => kit.reportStatus },
  outboundCarrier: { type: 'STRING', of: (kit) => kit.outboundCarrier },
  returnCarrier: { type: 'STRING', of: (kit) => kit.returnCarrier },
  replacementFor: { type: 'STRING', of: (kit) => kit.replacementFor },
  replacedBy: { type: 'STRING', of: (kit) => kit.replacedBy },
  orderedDate: { type: 'TIMESTAMP', of: (kit) => kit.orderedAt },
  shippedDate: { type: 'TIMESTAMP', of: (kit) => kit.shippedAt },
  deliveredDate: { type: 'TIMESTAMP', of: (kit) => kit.deliveredAt },
  registeredDate: { type: 'TIMESTAMP', of: (kit) => kit.registeredAt },
  postedDate: { type: 'TIMESTAMP', of: (kit) => kit.postedAt },
  returnedDate: { type: 'TIMESTAMP', of: (kit) => kit.returnedAt },
  receivedDate: { type: 'TIMESTAMP', of: (kit) => kit.receivedAt },
  resultedDate: { type: 'TIMESTAMP', of: (kit) => kit.resultedAt },
  publishedDate: { type: 'TIMESTAMP', of: (kit) => kit.publishedAt },
  lastUpdatedDate: { type: 'TIMESTAMP', of: (kit) => kit.updatedAt },
  // Such as `delivered,returned`: their dates are those of a later step.
  inferredSteps: { type: 'STRING', of: (kit) => kit.inferred },
}

/** A transfer of credits on that day: the ledger, which never changes. */
export const creditTable: Table<CreditsOfDay> = {
  businessID: { type: 'STRING', of: (transfer) => transfer.businessId },
  number: { type: 'INT32', of: (transfer) => transfer.seq },
  date: { type: 'TIMESTAMP', of: (transfer) => transfer.at },
  kind: { type: 'STRING', of: (transfer) => transfer.kind },
  kitType: { type: 'STRING', of: (transfer) => publicKitType(transfer.kitType) },
  from: { type: 'STRING', of: (transfer) => transfer.fromAccount },
  to: { type: 'STRING', of: (transfer) => transfer.toAccount },
  amount: { type: 'INT32', of: (transfer) => transfer.amount },
  availableAfter: { type: 'INT32', of: (transfer) => transfer.availableAfter },
  orderID: { type: 'STRING', of: (transfer) => transfer.orderId },
}
