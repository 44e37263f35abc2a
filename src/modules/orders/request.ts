import { mapInSlices } from '../../platform/slices.ts'
import { type Line, needed } from '../credits/rules.ts'
import type { Address } from './address-schema.ts'
import type { BulkRow, CreateOrder, LegacyOrder } from './schema.ts'

export interface Recipient {
  firstName: string
  lastName: string
  email: string
  phone?: string
  address: Address
}

/** An order to place. Every kind of request is turned into these. */
export interface NewOrder {
  recipient: Recipient
  /** One line per kit type, internal names. */
  items: Line[]
  externalId?: string
  externalTags: string[]
  notify: boolean
}

/** A request for orders, of whatever kind. */
export interface OrderRequest {
  orders: NewOrder[]
  /** One order per row, or the one order of `kit_types`. */
  isBulk: boolean
  paymentMethod?: string
  /** purchase_with_attached_payment */
  flag?: boolean
  /** The field with the kit type of a single order; default `kit_types`. */
  kitTypeField?: string
  /** Where its address was sent; default `recipient.address`. */
  addressField?: string
}

export function requestOf(body: CreateOrder): OrderRequest {
  return { orders: toOrders(body), isBulk: body.bulkUploadData !== undefined, ...paymentOf(body) }
}

/** The same for as many rows as a job has: 10,000 take 20 ms. */
export async function requestInSlices(body: CreateOrder): Promise<OrderRequest> {
  if (!body.bulkUploadData) return requestOf(body)
  const orders = await mapInSlices(body.bulkUploadData, (row) => fromRow(row, body))
  return { orders, isBulk: true, ...paymentOf(body) }
}

/** The legacy, flat body as a request. */
export function legacyRequestOf(body: LegacyOrder): OrderRequest {
  return { orders: [fromLegacy(body)], isBulk: false, kitTypeField: 'kitType', ...paymentOf(body) }
}

const paymentOf = ({ paymentMethod, purchase_with_attached_payment: flag }: CreateOrder | LegacyOrder) => ({
  paymentMethod,
  flag,
})

type Flags = Pick<CreateOrder, 'isNotifyReceiver' | 'is_notify_receiver' | 'externalID' | 'externalTags'>

/** One line for each kit type. */
export const mergeLines = (lines: readonly Line[]): Line[] =>
  [...needed(lines)].map(([kitType, quantity]) => ({ kitType, quantity }))

const notifies = (flags: Flags): boolean => flags.isNotifyReceiver ?? flags.is_notify_receiver ?? false

export const recipientOf = ({
  first_name: firstName,
  last_name: lastName,
  ...given
}: NonNullable<CreateOrder['recipient']>): Recipient => ({
  firstName,
  lastName,
  email: given.email,
  phone: given.phone,
  address: given.address,
})

/** The orders of a request: one for `kit_types`, one per row for `bulkUploadData`. */
function toOrders(body: CreateOrder): NewOrder[] {
  if (body.bulkUploadData) return body.bulkUploadData.map((row) => fromRow(row, body))
  const { recipient, kit_types } = body
  if (!recipient || !kit_types) throw new Error('an order without recipient or kit types passed validation')
  return [
    {
      recipient: recipientOf(recipient),
      items: mergeLines(kit_types),
      externalId: body.externalID ?? recipient.external_id,
      externalTags: body.externalTags ?? recipient.external_tags ?? [],
      notify: notifies(body),
    },
  ]
}

function fromRow(row: BulkRow, body: Flags): NewOrder {
  return {
    ...fromFlat(row, row.kit_type),
    externalId: body.externalID ?? row.external_id,
    externalTags: body.externalTags ?? row.external_tags ?? [],
    notify: notifies(body),
  }
}

/** The order of the legacy, flat payload. */
function fromLegacy(body: LegacyOrder): NewOrder {
  return {
    ...fromFlat(body, body.kitType),
    externalId: body.externalID,
    externalTags: body.externalTags ?? [],
    notify: notifies(body),
  }
}

function fromFlat(flat: Omit<BulkRow, 'kit_type'>, kitType: string): Pick<NewOrder, 'recipient' | 'items'> {
  const { first_name, last_name, email, phone, street1, street2, city, state, zip, country, quantity } = flat
  return {
    recipient: {
      firstName: first_name,
      lastName: last_name,
      email,
      phone,
      address: { street1, street2, city, state, zip, country },
    },
    items: [{ kitType, quantity }],
  }
}
