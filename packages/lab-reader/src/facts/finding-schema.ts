import { z } from 'zod'

export const Presence = z.enum(['negative', 'indeterminate', 'positive'])
export type Presence = z.infer<typeof Presence>

/** From least to most. */
export const Grade = z.enum(['negative', 'trace', '1+', '2+', '3+', '4+'])
export type Grade = z.infer<typeof Grade>

/** A result that is no number. */
export const Finding = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('presence'), value: Presence }).describe('Detected, reactive, immune or not.'),
  z.object({ kind: z.literal('grade'), value: Grade }).describe('A step of a test strip.'),
  z.object({ kind: z.literal('text'), value: z.string() }).describe('Such as the name of an organism.'),
])
export type Finding = z.infer<typeof Finding>

const expected = <T extends z.ZodType<string>>(value: T) =>
  z.array(value).describe('Normal results; others are abnormal. Empty: only the laboratory can say.')
const common = {
  source: z.string().min(1).optional().describe('Where `expected` comes from.'),
  critical: z.literal(true).optional().describe('An unexpected result is critical: a person publishes its report.'),
}

/** How the results of a biomarker are given where they are not plain numbers. */
export const Scale = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('presence'), expected: expected(Presence), ...common }),
  z.object({ kind: z.literal('grade'), expected: expected(Grade), ...common }),
  z
    .object({ kind: z.literal('titre') })
    .describe('1:320 is kept as the number 320 in `{titer}`: its limits are the reference interval.'),
  z
    .object({ kind: z.literal('text'), expected: expected(z.string()), ...common })
    .describe('A text that is not expected has no verdict of ours.'),
])
export type Scale = z.infer<typeof Scale>
