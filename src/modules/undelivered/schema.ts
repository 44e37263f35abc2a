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
  timestamp,
} from '../../platform/http/fields.ts'
import { Address, RecipientAddress } from '../orders/address-schema.ts'
import { choices, outcomes, states } from './decision.ts'

const Amount = z.object({ amount: z.int(), currency: z.string() })

/** A box that did not reach its recipient, as API, events and pages show it. */
export const UndeliveredKit = z
  .object({
    kitID: z.string(),
    orderID: z.string(),
    outcome: z.enum(outcomes),
    state: z
      .enum(states)
      .describe(
        'waiting: at a post office. undecided: choose. awaitingBox: chosen, not back yet. readyToSend: a packer sends it. needsNewKit: replace it. The others are settled.',
      ),
    isHere: z.boolean().describe('The operator has the box in hand.'),
    since: timestamp,
    changedDate: timestamp,
    times: z.int().describe('How often this kit was not delivered.'),
    postage: z.array(Amount).describe('What carriers charged for it since, in minor units.'),
    choices: z.array(z.enum(choices)).describe('What can be chosen now. None costs credits.'),
    trackingNumber: z.string().optional().describe('Of the last parcel.'),
    carrier: z.string().optional(),
    replacedBy: z.string().optional(),
    todo: said.describe('What to do, for the person at the station.'),
    business: businessName.optional().describe('For the operator.'),
    panelName: z.string().optional().describe('For the operator.'),
    recipient: z
      .object({ name: z.string(), address: RecipientAddress })
      .optional()
      .describe('For the operator: where it goes now. Absent once the person was erased.'),
  })
  .meta({ id: 'UndeliveredKit' })
export type UndeliveredKit = z.input<typeof UndeliveredKit>

/** The same as a business hears of it. */
export const UndeliveredNews = UndeliveredKit.pick({
  kitID: true,
  orderID: true,
  outcome: true,
  state: true,
  isHere: true,
  times: true,
  choices: true,
  replacedBy: true,
})
export type UndeliveredNews = z.infer<typeof UndeliveredNews>

const filters = { state: anyOf(states).describe('Default: those where somebody has to act.'), outcome: anyOf(outcomes) }

export const UndeliveredQuery = z.object({
  ...paging(50, 250),
  ...filters,
  kitID: commaParameter(50).pipe(z.array(kitId)).optional().describe('Of these kits, by comma.'),
})
export const UndeliveredPage = z.object({ data: z.array(UndeliveredKit), pagination: Pagination })

export const UndeliveredOfAllQuery = z.object({
  ...paging(50, 250),
  ...filters,
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
})

/** What a carrier charged. */
export const Postage = z.object({
  amount: z.int().min(0).max(100_000_000).describe('In minor units.'),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .transform((text) => text.toUpperCase())
    .describe('ISO 4217.'),
})
export type Postage = z.infer<typeof Postage>

export const ReportUndelivered = z.object({
  kitIDs: z.array(kitId).min(1).max(50).describe('All kits of one parcel.'),
  outcome: z.enum(outcomes).default('returnedToSender'),
  note: optionalText(300).describe('Why, for the business.'),
  postage: Postage.optional().describe('What the carrier charged for the way back, once for all of them.'),
})

export const ChooseUndelivered = z.object({
  choice: z.enum(choices).describe('One of the `choices` of the box.'),
  recipientAddress: Address.optional().describe('Where it goes instead; replaces all of the address of the order.'),
  reason: optionalText(300).describe('For the audit.'),
})
export type ChooseUndelivered = z.infer<typeof ChooseUndelivered>

/** The operator orders no kits for a business. */
export const ChooseAsOperator = ChooseUndelivered.extend({
  choice: z.enum(['sendAgain', 'close']).describe('A replacement is ordered by the business.'),
})

export const AddressLinkInput = z.object({
  email: z.boolean().default(true).describe('Also send it to the recipient.'),
})

export const AddressLink = z.object({
  kitID: z.string(),
  url: z.string().optional().describe('For the recipient alone. Absent where PUBLIC_URL is not set.'),
  expiresDate: timestamp,
  emailed: z.boolean().describe('It was sent to the recipient.'),
})

export const kitParam = z.object({ kitID: kitId })
