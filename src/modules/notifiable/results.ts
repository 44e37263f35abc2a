import { convert, normaliseUnit } from '@kitlane/lab-reader/facts/convert'
import { findingOf } from '@kitlane/lab-reader/facts/findings'
import { normaliseName } from '@kitlane/lab-reader/facts/match'
import { isOtherSpecimen, specimensDiffer } from '@kitlane/lab-reader/facts/specimens'
import { infectionsIn } from '@kitlane/lab-reader/identify/infections'
import type { Biomarker } from '../catalogue/schema.ts'
import type { BiomarkerEntry } from '../reports/schema.ts'
import { holdsReport } from '../reports/unassessed/rules.ts'
import type { SealedUnassessed } from '../reports/unassessed/sealed-queries.ts'
import type { Authority, NotifiableRule, Reason } from './schema.ts'

/** A result; or one that could not be judged, by the name under which it came, with all that it may be. */
export type NoticeEntry = BiomarkerEntry & { unassessed?: string; mayBe?: string[]; isOneOfSeveral?: boolean } & {
  /** Why it could not be judged. */
  why?: string
  /** The report has an answer of this test that was judged. */
  isBeside?: boolean
}

const idsOf = ({ id, mayBe = [id] }: NoticeEntry): string[] => mayBe

/** Whether two results are of one test, but of samples that cannot be one. */
export const isOfOtherSpecimen = (one: NoticeEntry | null, other: NoticeEntry): boolean =>
  one?.id === other.id && isOtherSpecimen(one.sent?.specimen, other.sent?.specimen)

/** Whether two results are of one number of a sample, of which a laboratory says what can hardly be of one. */
export const isPerhapsOfOther = (one: NoticeEntry | null, other: NoticeEntry): boolean =>
  one?.id === other.id && specimensDiffer(one.sent?.specimen, other.sent?.specimen) === 'perhaps'

/** Whether two results are the same one, then and now. */
export const isSameResult = (one: NoticeEntry | null, other: NoticeEntry): boolean =>
  one?.id === other.id && one.unassessed === other.unassessed && !isOfOtherSpecimen(one, other)

/** Whether the one may be the other, of which only one could be judged. */
export const mayBecome = (one: NoticeEntry | null, other: NoticeEntry): boolean =>
  one !== null && idsOf(one).some((id) => idsOf(other).includes(id)) && !isOfOtherSpecimen(one, other)

/** What holds for one result now. `key`: the same again is nothing new. */
export interface Now {
  is: 'notifiable' | 'doubtful' | 'not' | 'gone' | 'elsewhere'
  key: string
  reason?: Reason
}

interface Place {
  country?: string | undefined
  state?: string | undefined
}

/** Of which places a rule or an authority is: in a country everywhere, where it names no states. */
type Served = Pick<NotifiableRule, 'country' | 'states'>

/** As the laboratory sent it: what the report shows is rounded. */
const keyOf = ({ finding, result, comparator, unit, rawValue, rawUnit, preliminary }: NoticeEntry): string =>
  JSON.stringify([finding ?? [comparator ?? '', rawValue ?? result, rawUnit ?? unit], preliminary ?? false])

type Above = Extract<NotifiableRule['answer'], { kind: 'above' }>

/** A result and the limit of a rule in one unit, that of the biomarker, unrounded; undefined: they cannot be compared. */
function comparable(
  { above, unit }: Above,
  { result, unit: own, rawValue, rawUnit = own }: BiomarkerEntry,
  biomarker: Biomarker | undefined,
): { value: number; limit: number } | undefined {
  const value = rawValue ?? result
  const from = rawValue === undefined ? own : rawUnit
  if (value === null) return undefined
  if (normaliseUnit(from) === normaliseUnit(unit)) return { value, limit: above }
  const [one, limit] = biomarker ? [convert(biomarker, value, from), convert(biomarker, above, unit)] : []
  return one && limit && { value: one.value, limit: limit.value }
}

type Find = (id: string) => Biomarker | undefined

/** Whether a result is one that a rule names. */
export function answerOf(
  rule: Pick<NotifiableRule, 'answer'>,
  entry: BiomarkerEntry,
  find: Find = () => undefined,
): 'yes' | 'no' | Reason {
  const { finding, result, comparator } = entry
  const { answer } = rule
  if (answer.kind === 'positive') {
    if (finding?.kind === 'text' || (!finding && result === null)) return 'unreadable'
    if (finding)
      return finding.value === 'negative' ? 'no' : finding.value === 'indeterminate' ? 'indeterminate' : 'yes'
    if (comparator?.startsWith('<')) return 'indeterminate'
    return (result ?? 0) > 0 ? 'yes' : 'no'
  }
  if (finding || result === null) return 'unreadable'
  const both = comparable(answer, entry, find(entry.id))
  if (!both) return 'unitOfRule'
  if (both.value > both.limit) return comparator?.startsWith('<') ? 'indeterminate' : 'yes'
  if (both.value === both.limit && comparator === '>') return 'yes'
  return comparator?.startsWith('>') ? 'indeterminate' : 'no'
}

/** Of several answers of one test, of several samples or of one, a report has one place. */
const several = ['otherSpecimen', 'otherSampleStands', 'differentValues']

/** Of tests that were not done there is no answer. */
const unanswered = ['notDone', 'cancelled']

/** What a result that could not be judged may be of those that rules name, as one, with its text as answer. Any that may be meant counts. */
export function unreadIn(
  rules: readonly Pick<NotifiableRule, 'condition' | 'biomarkers'>[],
  item: SealedUnassessed & { code: string },
  find: Find,
  /** Of its report. */
  entries?: readonly BiomarkerEntry[],
): NoticeEntry[] {
  const { key, name, value, loinc, suggestions, code, reason: why } = item
  const isNegative = findingOf({ kind: 'presence', expected: [] }, value)?.value === 'negative'
  if (unanswered.includes(code) || (isNegative && !holdsReport(item))) return []
  const words = normaliseName(name).split(' ')
  const named = infectionsIn(name, loinc)
  // What names its infection is of no other; what names none may be all that it resembles.
  const isOf = (text: string, otherwise: boolean) => {
    const infections = named.length > 0 ? infectionsIn(text) : []
    return infections.length > 0 ? infections.some((one) => named.includes(one)) : otherwise
  }
  const isCoded = (id: string) => {
    const { loinc: own, loincAlternates = [], loincWholeBlood = [] } = find(id) ?? {}
    return loinc !== null && [own, ...loincAlternates, ...loincWholeBlood].includes(loinc)
  }
  const mayBe = (id: string) =>
    isOf(`${id} ${find(id)?.label ?? ''}`, suggestions.includes(id) || words.includes(id.split('_')[0] ?? ''))
  const ids = rules.flatMap(({ condition, biomarkers }) => {
    const isNamed = isOf(condition, words.includes(normaliseName(condition).split(' ')[0] ?? ''))
    const one = biomarkers.find(isCoded) ?? biomarkers.find((id) => suggestions.includes(id) && mayBe(id))
    return one ?? biomarkers.find(mayBe) ?? (isNamed ? (biomarkers[0] ?? []) : [])
  })
  const [id] = ids
  if (id === undefined) return []
  const finding = { kind: 'text' as const, value }
  const of = { id, mayBe: [...new Set(ids)], rawResult: value, result: null, unit: '', displayUnit: '', finding }
  // Nothing else was sent of a test that was done in a specimen that it is not for.
  const isBeside = entries?.some((one) => ids.includes(one.id))
  const isAlone = code === 'otherSpecimen' && isBeside === false
  if (!several.includes(code) || isAlone) return [{ ...of, label: name, unassessed: key, why, isBeside } as NoticeEntry]
  const { status = '', specimen = '' } = item.sent ?? {}
  const sent = { name, status, codes: [], ...(specimen && { specimen: { source: specimen } }) }
  const label = specimen ? `${name}, ${specimen}` : name
  return [{ ...of, label, sent, unassessed: `${key} ${specimen}`, isOneOfSeveral: true } as object as NoticeEntry]
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
  activeSince?: string | undefined
}

/** What the rules say of the results of a report: of several rules for a result, the one that leaves the least time. */
export function foundIn(
  rules: readonly NotifiableRule[],
  entries: readonly NoticeEntry[],
  {
    place,
    doubt: ofSample,
    isOfKit,
    find,
  }: { place: Place; doubt?: Reason | undefined; isOfKit: boolean; find?: Find },
): Found[] {
  // Rules say of which country they are; which authority wants it depends on the state, which has to be known for that.
  const isPlaceKnown = Boolean(place.country && (place.country !== 'US' || place.state))
  return entries.flatMap((entry): Found[] => {
    const named = rules.filter(({ biomarkers }) => biomarkers.some((id) => idsOf(entry).includes(id)))
    const [first, ...others] = named
      .filter((rule) => mayBeOfPlace(rule, place))
      .map((rule) => ({ rule, answer: answerOf(rule, entry, find) }))
      .sort((a, b) => order(a.answer) - order(b.answer) || (a.rule.withinHours ?? 0) - (b.rule.withinHours ?? 0))
    const key = keyOf(entry)
    if (!first) {
      const [abroad] = named.filter((rule) => rule.country !== place.country && answerOf(rule, entry, find) === 'yes')
      const about = { entry, condition: abroad?.condition ?? '', withinHours: 0, key }
      return abroad ? [{ ...about, is: 'elsewhere', reason: 'abroad' }] : []
    }
    const { rule, answer } = first
    const all = entry.mayBe ? [...new Set([first, ...others].map((one) => one.rule.condition))] : [rule.condition]
    const { withinHours, activeSince } = rule
    const about = { entry, condition: all.join(', '), withinHours: withinHours ?? 0, activeSince, key }
    if (answer === 'no') return [{ ...about, is: 'not' }]
    const doubt =
      answer !== 'yes'
        ? entry.isOneOfSeveral
          ? 'severalAnswers'
          : answer
        : entry.preliminary
          ? 'preliminary'
          : (ofSample ??
            (!isOfKit
              ? 'notOfKit'
              : isPlaceKnown && [rule, ...others.map((one) => one.rule)].some((one) => isOfPlace(one, place))
                ? undefined
                : 'placeUnknown'))
    if (!doubt) return [{ ...about, is: 'notifiable' }]
    // A doubt of the sample is news where the authority was told.
    return [{ ...about, is: 'doubtful', reason: doubt, key: isOfSample(doubt) ? `${key}?` : key }]
  })
}

/** Whether it is doubtful that a result is right, whatever it says. */
export const isOfSample = (reason: Reason | undefined | null): boolean =>
  reason === 'sampleDoubted' || reason === 'sampleRejected'

const order = (answer: string): number => (answer === 'yes' ? 0 : answer === 'no' ? 2 : 1)

/** The rule by which something was told, as far as it is still known: what was told is corrected though it is off. */
export function ruleOf(
  { condition, withinHours, entry }: { condition: string; withinHours: number; entry: NoticeEntry | null },
  rules: readonly NotifiableRule[],
  country = 'US',
): NotifiableRule[] {
  if (!entry) return []
  const biomarkers = entry.mayBe ?? [entry.id]
  const then = rules.find((one) => one.condition === condition && one.biomarkers.includes(entry.id))
  const { answer = { kind: 'positive' } as const } = then ?? {}
  const rest = { id: '', source: '', isActive: true, changedDate: '', states: [] }
  return [{ ...rest, condition, withinHours, biomarkers, answer, country }]
}

/** The authorities that want a result of a place; one that is not known: none yet. */
export function authoritiesOf(authorities: readonly Authority[], place: Place): string[] {
  const found = authorities.filter((one) => one.isActive && isOfPlace(one, place)).map(({ id }) => id)
  return found.length > 0 ? found : ['']
}
