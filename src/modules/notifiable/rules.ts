import type { ElrContent } from '@kitlane/lab-reader/elr/message'
import { findingOf } from '@kitlane/lab-reader/facts/findings'
import { normaliseName } from '@kitlane/lab-reader/facts/match'
import type { Biomarker } from '../catalogue/schema.ts'
import type { Outcome } from '../lab-orders/decision.ts'
import type { BiomarkerEntry } from '../reports/schema.ts'
import { holdsReport } from '../reports/unassessed/rules.ts'
import type { SealedUnassessed } from '../reports/unassessed/sealed-queries.ts'
import type { Authority, NoticeState, NotifiableRule, Reason } from './schema.ts'

/** What a person may send nevertheless: the message says what the laboratory says. */
export const mayBeSent: readonly Reason[] = [
  'indeterminate',
  'preliminary',
  'sampleDoubted',
  'notOfKit',
  'changedSince',
  'training',
]

/** A result; or one that could not be judged, by the name under which it came. */
export type NoticeEntry = BiomarkerEntry & { unassessed?: string }

interface Place {
  country?: string | undefined
  state?: string | undefined
}

/** Of which places a rule or an authority is: in a country everywhere, where it names no states. */
type Served = Pick<NotifiableRule, 'country' | 'states'>

/** What holds for one result now. `key`: the same again is nothing new. */
export interface Now {
  is: 'notifiable' | 'doubtful' | 'not' | 'gone' | 'elsewhere'
  key: string
  reason?: Reason
}

/** What an authority was told. */
export interface Said {
  key: string
  state: 'sent' | 'accepted' | 'byHand'
  /** The result, as it was told; null once its person was erased. */
  entry?: NoticeEntry | null
  /** Where the result came from, as it was told. */
  source?: Source | null
}

/** What a message says of laboratory, sample and times. */
export type Source = Pick<ElrContent, 'laboratory' | 'specimen' | 'collected' | 'received' | 'resulted'>

/** Where a notice stands. */
export interface Standing {
  state: NoticeState
  reason: Reason | null
  /** What it is about now. */
  key: string
  /** What the authority was told last, or may have been; null: nothing that it has not refused. */
  said: Said | null
  /** A message waits for its answer. */
  isOpen: boolean
}

const keyOf = ({ finding, result, comparator, unit, preliminary }: BiomarkerEntry): string =>
  JSON.stringify([finding ?? [comparator ?? '', result, unit], preliminary ?? false])

/** What holds once a person has decided about a doubt of the sample. */
export const undoubted = ({ key, ...now }: Now): Now => ({ ...now, key: key.replace(/\?$/, '') })

/** Whether a result is one that a rule names. */
export function answerOf(rule: Pick<NotifiableRule, 'answer'>, entry: BiomarkerEntry): 'yes' | 'no' | Reason {
  const { finding, result, comparator, unit } = entry
  const { answer } = rule
  if (answer.kind === 'positive') {
    if (finding?.kind === 'text' || (!finding && result === null)) return 'unreadable'
    if (finding)
      return finding.value === 'negative' ? 'no' : finding.value === 'indeterminate' ? 'indeterminate' : 'yes'
    if (comparator?.startsWith('<')) return 'indeterminate'
    return (result ?? 0) > 0 ? 'yes' : 'no'
  }
  if (finding || result === null || unit !== answer.unit) return 'unreadable'
  if (result > answer.above) return comparator?.startsWith('<') ? 'indeterminate' : 'yes'
  if (result === answer.above && comparator === '>') return 'yes'
  return comparator?.startsWith('>') ? 'indeterminate' : 'no'
}

/** Of tests that were not done there is no answer. */
const unanswered = ['notDone', 'cancelled']

/** What a result that could not be judged may be of those that rules name: each once, with its text as answer. Any that may be meant counts. */
export function unreadIn(
  rules: readonly Pick<NotifiableRule, 'condition' | 'biomarkers'>[],
  item: SealedUnassessed & { code: string },
  find: (id: string) => Biomarker | undefined,
): NoticeEntry[] {
  const { key, name, value, loinc, suggestions, code } = item
  const isNegative = findingOf({ kind: 'presence', expected: [] }, value)?.value === 'negative'
  if (unanswered.includes(code) || (isNegative && !holdsReport(item))) return []
  const words = normaliseName(name).split(' ')
  const mayBe = (id: string) => {
    const { loinc: own, loincAlternates = [], loincWholeBlood = [] } = find(id) ?? {}
    const isCoded = loinc !== null && [own, ...loincAlternates, ...loincWholeBlood].includes(loinc)
    return suggestions.includes(id) || isCoded || words.includes(id.split('_')[0] ?? '')
  }
  const ids = rules.flatMap(({ condition, biomarkers }) => {
    const isNamed = words.includes(normaliseName(condition).split(' ')[0] ?? '')
    return biomarkers.find(mayBe) ?? (isNamed ? (biomarkers[0] ?? []) : [])
  })
  const finding = { kind: 'text' as const, value }
  const of = { label: name, rawResult: value, result: null, unit: '', displayUnit: '', finding, unassessed: key }
  return [...new Set(ids)].map((id) => ({ ...of, id }) as NoticeEntry)
}

export const isOfPlace = ({ country, states: served }: Served, place: Place): boolean =>
  place.country === country && (served.length === 0 || served.includes(place.state?.toUpperCase() ?? ''))

/** The same, if what is not known of the place were right. */
const mayBeOfPlace = ({ country, states: served }: Served, place: Place): boolean =>
  (!place.country || place.country === country) &&
  (served.length === 0 || !place.state || served.includes(place.state.toUpperCase()))

export interface Found extends Now {
  entry: NoticeEntry
  condition: string
  withinHours: number
}

/** What the rules say of the results of a report: of several rules for a result, the one that leaves the least time. */
export function foundIn(
  rules: readonly NotifiableRule[],
  entries: readonly NoticeEntry[],
  { place, isDoubted, isOfKit }: { place: Place; isDoubted: boolean; isOfKit: boolean },
): Found[] {
  // Rules say of which country they are; which authority wants it depends on the state, which has to be known for that.
  const isPlaceKnown = Boolean(place.country && (place.country !== 'US' || place.state))
  return entries.flatMap((entry): Found[] => {
    const [first, ...others] = rules
      .filter((rule) => rule.biomarkers.includes(entry.id) && mayBeOfPlace(rule, place))
      .map((rule) => ({ rule, answer: answerOf(rule, entry) }))
      .sort((a, b) => order(a.answer) - order(b.answer) || (a.rule.withinHours ?? 0) - (b.rule.withinHours ?? 0))
    if (!first) return []
    const { rule, answer } = first
    const key = keyOf(entry)
    const about = { entry, condition: rule.condition, withinHours: rule.withinHours ?? 0, key }
    if (answer === 'no') return [{ ...about, is: 'not' }]
    const doubt =
      answer !== 'yes'
        ? answer
        : entry.preliminary
          ? 'preliminary'
          : isDoubted
            ? 'sampleDoubted'
            : !isOfKit
              ? 'notOfKit'
              : isPlaceKnown && [rule, ...others.map((one) => one.rule)].some((one) => isOfPlace(one, place))
                ? undefined
                : 'placeUnknown'
    if (!doubt) return [{ ...about, is: 'notifiable' }]
    // A doubt of the sample is news where the authority was told.
    return [{ ...about, is: 'doubtful', reason: doubt, key: doubt === 'sampleDoubted' ? `${key}?` : key }]
  })
}

const order = (answer: string): number => (answer === 'yes' ? 0 : answer === 'no' ? 2 : 1)

/**
 * Where a notice stands after what holds now. undefined: there is none. What the authority was told and is right no more is corrected; what
 * it was told and still holds is not told again.
 */
export function next(before: Standing | undefined, now: Now): Standing | undefined {
  const { is, key } = now
  if (!before) {
    if (is !== 'notifiable' && is !== 'doubtful') return undefined
    return stood({ state: 'waiting', reason: null, key, said: null, isOpen: false }, now)
  }
  const { said, state } = before
  if (said === null) {
    if (before.key === key && (state === 'refused' || state === 'due' || before.reason === 'decided')) return before
    if (before.reason === 'decided')
      return is === 'not' || is === 'gone' ? { ...before, key } : waiting(before, now, 'changedSince')
    if (is === 'notifiable' || is === 'doubtful') return stood(before, now)
    const reason = is === 'not' ? 'corrected' : is === 'gone' ? 'withdrawn' : 'elsewhere'
    return { ...before, key, state: 'notTold', reason }
  }
  if (is === 'elsewhere' || before.key === key) return before
  // It is as the authority knows it again.
  if (said.key === key) return settled({ ...before, key })
  if (said.state === 'byHand') return waiting(before, now, 'changedSince')
  return is === 'doubtful' ? stood(before, now) : { ...before, key, state: 'due', reason: null }
}

const waiting = (before: Standing, { key }: Now, reason: Reason): Standing => ({
  ...before,
  key,
  state: 'waiting',
  reason,
})

function stood(before: Standing, now: Now): Standing {
  if (now.is === 'doubtful') return waiting(before, now, now.reason ?? 'unreadable')
  return { ...before, key: now.key, state: 'due', reason: null }
}

/** Where a notice stands about which nothing more is to be said, once its message is answered. */
function settled(row: Standing): Standing {
  return { ...row, state: row.isOpen ? 'due' : (row.said?.state ?? 'due'), reason: null }
}

/** Where a notice stands once its message is answered. `prior`: what the authority was told before it. */
export function answered(before: Standing, now: Now, outcome: Outcome, prior: Said | null): Standing {
  const { said } = before
  if (!said) return before
  const isOpen = false
  if (outcome !== 'refused') {
    const row: Standing = { ...before, isOpen, said: { ...said, state: outcome === 'accepted' ? 'accepted' : 'sent' } }
    return before.key === said.key ? settled(row) : row
  }
  if (before.key === said.key) return { ...before, isOpen, said: prior, state: 'refused', reason: 'refused' }
  const unsaid: Standing = { ...before, isOpen, said: prior, key: said.key, state: 'waiting', reason: null }
  return next(unsaid, now) ?? unsaid
}

/** The authorities that want a result of a place; one that is not known: none yet. */
export function authoritiesOf(authorities: readonly Authority[], place: Place): string[] {
  const found = authorities.filter((one) => one.isActive && isOfPlace(one, place)).map(({ id }) => id)
  return found.length > 0 ? found : ['']
}
