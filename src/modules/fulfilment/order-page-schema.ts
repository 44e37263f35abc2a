import { z } from 'zod'
import { businessName } from '../../domain/id-fields.ts'
import { optionalText, text, timestamp } from '../../platform/http/fields.ts'
import { BriefEmail } from '../emails/brief.ts'
import { TimelineItem } from '../kits/page-schema.ts'
import { KitRecord } from '../kits/schema.ts'
import { Address, RecipientAddress } from '../orders/address-schema.ts'
import { Order } from '../orders/schema.ts'

const { status, orderStatus, payment, approval } = Order.shape

const Happened = z
  .object({
    at: timestamp,
    type: z.enum([...TimelineItem.shape.type.options, 'addressCorrected', 'orderApproved', 'orderCanceled']),
    by: TimelineItem.shape.by.optional(),
    kits: z.int().optional().describe('How many kits it is about. Absent: of the order.'),
    kitID: z.string().optional().describe('Of which, where it is one.'),
    reason: z.string().optional(),
    report: TimelineItem.shape.report,
  })
  .meta({ id: 'OrderHappened' })
export type Happened = z.infer<typeof Happened>

export const OperatorOrder = z
  .object({
    business: businessName,
    orderID: z.string(),
    createdDate: timestamp,
    status,
    orderStatus,
    quantity: z.int(),
    items: z.array(z.object({ kitType: z.string(), panelName: z.string(), quantity: z.int() })),
    externalID: z.string().optional(),
    isNotifyReceiver: z.boolean(),
    payment: payment.describe('The amounts are shown with the scope `businesses` only.'),
    approval: approval.describe('The reason is shown with the scope `approvals` only.'),
    recipient: z
      .object({ name: z.string(), email: z.string(), phone: z.string().optional(), address: RecipientAddress })
      .optional()
      .describe('For the scope `fulfilment` only. Absent too once the person was erased.'),
    addressStays: z
      .enum(['packed', 'beingPacked', 'canceled', 'erased'])
      .optional()
      .describe('Why the address cannot be corrected any more; absent: it can.'),
    kits: z.array(KitRecord).describe('The newest 250.'),
    happened: z.array(Happened).describe('Newest first. What happened to several kits at once is listed once.'),
    emails: z.array(BriefEmail).optional().describe('Newest first; for the scope `mail` only.'),
  })
  .meta({ id: 'OperatorOrder' })
export type OperatorOrder = z.infer<typeof OperatorOrder>

const correction = {
  recipientAddress: Address.describe('Where all kits of the order go; replaces all of it.'),
}
const WHY = 'Why it is corrected, for the audit.'
export const CorrectOrder = z.object({ ...correction, reason: optionalText(300).describe(WHY) })
export const CorrectOperatorOrder = z.object({ ...correction, reason: text(300).describe(WHY) })
