import type { AsSent } from '@kitlane/lab-reader/identify/unmatched'
import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import { anyOfOr, anyOfTexts, line, Pagination, paging, said, text, timestamp } from '../../../platform/http/fields.ts'
import { customerIdFilter } from '../../customers/schema.ts'
import { outcomes } from './rules.ts'

const unassessedFields = {
  name: z.string().describe('As it was sent; empty where it had no name.'),
  value: z.string().describe('As it was sent.'),
  unit: z.string(),
  range: z.string().describe('The printed range; empty: none.'),
  flag: z.string().describe('HL7 table 0078 where it is known; empty: none.'),
  code: z.string().describe('The reason for programs, such as `unknownName`.'),
  reason: said.describe('Why it was not judged, in words.'),
}

const UnassessedFields = z.object(unassessedFields)
/** A result that was received and not judged. */
export type UnassessedResult = z.infer<typeof UnassessedFields>
/** The same in a report. */
export type ReportedUnassessed = UnassessedResult & {
  id: string
  critical: boolean
  loinc: string | null
  sent: AsSent | null
}

const ReceivedDocument = z
  .object({ id: z.string(), counted: z.int(), assessed: z.int(), waiting: z.int(), dismissed: z.int() })
  .describe('The message or file that it came in: `counted` lines that look like results = the other three together.')
  .meta({ id: 'ReceivedDocument' })
export type ReceivedDocument = z.infer<typeof ReceivedDocument>

const waiting = {
  id: z.string(),
  customerID: z.int(),
  kitID: z.string().optional(),
  reportID: z.string().optional().describe('The report that it came with, where other results made one.'),
  dataID: z.string().optional().describe('What a business added, where it came so.'),
  docID: z.string().optional().describe('The file that it was read from.'),
  ...unassessedFields,
  loinc: z.string().optional(),
  critical: z.boolean().describe('Flagged `LL`, `HH`, `A` or `AA`, or a word such as Detected: it comes first.'),
  suggestions: z.array(z.string()).describe('Catalogue IDs that it may mean, most likely first.'),
  position: z.string().describe('Where it stood in the message or file.'),
  receivedDate: timestamp,
  alsoCalled: z.array(z.string()).optional().describe('Other names that it was sent with.'),
  status: z
    .string()
    .optional()
    .describe('As the laboratory said: `final`, `preliminary`, `corrected`, `cancelled`, ….'),
  specimen: z.string().optional().describe('As it was sent.'),
  section: z.string().optional().describe('The panel or title under which it stood.'),
  line: z.string().optional().describe('The line, segment or row that it was read from.'),
  collectedDate: z.string().optional().describe('Of the sample.'),
  remarks: z
    .array(z.string())
    .optional()
    .describe('The sentences for which alone it waits, and which pass next time once it is assigned.'),
  laboratory: z.string().optional().describe('Who wrote these remarks.'),
  document: ReceivedDocument.optional(),
  state: z.enum(['open', 'closed']).describe('`open`: a person has to act.'),
  closedDate: timestamp.optional(),
  closedBy: z.string().optional().describe('Who closed it, named as in the audit; `system`: nobody, it came again.'),
  outcome: z
    .enum(outcomes)
    .optional()
    .describe('`assigned`: it is a result of the report now. `seen`: with its report, when that was published.'),
  assigned: z.string().optional().describe('The catalogue ID that it was assigned to.'),
  note: said.optional().describe('Why, in the words of the person.'),
}

export const WaitingResult = z
  .object({ ...waiting, customerName: z.string().optional().describe('Needs `customers:read`.') })
  .meta({ id: 'WaitingResult' })
export type WaitingResult = z.input<typeof WaitingResult>
export const OperatorWaitingResult = z
  .object({
    ...waiting,
    business: businessName,
    mode: z.enum(['live', 'sandbox']),
  })
  .meta({ id: 'OperatorWaitingResult' })
export type OperatorWaitingResult = z.input<typeof OperatorWaitingResult>

const list = {
  ...paging(50, 250),
  state: anyOfOr(['open', 'closed'], 'open').describe('`open`: a person has to act. `closed`. Both by `open,closed`.'),
  reportID: anyOfTexts(50).describe('Of these reports, by comma.'),
  kitID: anyOfTexts(50).describe('Of these kits, by comma.'),
  customerID: customerIdFilter.optional(),
}
export const WaitingQuery = z.object(list)
export const OperatorWaitingQuery = z.object({ ...list, mode: z.enum(['live', 'sandbox']).default('live') })
export type WaitingFilter = z.infer<typeof WaitingQuery>

export const WaitingPage = z
  .object({ data: z.array(WaitingResult), pagination: Pagination })
  .meta({ id: 'WaitingPage' })
export const OperatorWaitingPage = z
  .object({ data: z.array(OperatorWaitingResult), pagination: Pagination })
  .meta({ id: 'OperatorWaitingPage' })

export const waitingParams = z.object({ resultID: text(64) })
/** What who puts a result aside says of the health authority that may have to know it. */
export const AuthorityStatement = z.object({
  decision: z.enum(['toldByHand', 'notToTell']).describe('Whether somebody told the authority, or it is not told.'),
  reason: line(300).describe('Who told whom, when and how, or why it is not told. Nothing of the person.'),
})
export type AuthorityStatement = z.output<typeof AuthorityStatement>
const ofNotices = z.array(z.object({ id: z.string(), condition: z.string().describe('Its name.') })).optional()
/** What it changes of what authorities are told. */
export const StatementEffect = z.object({
  settledNotices: ofNotices.describe('What authorities know by hand now, of those of its kit.'),
  openNotices: ofNotices.describe('Those of its kit that still have to be told.'),
})
export type StatementEffect = z.output<typeof StatementEffect>

const authority = AuthorityStatement.optional().describe('Needed where a health authority may have to be told of it.')
export const CloseWaiting = z.object({ note: text(300).describe('What was done about it.'), authority })
export const DismissWaiting = z.object({
  reason: text(300).describe('Why nobody needs it, or what was done about it.'),
  authority,
})
export const WaitingClosed = z.object({
  id: z.string(),
  state: z.literal('closed').describe('No longer for a person.'),
})

export const AssignWaiting = z.object({
  biomarker: text(100).describe('A catalogue ID.'),
  value: z
    .union([z.number(), text(100)])
    .optional()
    .describe(
      'What the value means where it is no plain number, such as 6.2 for `6,2`: the same digits as were sent. Of a biomarker whose answers are words: `negative`, `indeterminate` or `positive`, or a step of its test strip.',
    ),
  unit: text(60).optional().describe('The unit, only where none was sent.'),
  reason: text(300).describe('How you know.'),
  remember: z
    .boolean()
    .default(true)
    .describe('Whether a remark for which alone it waited passes next time: the same words, laboratory and biomarker.'),
})
export type AssignWaiting = z.infer<typeof AssignWaiting>
export const WaitingAssigned = z
  .object({
    id: z.string(),
    state: z.literal('closed').describe('No longer for a person.'),
    reportID: z.string(),
    version: z.int(),
  })
  .meta({ id: 'ResultAssigned' })

export const assignedAnswer = (id: string, { reportId, version }: { reportId: string; version: number }) => ({
  id,
  state: 'closed' as const,
  reportID: reportId,
  version,
})

export const AddAlias = z.object({
  biomarker: text(100).describe('A catalogue ID.'),
  reason: text(300).describe('Kept with the version of the catalogue.'),
})
export const AliasAdded = z
  .object({ biomarker: z.string(), alias: z.string(), version: z.int() })
  .meta({ id: 'AliasAdded' })
