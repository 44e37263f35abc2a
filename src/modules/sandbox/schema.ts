import { isFindingText } from '@kitlane/lab-reader/facts/findings'
import { readingOf } from '@kitlane/lab-reader/facts/reading'
import { z } from 'zod'
import { said, text } from '../../platform/http/fields.ts'
import { kitExceptions, lifetimeStatuses } from '../kits/lifecycle.ts'
import { parseStatus, statusWords } from '../kits/rules.ts'
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
    description: said,
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

const NO_ADVANCE = 'An ISO 8601 duration in weeks, days, hours, minutes and seconds, from PT1S to P366D, such as "P3D"'

const SECOND_MS = 1000
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, SECOND_MS] as const
/** A year, also one with 29 February. */
const MAX_MS = 366 * 86_400_000

// Months and years have no fixed length.
const FORM = /^P(?!$)(?:(\d{1,8})W)?(?:(\d{1,8})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?$/

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; undefined for any other text. */
function millisecondsOf(duration: string): number | undefined {
  const parts = FORM.exec(duration)
  return parts ? UNITS_MS.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0) : undefined
}

/** Whether the clock can be advanced by it at once: a second to 366 days. */
const isAdvance = (ms: number | undefined): ms is number => ms !== undefined && ms >= SECOND_MS && ms <= MAX_MS

/** The duration in days, hours, minutes and seconds: `P10DT3H`. */
export function durationOf(ms: number): string {
  const [, day, ...units] = UNITS_MS
  const days = Math.floor(ms / day)
  let rest = ms % day
  const time = units.map((unit, index) => {
    const count = Math.floor(rest / unit)
    rest %= unit
    return count === 0 ? '' : `${count}${'HMS'[index]}`
  })
  const dayAndTime = `${days === 0 ? '' : `${days}D`}${time.some(Boolean) ? `T${time.join('')}` : ''}`
  return `P${dayAndTime || 'T0S'}`
}

export const ClockInput = z.object({
  advance: text(40)
    .transform((value, context) => {
      const ms = millisecondsOf(value)
      if (isAdvance(ms)) return ms
      context.addIssue(NO_ADVANCE)
      return z.NEVER
    })
    .describe('How much time passes, ISO 8601: `P3D`, `PT12H`. From a second to 366 days (`P366D`).'),
})

export const SandboxClock = z
  .object({
    total: z.string().describe('How far the clock was advanced in all since the last reset: `P3D`.'),
  })
  .meta({ id: 'SandboxClock' })
export type SandboxClock = z.infer<typeof SandboxClock>

export const Advanced = SandboxClock.extend({
  advanced: z.string().describe('By how much this request did.'),
  due: z
    .object({
      webhookDeliveries: z.int().describe('Retries of webhooks that are sent now.'),
      criticalResults: z.int().describe('Critical results whose next contact is notified now.'),
      lateKits: z.int().describe('Kits that became late.'),
      personalLinks: z.int().describe('Personal links that ended.'),
      sharedReports: z.int().describe('Links to shared reports that ended.'),
      planOrders: z.int().describe('Orders of recurring plans that are placed now.'),
      shopOrders: z.int().describe('Orders of shops that are tried again.'),
      heldSamples: z.int().describe('Holds that end.'),
      registrationDrafts: z.int().describe('Half-filled registrations that ended.'),
    })
    .describe('How much became due, or ended, by it.'),
}).meta({ id: 'SandboxClockAdvance' })
export type Advanced = z.infer<typeof Advanced>
