import type { Line } from '../credits/rules.ts'
import { needed } from '../credits/rules.ts'
import type { Address, BulkRow, CreateOrder, LegacyOrder, OrderStatus } from './schema.ts'

export interface Recipient {
  firstName: string
  lastName: string
  email: string
  phone?: string
  address: Address
}

/** One order to be: what every way of ordering is turned into. */
export interface NewOrder {
  recipient: Recipient
  /** One line per kit type, internal names. */
  items: Line[]
  externalId?: string
  externalTags: string[]
  notify: boolean
}

type Flags = Pick<CreateOrder, 'isNotifyReceiver' | 'is_notify_receiver' | 'externalID' | 'externalTags'>

const mergeLines = (lines: readonly Line[]): Line[] =>
  [...needed(lines)].map(([kitType, quantity]) => ({ kitType, quantity }))

const notifies = (flags: Flags): boolean => flags.isNotifyReceiver ?? flags.is_notify_receiver ?? false

/** The orders of a request: one for `kit_types`, one per row for `bulkUploadData`. */
export function toOrders(body: CreateOrder): NewOrder[] {
  if (body.bulkUploadData) return body.bulkUploadData.map((row) => fromRow(row, body))
  const { recipient, kit_types } = body
  if (!recipient || !kit_types) throw new Error('validation let an empty order pass')
  return [
    {
      recipient: {
        firstName: recipient.first_name,
        lastName: recipient.last_name,
        email: recipient.email,
        phone: recipient.phone,
        address: recipient.address,
      },
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
export function fromLegacy(body: LegacyOrder): NewOrder {
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

/** `MIXED` where an order has several kit types. */
export const skuOf = (items: readonly Line[]): string => (items.length === 1 && items[0] ? items[0].kitType : 'MIXED')

export const quantityOf = (items: readonly Line[]): number => items.reduce((sum, item) => sum + item.quantity, 0)

export interface KitState {
  kitStatus: string
  sampleStatus: string
  status: string
  replaced: boolean
}

const isException = (kit: KitState) =>
  kit.kitStatus.endsWith('Exception') || kit.sampleStatus.endsWith('Exception') || kit.sampleStatus === 'rejected'

/**
 * The fulfilment of an order from its kits. `needs_review`: a person has to act, since a kit has an exception or was
 * rejected and is not replaced, or its report waits for review.
 */
export function orderStatusOf(status: 'created' | 'pending' | 'canceled', kits: readonly KitState[]): OrderStatus {
  if (status !== 'created') return status
  const current = kits.filter((kit) => kit.kitStatus !== 'canceled' && !kit.replaced)
  if (current.length === 0) return 'canceled'
  if (current.some((kit) => isException(kit) || kit.status === 'inReview')) return 'needs_review'
  if (current.every((kit) => kit.status === 'published')) return 'completed'
  if (current.every((kit) => kit.kitStatus === 'preparing')) return 'preparing'
  return 'in_progress'
}
