import { z } from 'zod'
import { Category, Interval, Ranges } from '../catalogue/schema.ts'

export const ReportStatus = z.enum(['inReview', 'published', 'rejected'])
export type ReportStatus = z.infer<typeof ReportStatus>

export const VendorStatus = z.enum(['partial', 'final', 'corrected'])
export type VendorStatus = z.infer<typeof VendorStatus>

const Point = z.object({
  result: z.number(),
  timestamp: z.iso.datetime().describe('When the sample was collected, else resulted: the start of that day, UTC.'),
})
const historic = z.array(Point).describe("The same from all of this customer's published reports, oldest first.")

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

/** A biomarker of a report as it is kept and served; its history is added when it is read. */
export const BiomarkerEntry = z.object({
  id: z.string().describe('The catalogue ID, see /biomarkers.'),
  loinc: z.string().optional(),
  label: z.string(),
  shortLabel: z.string(),
  simpleLabel: z.string().describe('The name in everyday words.'),
  category: z.object({
    name: z.string(),
    weight: z.number().describe("How much it counts in its category's score."),
  }),
  type: z
    .enum(['measured', 'calculated'])
    .describe('measured: the laboratory reported it. calculated: computed here from other results of this report.'),
  result: z.number().nullable().describe('In `unit`; null where the raw result could not be used, see `note`.'),
  comparator: z.enum(['<', '<=', '>=', '>']).optional().describe('The result lies on this side of the value.'),
  rawResult: z.string().describe('As the laboratory gave it.'),
  unit: z.string().describe('UCUM.'),
  displayUnit: z.string().describe('The same unit for people to read.'),
  rawUnit: z.string().describe('As the laboratory gave it.'),
  targetType: z.enum(['lower', 'higher', 'range']).describe('Which is better; `range`: both ends matter.'),
  ranges: Ranges.describe('What the result was judged by, in `unit`.'),
  labRange: Interval.nullable().describe("The laboratory's own interval in `unit`, where it gave one."),
  state: z.enum(['optimal', 'good', 'fair', 'poor', 'unknown']).describe('Which range holds the result.'),
  interpretation: z.enum(['N', 'L', 'H', 'LL', 'HH', 'A', '']).describe('HL7 table 0078; empty: no verdict.'),
  deviationScore: z
    .number()
    .nullable()
    .describe('0 in the reference interval, else the signed distance in half widths or shares of the limit.'),
  commonAlternativeUnits: z
    .array(z.object({ unit: z.string(), factor: z.number(), offset: z.number() }))
    .describe('The result in such a unit is `result` × factor + offset; the same holds for the ranges.'),
  conversionEnabled: z.boolean().describe('Whether it can be shown in another unit.'),
  note: z.string().optional().describe('Why it has no verdict, or what to be careful about.'),
})
export type BiomarkerEntry = z.infer<typeof BiomarkerEntry>

/** A result as one version of a report says it. */
export const ValueThen = BiomarkerEntry.pick({
  result: true,
  comparator: true,
  rawResult: true,
  unit: true,
  displayUnit: true,
  state: true,
  interpretation: true,
}).meta({ id: 'ReportResultThen' })
export type ValueThen = z.infer<typeof ValueThen>

const Change = z
  .object({
    biomarker: z.string().describe('The catalogue ID.'),
    label: z.string(),
    before: ValueThen.optional().describe('Absent where the result is new.'),
    after: ValueThen.optional().describe('Absent where the result is gone.'),
  })
  .meta({ id: 'ReportChange' })
export type Change = z.infer<typeof Change>

export const Suggestion = z.object({
  text: z.string(),
  category: z.string(),
  biomarkers: z.array(z.string()).describe('Catalogue IDs.'),
})
export type Suggestion = z.infer<typeof Suggestion>

export const Report = z
  .object({
    id: z.string(),
    kitID: z.string().optional(),
    axes: z.array(AxisEntry.extend({ historic })),
    biomarker: z.array(BiomarkerEntry.extend({ historic })),
    suggestions: z.array(Suggestion).describe('Neutral next steps from the facts of the catalogue; no medical advice.'),
    details: z.object({
      collectedDate: z.iso.date().optional(),
      resultedDate: z.iso.date().optional(),
      status: z.literal('published'),
      vendorStatus: VendorStatus.describe('What the laboratory sent last.'),
      version: z.int().describe('The version shown.'),
      latestVersion: z.int(),
      publishedDate: z.iso.datetime().optional().describe('When it was first published.'),
      reason: z.string().optional().describe('Why this version was made.'),
      changes: z
        .array(Change)
        .optional()
        .describe('From version 2 on: the results that differ from the version before, in value, unit or verdict.'),
    }),
    labParamsError: z.array(z.string()).describe('What was wrong with the sample, such as HEMOLYSIS or QNS.'),
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof Report>

/** A report for whoever decides whether it is published. */
export const ReviewedReport = Report.extend({
  status: ReportStatus,
  customer: z.object({ id: z.int(), name: z.string().optional() }),
  details: Report.shape.details.extend({ status: ReportStatus }),
}).meta({ id: 'ReviewedReport' })
export type ReviewedReport = z.infer<typeof ReviewedReport>

export const ListedReport = z
  .object({
    reportID: z.string(),
    kitID: z.string().optional(),
    customerID: z.int(),
    customerName: z.string().optional().describe('Needs `customers:read`.'),
    status: ReportStatus,
    vendorStatus: VendorStatus,
    version: z.int(),
    createdDate: z.iso.datetime(),
    collectedDate: z.iso.date().optional(),
    resultedDate: z.iso.date().optional(),
    publishedDate: z.iso.datetime().optional(),
    outOfRange: z
      .int()
      .optional()
      .describe('Results outside their reference interval. Of a report that is not published: needs `reports:review`.'),
    unusable: z.int().optional().describe('Results that were kept raw, for a person to look at; the same holds.'),
  })
  .meta({ id: 'ListedReport' })
export type ListedReport = z.infer<typeof ListedReport>
