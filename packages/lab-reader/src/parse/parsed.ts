import { z } from 'zod'
import { Interval, Phase } from '../facts/schema.ts'
import { Assigner, MeasuredWith, Origin, Said, Specimen } from './origin.ts'

export const Format = z.enum(['pdf', 'csv', 'hl7v2', 'fhir'])
export type Format = z.infer<typeof Format>

export const Comparator = z.enum(['<', '<=', '>=', '>'])
export type Comparator = z.infer<typeof Comparator>

export const ResultStatus = z.enum([
  'final',
  'corrected',
  'preliminary',
  'pending',
  'cancelled',
  'not-done',
  'entered-in-error',
])
export type ResultStatus = z.infer<typeof ResultStatus>

/** Why a parser is not sure of a result; a doubtful result has no value. */
export const Doubt = z.enum([
  'unreadable',
  'uncertainNumber',
  'severalValues',
  'unknownStatus',
  'notCounted',
  'contradicted',
  'shifted',
  'otherName',
  'absent',
  'notOwn',
  'otherSite',
  'earlierOrGoal',
  'otherPart',
  'otherSpecimenSection',
  'annulled',
  'unaccounted',
  'unknownRemark',
  'notInFile',
  'impossibleTimes',
])
export type Doubt = z.infer<typeof Doubt>

/** A bound that is printed with `<` or `>` is exclusive. */
const Bounds = Interval
export type Bounds = z.infer<typeof Bounds>

export const Observation = z.object({
  name: z.string(),
  alsoCalled: z.array(z.string()).optional().describe('Other names that the file gives for the same result.'),
  loinc: z.string().optional(),
  codes: z
    .array(z.object({ code: z.string(), system: z.string(), name: z.string() }))
    .optional()
    .describe("The sender's own codes of what was measured."),
  fasting: z.boolean().optional().describe('Whether the sample was taken fasting, where the file says so.'),
  phases: z.array(Phase).optional().describe('The phases of the cycle in which the file says that it was taken.'),
  valueText: z.string().describe('The result as it is printed.'),
  value: z.number().optional().describe('Only where the result is a number beyond doubt.'),
  comparator: Comparator.optional(),
  asThousands: z
    .number()
    .optional()
    .describe('What the value would be if its comma or point meant thousands, where only the document says otherwise.'),
  unit: z.string().optional().describe('As it is printed.'),
  rangeText: z.string().optional(),
  range: Bounds.optional().describe('In `unit`.'),
  flag: z.string().optional().describe('HL7 table 0078 where it is known.'),
  status: ResultStatus,
  section: z.string().optional().describe('The panel or specimen under which it stands.'),
  specimen: z.string().optional().describe('What the file says it was measured in.'),
  taken: Specimen.optional().describe('The one specimen that it was measured in, where the file says which.'),
  fillerNumber: z.string().optional().describe("The laboratory's number of its request: OBR-3."),
  fillerAssigner: Assigner.optional().describe('Whose number that is.'),
  doubt: Doubt.optional(),
  because: z.string().optional().describe('What the file says that makes it doubtful.'),
  answers: z
    .array(z.object({ codes: z.array(z.object({ code: z.string(), system: z.string() })), texts: z.array(z.string()) }))
    .optional()
    .describe('What a coded result says, each repetition by itself.'),
  comment: z.string().optional(),
  unknownRemarks: z
    .array(z.string())
    .optional()
    .describe('What is written of it beside its own comment and is not known, sentence by sentence: it waits.'),
  strange: z
    .array(z.string())
    .optional()
    .describe('The name of its order, or what is said of its row, in words that such names do not have: it waits.'),
  said: Said.optional().describe('Method, laboratory and note of this result.'),
  collectedDate: z.string().optional().describe('When its sample was taken, where the file says it with its hour.'),
  reportedDate: z.string().optional().describe('When it was reported or changed its status: OBR-22, FHIR `issued`.'),
  analyzedDate: z.string().optional().describe('When it was measured: OBX-19.'),
  sentDate: z.string().optional().describe('FHIR `meta.lastUpdated`; else that of the message counts.'),
  isUnordered: z
    .literal(true)
    .optional()
    .describe('Its place in the file says nothing: a Bundle of FHIR has no order.'),
  position: z.string().describe('Where it stands in the file, for the reviewer.'),
  raw: z.string().describe('The line, segment or row it was read from.'),
})
export type Observation = z.infer<typeof Observation>

export const SpecimenError = z.enum(['HEMOLYSIS', 'LIPEMIA', 'ICTERUS', 'QNS', 'DELAYED_SAMPLE_DELIVERY'])
export type SpecimenError = z.infer<typeof SpecimenError>

export const Patient = z.object({
  name: z.string().optional(),
  otherNames: z
    .array(z.string())
    .optional()
    .describe('The same name in other scripts, and names that are not by law, such as one by birth.'),
  dateOfBirth: z.string().optional(),
  unreadBirth: z
    .string()
    .optional()
    .describe('What is printed as the date of birth and is no day that can be: a year, a month.'),
  sex: z.enum(['M', 'F']).optional(),
  id: z.string().optional().describe("The sender's own number of the person."),
  authority: z.string().optional().describe('Who gave that number, and of which kind it is.'),
  isDeceased: z.literal(true).optional().describe('The sender says that the person has died: PID-29 and PID-30.'),
  died: z.string().optional().describe('When the person died, as exact as it was sent.'),
})
export type Patient = z.infer<typeof Patient>

/** How a message calls itself. Times are ISO 8601, as exact as they were sent. */
export const MessageFacts = z.object({
  controlID: z.string().optional().describe('MSH-10'),
  sender: z.string().optional().describe('MSH-3 and MSH-4.'),
  sentDate: z.string().optional().describe('MSH-7, FHIR `meta.lastUpdated`.'),
  isTest: z
    .literal(true)
    .optional()
    .describe(
      'MSH-11 is set and not P, or MSH-3 names a system for training: it may be for training, and about nobody.',
    ),
  part: z.int().describe('Which of the reports in the message it is, from 0.'),
  parts: z.int(),
})
export type MessageFacts = z.infer<typeof MessageFacts>

export const ParsedReport = z.object({
  message: MessageFacts.optional(),
  collectedDate: z.string().optional(),
  unreadDay: z.string().optional().describe('What is printed as the day of collection and has no certain meaning.'),
  otherDay: z
    .string()
    .optional()
    .describe('Another day of collection than that of the specimen, which the request says.'),
  resultedDate: z.string().optional(),
  accession: z.string().optional(),
  otherAccessions: z.array(z.string()).optional().describe('Numbers of the sample that its other requests have.'),
  kitId: z.string().optional(),
  otherKitIds: z
    .array(z.string())
    .optional()
    .describe('IDs of further kits that its numbers and those of the person are.'),
  patient: Patient.optional().describe('Only for matching; never logged.'),
  clinicalInfo: z
    .array(z.string())
    .optional()
    .describe('What the request says of the person: OBR-13. Only for those who check a file.'),
  isOfSeveral: z.boolean().optional().describe('The document that it stands in names more than one person.'),
  status: z.enum(['preliminary', 'final', 'corrected']),
  observations: z.array(Observation),
  withdrawn: z.literal(true).optional().describe('The laboratory takes the whole report back and names no result.'),
  specimenErrors: z.array(SpecimenError),
  specimenRefusals: z
    .array(z.string())
    .optional()
    .describe('Why the laboratory refuses the sample: codes of HL7 table 0490 (SPM-21), as they were sent.'),
  measuredWith: z.array(MeasuredWith).optional().describe('Only where the document names it.'),
  origin: Origin.optional().describe('Laboratory, specimen and times, as far as the document says.'),
})
export type ParsedReport = z.infer<typeof ParsedReport>

export const ParsedFile = z.object({
  format: Format,
  reports: z.array(ParsedReport),
  layout: z.string().optional().describe('The name of the layout template that it was read with.'),
  notes: z.array(z.string()),
  leftOut: z.int().optional().describe('Lines with a value that no laboratory result is in, such as vital signs.'),
  missing: z
    .int()
    .optional()
    .describe('Lines that look like results, counted apart from reading, of which none was read.'),
})
export type ParsedFile = z.infer<typeof ParsedFile>
