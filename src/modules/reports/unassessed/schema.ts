import { z } from 'zod'
import { Pagination, paging, text, timestamp } from '../../../platform/http/fields.ts'

const unassessedFields = {
  name: z.string().describe('As it was sent; empty where it had no name.'),
  value: z.string().describe('As it was sent.'),
  unit: z.string(),
  range: z.string().describe('The printed range; empty: none.'),
  flag: z.string().describe('HL7 table 0078 where it is known; empty: none.'),
  code: z.string().describe('The reason for programs, such as `unknownName`.'),
  reason: z.string().describe('Why it was not judged, in words.'),
}

const UnassessedFields = z.object(unassessedFields)
/** A result that was received and not judged. */
export type UnassessedResult = z.infer<typeof UnassessedFields>
/** The same in a report. */
export type ReportedUnassessed = UnassessedResult & { critical: boolean }

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
  state: z.enum(['open', 'closed']),
  closedDate: timestamp.optional(),
  note: z.string().optional(),
}

export const WaitingResult = z.object(waiting).meta({ id: 'WaitingResult' })
export type WaitingResult = z.infer<typeof WaitingResult>
export const OperatorWaitingResult = z
  .object({
    ...waiting,
    business: z.object({ id: z.string(), name: z.string() }),
    mode: z.enum(['live', 'sandbox']),
  })
  .meta({ id: 'OperatorWaitingResult' })
export type OperatorWaitingResult = z.infer<typeof OperatorWaitingResult>

const list = {
  ...paging(50, 250),
  state: z.enum(['open', 'closed']).default('open').describe('`open`: a person has to act.'),
  reportID: text(64).optional(),
  kitID: text(64).optional(),
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
export const CloseWaiting = z.object({ note: text(300).describe('What was done about it.') })
export const WaitingClosed = z.object({ id: z.string(), state: z.literal('closed') })
