import { z } from 'zod'
import { businessName, kitId } from '../../domain/id-fields.ts'
import {
  anyLine,
  anyOf,
  anyOfTexts,
  countryCode,
  isTrueOrBare,
  line,
  Pagination,
  paging,
  postcode,
  said,
  text,
  timestamp,
} from '../../platform/http/fields.ts'
import { ShipInput } from '../fulfilment/schema.ts'
import { type Address, byCountry } from '../orders/address-schema.ts'

export const providers = ['easypost', 'shippo'] as const
export type LabelProvider = (typeof providers)[number]

const openStates = ['queued', 'bought', 'used', 'refused', 'voiding'] as const
export const labelStates = [...openStates, 'voided', 'voidRefused', 'withdrawn', 'closed'] as const
export type LabelState = (typeof labelStates)[number]

const whyNotBought = [
  'address',
  'noRate',
  'noService',
  'currencies',
  'noMoney',
  'account',
  'testKey',
  'noAccount',
] as const
const whyAsIs = [
  'phone',
  'abroad',
  'erased',
  'refused',
  'unavailable',
  'pending',
  'noAnswer',
  'badDocument',
  'unclear',
] as const
export const reasons = [...whyNotBought, ...whyAsIs, 'customs', 'otherAccount', 'notVoided', 'price'] as const
export type Reason = (typeof reasons)[number]

/** To whom a kit is sent. */
export interface Recipient {
  name: string
  phone?: string | undefined
  address: Address
}

const AT = 'The label service.'

const LabelParty = byCountry(
  z.object({
    name: line(100),
    company: line(100).optional().describe('The company.'),
    street1: line(200),
    street2: line(200).optional(),
    city: line(100),
    state: anyLine(100).default(''),
    zip: postcode(20).default(''),
    country: countryCode.default('US'),
    phone: line(30).optional(),
    email: z.email().max(254).optional(),
  }),
).meta({ id: 'LabelParty' })
/** A sender or a recipient, as services take them. */
export type Party = z.infer<typeof LabelParty>

const millimetres = z.int().min(1).max(3000).describe('In millimetres.')
const grams = z.int().min(1).max(70_000).describe('In grams, with what is in it.')
const service = z.object({
  carrier: line(60).describe('As the label service names it, such as USPS.'),
  service: line(60).describe('As the label service names it, such as GroundAdvantage or usps_ground_advantage.'),
})

export const LabelAccountInput = z
  .object({
    isActive: z.boolean().default(true).describe('Labels are bought from it, and from no other one.'),
    secretKey: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{8,200}$/, 'A key has 8 to 200 characters without spaces')
      .optional()
      .describe('The secret key of the API. Left out: the one that was given before.'),
    sender: LabelParty.describe('Where kits are sent from.'),
    returnTo: LabelParty.optional().describe('Where a kit goes that cannot be delivered. Default: the sender.'),
    samplesTo: LabelParty.optional().describe('Where samples go: the laboratory. Default: the sender.'),
    parcels: z
      .array(
        z.object({
          kitType: text(60).optional().describe('Left out: for every other kit type.'),
          lengthMm: millimetres,
          widthMm: millimetres,
          heightMm: millimetres,
          weightGrams: grams,
          returnWeightGrams: grams.optional().describe('On the way back. Default: the same.'),
        }),
      )
      .min(1)
      .max(100)
      .describe('The box of each kit type.'),
    service: service.optional().describe('Default: the cheapest one that is offered.'),
    returnService: service
      .optional()
      .describe('Of any carrier. Default: the cheapest one of the carrier that brings the kit.'),
    buysReturnLabels: z
      .boolean()
      .default(false)
      .describe('Buys a return label with each kit, which is paid when it is used.'),
    format: z.enum(['4x6', 'A6']).default('4x6').describe('A6 is printed by Shippo only, as PDF.'),
    fileType: z.enum(['PDF', 'PNG']).default('PDF').describe('What is printed.'),
    sendsPhone: z
      .boolean()
      .default(false)
      .describe("Gives carriers the recipient's phone number within the country too. Abroad they want it."),
    customs: z
      .object({
        contents: line(45).describe('What is in the box. Never what is tested: the carrier reads it.'),
        valueMinor: z
          .int()
          .min(1)
          .max(100_000_00)
          .describe('What it is worth, in minor units: 1500 is 15 USD, and 1,500 JPY.'),
        currency: z.string().regex(/^[A-Z]{3}$/),
        hsCode: z
          .string()
          .regex(/^\d{4}(\.?\d{2}){1,3}$/)
          .describe('In the Harmonized System: 6 to 10 digits.'),
        originCountry: countryCode.describe('Where it was made.'),
        signer: line(100).describe('Who answers for what is declared.'),
        exemption: line(30).default('NOEEI 30.37(a)').describe('EEL or PFC, for parcels that leave the US.'),
      })
      .optional()
      .describe('For parcels that cross a border, and for military post and the US islands of the Pacific.'),
    exemptIn: z
      .array(countryCode)
      .max(250)
      .default(['US'])
      .describe('Where packers are told to check the packaging of an exempt human specimen.'),
  })
  .superRefine(({ parcels, format, fileType }, context) => {
    const types = parcels.map(({ kitType }) => kitType ?? '')
    const again = types.findIndex((type, at) => types.indexOf(type) < at)
    if (again >= 0)
      context.addIssue({ code: 'custom', message: 'It is there already', path: ['parcels', again, 'kitType'] })
    if (format === 'A6' && fileType === 'PNG')
      context.addIssue({ code: 'custom', message: 'Labels of A6 are printed as PDF', path: ['fileType'] })
  })
  .meta({ id: 'LabelAccountInput' })
export type LabelAccountInput = z.infer<typeof LabelAccountInput>

export const AccountTest = z.object({
  date: timestamp,
  isDone: z.boolean().describe('Whether a carrier offers anything.'),
  mode: z.enum(['live', 'test']).optional().describe('What the key is for. Labels are bought by a live one only.'),
  reason: z.enum(reasons).optional(),
  sentence: said.optional().describe('Why not.'),
  rates: z
    .array(z.object({ ...service.shape, amount: z.int(), currency: z.string() }))
    .describe('What a parcel from the sender to where samples go would cost. Nothing is bought.'),
})

export const LabelAccount = z
  .object({
    ...LabelAccountInput.shape,
    provider: z.enum(providers).describe(AT),
    hasSecretKey: z.boolean().describe('The key itself is never shown.'),
    tested: AccountTest.optional().describe('What the last test found.'),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .omit({ secretKey: true })
  .meta({ id: 'LabelAccount' })
export type LabelAccount = z.input<typeof LabelAccount>

export const providerParam = z.object({ provider: z.enum(providers).describe(AT) })
export const labelParam = z.object({ labelID: text(60).describe("The label's ID.") })
export const LabelRequest = z.object({
  box: ShipInput.shape.box.describe('The code of the sealed box in which the kit is packed, if it is.'),
})
export const kitParam = z.object({ kitID: kitId })

export const ShippingLabel = z
  .object({
    labelID: z.string().describe("The label's ID."),
    kitID: z.string(),
    orderID: z.string(),
    leg: z.enum(['toUser', 'toLab']).describe('toLab: the return label.'),
    state: z
      .enum(labelStates)
      .describe(
        'queued: being bought. bought: not used yet. used: a kit was shipped under its number. refused: not bought. voiding: its refund is asked for, and it counts in all sums until it is voided. withdrawn: nobody wanted it before it was bought. closed: a person has seen to it.',
      ),
    provider: z.enum(providers).describe(AT),
    carrier: z.string().optional(),
    service: z.string().optional().describe('As the label service names it.'),
    trackingNumber: z.string().optional(),
    amount: z.int().optional().describe('What was charged, in minor units. Of a return label: when it is used.'),
    currency: z.string().optional(),
    reason: z.enum(reasons).optional(),
    code: z.string().optional().describe("The label service's word for it."),
    sentence: said.optional().describe('Why, and what to do.'),
    hasDocument: z.boolean().describe('It can be printed.'),
    mediaType: z.string().optional(),
    createdDate: timestamp,
    boughtDate: timestamp.optional(),
    changedDate: timestamp,
  })
  .meta({ id: 'ShippingLabel' })
export type ShippingLabel = z.input<typeof ShippingLabel>

export const LabelsOfKit = z
  .object({
    isOn: z.boolean().describe('There is an account in use.'),
    labels: z.array(ShippingLabel).describe('Newest first.'),
    packaging: said.optional().describe('What to check before the box is closed.'),
  })
  .meta({ id: 'LabelsOfKit' })

const outbound = z.int().describe('Of labels out, in minor units.')
const onUse = z.int().describe('Of return labels, which are paid when they are used.')
const LabelTotals = z
  .array(z.object({ currency: z.string(), outbound, onUse }))
  .describe('Of labels that were bought, in minor units. Those that are being voided count until they are voided.')

export const LabelsOfOrder = z
  .object({ labels: z.array(ShippingLabel).describe('Newest first.'), totals: LabelTotals })
  .meta({ id: 'LabelsOfOrder' })

export const LabelQuery = z.object({
  ...paging(50, 250),
  state: anyOf(labelStates),
  needsAttention: isTrueOrBare
    .optional()
    .describe(
      'Those that were refused or are not refunded, whose price or file is not as it should be, or that are not there after ten minutes.',
    ),
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
})
export const LabelPage = z.object({
  data: z.array(ShippingLabel.extend({ business: businessName })),
  pagination: Pagination,
})

export const CostQuery = z.object({
  from: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .describe('The first month, as YYYY-MM.'),
  to: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .describe('The last one.'),
})
export const LabelCosts = z
  .array(
    z.object({
      month: z.string().describe('As YYYY-MM.'),
      business: businessName,
      currency: z.string(),
      labels: z.int().describe('How many were bought.'),
      outbound,
      onUse,
      voided: z.int().describe('What labels cost that were voided.'),
    }),
  )
  .meta({ id: 'LabelCosts' })
