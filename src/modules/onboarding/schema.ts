import { z } from 'zod'
import { anyText, email, Pagination, paging, text, timestamp } from '../../platform/http/fields.ts'
import { businessName, OperatorSettingsChange, ShownSettings } from '../businesses/schema.ts'
import { BusinessRole, BusinessUser } from '../identity/schema.ts'

const mode = z.enum(['live', 'sandbox'])
const kitType = text(100)
const credits = z.int().min(1).max(10_000_000)

export const businessParams = z.object({ businessID: anyText(200) })

export const ListBusinesses = z.object({
  ...paging(50, 250),
  q: text(200).optional().describe('An ID, or part of a name.'),
})

export const BusinessPage = z.object({
  data: z.array(
    z
      .object({
        id: z.string(),
        name: z.string(),
        createdDate: timestamp,
        panels: z.int(),
        kitsInFlight: z.int().describe('Live kits between their order and their report.'),
        credits: z.object({ live: z.int() }),
        users: z.int(),
      })
      .meta({ id: 'BusinessSummary' }),
  ),
  pagination: Pagination,
})

export const NewBusiness = z.object({
  name: businessName,
  panels: z.array(kitType).min(1).max(100).optional().describe('Kit types; default: every panel.'),
  credits: z.int().min(0).max(10_000_000).optional().describe('Live credits of each panel; default 0.'),
  administrator: email.optional().describe('Who is invited as its first administrator, with the scope `access`.'),
  contactEmail: email
    .optional()
    .describe('Whom its people can ask: on their pages and in e-mails. Needed before it sends live kits.'),
})

export const MadeBusiness = z
  .object({
    business: z.object({ id: z.string(), name: z.string() }),
    liveToken: z.string().optional().describe('Shown only now, and only to who holds the scope `access`.'),
    sandboxToken: z.string().optional().describe('The same for the sandbox.'),
    invitationUrl: z
      .string()
      .optional()
      .describe('The link of the administrator, where there is no mail server: hand it over.'),
  })
  .meta({ id: 'MadeBusiness' })

export const BusinessDetail = z
  .object({
    id: z.string(),
    name: z.string(),
    createdDate: timestamp,
    panels: z.array(
      z.object({
        kitType: z.string(),
        name: z.string(),
        provisioned: z.boolean(),
        price: z.object({ amount: z.int(), currency: z.string() }).optional().describe('By card, in minor units.'),
      }),
    ),
    credits: z.array(z.object({ mode, type: z.string(), available: z.int() })),
    settings: z.object({ live: ShownSettings, sandbox: ShownSettings }),
    rateLimitPerMinute: z.int(),
    users: z.array(BusinessUser),
  })
  .meta({ id: 'BusinessDetail' })
export type BusinessDetail = z.infer<typeof BusinessDetail>

export const ChangeBusiness = OperatorSettingsChange.extend({ name: businessName.optional() })

export const ProvisionPanels = z.object({
  kitTypes: z.array(kitType).min(1).max(100),
  price: z.int().min(0).max(100_000_000).optional().describe('What one kit costs by card, in minor units.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Three capital letters such as USD')
    .optional(),
})

export const GrantCredits = z.object({
  mode: mode.default('live'),
  type: kitType,
  amount: credits,
  reason: text(200).describe('Kept in the ledger, such as an invoice number.'),
})

export const InviteUser = z.object({ email, role: BusinessRole })
