import { isDeepStrictEqual } from 'node:util'
import { isMakersOwn, isMinor } from '@kitlane/lab-reader/facts/ranges'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Biomarker } from '../../catalogue/schema.ts'
import { markCritical } from '../critical/rules.ts'
import type { Contradiction, SaidFact } from '../said-schema.ts'
import type { AxisEntry, BiomarkerEntry } from '../schema.ts'
import { axes as axesOf, markerWeight, type ScoredMarker } from './axes.ts'
import { deriveResults } from './derive.ts'
import { applySampleErrors, judgeCalculated, judgeResult, rejudgeResult } from './entry.ts'
import type { Sample } from './new-result.ts'
import {
  type CountingFacts,
  contradicted,
  countingFacts,
  type SampleFacts,
  saidByLaboratory,
  withFacts,
} from './said.ts'
import { verdictInRanges } from './score.ts'

export interface JudgeInput extends Sample {
  catalogue: readonly Biomarker[]
  /** The panel that was ordered, in its order; empty without one. */
  panel: readonly string[]
  results: readonly NewResult[]
  /** Biomarkers whose earlier result is withdrawn. */
  withdrawn?: readonly string[]
  /** The version before; results that come again replace its results. */
  previous: readonly BiomarkerEntry[]
  /** What the person says of the sample. */
  said?: SampleFacts
}

export interface JudgedReport {
  /** The panel's markers in its order, then the others in the catalogue's. */
  entries: BiomarkerEntry[]
  axes: AxisEntry[]
  /** Markers of the panel that a laboratory must still measure. */
  missing: string[]
  /** What the laboratory and the person say differently, where a verdict hangs on it. */
  contradictions: Contradiction[]
}

interface Marker {
  biomarker: Biomarker
  entry: BiomarkerEntry
}

/** Judges all results of a report: converts them, computes derived values, compares with the ranges, and scores. */
export function judgeReport(input: JudgeInput): JudgedReport {
  const { catalogue, results, said = {} } = input
  const byId = new Map(catalogue.map((biomarker) => [biomarker.id, biomarker]))
  const unchanged = unchangedMarkers(byId, input)
  // A report is of one sample, whichever message says what of it.
  const laboratory = saidByLaboratory([...results, ...unchanged.map(({ entry }) => entry)])
  const judged = judgedWith(byId, unchanged, countingFacts(laboratory, said), input)
  const contradictions = contradicted(laboratory, said).flatMap((fact) => {
    const otherwise = judgedWith(byId, unchanged, countingFacts(laboratory, said, fact), input)
    const biomarkers = differing(judged.entries, otherwise.entries)
    return biomarkers.length > 0
      ? [{ fact, laboratory: textsOf(laboratory[fact]), person: textsOf(said[fact]), biomarkers }]
      : []
  })
  return { ...judged, contradictions }
}

const textsOf = (fact: SampleFacts[SaidFact]): string[] =>
  Array.isArray(fact) ? fact : fact === undefined ? [] : [fact ? 'yes' : 'no']

/** Biomarkers whose verdict differs. */
function differing(some: readonly BiomarkerEntry[], others: readonly BiomarkerEntry[]): string[] {
  const verdicts = (entries: readonly BiomarkerEntry[]) =>
    new Map(entries.map(({ id, result, state, interpretation }) => [id, `${result} ${state} ${interpretation}`]))
  const [one, other] = [verdicts(some), verdicts(others)]
  return [...new Set([...one.keys(), ...other.keys()])].filter((id) => one.get(id) !== other.get(id))
}

type Judged = Omit<JudgedReport, 'contradictions'>

function judgedWith(
  byId: ReadonlyMap<string, Biomarker>,
  unchanged: readonly Marker[],
  facts: CountingFacts,
  input: JudgeInput,
): Judged {
  const { catalogue, panel, results, subject } = input
  const given = results.flatMap((result) => {
    const biomarker = byId.get(result.biomarkerId)
    if (!biomarker) return []
    return [
      {
        biomarker,
        entry: judgeResult(
          biomarker,
          withFacts(biomarker, result, facts, (is) => is),
          input,
        ),
      },
    ]
  })
  const again = unchanged.map(({ biomarker, entry }) => {
    const unstated = biomarker.flags.includes('fasting_required') ? ('notStated' as const) : undefined
    const now = withFacts(biomarker, entry, facts, (is) => (is === undefined ? unstated : is ? 'yes' : 'no'))
    return { biomarker, entry: isDeepStrictEqual(now, entry) ? entry : rejudgeResult(biomarker, now, input) }
  })
  const measured = [...given, ...again]
  const markers = inOrder([...measured, ...calculatedMarkers(byId, measured, facts, input)], panel, catalogue)
  const expected = panel.flatMap((id) => byId.get(id) ?? [])
  const present = new Set(markers.map(({ biomarker }) => biomarker.id))
  const isMeant = ({ sexes }: Biomarker) => !subject.sex || sexes.includes(subject.sex)
  return {
    ...scoreMarkers(markers, expected, input),
    missing: expected.flatMap((one) => (one.derived || present.has(one.id) || !isMeant(one) ? [] : [one.id])),
  }
}

/**
 * Results of the version before that stay. A value that the laboratory computed does not stay if one of its inputs comes
 * again or is withdrawn.
 */
function unchangedMarkers(byId: ReadonlyMap<string, Biomarker>, input: JudgeInput): Marker[] {
  const { previous, results, withdrawn = [] } = input
  const changed = new Set([...results.map(({ biomarkerId }) => biomarkerId), ...withdrawn])
  const touched = (id: string): boolean => changed.has(id) || (byId.get(id)?.derived?.inputs.some(touched) ?? false)
  return previous.flatMap((entry) => {
    const biomarker = byId.get(entry.id)
    if (!biomarker || entry.type === 'calculated' || changed.has(entry.id)) return []
    const isStale = biomarker.derived?.measurable === false && touched(entry.id)
    return isStale ? [] : [{ biomarker, entry: applySampleErrors(biomarker, entry, input) }]
  })
}

/** Markers that the panel lacks and that can be computed. A censored result is no input. */
function calculatedMarkers(
  byId: ReadonlyMap<string, Biomarker>,
  measured: readonly Marker[],
  facts: CountingFacts,
  input: JudgeInput,
): Marker[] {
  const present = new Set(measured.map(({ biomarker }) => biomarker.id))
  const values = measured.flatMap(({ entry }) =>
    entry.result === null || entry.comparator ? [] : [[entry.id, entry.result] as const],
  )
  const statedFasting = measured.flatMap(({ entry: { fasting } }) => fasting ?? [])
  const fasting = statedFasting.includes('no')
    ? false
    : statedFasting.includes('yes')
      ? true
      : (facts.person.fasting ?? input.subject.fasting)
  const subject = { ...input.subject, ...(fasting !== undefined && { fasting }) }
  const pregnant = measured.some(({ entry }) => entry.pregnant) || undefined
  const phases = measured.find(({ entry }) => entry.phases)?.entry.phases
  const preliminary = new Set(measured.flatMap(({ entry }) => (entry.preliminary ? [entry.id] : [])))
  const said = new Map(measured.map(({ entry: { id, saidByPerson = [] } }) => [id, saidByPerson]))
  return deriveResults(input.catalogue, new Map(values), subject).flatMap((result) => {
    const biomarker = byId.get(result.biomarkerId)
    const isPreliminary = result.inputs.some((id) => preliminary.has(id))
    if (isPreliminary) preliminary.add(result.biomarkerId)
    if (!biomarker) return []
    const stated: Parameters<typeof withFacts>[1] = { pregnant, phases }
    const { saidByPerson: own = [], ...known } = withFacts(biomarker, stated, facts, () => undefined)
    const saidByPerson = [...new Set([...own, ...result.inputs.flatMap((id) => said.get(id) ?? [])])]
    said.set(biomarker.id, saidByPerson)
    if (!input.panel.includes(biomarker.id) || present.has(biomarker.id)) return []
    const calculated = judgeCalculated(biomarker, result, input, {
      preliminary: isPreliminary || undefined,
      ...known,
      ...(saidByPerson.length > 0 && { saidByPerson }),
    })
    const entry = applySampleErrors(biomarker, calculated, input, result.inputs)
    const same = biomarker.derived?.formula === 'eag' && measured.find((one) => one.entry.id === result.inputs[0])
    return [{ biomarker, entry: same ? expressing(entry, same.entry) : entry }]
  })
}

/** A value that only says another one otherwise has its verdict: separate limits would contradict it near theirs. */
function expressing(entry: BiomarkerEntry, { id, state, interpretation }: BiomarkerEntry): BiomarkerEntry {
  const { note: _, ...rest } = entry
  // What is critical is the value that was measured.
  const seen = ({ LL: 'L', HH: 'H', AA: 'A' } as const)[String(interpretation)] ?? interpretation
  const ranges = { optimal: null, good: [], fair: [], inRange: null, source: 'none' as const }
  return { ...rest, expresses: id, state, interpretation: seen, deviationScore: null, ranges }
}

function inOrder(markers: Marker[], panel: readonly string[], catalogue: readonly Biomarker[]): Marker[] {
  const order = new Map([...panel, ...catalogue.map(({ id }) => id)].reverse().map((id, index) => [id, -index]))
  return markers.toSorted((a, b) => (order.get(a.biomarker.id) ?? 0) - (order.get(b.biomarker.id) ?? 0))
}

function scoreMarkers(markers: readonly Marker[], expected: readonly Biomarker[], { subject }: JudgeInput) {
  // Only plain numbers have scores.
  const isScored = ({ scale }: Biomarker) => scale === undefined
  // An index of values whose assays differ has no interval unless its laboratory prints one: without it, it never counts.
  const isIndex = (one: Biomarker) => one.derived?.measurable === false && isMakersOwn(one)
  const isUnjudged = ({ biomarker, entry }: Marker) => isIndex(biomarker) && entry.ranges.source === 'none'
  const all: ScoredMarker[] = markers
    .filter((marker) => isScored(marker.biomarker) && !isUnjudged(marker))
    .map(({ biomarker, entry }) => ({
      biomarker,
      score: scoreEntry(biomarker, entry, subject),
      calculated: entry.type === 'calculated',
    }))
  const scoredIds = new Set(all.filter(({ score }) => score !== null).map(({ biomarker }) => biomarker.id))
  const weights = new Map(all.map((marker) => [marker.biomarker.id, markerWeight(marker, scoredIds)]))
  const entries = markers.map(({ biomarker, entry }) => ({
    ...markCritical(biomarker, entry, subject),
    rangesSigned: biomarker.rangesSigned === true || !reliesOnCatalogue(entry),
    category: { ...entry.category, weight: weights.get(entry.id) ?? 0 },
  }))
  const counted = expected.filter((one) => isScored(one) && !isIndex(one))
  return { entries, axes: axesOf(all, counted, subject.sex) }
}

/** Whether the catalogue has a part in the verdict, be it only where a result is optimal. */
const reliesOnCatalogue = ({ ranges, expected }: BiomarkerEntry): boolean =>
  !['lab', 'none'].includes(ranges.source) || ranges.optimal !== null || expected?.source === 'catalogue'

function scoreEntry(biomarker: Biomarker, entry: BiomarkerEntry, subject: Sample['subject']): number | null {
  const { result, comparator, ranges, labFlag } = entry
  if (result === null) return null
  const reading = { value: result, ...(comparator && { comparator }) }
  return verdictInRanges(biomarker, ranges, reading, { labFlag, isAdult: !isMinor(subject) }).score
}
