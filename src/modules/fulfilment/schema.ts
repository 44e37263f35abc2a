import { z } from 'zod'
import { businessName, kitId } from '../../domain/id-fields.ts'
import {
  anyOf,
  anyOfTexts,
  commaParameter,
  optionalText,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../platform/http/fields.ts'
import { HeldSample } from '../holds/schema.ts'
import { KitRecord } from '../kits/schema.ts'
import { KitBox } from '../stock/schema.ts'
import { Postage, UndeliveredKit } from '../undelivered/schema.ts'
import { carrierStatuses, trackingNumberOf } from './rules.ts'

// 9.40011E+21: the digits that a spreadsheet left out are nowhere.
// 9400111899223100000000: a spreadsheet keeps 15 digits, and shows zeros for the others.
const SPREADSHEET_NUMBER = /^\s*(?:\d+([.,]\d+)?E\+?\d+|\d{15}0{5,})\s*$/i

const DATE = /^\s*(\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})\s*$/

export const trackingNumber = z
  .string()
  .max(100)
  .refine(
    (value) => !SPREADSHEET_NUMBER.test(value),
    'A spreadsheet cut this number short: format its column as text, and enter or export it again',
  )
  .refine((value) => !/[,;]/.test(value), 'Send one tracking number here: this is more than one')
  .refine((value) => !DATE.test(value), 'This is a date, not a tracking number')
  .transform(trackingNumberOf)
  .pipe(z.string().min(4, 'A tracking number has at least 4 letters or digits').max(60))
  .describe('As on the label; spaces and case do not matter.')

export const ShipInput = z.object({
  kitID: kitId,
  carrier: text(60).describe('Such as USPS, UPS, FedEx or DHL.'),
  outboundTrackingNumber: trackingNumber,
  returnCarrier: optionalText(60).describe('Default: the same carrier.'),
  returnTrackingNumber: trackingNumber.optional(),
  box: optionalText(400).describe('The code of its sealed box, or its serial number; see `POST /stock/receipts`.'),
  postage: Postage.optional().describe('What the carrier charges, of a kit that goes out again.'),
})
export type ShipInput = z.infer<typeof ShipInput>

const Recipient = z
  .object({
    name: z.string(),
    street1: z.string(),
    street2: z.string().optional(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    country: z.string(),
    phone: z.string().optional(),
  })
  .partial({ street1: true, city: true, state: true, zip: true, country: true })
  .meta({ id: 'ParcelRecipient' })
export type Recipient = z.infer<typeof Recipient>

export const KitToPack = z
  .object({
    kitID: z.string(),
    kitType: z.string(),
    panelName: z.string(),
    orderID: z.string(),
    business: businessName,
    recipient: Recipient.optional().describe('Absent: the person was erased. Do not ship the kit.'),
    orderedDate: timestamp,
    waitingDays: z.int().describe('Whole days since the kit was ordered.'),
    kitsInOrder: z.int().describe('Kits of the same order that wait too: they may go in one parcel.'),
    replacementFor: z.string().optional().describe('The kit that this one stands in for.'),
  })
  .meta({ id: 'KitToPack' })
export type KitToPack = z.infer<typeof KitToPack>

export const QueueQuery = z.object({
  ...paging(50, 250),
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
})
export const Queue = z.object({ data: z.array(KitToPack), pagination: Pagination })

const station = text(60).describe('One window of the caller: two of them never get the same kit.')

export const ClaimInput = z.object({
  station,
  kitID: kitId.optional().describe('The kit in hand. Default: the one that waits longest and that nobody packs.'),
  businessID: optionalText(64),
  skip: z.array(kitId).max(250).default([]).describe('Kits that are left for later.'),
})

export const ReleaseQuery = z.object({ station })

export const Claimed = z
  .object({
    kit: KitToPack.optional().describe('Absent: nothing is left that nobody packs.'),
    waiting: z.int().describe('Kits that wait, those being packed included.'),
  })
  .meta({ id: 'ClaimedKit' })

export const ShippedRow = z.object({
  row: z.int().describe('The line of the file; the header is line 1.'),
  kitID: z.string(),
  status: z.enum(['shipped', 'already', 'failed']),
  error: z.string().optional(),
})
export type ShippedRow = z.infer<typeof ShippedRow>

export const CsvAnswer = z
  .object({ dryRun: z.boolean(), shipped: z.int(), already: z.int(), failed: z.int(), rows: z.array(ShippedRow) })
  .meta({ id: 'ShipmentsFromCsv' })

export const Scanned = z
  .object({
    kit: KitRecord,
    others: z.array(z.string()).describe('Further kits in the same parcel.'),
    business: businessName,
    panelName: z.string(),
    recipient: Recipient.optional().describe('For the scope fulfilment only.'),
    accession: z.string().optional(),
    atTheDoorSince: timestamp.optional().describe('When the carrier delivered the return parcel.'),
    expected: z.enum(['pack', 'sendAgain', 'intake', 'nothing']),
    sentence: said.describe('What to do, for the person who scanned.'),
    caution: said.optional().describe('What has to be known of a sample that is taken in all the same.'),
    question: said
      .optional()
      .describe('What to ask before a sample of this kit is received: it reached nobody, as far as is known.'),
    box: KitBox.optional().describe('The sealed box that it is in.'),
    hold: HeldSample.optional().describe('What its sample waits for, if it was ever on hold.'),
    undelivered: UndeliveredKit.optional().describe('What became of its box, if it was ever undeliverable.'),
  })
  .meta({ id: 'ScannedKit' })
export type Scanned = z.input<typeof Scanned>

const at = z.iso
  .datetime({ offset: true })
  .refine((value) => value >= '2000' && value < '2200', 'A time between 2000 and 2199')
  .describe('When it happened, RFC 3339.')

export const CarrierEvent = z
  .object({
    id: text(200).optional().describe('To tell a repeated event by. Default: what is said, of which parcel, and when.'),
    trackingNumber,
    status: z.enum(carrierStatuses),
    at,
    message: optionalText(300).describe('Kept only where it says why something went wrong.'),
  })
  .meta({ id: 'CarrierEvent' })
export type CarrierEvent = z.infer<typeof CarrierEvent>

export const CarrierEvents = z.array(CarrierEvent).min(1).max(500)

export const outcomes = ['moved', 'noted', 'late', 'unmatched'] as const
export type Outcome = (typeof outcomes)[number]

export const HeardEvent = z.object({
  trackingNumber: z.string(),
  outcome: z
    .enum([...outcomes, 'duplicate'])
    .describe(
      'noted: true, and known already. late: something newer was said before. unmatched: no parcel has the number yet.',
    ),
})
export type HeardEvent = z.infer<typeof HeardEvent>

export const ListCarrierEvents = z.object({
  ...paging(50, 250),
  status: anyOf(outcomes),
  trackingNumber: commaParameter(50)
    .pipe(z.array(trackingNumber))
    .optional()
    .describe('As on the label; several by comma.'),
})

export const StoredCarrierEvent = z
  .object({
    id: z.string(),
    source: z.string(),
    trackingNumber: z.string(),
    status: z.enum(carrierStatuses),
    message: z.string().optional(),
    at: timestamp,
    receivedDate: timestamp,
    outcome: z.enum(outcomes),
  })
  .meta({ id: 'KeptCarrierEvent' })
