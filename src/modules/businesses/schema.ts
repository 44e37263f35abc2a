import { z } from 'zod'
import type { Grant } from '../../domain/effects.ts'
import { email, text } from '../../platform/http/fields.ts'

export const businessName = text(200)

const lowCreditThreshold = z.int().min(0).max(1_000_000_000)
const brandColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A color as #rrggbb')
  .toLowerCase()
const logoUrl = z.url({ protocol: /^https$/ }).max(2000)

const billingName = text(200)
const billingAddress = text(500)
const billingTaxNumber = text(50)

export const Settings = z.object({
  publishing: z.enum(['manual', 'auto']).describe('manual: a person reviews each report. auto: published at once.'),
  publishAcknowledged: z
    .boolean()
    .describe(
      'With `publishing: auto`: true: a report with critical results is published once all are acknowledged. false: a person publishes it.',
    ),
  insufficientCredits: z
    .enum(['charge', 'pending', 'reject'])
    .describe(
      'What an order does that credits do not cover: charge the attached card, wait as pending, or be refused.',
    ),
  purchasingEnabled: z.boolean().describe('false: only what credits cover can be ordered.'),
  uploadsEnabled: z.boolean().describe('Whether lab files can be uploaded. Set by the operator.'),
  requireConsent: z.boolean().describe('true: a kit is registered only after a consent.'),
  replaceDiscarded: z
    .boolean()
    .describe('true: a free kit is sent when a sample on hold is discarded. It costs no credits.'),
  lowCreditThreshold: lowCreditThreshold.nullable().describe('Warn below this balance; null: never.'),
  brandColor: brandColor.nullable().describe('Color of e-mails, `#rrggbb`; null: a plain one.'),
  logoUrl: logoUrl.nullable().describe('An image that e-mails show instead of the name. https only.'),
  retestPanels: z
    .array(text(64))
    .max(100)
    .describe('Panels (`kitType`) that people may order again from their report, paid with credits only; empty: none.'),
  contactEmail: email
    .nullable()
    .describe('Where warnings go, and the answers to e-mails that recipients get; null: nowhere.'),
  billingName: billingName.nullable().describe('The buyer on receipts; null: `name`.'),
  billingAddress: billingAddress.nullable().describe('On receipts, a line each.'),
  billingTaxNumber: billingTaxNumber.nullable().describe('On receipts.'),
})

export type Settings = z.infer<typeof Settings>

/** As callers see them: what is not set is left out. */
export const ShownSettings = Settings.extend({
  name: z.string().describe("The business's name, the same in both modes."),
  lowCreditThreshold: lowCreditThreshold.optional().describe('A warning is given below this balance; absent: never.'),
  brandColor: brandColor.optional().describe('Color of e-mails, `#rrggbb`; absent: a plain one.'),
  logoUrl: logoUrl.optional().describe('An image that e-mails show instead of the name.'),
  contactEmail: email.optional().describe('Where warnings go, and the answers to e-mails that recipients get.'),
  billingName: billingName.optional().describe('The buyer on receipts; absent: `name`.'),
  billingAddress: billingAddress.optional().describe('On receipts, a line each.'),
  billingTaxNumber: billingTaxNumber.optional().describe('On receipts.'),
}).meta({ id: 'Settings' })
export type ShownSettings = z.infer<typeof ShownSettings>

const operatorsOwn = z
  .never('Only the operator enables uploads: ask them, and leave this field out')
  .optional()
  .describe("Read-only: the operator's. Sent, it is refused.")

export const SettingsChange = Settings.omit({ uploadsEnabled: true })
  .extend({ name: businessName.describe('Both modes share it: it is changed in live only.') })
  .partial()
  .extend({ uploadsEnabled: operatorsOwn })
export type SettingsChange = z.infer<typeof SettingsChange>

/** What the operator may set besides. */
export const OperatorSettingsChange = Settings.omit({ billingName: true, billingAddress: true, billingTaxNumber: true })
  .extend({ rateLimitPerMinute: z.int().min(1).max(10_000_000) })
  .partial()
export type OperatorSettingsChange = z.infer<typeof OperatorSettingsChange>
/** Whatever anybody may change. */
export type AnySettingsChange = OperatorSettingsChange & Partial<Settings>

/** What a change of settings makes that goes on acting by itself. What it switches off makes nothing. */
export function grantsOf(change: Partial<AnySettingsChange>): Grant[] {
  const { publishing, publishAcknowledged, insufficientCredits, purchasingEnabled, retestPanels, contactEmail } = change
  const made = {
    publishing: publishing === 'auto' || publishAcknowledged === true,
    charges: insufficientCredits === 'charge' || purchasingEnabled === true,
    retests: (retestPanels ?? []).length > 0,
    contact: contactEmail !== undefined,
  }
  return Object.entries(made).flatMap(([grant, isMade]) => (isMade ? [grant as keyof typeof made] : []))
}
