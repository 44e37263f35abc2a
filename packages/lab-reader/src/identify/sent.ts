import { z } from 'zod'
import type { Observation } from '../parse/parsed.ts'

/** What the laboratory calls a result. */
export const Sent = z.object({
  name: z.string().describe('As the laboratory wrote it.'),
  status: z.string().describe('Such as `final` or `corrected`.'),
  collectedDate: z
    .string()
    .optional()
    .describe('When the sample of this value was taken, where the laboratory says it with its hour.'),
  codes: z
    .array(
      z.object({
        code: z.string().describe('As it was sent.'),
        system: z.string().optional().describe("Whose code it is, as it was sent; absent: a laboratory's own."),
        display: z.string().optional().describe('The name beside the code.'),
      }),
    )
    .describe('All codes of what was measured, LOINC first.'),
})
export type Sent = z.infer<typeof Sent>

/** Names and codes as the laboratory has them: they go out beside ours. */
export function sentAs({ name, loinc, codes = [], status, collectedDate }: Observation): Sent {
  const own = codes.filter(({ code }) => code !== loinc)
  const loincs = loinc ? [{ code: loinc, system: 'http://loinc.org' }] : []
  return {
    name,
    status,
    ...(collectedDate && { collectedDate }),
    codes: [
      ...loincs,
      ...own.map(({ code, system, name: display }) => ({
        code,
        ...(system && { system }),
        ...(display && { display }),
      })),
    ],
  }
}
