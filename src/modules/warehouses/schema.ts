import { z } from 'zod'
import { businessName, kitId } from '../../domain/id-fields.ts'
import {
  anyOf,
  anyOfTexts,
  countryCode,
  isTrueOrBare,
  line,
  optionalText,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../platform/http/fields.ts'
import { trackingNumber } from '../fulfilment/schema.ts'

const providers = ['shipstation', 'shipbob'] as const

/** Those in which a kit is not packed elsewhere; `is_there` of its row. */
const statesThere = ['queued', 'sent', 'canceling', 'refused', 'notCanceled', 'notRecorded'] as const
export const states = [...statesThere, 'shipped', 'canceled', 'released'] as const
export type State = (typeof states)[number]

const ofHandingOver = ['account', 'noAccount', 'refusedThere', 'gone', 'canceledThere'] as const
const whileThere = [
  'noAnswer',
  'notUnderstood',
  'outOfStock',
  'onHold',
  'exception',
  'severalParcels',
  'severalLeft',
  'late',
] as const
const ofShipping = [
  'noNumber',
  'noSerial',
  'severalSerials',
  'boxUnknown',
  'boxRefused',
  'lotRefused',
  'otherProduct',
  'numberTaken',
] as const
export const reasons = [
  ...ofHandingOver,
  ...whileThere,
  ...ofShipping,
  'notWaiting',
  'hasLeft',
  'leftLater',
  'notCanceled',
] as const
export type Reason = (typeof reasons)[number]

export const choices = ['again', 'accept', 'record', 'release'] as const
export type Choice = (typeof choices)[number]

/** Why a kit is not to be sent as the warehouse has it. */
export const cancelReasons = ['canceled', 'addressCorrected', 'recalled', 'erased'] as const
export type CancelReason = (typeof cancelReasons)[number]

const NAME = 'The name that you give to the warehouse, such as east.'

export const WarehouseInput = z
  .object({
    provider: z.enum(providers).describe('Whose warehouse it is.'),
    isActive: z.boolean().default(true).describe('It gets kits. If not, it only ends what it has.'),
    secretKey: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{8,2000}$/, 'A key has 8 to 2,000 characters without spaces')
      .optional()
      .describe(
        'The API key of ShipStation, or the personal access token of ShipBob. Left out: the one that was given before.',
      ),
    country: countryCode.describe(
      'Where the warehouse is. It gets phone numbers only of recipients in other countries.',
    ),
    shipsTo: z.array(countryCode).min(1).max(250).describe('The countries to which it sends kits.'),
    notToStates: z
      .array(z.string().regex(/^[A-Z]{2}$/, 'Two capital letters'))
      .max(60)
      .optional()
      .describe(
        'States of the United States to which it sends none, such as PR, GU and VI, and AA, AE and AP of military post.',
      ),
    products: z
      .array(
        z.object({
          kitType: text(60),
          sku: line(60).describe('As the warehouse names it.'),
          needsSerial: z
            .boolean()
            .default(false)
            .describe('A kit whose parcel left without a serial number waits for a person. ShipStation names none.'),
        }),
      )
      .min(1)
      .max(200)
      .describe('The kit types that it packs.'),
    channelID: z.int().positive().optional().describe('Of ShipBob: the channel that the token may write to.'),
    shippingMethod: line(60).default('Standard').describe('Of ShipBob: as it stands in its ship option mapping.'),
    shipFromID: line(60).optional().describe("Of ShipStation: its warehouse's ID, such as se-28529731."),
  })
  .superRefine(({ provider, channelID, shipFromID, products }, context) => {
    const problem = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', message, path })
    if (provider === 'shipbob' && channelID === undefined) problem(['channelID'], 'ShipBob needs the channel')
    if (provider === 'shipstation' && shipFromID === undefined)
      problem(['shipFromID'], 'ShipStation needs its warehouse')
    const types = products.map(({ kitType }) => kitType)
    const again = types.findIndex((type, at) => types.indexOf(type) < at)
    if (again >= 0) problem(['products', again, 'kitType'], 'It is there already')
    const unnamed = products.findIndex(({ needsSerial }) => needsSerial && provider === 'shipstation')
    if (unnamed >= 0) problem(['products', unnamed, 'needsSerial'], 'ShipStation names no serial numbers')
  })
  .meta({ id: 'WarehouseInput' })
export type WarehouseInput = z.infer<typeof WarehouseInput>

export const WarehouseTest = z.object({
  date: timestamp,
  isDone: z.boolean().describe('Whether the account works.'),
  reason: z.enum(reasons).optional(),
  sentence: said.optional().describe('Why not.'),
})

export const Warehouse = z
  .object({
    ...WarehouseInput.shape,
    warehouseID: z.string().describe(NAME),
    hasSecretKey: z.boolean().describe('The key itself is never shown.'),
    tested: WarehouseTest.optional().describe('What the last test found.'),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .omit({ secretKey: true })
  .meta({ id: 'Warehouse' })
export type Warehouse = z.input<typeof Warehouse>

export const warehouseParam = z.object({
  warehouseID: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Small letters, digits and hyphens')
    .describe(NAME),
})
export const kitParam = z.object({ kitID: kitId })

export const WarehouseOrder = z
  .object({
    kitID: z.string(),
    orderID: z.string(),
    business: businessName,
    warehouseID: z.string().describe(NAME),
    reference: z.string().describe('Under which the warehouse knows it.'),
    state: z
      .enum(states)
      .describe(
        'queued: being handed over. sent: the warehouse has it. refused: nothing of it is at the warehouse. notCanceled: it was to be canceled and is not. notRecorded: it left and could not be recorded. released: no longer the warehouse’s.',
      ),
    reason: z.enum(reasons).optional(),
    code: z.string().optional().describe("The warehouse's word for it."),
    sentence: said.optional().describe('Why a person must look, and what to do.'),
    cancelReason: z
      .enum(cancelReasons)
      .optional()
      .describe(
        'Why it is not to be sent as the warehouse has it. addressCorrected: what the warehouse sends goes to the address before.',
      ),
    choices: z.array(z.enum(choices)).describe('What a person may choose now.'),
    carrier: z.string().optional(),
    trackingNumber: z.string().optional(),
    serial: z.string().optional().describe('The serial numbers that the warehouse names of it.'),
    lot: z.string().optional().describe('The lots that it names.'),
    parcels: z
      .array(
        z.object({
          trackingNumber: z.string().optional(),
          carrier: z.string(),
          serials: z.array(z.string()).describe('The serial numbers of its boxes.'),
          lots: z.array(z.string()).describe('The lots that it names of them.'),
        }),
      )
      .optional()
      .describe(
        'The parcels that left, each as the warehouse names it: `record` takes the `trackingNumber`, or the `box`, of one.',
      ),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .meta({ id: 'WarehouseOrder' })
export type WarehouseOrder = z.input<typeof WarehouseOrder>

export const OrderQuery = z.object({
  ...paging(50, 250),
  state: anyOf(states),
  needsAttention: isTrueOrBare.optional().describe('Those with a reason.'),
  kitID: anyOfTexts(50).describe('Of these kits, by comma.'),
})
export const OrderPage = z.object({ data: z.array(WarehouseOrder), pagination: Pagination })

export const ChoiceInput = z.object({
  choice: z
    .enum(choices)
    .describe(
      'again: hand over, cancel, or record it again. accept: the warehouse sends it after all. record: record the parcel that left, as a person says. release: it is canceled there if it can be; a kit that still waits is then packed at your own bench. Where the parcel has left, and the kit is not to be sent any more: a person has dealt with it.',
    ),
  box: optionalText(400).describe(
    'For record: the serial number of the box that left. Without it: the box that the warehouse names, if it can be, or its lot. Of several parcels or boxes: one that it names; its parcel is recorded.',
  ),
  withoutBox: line(200)
    .optional()
    .describe(
      'For record, where a box must be named: why nobody can say which one left. The lots that the warehouse names are noted.',
    ),
  trackingNumber: trackingNumber.optional().describe('For record: in place of the one that the warehouse names.'),
  carrier: line(60).optional().describe('For record: in place of the one that the warehouse names.'),
  mayBeTwo: z
    .boolean()
    .default(false)
    .describe('Needed where the warehouse may still send the kit, so that two may go.'),
})
export type ChoiceInput = z.infer<typeof ChoiceInput>
