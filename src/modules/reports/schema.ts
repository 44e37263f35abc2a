import type { Kept, Sentence } from '@kitlane/display/sentence'
import { Finding } from '@kitlane/lab-reader/facts/finding-schema'
import { Category, Interval, Ranges } from '@kitlane/lab-reader/facts/schema'
import { Sent } from '@kitlane/lab-reader/identify/sent'
import { type Origin, Said } from '@kitlane/lab-reader/parse/origin'
import { z } from 'zod'
import { dateOrTimestamp, said, text, timestamp } from '../../platform/http/fields.ts'
import type { BiomarkerText } from '../catalogue/text-schema.ts'
import { reportDates } from '../customers/report-dates.ts'
import { correctedFields } from '../customers/schema.ts'
import type { KitApproval } from '../orders/queries.ts'
import { NewNote, type ReportNote } from './note-schema.ts'
import { sampleFacts } from './said-schema.ts'
import type { ReportedUnassessed } from './unassessed/schema.ts'

export const ReportStatus = z.enum(['inReview', 'published', 'rejected'])
export type ReportStatus = z.infer<typeof ReportStatus>

export const VendorStatus = z.enum(['partial', 'final', 'corrected'])
export type VendorStatus = z.infer<typeof VendorStatus>

export const AxisEntry = z.object({
  axis: Category,
  category: z.string().describe('The name of the axis.'),
  result: z
    .number()
    .nullable()
    .describe('0 to 100; null where fewer than two markers or less than half of the weight could be scored.'),
  range: z.object({ min: z.number(), max: z.number() }).describe('The scale of `result`.'),
  coverage: z.number().describe('Scored weight of the expected weight, 0 to 1.'),
  worst: z.string().optional().describe('The biomarker with the lowest score.'),
})
export type AxisEntry = z.infer<typeof AxisEntry>

export const Critical = z
  .object({
    by: z.enum(['laboratory', 'limit']).describe("laboratory: its flag. limit: the catalogue's critical limit."),
    flag: z.enum(['LL', 'HH', 'AA']),
    limit: z.number().optional().describe('The limit that it reaches, in `unit`.'),
    unit: z.string().optional().describe('UCUM.'),
    source: z.string().optional().describe('Where the limit was published.'),
  })
  .meta({ id: 'Critical' })
export type Critical = z.infer<typeof Critical>

/** A biomarker of a report as it is kept and served; its history is added when it is read. */
export const BiomarkerEntry = z.object({
  id: z.string().describe('The catalogue ID, see /biomarkers.'),
  loinc: z.string().optional(),
  label: z.string(),
  shortLabel: z.string(),
  simpleLabel: z.string().describe('The name in everyday words.'),
  textVersion: z.int().optional().describe('Of what the catalogue said to people about it when it was judged.'),
  category: z.object({
    name: z.string(),
    weight: z.number().describe("How much it counts in its category's score."),
  }),
  type: z
    .enum(['measured', 'calculated'])
    .describe('measured: the laboratory reported it. calculated: computed here from other results of this report.'),
  kind: z
    .enum(['presence', 'grade', 'titre', 'text'])
    .optional()
    .describe('How its results are given; absent: as numbers. A titre 1:320 is the number 320.'),
  result: z
    .number()
    .nullable()
    .describe('In `unit`; null where it is no number, see `finding`, or could not be used, see `note`.'),
  finding: Finding.optional().describe('The result where it is no number.'),
  expected: z
    .object({ values: z.array(z.string()), source: z.enum(['lab', 'catalogue']) })
    .optional()
    .describe('The findings that are normal, and who says so. Without values nothing is judged.'),
  preliminary: z.literal(true).optional().describe('The final result, or that of one of its parts, is to come.'),
  holdsReport: z.literal(true).optional().describe('It is never published without a person.'),
  comparator: z.enum(['<', '<=', '>=', '>']).optional().describe('The result lies on this side of the value.'),
  rawResult: z.string().describe('As the laboratory gave it.'),
  rawValue: z.number().optional().describe('The number in it, in `rawUnit`; absent in older entries.'),
  unit: z.string().describe('UCUM.'),
  displayUnit: z.string().describe('The same unit for people to read.'),
  rawUnit: z.string().describe('As the laboratory gave it.'),
  targetType: z.enum(['lower', 'higher', 'range']).describe('Which is better; `range`: both ends matter.'),
  ranges: Ranges.describe('What the result was judged by, in `unit`.'),
  labRange: Interval.nullable().describe("The laboratory's own interval in `unit`, where it gave one."),
  state: z.enum(['optimal', 'good', 'fair', 'poor', 'unknown']).describe('Which range holds the result.'),
  interpretation: z
    .enum(['N', 'L', 'H', 'LL', 'HH', 'A', 'AA', ''])
    .describe(
      "HL7 table 0078; empty: no verdict. The laboratory's flag, where it sent one; `note` says where the interval differs.",
    ),
  deviationScore: z
    .number()
    .nullable()
    .describe('0 in the reference interval, else the signed distance in half widths or shares of the limit.'),
  commonAlternativeUnits: z
    .array(z.object({ unit: z.string(), factor: z.number(), offset: z.number() }))
    .describe('The result in such a unit is `result` × factor + offset; the same holds for the ranges.'),
  conversionEnabled: z.boolean().describe('Whether it can be shown in another unit.'),
  rangesSigned: z
    .boolean()
    .optional()
    .describe(
      "false: judged by a range that no laboratory signed. true: signed, or the laboratory's own. Absent: older.",
    ),
  labFlag: z.string().optional().describe("The laboratory's own flag, where it sent one."),
  ...sampleFacts,
  expresses: z
    .string()
    .optional()
    .describe(
      'The catalogue ID of the result that it only says otherwise, as eAG says HbA1c: it has its verdict and counts once.',
    ),
  sent: Sent.optional().describe(
    "The laboratory's own name, codes and status of it; absent in older entries and where none was sent.",
  ),
  said: Said.optional().describe('What the laboratory says beside the value: method, place, note.'),
  critical: Critical.optional().describe('Present where somebody may need help at once.'),
  note: said.optional().describe('Why it has no verdict, or what to be careful about.'),
})
export type BiomarkerEntry = z.infer<typeof BiomarkerEntry> & { noteKept?: Kept }

/** Whether it has a result, a number or a finding. */
export const isUsable = ({ result, finding }: Pick<BiomarkerEntry, 'result' | 'finding'>): boolean =>
  result !== null || finding !== undefined

/** A result that a version of a report took back. */
export const WithdrawnResult = z.object({
  biomarker: z.string().describe('The catalogue ID, or the `id` of one that could not be judged.'),
  label: z.string(),
  reason: said.describe('Why, in plain words.'),
})
export type WithdrawnResult = z.input<typeof WithdrawnResult>
/** As a version keeps it. */
export type KeptWithdrawn = Omit<WithdrawnResult, 'reason'> & { reason: string; reasonKept?: Kept }

export const Withdrawn = WithdrawnResult.extend({
  version: z.int().describe('The version that took it back.'),
  withdrawnDate: z.iso.datetime(),
}).meta({ id: 'WithdrawnResult' })
export type Withdrawn = z.input<typeof Withdrawn>

/** A result in one version of a report. */
export type ValueThen = Pick<
  BiomarkerEntry,
  | 'result'
  | 'comparator'
  | 'finding'
  | 'rawResult'
  | 'rawUnit'
  | 'unit'
  | 'displayUnit'
  | 'state'
  | 'interpretation'
  | 'preliminary'
>

export interface Change {
  biomarker: string
  label: string
  before?: ValueThen
  after?: ValueThen
}

export const Suggestion = z.object({
  text: said,
  category: z.string(),
  biomarkers: z.array(z.string()).describe('Catalogue IDs.'),
})
export type Suggestion = z.input<typeof Suggestion>
export type KeptSuggestion = Omit<Suggestion, 'text'> & { text: string; textKept?: Kept }

/** A value over time; `timestamp` is a day, or a time with its offset. */
export interface Point {
  result: number
  timestamp: string
  kitType?: string
  /** Where it was measured; absent where that is not known. */
  laboratory?: string
}

/** A finding over time. */
export interface FindingPoint extends Omit<Point, 'result'> {
  value: string
}

interface Details<Status> {
  /** `YYYY-MM-DD` */
  collectedDate?: string
  /** As the person tested gave it, where the laboratory did not. */
  collectedSaid?: string
  resultedDate?: string
  /** Of the person, in whole years, on that day. */
  age?: number
  status: Status
  vendorStatus: VendorStatus
  version: number
  latestVersion: number
  versions: number[]
  /** With which `changes` compares. */
  previous?: number
  publishedDate?: string
  /** When the version shown was published, if it is not the first. */
  issuedDate?: string
  reason?: string | Sentence
  /** What identifies the person and was corrected after the report was first published. */
  personCorrected?: PersonCorrected[]
  changes?: Change[]
  /** A result that an earlier version showed and that was withdrawn. */
  withdrawn?: Withdrawn[]
}

export const PersonCorrected = z
  .object({ field: z.enum(correctedFields).describe('What of the person was corrected.'), date: timestamp })
  .meta({ id: 'PersonCorrected' })
export type PersonCorrected = z.infer<typeof PersonCorrected>

export interface ShownEntry extends BiomarkerEntry {
  historic: (Point & { rawResult?: number })[]
  historicFindings: FindingPoint[]
  /** The explanation of the catalogue, of the version that judged it. */
  text?: BiomarkerText
  /** In an older version: a later one took this result back. */
  withdrawn?: Withdrawn
}

/** A report as documents and pages read it; `answer-schema.ts` has what the API answers. */
export interface Report<Status = 'published'> {
  id: string
  kitID?: string
  axes: (AxisEntry & { historic: Point[] })[]
  biomarker: ShownEntry[]
  suggestions: Suggestion[]
  details: Details<Status>
  labParamsError: string[]
  /** What was received and not judged, beside the results that could not be used. */
  unassessed: ReportedUnassessed[]
  scoreVersion: string
  note?: ReportNote
  /** Absent in versions before it was kept. */
  origin?: Origin
  approval?: KitApproval
}

/** A report for the person who decides whether to publish it. */
export interface ReportForReview extends Report<ReportStatus> {
  status: ReportStatus
  customer: { id: number; name?: string }
}

export const ListedReport = z
  .object({
    reportID: z.string(),
    kitID: z.string().optional(),
    customerID: z.int(),
    customerName: z.string().optional().describe('Needs `customers:read`.'),
    status: ReportStatus,
    vendorStatus: VendorStatus,
    version: z.int(),
    isRecalled: z.literal(true).optional(),
    createdDate: z.iso.datetime(),
    ...reportDates,
    publishedDate: timestamp.optional(),
    outOfRange: z.int().optional().describe('Results out of range. Unless it is published: needs `reports:review`.'),
    unusable: z.int().optional().describe('Results kept raw, for a person to look at; the same holds.'),
    unassessed: z.int().optional().describe('What was received with it and could not be judged; the same holds.'),
    critical: z.int().optional().describe('Critical results, also what was flagged and not judged; the same holds.'),
  })
  .meta({ id: 'ListedReport' })
export type ListedReport = z.infer<typeof ListedReport>

/** What a caller states to publish a report. */
export const Publishing = z
  .object({
    version: z
      .int()
      .min(1)
      .optional()
      .describe('The version that was read. Where the laboratory has sent another since, nothing is published.'),
    seen: z
      .array(text(100))
      .max(1000)
      .optional()
      .describe(
        'The `id` of each of its `unassessed` results that was read. Where another waits, nothing is published.',
      ),
    notified: z
      .object({
        person: text(200).describe('Who was notified: the person tested, or the doctor who cares for them.'),
        at: dateOrTimestamp.describe('When, RFC 3339.'),
      })
      .optional()
      .describe('Needed where the report has critical results (`LL`, `HH`, `AA`). Kept in the audit.'),
    note: NewNote.optional().describe('To the person: shown at the top of the report, with its author.'),
  })
  .meta({ id: 'PublishReport' })
export type Publishing = z.infer<typeof Publishing>
