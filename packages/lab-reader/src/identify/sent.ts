import { z } from 'zod'
import { Assigner, SentCode, Specimen } from '../parse/origin.ts'
import type { Observation } from '../parse/parsed.ts'

/** What the laboratory calls a result. */
export const Sent = z.object({
  name: z.string().describe('As the laboratory wrote it.'),
  status: z.string().describe('Such as `final` or `corrected`.'),
  collectedDate: z
    .string()
    .optional()
    .describe('When the sample of this value was taken, where the laboratory says it with its hour.'),
  codes: z.array(SentCode).describe('All codes of what was measured, LOINC first.'),
  answer: SentCode.optional().describe('The code of its answer, where it is one.'),
  range: z.string().optional().describe('Its reference interval as it was printed.'),
  specimen: Specimen.optional().describe('What it was measured in, where the laboratory says which.'),
  fillerNumber: z.string().optional().describe("The laboratory's number of its request."),
  fillerAssigner: Assigner.optional().describe('Whose number that is.'),
  analyzedDate: z.string().optional().describe('When it was measured.'),
})
export type Sent = z.infer<typeof Sent>

/** Names and codes as the laboratory has them: they go out beside ours. */
export function sentAs(observation: Observation): Sent {
  const { name, loinc, codes = [], status, collectedDate, taken, analyzedDate, rangeText } = observation
  const { fillerNumber, fillerAssigner } = observation
  const [answer, ...others] = observation.answers ?? []
  const [display] = answer?.texts ?? []
  const [coded] = others.length > 0 ? [] : (answer?.codes ?? [])
  const own = codes.filter(({ code }) => code !== loinc)
  const loincs = loinc ? [{ code: loinc, system: 'http://loinc.org' }] : []
  return {
    name,
    status,
    ...(collectedDate && { collectedDate }),
    ...(coded && { answer: { ...coded, ...(display && { display }) } }),
    ...(rangeText && { range: rangeText }),
    ...(taken && { specimen: taken }),
    ...(fillerNumber && { fillerNumber }),
    ...(fillerAssigner && { fillerAssigner }),
    ...(analyzedDate && { analyzedDate }),
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
