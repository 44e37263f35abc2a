import { isStorable, isVisible, NOT_STORABLE, NOT_VISIBLE } from '@kitlane/display/text'
import { z } from 'zod'

const text = (max: number) =>
  z.string().trim().min(1).max(max).refine(isStorable, NOT_STORABLE).refine(isVisible, NOT_VISIBLE)

const when = 'RFC 3339, a local time without its zone, or a day.'
const time = z.string().max(40)

/** A code as a laboratory sends it. */
export const SentCode = z.object({
  code: z.string().max(199).describe('As it was sent.'),
  system: z.string().max(199).optional().describe("Whose code it is, as it was sent; absent: a laboratory's own."),
  display: z.string().max(300).optional().describe('The name beside the code.'),
})
export type SentCode = z.infer<typeof SentCode>

/** A laboratory as a report names it. */
export const Laboratory = z
  .object({
    name: text(200),
    address: text(400).optional(),
    clia: text(40).optional().describe('Its CLIA number, or another number of its licence.'),
    director: text(200).optional(),
    timeZone: text(60).optional().describe('IANA, such as America/New_York: of times without a zone.'),
  })
  .meta({ id: 'Laboratory' })
export type Laboratory = z.infer<typeof Laboratory>

/** Whose number one is. */
export const Assigner = z.object({
  name: text(199).optional(),
  id: text(199).describe('An OID.'),
  kind: z.literal('ISO'),
})

export const Specimen = z.object({
  id: text(100).optional().describe("The laboratory's own number."),
  assigner: Assigner.optional().describe('Whose number it is.'),
  source: text(200).optional().describe('What was taken, and from where.'),
  codes: z
    .array(SentCode)
    .max(10)
    .optional()
    .describe('The same in codes, such as those of SNOMED CT or HL7 table 0487.'),
  site: SentCode.optional().describe('From where, as a code.'),
  condition: text(300).optional().describe('As the laboratory found it, and what it did with it.'),
  collectedDate: time.optional().describe(when),
  receivedDate: time.optional().describe(`When the laboratory received it: ${when}`),
})
export type Specimen = z.infer<typeof Specimen>

/** Where the results of a report come from, as the law asks of a laboratory's report: see docs/report-content.md. */
export const Origin = z
  .object({
    laboratories: z.array(Laboratory).describe('Where it was tested; empty: not stated.'),
    specimens: z.array(Specimen),
    patientID: text(100).optional().describe("The laboratory's own number of the person."),
    reportedDate: time.optional().describe(`When the laboratory reported: ${when}`),
    notes: z.array(text(2000)).describe("The laboratory's notes on the whole report."),
  })
  .meta({ id: 'ReportOrigin' })
export type Origin = z.infer<typeof Origin>

/** A run, or a lot of a reagent, by which a laboratory says that it measured. */
export const MeasuredWith = z.object({
  kind: z.enum(['run', 'reagentLot']),
  subject: text(100).describe('The laboratory of a run, or the reagent.'),
  lot: text(60).describe('The number of the run or of the lot.'),
  results: z.array(text(300)).describe('Names of the results that it measured with it.'),
})
export type MeasuredWith = z.infer<typeof MeasuredWith>

/** What a laboratory says beside one value. */
export const Said = z.object({
  method: text(300).optional(),
  laboratory: text(200).optional().describe('Where this value was measured.'),
  comment: text(2000).optional(),
})
export type Said = z.infer<typeof Said>
