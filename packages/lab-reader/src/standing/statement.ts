import type { Observation } from '../parse/parsed.ts'
import type { Statement } from './standing.ts'

/** What an observation with a value says of it. */
export const statementStatus = ({ status }: Observation): 'preliminary' | 'final' | 'corrected' =>
  status === 'preliminary' || status === 'corrected' ? status : 'final'

/** When it was said, and whether its place in the document tells what is newer. */
export function orderedTimes(
  { reportedDate, analyzedDate, sentDate, isUnordered }: Observation,
  message?: { sentDate?: string | undefined },
): Pick<Statement, 'isOrdered' | 'times'> {
  return { isOrdered: !isUnordered, times: { reportedDate, analyzedDate, sentDate: sentDate ?? message?.sentDate } }
}
