import { z } from 'zod'
import type { ErrorDetail } from '../../domain/errors.ts'
import { anyText, email, line, optionalOwnId, optionalPhone, text, timestamp } from '../../platform/http/fields.ts'
import { isRecord, normalise } from '../../platform/http/lenient.ts'
import { issueDetails } from '../../platform/http/validate.ts'
import { inSlices } from '../../platform/slices.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { orderSource } from '../payments/schema.ts'
import { Address, byCountry, RecipientAddress } from './address-schema.ts'

const MAX_QUANTITY = 1000
const MAX_ROWS = 10_000
/** From this many rows a bulk request becomes a job. */
export const ASYNC_ROWS = 20

const kitType = text(100).transform(internalKitType)
const quantity = z.int().min(1).max(MAX_QUANTITY).default(1).describe('Kits, 1 to 1,000.')
const tag = line(100)
const externalTags = z
  .union([z.array(tag).max(50), anyText(5000)])
  .transform((given) => {
    if (typeof given !== 'string') return given
    const tags = given.split(',').map((item) => item.trim())
    // An empty text is absent, as everywhere, and hides no tags of the recipient.
    return tags.some(Boolean) ? tags.filter(Boolean) : undefined
  })
  .pipe(z.array(tag).max(50).optional())
  .describe('An array, or text separated by commas.')

const names = { first_name: line(100), last_name: line(100) }
const contact = { email, phone: optionalPhone }

export const Recipient = z
  .object({
    ...names,
    ...contact,
    external_id: optionalOwnId,
    external_tags: externalTags.optional(),
    address: Address,
  })
  .meta({ id: 'RecipientInput' })

export const flags = {
  purchase_with_attached_payment: z
    .boolean()
    .optional()
    .describe(
      'true: charge the attached payment method now. false: prepaid credits only. Absent: credits, else what the settings say.',
    ),
  paymentMethod: orderSource
    .optional()
    .describe(
      '`credits`, `card`, `later` (a pending order, whatever the credits) or the ID of a saved payment method (`pm_…`); wins over the flag.',
    ),
  isNotifyReceiver: z
    .boolean()
    .optional()
    .describe('true: the recipient hears of order and kit changes by e-mail. Default false.'),
  is_notify_receiver: z.boolean().optional().meta({ deprecated: true, description: 'Same as isNotifyReceiver.' }),
  is_test_order: z.boolean().optional().meta({
    deprecated: true,
    description: 'Deprecated: use a sandbox token. true places the order in the sandbox, free of charge.',
  }),
  externalID: optionalOwnId.describe("Your identifier of the order; wins over the recipient's external_id."),
  externalTags: externalTags.optional(),
}

/** A row as it was sent, with the fields of a nested `recipient` and `address` lifted to the row, and `kitType` renamed. */
export function flattenRow(row: unknown): unknown {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) return row
  const { recipient, address, kitType: alias, ...flat } = row as Record<string, unknown>
  const inner = isRecord(recipient) ? recipient : {}
  return {
    ...(isRecord(inner.address) ? inner.address : {}),
    ...(isRecord(address) ? address : {}),
    ...inner,
    ...(alias !== undefined && { kit_type: alias }),
    ...flat,
  }
}

const flatFields = { ...names, ...contact, ...Address.shape, quantity }

const FlatRow = byCountry(
  z.object({
    kit_type: kitType,
    ...flatFields,
    external_id: optionalOwnId,
    external_tags: externalTags.optional(),
  }),
).meta({
  id: 'BulkRow',
  description: 'One order of `quantity` kits. `kitType`, and a nested `recipient` with `address`, are accepted too.',
})

export const BulkRow = z.preprocess((row) => normalise(FlatRow, flattenRow(row)), FlatRow)
export type BulkRow = z.infer<typeof BulkRow>

const KitLine = z.object({ kitType, quantity }).meta({ id: 'KitLine' })
export const kitLines = z.array(KitLine).min(1).max(50)

const single = { recipient: Recipient.optional(), kit_types: kitLines.optional() }

function checkSingleOrBulk(
  body: { recipient?: unknown; kit_types?: unknown; bulkUploadData?: unknown },
  context: z.RefinementCtx,
): void {
  const complain = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] })
  if (body.kit_types && body.bulkUploadData)
    complain('Send either kit_types or bulkUploadData, not both', 'bulkUploadData')
  if (!body.kit_types && !body.bulkUploadData)
    complain('Send kit_types for one order, or bulkUploadData for several', 'kit_types')
  if (body.kit_types && !body.recipient) complain('Say whom the kits are for', 'recipient')
}

export const CreateOrder = z
  .object({ ...single, bulkUploadData: z.array(BulkRow).min(1).max(MAX_ROWS).optional(), ...flags })
  .superRefine(checkSingleOrBulk)
  .meta({ id: 'CreateOrder' })
export type CreateOrder = z.infer<typeof CreateOrder>

/** The body of a dry run: a faulty row is reported by its number and does not refuse the others. */
export const TrialOrder = z
  .object({ ...single, bulkUploadData: z.array(z.unknown()).min(1).max(MAX_ROWS).optional(), ...flags })
  .superRefine(checkSingleOrBulk)
  .transform(async (body) => ({ ...body, ...(await separateFaultyRows(body.bulkUploadData)) }))
export type TrialOrder = z.infer<typeof TrialOrder>

export interface FaultyRow {
  row: number
  errors: ErrorDetail[]
}

// Without a limit, 10,000 faulty rows would make an answer of tens of megabytes.
const MAX_REPORTED = 1000
const UNREPORTED: ErrorDetail = { message: 'This row has problems too: correct those before it, and check again' }

async function separateFaultyRows(
  rows: readonly unknown[] | undefined,
): Promise<{ bulkUploadData?: BulkRow[]; faults: FaultyRow[] }> {
  if (!rows) return { faults: [] }
  const bulkUploadData: BulkRow[] = []
  const faults: FaultyRow[] = []
  let reported = 0
  await inSlices(rows, (value, row) => {
    const { data, error } = BulkRow.safeParse(value)
    if (data) return void bulkUploadData.push(data)
    const errors = reported < MAX_REPORTED ? issueDetails(error, ['bulkUploadData', row]) : [UNREPORTED]
    reported += errors.length
    faults.push({ row, errors })
  })
  return { bulkUploadData, faults }
}

export const LegacyOrder = byCountry(z.object({ kitType, ...flatFields, ...flags }))
export type LegacyOrder = z.infer<typeof LegacyOrder>

export const Created = z.union([
  z.object({ orderId: z.string() }),
  z.object({ orderIds: z.array(z.string()).describe('In the order of the rows.') }),
  z.object({ pending: z.literal(true), orderId: z.string() }),
  z.object({ pending: z.literal(true), orderIds: z.array(z.string()) }),
])
export type Created = z.infer<typeof Created>

export const Quote = z
  .object({
    valid: z.boolean().describe('Whether placing it now would make orders or a job.'),
    kits: z.int().describe('How many kits would be made, of the rows without a problem.'),
    outcome: z
      .enum(['placed', 'job', 'pending', 'refused'])
      .describe(
        'placed: the orders are made and paid, unless the card is declined. job: a job makes them. pending: they wait to be paid, or approved. refused: `rows` or `refusal` says why.',
      ),
    credits: z
      .array(
        z.object({
          type: z.string(),
          needed: z.int(),
          available: z.int().describe('Credits of this kit type now.'),
          remaining: z.int().describe('Credits that would be left.'),
        }),
      )
      .describe('One entry for each kit type.'),
    charge: z
      .object({ amount: z.int(), currency: z.string() })
      .optional()
      .describe('What a card would be charged, in minor units; absent where credits pay.'),
    payment: z
      .enum(['credits', 'card', 'pending', 'refused'])
      .optional()
      .describe(
        'How it would be paid; pending: it waits to be paid, and no kit is made. Absent while a row has an error.',
      ),
    approvalNeeded: z.literal(true).optional().describe('A provider approves it first; it is paid then.'),
    refusal: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it would be refused.'),
    rows: z
      .array(
        z.object({
          row: z.int(),
          valid: z.boolean(),
          errors: z.array(z.object({ message: z.string(), path: z.string().optional() })),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Quote' })

export const Approval = z
  .object({
    status: z.enum(['waiting', 'approved', 'refused']),
    provider: z.string().optional().describe('Their name.'),
    npi: z.string().optional(),
    date: timestamp.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'Approval', description: 'Of a provider. Until then nothing is made or paid.' })

const orderStatus = z.enum(['pending', 'preparing', 'in_progress', 'needs_review', 'completed', 'canceled'])

export const Order = z
  .object({
    orderID: z.string(),
    createdDate: timestamp,
    status: z
      .enum(['created', 'pending', 'canceled'])
      .describe('The money: pending is not paid yet and ships nothing.'),
    orderStatus: orderStatus.describe('The fulfilment, derived from the kits.'),
    sku: z.string().describe('The kit type, or `MIXED`.'),
    quantity: z.int(),
    items: z.array(z.object({ kitType: z.string(), quantity: z.int() })),
    recipientEmail: z.string().optional().describe('The recipient fields are absent once the person was erased.'),
    recipientName: z.string().optional(),
    recipientPhone: z.string().optional(),
    recipientAddress: RecipientAddress.optional(),
    externalID: z.string().optional(),
    externalTags: z.array(z.string()),
    isNotifyReceiver: z.boolean(),
    isTest: z.boolean(),
    payment: z.object({
      method: z.enum(['credits', 'card', 'none']),
      status: z.enum(['paid', 'pending', 'refunded', 'canceled']),
      amount: z.int().optional().describe('Minor units.'),
      refundedAmount: z.int().optional().describe('Given back to the card.'),
      currency: z.string().optional(),
      settling: z
        .literal(true)
        .optional()
        .describe(
          'A card was asked to pay the pending order, and its answer is not known yet. Read again in a moment.',
        ),
    }),
    approval: Approval.optional(),
    registeredTo: z
      .object({ email: z.string().optional(), customerID: z.int() })
      .optional()
      .describe('The person of the kit that was registered first.'),
    kits: z.array(
      z.object({
        kitID: z.string(),
        kitType: z.string(),
        kitStatus: z.string(),
        sampleStatus: z.string(),
        status: z.string(),
        registeredToEmail: z.string().optional(),
        registrationDate: timestamp.optional(),
        customerID: z.int().optional(),
        lastUpdatedDate: timestamp,
      }),
    ),
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof Order>
export type OrderStatus = z.infer<typeof orderStatus>
