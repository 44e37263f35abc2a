import { z } from 'zod'
import { timestamp } from '../../../platform/http/fields.ts'

export const ReportCheck = z
  .object({
    kind: z
      .enum(['change', 'plausibility', 'sample'])
      .describe(
        'change: larger than a person varies. plausibility: values that contradict each other or cannot be. sample: its age or state.',
      ),
    code: z
      .enum([
        'changed',
        'impossible',
        'partAboveWhole',
        'calculatedOtherwise',
        'redCells',
        'differential',
        'tubeAdditive',
        'haemolysis',
        'lipaemia',
        'icterus',
        'tooOld',
        'dates',
        'replaced',
        'annulled',
        'saidOtherwise',
        'notForPerson',
      ])
      .describe('Which check it is, for programs.'),
    biomarkers: z.array(z.string()).describe('The catalogue IDs that it is about; empty: the whole sample.'),
    holds: z.boolean().describe('Whether the report is published by a person only, also where `publishing` is `auto`.'),
    message: z.string().describe('What to look at, in words.'),
    source: z.string().describe('Where the limit or the rule was published, or why it holds.'),
  })
  .meta({ id: 'ReportCheck' })
export type ReportCheck = z.infer<typeof ReportCheck>

export const PreviousResult = z
  .object({
    reportID: z.string().describe('The published report that it is from.'),
    date: timestamp.describe('When that sample was collected, else resulted: the start of that day, UTC.'),
    laboratory: z.string().optional().describe('Where it was measured; absent where that is not known.'),
    result: z.number().optional().describe('In the unit of the result of now; absent where it was no number.'),
    comparator: z.enum(['<', '<=', '>=', '>']).optional().describe('It lay on this side of the value.'),
    value: z.string().optional().describe('What was found, where it was no number.'),
    difference: z.number().optional().describe('The result of now less this one; absent where one is no exact number.'),
    percent: z.number().optional().describe('The difference in percent of this one.'),
  })
  .meta({ id: 'PreviousResult' })
export type PreviousResult = z.infer<typeof PreviousResult>
