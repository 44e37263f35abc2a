import type { Observation } from '../parse/parsed.ts'
import type { Statement } from './standing.ts'

/** What an observation with a value says of it. */
export const statementStatus = ({ status }: Observation): 'preliminary' | 'final' | 'corrected' =>
  status === 'preliminary' || status === 'corrected' ? status : 'final'

/** When it was said, and whether its place in the document tells what is newer; if not, which value it is of. */
export function orderedTimes(
  { reportedDate, analyzedDate, sentDate, isUnordered, valueText }: Observation,
  message?: { sentDate?: string | undefined },
): Pick<Statement, 'isOrdered' | 'times' | 'valueText'> {
  const times = { reportedDate, analyzedDate, sentDate: sentDate ?? message?.sentDate }
  return { isOrdered: !isUnordered, times, ...(isUnordered && { valueText }) }
}
