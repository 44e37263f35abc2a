import type { Order } from './schema.ts'

/** The orders that show a person, for the audit: of a kit that nobody has registered, only the recipient is known. */
export const idsOfPersonalOrders = (orders: readonly Order[]): string[] =>
  orders
    .filter(
      ({ registeredTo, kits }) =>
        registeredTo || kits.some((kit) => kit.customerID !== undefined || kit.registeredToEmail),
    )
    .map(({ orderID }) => orderID)
