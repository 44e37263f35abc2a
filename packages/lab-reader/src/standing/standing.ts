import { isBefore, type LaboratoryTimes } from './laboratory-time.ts'

/** What a laboratory said once about one value. */
export interface Statement {
  /** `withdrawn`: it took the value back, or could not obtain it. */
  status: 'preliminary' | 'final' | 'corrected' | 'withdrawn'
  /** The document that it came in; the same for all statements of one. Later ones have larger numbers. */
  document: number
  /** Its place in the document, from 0. */
  sequence: number
  /** The document's order counts: a later statement is the newer one. A FHIR Bundle has no order. */
  isOrdered: boolean
  /** As sent, where the document has no order: a FHIR resource that is withdrawn takes no other one with another value. */
  valueText?: string | undefined
  /** It came before what it takes back, and a person has not seen it: it takes only what is older for certain. */
  isOpen?: boolean | undefined
  times: LaboratoryTimes
}

export interface Standing<S extends Statement> {
  /** What stands: the value, or the withdrawal if nothing is left. Undefined without statements. */
  stands?: S
  /** Statements of one document that contradict `stands`: which one counts, a person decides. */
  rivals: S[]
  /** Statements that do not stand though they may be news: a person has to see them. */
  unsettled: S[]
  /** A withdrawal that a person has not seen may mean the value that stands. */
  isDoubted: boolean
}

const ranks = { withdrawn: 0, preliminary: 1, final: 2, corrected: 3 } as const

/**
 * What stands of all that laboratories said about one value, in whatever order it came. A withdrawal takes every value that is
 * not newer; a corrected value also returns if it came later and the laboratory's times do not tell. Of what is left, corrected
 * counts over final over preliminary, then the newer one.
 */
export function decideStanding<S extends Statement>(
  statements: readonly S[],
  isSame: (one: S, other: S) => boolean = () => false,
): Standing<S> {
  const values = statements.filter(({ status }) => status !== 'withdrawn')
  const withdrawals = statements.filter(({ status }) => status === 'withdrawn')
  const left = values.filter((value) => !withdrawals.some((one) => takes(one, value)))
  const rank = Math.max(0, ...left.map(({ status }) => ranks[status]))
  const highest = left.filter(({ status }) => ranks[status] === rank)
  const stands = newest(highest) ?? newest(withdrawals)
  if (!stands) return { rivals: [], unsettled: [], isDoubted: false }
  const rivals = highest.filter((one) => one.document === stands.document && one !== stands && !isSame(one, stands))
  const unsettled = values.filter(
    (one) => one.status === 'final' && one !== stands && mayBeNews(one, { stands, left, isSame, values }),
  )
  const isDoubted = stands.status !== 'withdrawn' && withdrawals.some((one) => one.isOpen && orderOf(one, stands) === 0)
  return { stands, rivals, unsettled, isDoubted }
}

/** Whether a withdrawal takes a value back. */
function takes(withdrawal: Statement, value: Statement): boolean {
  if (withdrawal.document === value.document) {
    if (withdrawal.isOrdered) return withdrawal.sequence > value.sequence
    if (withdrawal.valueText && value.valueText && withdrawal.valueText !== value.valueText) return false
  }
  const order = orderOf(withdrawal, value)
  if (order !== 0 || withdrawal.isOpen) return order > 0
  return value.status !== 'corrected' || cameAfter(withdrawal, value)
}

/** Positive if one is newer than the other by the laboratory's times, negative if it is older, 0 if they do not tell. */
function orderOf(one: Statement, other: Statement): number {
  for (const timeOf of times) {
    if (isBefore(timeOf(other), timeOf(one))) return 1
    if (isBefore(timeOf(one), timeOf(other))) return -1
  }
  return 0
}

/** A message that is sent again is dated anew; what it reports is not. */
const times: readonly ((one: Statement) => string | undefined)[] = [
  ({ times }) => times.reportedDate ?? times.analyzedDate ?? times.sentDate,
  ({ times }) => times.sentDate,
  ({ times }) => times.analyzedDate,
]

const cameAfter = (one: Statement, other: Statement): boolean =>
  one.document - other.document > 0 || (one.document === other.document && one.sequence > other.sequence)

/** The newest by the laboratory's times; of those that these do not tell apart, the one that came last. */
function newest<S extends Statement>(statements: readonly S[]): S | undefined {
  let left = statements
  for (const timeOf of times) {
    left = left.filter((one) => !left.some((other) => isBefore(timeOf(one), timeOf(other))))
  }
  return left.reduce<S | undefined>((last, one) => (last === undefined || cameAfter(one, last) ? one : last), undefined)
}

interface Decided<S extends Statement> {
  stands: S
  left: readonly S[]
  values: readonly S[]
  isSame: (one: S, other: S) => boolean
}

/**
 * Whether a final value may be news: it is newer than the correction that stands, or came after the correction or withdrawal,
 * with a value that had not come before, and the laboratory's times do not tell.
 */
function mayBeNews<S extends Statement>(one: S, { stands, left, values, isSame }: Decided<S>): boolean {
  const order = orderOf(one, stands)
  if (stands.status === 'corrected' && order > 0) return left.includes(one) && !isSame(one, stands)
  if (order !== 0 || one.document === stands.document || !cameAfter(one, stands)) return false
  const isRuled =
    stands.status === 'corrected' ? left.includes(one) : stands.status === 'withdrawn' && !left.includes(one)
  return isRuled && !values.some((other) => cameAfter(one, other) && isSame(one, other))
}
