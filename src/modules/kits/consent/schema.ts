import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import { anyText, text, timestamp } from '../../../platform/http/fields.ts'
import { relations } from '../../customers/schema.ts'

const LANGUAGE = /^[a-z]{2,3}(-[A-Z]{2})?$/

export const language = z
  .string()
  .regex(LANGUAGE, 'A language tag such as en or pt-BR')
  .describe('A language tag such as `en` or `pt-BR`.')

const kitType = text(100).describe('The panel; absent: every panel that has no text of its own.')

const MARKUP =
  'Plain text. An empty line begins a paragraph, `# ` a heading, `- ` an item of a list. The part above the first heading is shown at once, the rest behind "Read the full text".'

const MAX_WORDS = 50_000

export const NewConsentText = z.object({
  kitType: kitType.optional(),
  language,
  text: z
    .string()
    .transform((given) => given.replaceAll('\r\n', '\n'))
    .pipe(text(MAX_WORDS))
    .describe(MARKUP),
})
export type NewConsentText = z.infer<typeof NewConsentText>

export const textParams = z.object({ textID: anyText(100) })

export const ConsentText = z
  .object({
    id: z.string().describe('Named as `consentVersion` by those who agree to it.'),
    kitType: z.string().optional().describe('Absent: for every panel.'),
    language: z.string(),
    text: z.string().describe(MARKUP),
    sha256: z.string().describe('Of the text in UTF-8, as hexadecimal digits. Kept with each consent.'),
    source: z.enum(['business', 'operator']).describe("operator: the operator's, for businesses without their own."),
    publishedDate: timestamp,
    current: z.boolean().describe('Whether the newest one of its panel and language.'),
  })
  .meta({ id: 'ConsentText' })
export type ConsentText = z.infer<typeof ConsentText>

export const CurrentTextQuery = z.object({
  kitType: text(100).optional(),
  language: language.default('en'),
})

export const withdrawable = ['testing', 'research'] as const
export type Withdrawable = (typeof withdrawable)[number]

export const withdrawalOutcomes = ['researchEnded', 'notRegistered', 'stopped', 'underWay', 'received'] as const
export type WithdrawalOutcome = (typeof withdrawalOutcomes)[number]

const what = z
  .enum(withdrawable)
  .describe('testing: the consent as a whole, and with it the sharing. research: only the sharing of results.')

const outcome = z
  .enum(withdrawalOutcomes)
  .describe(
    'What it did to the test. researchEnded: nothing, only the sharing ended. notRegistered: the kit waits for a new consent. stopped: no sample is to be taken. underWay: the sample is not tested when it arrives. received: the sample was there; the laboratory is told, and the result kept.',
  )

export const WithdrawInput = z.object({ what })

export const Withdrawn = z
  .object({ message: z.string(), kitID: z.string(), what, outcome, withdrawnAt: timestamp })
  .meta({ id: 'ConsentWithdrawn' })

/** A consent or its withdrawal, as a kit's page and an export show it. */
export const ConsentEntry = z
  .object({
    type: z.enum(['agreed', 'withdrawn']),
    at: timestamp,
    consentVersion: z.string().optional(),
    kitType: z.string().optional(),
    language: z.string().optional(),
    sha256: z.string().optional().describe('Of the words that were agreed to; absent: they are kept elsewhere.'),
    research: z.boolean().optional().describe('Whether the sharing of results was agreed to.'),
    relation: z
      .enum(relations)
      .optional()
      .describe('What the person who agreed is to the person tested; absent: they are the same.'),
    name: z.string().optional().describe('Who agreed; needs `customers:read`.'),
    email: z.string().optional(),
    ip: z.string().optional(),
    what: what.optional(),
    outcome: outcome.optional(),
    by: z.string().optional().describe('Who took it back: `recipient:` the person, `token:` or `user:` the business.'),
  })
  .meta({ id: 'ConsentEntry' })
export type ConsentEntry = z.infer<typeof ConsentEntry>

export const UnconfirmedWithdrawal = z
  .object({
    id: z.string(),
    kitID: z.string(),
    accession: z.string().optional(),
    business: businessName,
    outcome: z.enum(['underWay', 'received']),
    withdrawnAt: timestamp,
    sentence: z.string().describe('What the laboratory does.'),
  })
  .meta({ id: 'UntoldWithdrawal' })
export type UnconfirmedWithdrawal = z.infer<typeof UnconfirmedWithdrawal>
