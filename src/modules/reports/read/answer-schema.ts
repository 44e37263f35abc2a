import { openingKinds } from '@kitlane/display/story'
import { Phase, Sex } from '@kitlane/lab-reader/facts/schema'
import { Origin } from '@kitlane/lab-reader/parse/origin'
import { z } from 'zod'
import { said, timestamp } from '../../../platform/http/fields.ts'
import { BiomarkerText } from '../../catalogue/text-schema.ts'
import { reportDates } from '../../customers/report-dates.ts'
import { Approval } from '../../orders/schema.ts'
import { ReportNote } from '../note-schema.ts'
import {
  AxisEntry,
  BiomarkerEntry,
  PersonCorrected,
  ReportStatus,
  Suggestion,
  VendorStatus,
  Withdrawn,
} from '../schema.ts'

// Fields that clients of other kit APIs read have the types that they expect; richer forms have fields of their own.

const Point = z.object({
  result: z.number(),
  timestamp: timestamp.describe(
    'When the sample was collected, else resulted: from 0:00 UTC where only the day is known.',
  ),
  kitType: z.string().optional().describe('Absent where the result came without a kit.'),
  laboratory: z.string().optional().describe('Where it was measured; absent where that is not known.'),
})
const history = "The same from all of this customer's published reports, oldest first."

const Axis = AxisEntry.pick({ axis: true, category: true, coverage: true, worst: true })
  .extend({
    result: z.number().describe('0 to 100.'),
    range: z.enum(['optimal', 'good', 'fair', 'poor']).describe('The band of the result: from 100, 75, 50 and below.'),
    historic: z.array(Point).describe(history),
  })
  .meta({ id: 'ReportAxis' })

const AxisNotScored = AxisEntry.pick({ axis: true, category: true, coverage: true })
  .extend({
    reason: z.string().describe('Why there is no score.'),
  })
  .meta({ id: 'ReportAxisNotScored' })

const band = (of: string) => z.array(z.number()).max(2).describe(of)

const Bound = <Sign extends string>(...signs: [Sign, ...Sign[]]) => z.object({ value: z.number(), sign: z.enum(signs) })

export const ReferenceInterval = z
  .object({
    band: z
      .enum(['reference', 'optimal', 'good', 'fair', 'laboratory'])
      .describe(
        "reference: what the result was judged by. laboratory: the laboratory's own, where another one judged.",
      ),
    low: Bound('>', '>=').optional().describe('In `unit`; absent where it is open below.'),
    high: Bound('<', '<=').optional().describe('In `unit`; absent where it is open above.'),
    basis: z
      .enum(['lab', 'phase', 'age', 'sex', 'union', 'computed'])
      .describe(
        'Printed by the laboratory, or from the catalogue: for the phase, age or sex, or the wider of both sexes. `computed`: here, beside the interval of the laboratory.',
      ),
    source: z.string().describe('Where it comes from, in words.'),
    appliesTo: z
      .object({ sex: Sex, minAge: z.int(), maxAge: z.int(), phase: Phase })
      .partial()
      .describe('Whom it applies to, where that is known.'),
    version: z.string().describe('The version of the rules that judged.'),
  })
  .meta({ id: 'ReferenceInterval' })
export type ReferenceInterval = z.infer<typeof ReferenceInterval>

const usable = {
  result: z.number().optional().describe('In `unit`. Absent where it is no number, see `value`.'),
  rawText: z.string().describe('The result as the laboratory sent it.'),
}

export const BiomarkerAnswer = BiomarkerEntry.omit({
  ranges: true,
  rawValue: true,
  labRange: true,
  commonAlternativeUnits: true,
}).extend({
  ...usable,
  rawResult: z.number().optional().describe('The number in what the laboratory sent, in `rawUnit`.'),
  kind: z
    .enum(['number', 'presence', 'grade', 'titre', 'text'])
    .describe('How the result is given: a number, positive or negative, a step of a test strip, 1:320, or a text.'),
  value: z.string().optional().describe('The result where it is no plain number: `Positive`, `2+`, `1:320`, a text.'),
  nonNumerical: z.boolean().describe('The result is no number: `value` holds it, `result` and `rawResult` are absent.'),
  nonUpperRanged: z.boolean().describe('The ranges are open above: `[low]`.'),
  ranges: z
    .object({
      optimal: band('The optimal band.'),
      good: band('From the lowest to the highest good or optimal value.'),
      fair: band('From the lowest to the highest value that is at least fair.'),
      inRange: band('The reference interval.'),
    })
    .describe(
      'What the result was judged by, in `unit`: `[low, high]`; open above `[low]`; open below `[0, high]`; none `[]`. `referenceIntervals` has the exact pieces.',
    ),
  labRange: z.string().describe("The laboratory's own interval in `unit`, such as `70-99` or `<=5.6`; empty: none."),
  referenceIntervals: z.array(ReferenceInterval),
  commonAlternativeUnits: z.array(z.string()).describe('Other units that it can be shown in.'),
  alternativeUnits: BiomarkerEntry.shape.commonAlternativeUnits,
})
export type BiomarkerAnswer = z.input<typeof BiomarkerAnswer>

/** What was received and not judged. */
export const Unassessed = z
  .object({
    name: z.string().describe('As the laboratory named it, else the biomarker it was taken for.'),
    value: z.string().describe('As the laboratory sent it; empty where it must not be shown.'),
    unit: z.string(),
    range: z.string().describe('The interval beside it; empty: none.'),
    flag: z.string().describe("The laboratory's flag; empty: none."),
    reason: said.describe('Why it was not judged.'),
    code: z.string().optional().describe('The reason for programs, where no biomarker was told.'),
    biomarker: z.string().optional().describe('The catalogue ID, where it is known which biomarker it is.'),
    id: z.string().optional().describe('Of the result in `/unassessed-results`, where it is one.'),
    specimen: z.string().optional().describe('As it was sent.'),
    critical: z.boolean().describe('Flagged critical or abnormal, or a word such as Detected: it stands first.'),
  })
  .meta({ id: 'UnassessedResult' })
export type Unassessed = z.input<typeof Unassessed>

const ThenAnswer = BiomarkerEntry.pick({
  comparator: true,
  preliminary: true,
  finding: true,
  rawUnit: true,
  unit: true,
  displayUnit: true,
  state: true,
  interpretation: true,
})
  .extend(usable)
  .meta({ id: 'ReportResultThen' })
export type ThenAnswer = z.input<typeof ThenAnswer>

const Opening = z
  .object({
    says: z.enum(openingKinds).describe('`…Slightly`: all of those outside are only a little so.'),
    count: z.int().describe('Of how many values it says it.'),
    total: z.int().describe('All values.'),
    slight: z.int().describe('How many of those outside are only a little so.'),
  })
  .meta({ id: 'ReportOpening' })

const ChangeAnswer = z
  .object({
    biomarker: z.string().describe('The catalogue ID.'),
    label: z.string(),
    before: ThenAnswer.optional().describe('Absent where the result is new.'),
    after: ThenAnswer.optional().describe('Absent where the result is gone.'),
  })
  .meta({ id: 'ReportChange' })

export const ReportAnswer = z
  .object({
    id: z.string(),
    kitID: z.string().optional(),
    opening: z
      .array(Opening)
      .describe('The sentences that the report opens with on its page and in its PDF, as counts.'),
    axes: z.array(Axis).describe('Categories that have a score.'),
    axesNotScored: z.array(AxisNotScored),
    biomarker: z
      .array(
        BiomarkerAnswer.extend({
          historic: z.array(Point.extend({ rawResult: z.number().optional() })).describe(history),
          historicFindings: z
            .array(Point.omit({ result: true }).extend({ value: z.string() }))
            .describe('The same of results that are no numbers.'),
          text: BiomarkerText.optional().describe('What a person reads about it: as of the catalogue that judged it.'),
          withdrawn: Withdrawn.optional().describe('In an older version: a later one took this result back.'),
        }).meta({ id: 'ReportBiomarker' }),
      )
      .describe('Critical values first, then those outside, a little outside, in range, and not judged.'),
    unassessed: z.array(Unassessed).describe('What was received and not judged, each with the reason.'),
    suggestions: z.array(Suggestion).describe('Neutral next steps by the catalogue; no medical advice.'),
    details: z.object({
      ...reportDates,
      collectedSaid: z.string().optional().describe('As the person tested gave it, where the laboratory did not.'),
      age: z.int().optional().describe('Of the person at the sample, in years.'),
      status: z.literal('published'),
      vendorStatus: VendorStatus.describe('What the laboratory sent last.'),
      version: z.int().describe('The version shown.'),
      latestVersion: z.int(),
      versions: z.array(z.int()).optional().describe('Those that can be read, if not all.'),
      publishedDate: timestamp
        .optional()
        .describe('When it was first published, or when a person published this version.'),
      issuedDate: timestamp.optional().describe('When the version shown was published, if it is not the first.'),
      reason: said.optional().describe('Why this version was made.'),
      personCorrected: z
        .array(PersonCorrected)
        .optional()
        .describe('Of the person, since `publishedDate`: each version shows them as they are now.'),
      changes: z
        .array(ChangeAnswer)
        .optional()
        .describe(
          'The results that differ from the version published before it. Those that were taken off are in `withdrawn`.',
        ),
      withdrawn: z
        .array(Withdrawn)
        .optional()
        .describe('Results of earlier versions that were taken back: nobody must rely on them.'),
    }),
    note: ReportNote.optional().describe('What the publisher wrote to the person.'),
    origin: Origin.optional().describe('Laboratory, specimen and times; absent in old versions.'),
    approval: Approval.optional(),
    labParamsError: z
      .array(z.string())
      .describe('Such as `Hemolysis`, `QNS`, `Recalled` or `Later Version In Review`.'),
    wearable: z.array(z.unknown()).describe('Always empty.'),
    actionsState: z.array(z.unknown()).describe('Always empty.'),
  })
  .meta({ id: 'Report' })
export type ReportAnswer = z.input<typeof ReportAnswer>

/** A report for anyone who decides whether it is published. */
export const ReviewedReport = ReportAnswer.extend({
  status: ReportStatus,
  customer: z.object({ id: z.int(), name: z.string().optional() }),
  details: ReportAnswer.shape.details.extend({ status: ReportStatus }),
}).meta({ id: 'ReviewedReport' })
export type ReviewedReport = z.input<typeof ReviewedReport>
