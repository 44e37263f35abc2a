import { convert, convertInterval, isDimensionless } from '../facts/convert.ts'
import { beyondCriticalLimit } from '../facts/critical-limits.ts'
import { suggestNames } from '../facts/guarded-match.ts'
import { isPlausible } from '../facts/rules.ts'
import type { Biomarker, Phase, Sex } from '../facts/schema.ts'
import type { Observation, ParsedReport } from '../parse/parsed.ts'
import { distinctPhases, isSelfMeasured } from '../parse/sample-words.ts'
import { isOrderOfAnother } from '../parse/specimen-words.ts'
import { isTakenBack, isUsable } from '../parse/status.ts'
import { biomarkerOf } from './biomarker.ts'
import { type Candidate, resolveDuplicates, type WithoutValue } from './duplicates.ts'
import { considerFinding, titreIn } from './finding.ts'
import { type Conversion, conversionOf, type IdentifiedResult, resultOf } from './identified.ts'
import { noteAgainst, type Passed, withRemark } from './note.ts'
import { contradictedBySignal, contradictedByTriglycerides, spoiltTogether, withPartOfVitaminD } from './other-rows.ts'
import type { Reason, Refused } from './reasons.ts'
import { phasesOf, type Statement, sampleStatement } from './sample-facts.ts'
import { isOfOtherScale, mayBeThousands, otherUnitOf, rangesOfNeighbours } from './scale.ts'
import { asOtherShare, isDifferentialOfShares, isRangeOfShares } from './shares.ts'
import { siblingOf } from './siblings.ts'
import { sameUnit, unitBecause, unitElsewhere, unitReason } from './unit.ts'
import { type Unmatched, unmatchedAs } from './unmatched.ts'

export interface Identified {
  results: IdentifiedResult[]
  unmatched: Unmatched[]
  converted: Conversion[]
}

/**
 * The biomarker of each observation, or why it has none. An observation is a result only if name, code, unit, plausible
 * values and the printed range agree. Values stay as printed, in their own unit: the report converts them. A biomarker
 * has at most one result.
 */
export function identifyObservations(
  observations: readonly Observation[],
  catalogue: readonly Biomarker[],
  subject: { sex?: Sex; passed?: Passed } = {},
): Identified {
  const identifying = startIdentifying(catalogue, subject)
  for (const observation of observations) identifying.add(observation)
  return identifying.end()
}

export type IdentifiedReport = ParsedReport & Identified

/** A report with the results in it, and what has to wait. */
export const identifyReport = (report: ParsedReport, catalogue: readonly Biomarker[]): IdentifiedReport => ({
  ...report,
  ...identifyObservations(report.observations, catalogue, { sex: report.patient?.sex }),
})

/**
 * Identifies one observation after the other; `end` decides what stands of those that are of one biomarker. `passed` is asked
 * where nothing but a remark that is not known keeps an observation from being a result.
 */
export function startIdentifying(
  catalogue: readonly Biomarker[],
  { passed = () => false, ...subject }: { sex?: Sex; passed?: Passed },
) {
  const unmatched: Unmatched[] = []
  const candidates: Candidate[] = []
  /** What nothing but a remark that is not known keeps from being one: "repeat" may mean that it counts, and not the other. */
  const held: Candidate[] = []
  const told: Statement = {}
  const phases: Phase[] = []
  const withoutValue: WithoutValue[] = []
  const implausible = new Set<string>()
  const places = new Map<Observation, number>()
  const suggest = suggester(catalogue)
  const leave = (observation: Observation, { reason, ...about }: Refused) => {
    unmatched.push(unmatchedAs(observation, reason, { ...about, catalogue }))
  }
  const rows: { observation: Observation; biomarker: Biomarker | undefined }[] = []
  /** What is no result anyway, below a remark that is not known. */
  const below: { observation: Observation; refused: Refused }[] = []
  return {
    add(observation: Observation): void {
      const statement = sampleStatement(observation)
      if (isUsable(observation.status)) phases.push(...phasesOf(observation))
      if (statement) {
        if (isUsable(observation.status)) tell(told, statement)
        leave(observation, { reason: 'sampleFact', suggestions: [] })
        return
      }
      places.set(observation, places.size)
      const considered = considerObservation(observation, catalogue, subject, suggest)
      if ('reason' in considered && speaksOfValue(observation, considered.reason)) {
        const named = biomarkerOf(catalogue, observation, () => [])
        if ('biomarker' in named) withoutValue.push({ biomarkerId: named.biomarker.id, observation })
      }
      if ('reason' in considered && considered.reason === 'implausible')
        for (const id of considered.suggestions) implausible.add(id)
      const id = 'reason' in considered && ofRange.has(considered.reason) ? considered.suggestions[0] : undefined
      rows.push({
        observation,
        biomarker: 'biomarker' in considered ? considered.biomarker : catalogue.find((one) => one.id === id),
      })
      const decided = 'reason' in considered ? considered : withRemark(considered, passed)
      if (!('reason' in considered) && 'reason' in decided) held.push(considered)
      if (!('reason' in decided)) candidates.push(decided)
      else if ('reason' in considered && isHeldBack(observation)) below.push({ observation, refused: considered })
      else leave(observation, decided)
    },
    end(): Identified {
      const isShare = isDifferentialOfShares(candidates)
      for (const { observation, biomarker } of candidates.filter(isShare))
        leave(observation, {
          reason: 'implausible',
          suggestions: [biomarker.id],
          because: 'together the cells are 1 % and not 100 %',
        })
      const bySignal = contradictedBySignal(candidates, [...places.keys()], catalogue)
      const byFormula = contradictedByTriglycerides(candidates, held)
      for (const [{ observation, biomarker }, because] of bySignal)
        leave(observation, { reason: 'noteContradictsValue', suggestions: [biomarker.id], because })
      for (const [{ observation, biomarker }, because] of byFormula)
        leave(observation, { reason: 'contradicted', suggestions: [biomarker.id], because })
      const spoilt = spoiltTogether(candidates, held, implausible)
      for (const [{ observation, biomarker }, because] of spoilt)
        leave(observation, { reason: 'implausible', suggestions: [biomarker.id], because })
      const isLeft = (one: Candidate) => isShare(one) || [bySignal, byFormula, spoilt].some((left) => left.has(one))
      const byRange = rangesOfNeighbours(rows)
      const ofOtherRange = candidates.filter((one) => byRange.has(one.observation) && !isLeft(one))
      for (const { observation, biomarker } of ofOtherRange) {
        withoutValue.push({ biomarkerId: biomarker.id, observation })
        const because = byRange.get(observation)
        leave(observation, { reason: 'otherRange', suggestions: [biomarker.id], because })
      }
      const clear = candidates.filter((one) => !isLeft(one) && !ofOtherRange.includes(one))
      const certain = withPartOfVitaminD(clear, places.keys(), catalogue)
      const { kept: alone, left } = resolveDuplicates(certain, withoutValue, places)
      const besideHeld = held.length === 0 ? [] : resolveDuplicates([...certain, ...held], withoutValue, places).left
      const rivals = new Set(besideHeld.map(({ candidate }) => candidate.observation))
      const kept = alone.filter((one) => !rivals.has(one.observation))
      const contested = alone.filter((one) => rivals.has(one.observation))
      const differing = contested.map((candidate) => ({ candidate, reason: 'differentValues' as const }))
      for (const { candidate, reason } of [...left, ...differing])
        leave(candidate.observation, { reason, suggestions: [candidate.biomarker.id] })
      const read = new Set(candidates.flatMap(({ observation }) => observation.unknownRemarks ?? []))
      for (const { observation, refused } of below) {
        const because = observation.unknownRemarks?.find((one) => !read.has(one))
        leave(observation, because === undefined ? refused : { reason: 'unknownRemark', suggestions: [], because })
      }
      return {
        results: kept.map((one) => resultOf(one, { ...told, phases: distinctPhases(phases) })),
        unmatched,
        converted: kept.flatMap(conversionOf),
      }
    },
  }
}

/** Of another sample, person or day than a value that it would replace, or of no known test. */
const ofElse = new Set<Reason>(['notOwn', 'otherSite', 'superseded', 'earlierOrGoal', 'otherPart', 'unknownName'])
const speaksOfValue = (observation: Observation, reason: Reason) =>
  isTakenBack(observation) || (isUsable(observation.status) && !ofElse.has(reason))

/** Of a test that is known, beside a range that is not its own. */
const ofRange = new Set<Reason>(['otherScale', 'otherRange', 'flagContradictsRange'])

/** Whether a remark that is not known speaks of what could otherwise be of a report. */
const isHeldBack = ({ status, doubt, unknownRemarks = [] }: Observation) =>
  isUsable(status) && !doubt && unknownRemarks.length > 0

/** A suggestion compares a name with all of the catalogue, which takes about 0.5 ms. */
const maxSuggested = 100

function suggester(catalogue: readonly Biomarker[]): (name: string) => string[] {
  const known = new Map<string, string[]>()
  return (name) => {
    const found = known.get(name) ?? (known.size < maxSuggested ? suggestNames(catalogue, name) : [])
    if (known.size < maxSuggested) known.set(name, found)
    return found
  }
}

const noValue: Partial<Record<Observation['status'], Reason>> = {
  pending: 'pending',
  cancelled: 'cancelled',
  'not-done': 'notDone',
  'entered-in-error': 'withdrawn',
}

function considerObservation(
  observation: Observation,
  catalogue: readonly Biomarker[],
  subject: { sex?: Sex },
  suggest: (name: string) => string[],
): Candidate | Refused {
  const { status, doubt, section = '' } = observation
  const withdrawn = noValue[status]
  if (withdrawn) return { reason: withdrawn, suggestions: [] }
  if (doubt) return { reason: doubt, suggestions: [] }
  if (isOrderOfAnother(section)) return { reason: 'notOwn', suggestions: [], because: section }
  if (isSelfMeasured(section))
    return { reason: 'contradicted', suggestions: [], because: `not measured by the laboratory: ${section}` }
  const against = noteAgainst(observation)
  if (against) return against
  const isText = observation.value === undefined
  const named = biomarkerOf(catalogue, observation, isText ? () => [] : suggest)
  const { scale } = 'biomarker' in named ? named.biomarker : {}
  if (isText && !scale) return { reason: 'notANumber', suggestions: [] }
  if ('reason' in named) return named
  if (scale && scale.kind !== 'titre') return considerFinding(observation, named)
  const isUnusual = subject.sex !== undefined && !named.biomarker.sexes.includes(subject.sex)
  const why = [named.why, ...(isUnusual ? ['The test is not meant for this sex'] : [])]
  return considerNumber(scale ? titreIn(observation) : observation, { ...named, why, sex: subject.sex })
}

function considerNumber(
  observation: Observation,
  { biomarker, why, sex }: { biomarker: Biomarker; why: string[]; sex: Sex | undefined },
): Candidate | Refused {
  const { value } = observation
  const unit = sameUnit(biomarker, observation.unit ?? '')
  const refuse = (reason: Reason): Refused => ({ reason, suggestions: [biomarker.id] })
  if (value === undefined) return refuse('unknownWord')
  if (unit === '' && !isDimensionless(biomarker.unit)) return refuse('noUnit')
  const converted = convert(biomarker, value, unit)
  if (!converted) return { ...refuse(unitReason(biomarker)), because: unitBecause(biomarker, unit) }
  if (!isPlausible(biomarker, converted.value, observation.specimen) || (observation.comparator === '<' && value <= 0))
    return { ...refuse('implausible'), because: asOtherShare(biomarker, converted.value) }
  if (isRangeOfShares(biomarker, observation)) return refuse('otherScale')
  const printed = observation.range && convertInterval(biomarker, observation.range, unit)
  const sibling = printed && siblingOf(biomarker, printed)
  if (sibling)
    return {
      ...refuse('otherRange'),
      because: `${sibling}, where the name is that of ${biomarker.label} (${observation.rangeText ?? ''})`,
    }
  if (printed && isOfOtherScale(biomarker, printed)) return refuse('otherScale')
  const strange =
    otherUnitOf(biomarker, { ...observation, value, unit }, converted.value, sex) ??
    unitElsewhere(biomarker, observation, unit)
  if (strange) return { ...refuse('otherScale'), because: strange }
  const beyond = beyondCriticalLimit(biomarker, { ...observation, value: converted.value }, {})?.flag
  if (contradicts(observation, beyond)) return refuse('flagContradictsRange')
  const large = observation.asThousands === undefined ? undefined : convert(biomarker, observation.asThousands, unit)
  if (large && mayBeThousands(biomarker, converted.value, large.value)) return refuse('uncertainNumber')
  return { observation, biomarker, unit, converted, why }
}

/** "High" below the upper limit, "normal" beyond a limit, "low" where high values are critical: the flag, range or value is of another row or column. */
function contradicts({ value, range, flag = '', comparator }: Observation, beyond?: 'LL' | 'HH'): boolean {
  if ((beyond === 'HH' && /^LL?$/.test(flag)) || (beyond === 'LL' && /^HH?$/.test(flag))) return true
  if (value === undefined || !range) return false
  const { low, high } = range
  if (comparator) {
    // "<1.0" is nowhere above 5, and ">100" nowhere below 5.
    const [isBelow, isAbove] = [comparator.startsWith('<'), comparator.startsWith('>')]
    const [most, least] = [high ?? low, low ?? high]
    if (/^HH?$/.test(flag)) return isBelow && most !== null && value <= most
    if (/^LL?$/.test(flag)) return isAbove && least !== null && value >= least
    return flag === 'N' && ((isBelow && low !== null && value < low) || (isAbove && high !== null && value > high))
  }
  if (flag === 'N') return (range.low !== null && value < range.low) || (range.high !== null && value > range.high)
  const [bottom, top] = [low ?? Number.NaN, high ?? Number.NaN]
  if (/^HH?$/.test(flag)) return value < top || value < bottom
  return /^LL?$/.test(flag) && (value > bottom || value > top)
}

function tell(told: Statement, { fasting, pregnant }: Statement): void {
  if (told.fasting !== false && fasting !== undefined) told.fasting = fasting
  if (told.pregnant !== true && pregnant !== undefined) told.pregnant = pregnant
}
