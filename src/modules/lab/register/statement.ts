import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Statement } from '@kitlane/lab-reader/standing/standing'
import type { Withdrawal } from '../../reports/versions/withdraw.ts'

/** What a laboratory said once about one value, as the register keeps it. */
export interface KeptStatement {
  /** The catalogue ID of a biomarker, or the laboratory's name after `name:`. */
  key: string
  status: Statement['status']
  sequence: number
  isOrdered: boolean
  isOpen?: true
  times: Statement['times']
  valueText?: Statement['valueText']
  /** The value; absent where it cannot be used, or is taken back. */
  result?: NewResult
  /** Why an earlier value does not stand any more if this does. */
  why?: Withdrawal['why']
}
