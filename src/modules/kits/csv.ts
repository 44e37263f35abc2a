import type { Columns } from '../../platform/http/csv.ts'
import type { KitRecord } from './schema.ts'

/** What a file of kits says of each. */
export const kitColumns: Columns<KitRecord> = {
  kitID: (kit) => kit.kitID,
  orderID: (kit) => kit.orderID,
  kitType: (kit) => kit.kitType,
  kitStatus: (kit) => kit.kitStatus,
  sampleStatus: (kit) => kit.sampleStatus,
  status: (kit) => kit.status,
  exceptionReason: (kit) => kit.exceptionReason,
  createdDate: (kit) => kit.createdDate,
  lastUpdatedDate: (kit) => kit.lastUpdatedDate,
  recipientEmail: (kit) => kit.recipientEmail,
  registeredToEmail: (kit) => kit.registeredToEmail,
  registrationDate: (kit) => kit.registrationDate,
  customerID: (kit) => kit.customerID,
  externalID: (kit) => kit.externalID,
  outboundCarrier: (kit) => kit.shipment?.toUser?.carrier,
  outboundTrackingNumber: (kit) => kit.shipment?.toUser?.trackingNumber,
  returnCarrier: (kit) => kit.shipment?.toLab?.carrier,
  returnTrackingNumber: (kit) => kit.shipment?.toLab?.trackingNumber,
  replacementFor: (kit) => kit.replacementFor,
  replacedBy: (kit) => kit.replacedBy,
}
