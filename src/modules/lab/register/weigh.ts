import { isDeepStrictEqual } from 'node:util'
import { isOtherSpecimen } from '@kitlane/lab-reader/facts/specimens'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { decideStanding, type Statement } from '@kitlane/lab-reader/standing/standing'
import type { BiomarkerEntry } from '../../reports/schema.ts'
import type { Withdrawal } from '../../reports/versions/withdraw.ts'
import type { NewStatement } from './said-in.ts'
import type { KeptStatement } from './statement.ts'
import { printedValue } from './withdrawals.ts'

/** A statement of the register, with the document that it came in. */
export type Registered = KeptStatement & Pick<Statement, 'document'>

type Known = Registered & { observation?: Observation }

/** What a document changes of a report. */
export interface Weighed {
  /** Values that stand from now on. */
  results: NewResult[]
  /** Biomarkers that no value stands for any more. */
  gone: (Withdrawal & { observation?: Observation })[]
  /** What changes nothing. */
  superseded: ReadonlySet<Observation>
  /** Values that do not stand, and that a person must see. */
  unsettled: {
    observation: Observation
    biomarkerId: string
    code: 'afterCorrection' | 'afterWithdrawal' | 'otherSampleStands'
  }[]
  /** A value stands though a withdrawal that nobody has seen yet may mean it. */
  isDoubted: boolean
}

/**
 * What a new document changes: what stands of each value that it speaks of, before it and with it. `entries`: what the report
 * shows; a value that no document of the register says is older than all of them, or a person's.
 */
export function weigh(
  registered: readonly Registered[],
  said: readonly NewStatement[],
  entries: readonly BiomarkerEntry[],
): Weighed {
  const superseded = new Set<Observation>()
  const weighed = { results: [] as NewResult[], gone: [] as Weighed['gone'], unsettled: [] as Weighed['unsettled'] }
  let isDoubted = false
  const document = Math.max(0, ...registered.map((one) => one.document)) + 2
  for (const [key, fresh] of Map.groupBy(said, (one) => one.key)) {
    const entry = entries.find(({ id, type }) => id === key && type === 'measured')
    const before = withShown(
      registered.filter((one) => one.key === key),
      entry,
      document - 1,
    )
    const now = fresh.map((one): Known => ({ ...one, document }))
    const was = decideStanding<Known>(before, isSame).stands
    const { stands, rivals, unsettled, isDoubted: mayBeMeant } = decideStanding<Known>([...before, ...now], isSame)
    isDoubted ||= mayBeMeant && now.some((one) => one === stands)
    const counting = new Set([stands, ...rivals])
    for (const one of now) {
      if (counting.has(one) || !one.observation) continue
      if (unsettled.includes(one) && one.result) {
        const code = stands?.status === 'corrected' ? 'afterCorrection' : 'afterWithdrawal'
        weighed.unsettled.push({ observation: one.observation, biomarkerId: key, code })
      } else if (one.result && isOtherSpecimen(one.observation.taken, stands?.result?.sent?.specimen))
        weighed.unsettled.push({ observation: one.observation, biomarkerId: key, code: 'otherSampleStands' })
      else if (!unsettled.includes(one)) superseded.add(one.observation)
    }
    if (stands && stands !== was) change(weighed, stands)
  }
  return { ...weighed, superseded, isDoubted }
}

/** The values of `keys` that stand and that a report does not show, after a document was taken out of the register. */
export function standingAgain(
  registered: readonly Registered[],
  keys: ReadonlySet<string>,
  entries: readonly BiomarkerEntry[],
): NewResult[] {
  return [...keys].flatMap((key) => {
    const known = registered.filter((one) => one.key === key)
    const result = decideStanding<Registered>(known, isSame).stands?.result
    const isShown = entries.some(({ id, rawResult }) => id === key && rawResult === result?.rawResult)
    return result && !isShown ? [result] : []
  })
}

function change({ results, gone }: Pick<Weighed, 'results' | 'gone'>, stands: Known): void {
  const { key, result, why, observation } = stands
  if (result) results.push(result)
  else if (why && !key.startsWith('name:')) {
    const taken = observation?.taken && { specimen: observation.taken }
    gone.push({ biomarkerId: key, why, ...(observation && { ...printedValue(observation), ...taken, observation }) })
  }
}

/** Of a report that shows a value which the register does not know: versions before it, or a person who assigned it. */
function withShown(known: readonly Registered[], entry: BiomarkerEntry | undefined, document: number): Known[] {
  if (!entry || decideStanding<Known>(known).stands?.result) return [...known]
  const isOlder = known.length === 0
  const status = isOlder ? (entry.preliminary ? 'preliminary' : 'final') : 'corrected'
  const shown = { key: entry.id, status, sequence: 0, isOrdered: true, times: {} } as const
  return [...known, { ...shown, document: isOlder ? -1 : document }]
}

/** Whether two statements are of the same value. */
export function isSame({ result: one }: KeptStatement, { result: other }: KeptStatement): boolean {
  if (!one || !other) return false
  if ('finding' in one || 'finding' in other) {
    return 'finding' in one && 'finding' in other && isDeepStrictEqual(one.finding, other.finding)
  }
  return one.value === other.value && one.unit === other.unit && one.comparator === other.comparator
}
