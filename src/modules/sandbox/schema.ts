import { z } from 'zod'
import { text } from '../../platform/http/fields.ts'
import { isFindingText } from '../catalogue/findings.ts'
import { kitExceptions, lifetimeStatuses } from '../kits/lifecycle.ts'
import { parseStatus, statusWords } from '../kits/rules.ts'
import { readingOf } from '../reports/judge/reading.ts'
import { scenarioNames } from './scenarios.ts'

const status = z
  .enum(statusWords)
  .transform((word, context) => {
    const parsed = parseStatus(word)
    if (parsed) return parsed
    context.addIssue('There is no such status')
    return z.NEVER
  })
  .describe('A lifetime status, one of its other names, or an exception.')

const result = z
  .union([z.number(), text(40)])
  .transform((value, context) => {
    const reading = typeof value === 'number' ? { value } : readingOf(value)
    if (reading) return reading
    if (typeof value === 'string' && isFindingText(value)) return { text: value }
    context.addIssue('A number, or a text such as "<0.2", "Positive", "2+" or "1:320"')
    return z.NEVER
  })
  .describe('A number, or a text such as "<0.2", "Positive", "2+" or "1:320".')

export const SandboxResult = z.object({
  biomarker: text(200).describe('Catalogue ID, label, alias or LOINC code.'),
  result,
  unit: text(40).optional().describe("Default: the biomarker's own."),
})
export type SandboxResult = z.infer<typeof SandboxResult>

export const AdvanceInput = z.object({
  status,
  force: z.boolean().default(false).describe('Accepted, and means nothing: every move is allowed.'),
  results: z
    .array(SandboxResult)
    .max(500)
    .optional()
    .describe('Exact values, for reportReady only; the rest of the panel gets plausible ones.'),
  reason: text(500).optional().describe('Why, for a rejection or an exception.'),
})
export type AdvanceInput = z.infer<typeof AdvanceInput>

export const ScenarioInput = z.object({ scenario: z.enum(scenarioNames) })

export const ScenarioEntry = z
  .object({
    name: z.enum(scenarioNames),
    description: z.string(),
    status: z.enum([...lifetimeStatuses, ...kitExceptions]).describe('Where it leaves the kit.'),
  })
  .meta({ id: 'SandboxScenario' })

export const Deleted = z
  .object({
    deleted: z.object({
      orders: z.int(),
      kits: z.int(),
      reports: z.int(),
      webhooks: z.int().describe('Events and their deliveries.'),
    }),
  })
  .meta({ id: 'SandboxDeleted' })
export type Deleted = z.infer<typeof Deleted>
