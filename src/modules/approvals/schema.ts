import { z } from 'zod'
import { businessName, orderId } from '../../domain/id-fields.ts'
import { anyText, commaList, email, line, Pagination, paging, text, timestamp } from '../../platform/http/fields.ts'
import { isNpi, licenceCode } from './rules.ts'

const npi = anyText(10)
  .refine(isNpi, 'An NPI has ten digits, of which the last one is a check digit: check it')
  .describe('National Provider Identifier.')
const licensedIn = z
  .array(
    anyText(6)
      .overwrite((code) => licenceCode(code) ?? code)
      .refine((code) => code !== 'US', 'A physician is licensed by state: name each state, such as US-NY')
      .refine((code) => licenceCode(code) !== undefined, 'must be a region such as US-NY, or a country but US'),
  )
  .max(300)
  .describe('Such as `US-NY`, `US-PR`.')

const fields = {
  name: line(200).describe('With titles after a comma: `Jane Doe, MD`.'),
  npi,
  licensedIn,
  email: email.describe('By which they sign in.'),
  isActive: z.boolean().describe('false: they decide nothing.'),
}

export const ProviderInput = z
  .object({ ...fields, isActive: z.boolean().default(true).describe('false: they decide nothing.') })
  .meta({ id: 'ProviderInput' })
export type ProviderInput = z.output<typeof ProviderInput>

export const ProviderChange = z.object(fields).partial().meta({ id: 'ProviderChange' })
export type ProviderChange = z.output<typeof ProviderChange>

export const Provider = z
  .object({
    id: z.string(),
    name: z.string(),
    npi: z.string(),
    licensedIn: z.array(z.string()).describe('Such as `US-NY`.'),
    email: z.string(),
    isActive: z.boolean().describe('false: they decide nothing.'),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .meta({ id: 'Provider' })
export type Provider = z.infer<typeof Provider>

export const providerParam = z.object({ providerID: anyText(64).describe('Of the provider.') })
export const orderParam = z.object({ orderID: orderId })

export const ApprovalQuery = z.object({
  ...paging(50, 250),
  businessID: commaList(50).optional().describe('Of these businesses.'),
})
export type ApprovalQuery = z.output<typeof ApprovalQuery>

export const WaitingOrder = z
  .object({
    orderID: z.string(),
    business: businessName,
    items: z.array(z.object({ kitType: z.string(), panelName: z.string(), quantity: z.int() })),
    recipientName: z.string().optional().describe('Absent once the person was erased.'),
    country: z.string().optional().describe('Of the recipient.'),
    state: z.string().optional().describe('Of the recipient.'),
    age: z.int().optional().describe('Of the recipient, if known.'),
    sex: z.enum(['M', 'F', 'X']).optional().describe('Of the recipient, if known.'),
    createdDate: timestamp,
    version: z.string().describe('Of what is shown of it, and of the answers: send it with the decision.'),
    mayApprove: z.boolean().describe('You may approve it; a token names the provider, and reads false.'),
    whyNot: z.string().optional().describe('Why nobody may approve it as things are, as `approve` answers it.'),
    hasProvider: z.boolean().describe('Whether an active provider is licensed there.'),
    answers: z
      .array(
        z.object({
          quiz: z.string().describe('Its name.'),
          date: z.iso.date(),
          question: z.string(),
          answer: z.string(),
        }),
      )
      .optional()
      .describe('The newest ten quizzes: of one order, for a token or who may approve it.'),
  })
  .meta({ id: 'WaitingOrder' })
export type WaitingOrder = z.infer<typeof WaitingOrder>

export const ApprovalPage = z
  .object({ data: z.array(WaitingOrder), pagination: Pagination })
  .meta({ id: 'ApprovalPage' })

export const ApprovalInput = z
  .object({
    decision: z.enum(['approve', 'refuse']).describe('What the provider decides.'),
    reason: text(500).optional().describe('Needed to refuse: the business reads it.'),
    version: anyText(64).describe(
      'The `version` of the order as it was read: if it changed since, nothing is decided.',
    ),
    provider: anyText(64).optional().describe('The ID or the NPI of the provider, where a token decides.'),
  })
  .superRefine(({ decision, reason }, context) => {
    if (decision === 'refuse' && reason === undefined)
      context.addIssue({ code: 'custom', message: 'Say why: the business reads it', path: ['reason'] })
  })
  .meta({ id: 'ApprovalInput' })
export type ApprovalInput = z.output<typeof ApprovalInput>
