import { z } from 'zod'
import type { Observation } from '../parse/parsed.ts'

/** What the laboratory calls a result. */
export const Sent = z.object({
  name: z.string().describe('As the laboratory wrote it.'),
  status: z.string().describe('Such as `final` or `corrected`.'),
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
export function sentAs({ name, loinc, codes = [], status }: Observation): Sent {
  const own = codes.filter(({ code }) => code !== loinc)
  const loincs = loinc ? [{ code: loinc, system: 'http://loinc.org' }] : []
  return {
    name,
    status,
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
