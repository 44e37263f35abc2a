import type { NewResult } from '../../reports/judge/new-result.ts'
import type { Withdrawal } from '../../reports/versions/withdraw.ts'
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

/** What a laboratory said once about one value, as the register keeps it. */
export interface KeptStatement {
  /** The catalogue ID of a biomarker, or the laboratory's name after `name:`. */
  key: string
  status: Statement['status']
  sequence: number
  isOrdered: boolean
  isOpen?: true
  times: Statement['times']
  /** The value; absent where it cannot be used, or is taken back. */
  result?: NewResult
  /** Why an earlier value does not stand any more if this does. */
  why?: Withdrawal['why']
}
