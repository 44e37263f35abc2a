import type { Columns } from '../../platform/http/csv.ts'
import type { Order } from './schema.ts'

/** The columns of a list of orders as CSV. */
export const orderColumns: Columns<Order> = {
  orderID: (order) => order.orderID,
  createdDate: (order) => order.createdDate,
  status: (order) => order.status,
  orderStatus: (order) => order.orderStatus,
  sku: (order) => order.sku,
  quantity: (order) => order.quantity,
  recipientName: (order) => order.recipientName,
  recipientEmail: (order) => order.recipientEmail,
  recipientPhone: (order) => order.recipientPhone,
  street1: (order) => order.recipientAddress?.street1,
  street2: (order) => order.recipientAddress?.street2,
  city: (order) => order.recipientAddress?.city,
  state: (order) => order.recipientAddress?.state,
  zip: (order) => order.recipientAddress?.zip,
  country: (order) => order.recipientAddress?.country,
  externalID: (order) => order.externalID,
  externalTags: (order) => order.externalTags.join(', '),
  paymentMethod: (order) => order.payment.method,
  paymentStatus: (order) => order.payment.status,
  amount: (order) => order.payment.amount,
  currency: (order) => order.payment.currency,
  kitIDs: (order) => order.kits.map((kit) => kit.kitID).join(' '),
  registeredToEmail: (order) => order.registeredTo?.email,
  customerID: (order) => order.registeredTo?.customerID,
}
