import { limitsText } from '@kitlane/display/report-text'
import { type Converted, convert, convertInterval } from '@kitlane/lab-reader/facts/convert'
import { flagAgrees, flagMeaning, readFlag } from '@kitlane/lab-reader/facts/flag'
import { isMakersOwn, isMinor, type Person, rangesFor } from '@kitlane/lab-reader/facts/ranges'
import type { Reading } from '@kitlane/lab-reader/facts/reading'
import { decimalsOf, isPlausible, roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Ranges } from '@kitlane/lab-reader/facts/schema'
import type { NewNumber, NewResult } from '@kitlane/lab-reader/identify/result'
import { translatorOf } from '../../../domain/translations/translator.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { type BiomarkerEntry, isUsable } from '../schema.ts'
import type { DerivedResult } from './derive.ts'
import { besideValue, factsOf, fastingFact, type Raw, unjudgedEntry } from './facts.ts'
import { judgeFinding } from './finding.ts'
import type { Subject } from './formulas.ts'
import type { Sample } from './new-result.ts'
import { assessReading, type ReadingAssessment } from './score.ts'
import { specimenNote } from './specimen.ts'

const unitNote = 'The unit is unknown or cannot be converted for this biomarker; a person must look at it'
const implausibleNote = 'The value cannot be right in this unit; a person must look at it'
const noIntervalNote = 'No interval is known that judges this result'
const minorNote = 'The reference intervals here are for adults, and the person was under 18, so there is no verdict.'
const phaseNote = 'What is normal depends on the phase of the cycle, which is not known'
const otherSideNote = 'The interval has no limit on the side that matters for this biomarker'
const notFastingNote = 'The sample was not taken fasting, and the limits are those of fasting samples'
const pregnantNote = 'The laboratory says that the person is pregnant, and the limits here are not for that'
const assayNote = 'Assays of this differ between makers: only the interval of the laboratory that measured it judges it'
const censoredNote = 'The result only names a limit, so it may lie in several ranges'

/** Judges a number. One that cannot be converted or is implausible is kept raw, with a note and without a verdict. */
export function judgeNumber(biomarker: Biomarker, result: NewNumber, sample: Sample): BiomarkerEntry {
  const { value, unit, comparator } = result
  const labRange = (result.labRange && convertInterval(biomarker, result.labRange, unit)) ?? null
  const raw: Raw = {
    type: 'measured',
    rawResult: result.rawResult ?? `${comparator ?? ''}${value}`,
    rawValue: value,
    rawUnit: unit,
    labRange,
    ...besideValue(result),
    ...fastingFact(biomarker, result.fasting),
  }
  return judgeMeasured(biomarker, raw, value, comparator, sample)
}

/** Judges a result of either kind. */
export const judgeResult = (biomarker: Biomarker, result: NewResult, sample: Sample): BiomarkerEntry =>
  'finding' in result ? judgeFinding(biomarker, result, sample) : judgeNumber(biomarker, result, sample)

function judgeMeasured(
  biomarker: Biomarker,
  raw: Raw,
  value: number,
  comparator: Reading['comparator'],
  sample: Sample,
): BiomarkerEntry {
  const converted = convert(biomarker, value, raw.rawUnit)
  if (!converted) return unjudgedEntry(biomarker, raw, sample.subject, unitNote)
  if (!isPlausible(biomarker, converted.value)) return unjudgedEntry(biomarker, raw, sample.subject, implausibleNote)
  const ranges = rangesFor(...judgedBy(biomarker, raw, sample.subject))
  const known = ranges.source === 'lab' ? converted.value : onBound(biomarker, value, converted, ranges)
  const reading: Reading = { value: known, ...(comparator && { comparator }) }
  const isAsPrinted = converted.factor === 1 && converted.offset === 0
  return judgeReading(biomarker, raw, reading, sample, biomarker.decimals + (isAsPrinted ? 2 : 0))
}

/** A result with the errors of its sample that are known now, also with those of what it was computed from. */
export function applySampleErrors(
  { id }: Biomarker,
  entry: BiomarkerEntry,
  { labErrors }: Sample,
  inputs: readonly string[] = [],
): BiomarkerEntry {
  const specimen = [id, ...inputs].map((one) => specimenNote(labErrors, one)).find((note) => note !== undefined)
  if (!specimen || !isUsable(entry) || entry.note?.includes(specimen)) return entry
  return { ...entry, note: [specimen, entry.note].filter(Boolean).join(' ') }
}

/** Judges a value that was computed from others. */
export function judgeCalculated(
  biomarker: Biomarker,
  { value, unit }: DerivedResult,
  sample: Sample,
  beside: Pick<Raw, 'preliminary' | 'pregnant' | 'phases'>,
): BiomarkerEntry {
  const raw: Raw = {
    type: 'calculated',
    rawResult: '',
    rawUnit: unit,
    labRange: null,
    ...besideValue(beside),
  }
  const entry = judgeReading(biomarker, raw, { value }, sample, biomarker.decimals)
  return entry.result === null ? entry : { ...entry, rawResult: String(entry.result), rawValue: entry.result }
}

/**
 * A bound of the catalogue as it is printed in the laboratory's unit: HbA1c of 38 mmol/mol is 5.628 % and equals 5.6 %,
 * which is 37.7 mmol/mol. The coarsest power of ten that tells the biomarker's steps apart is taken for the unit's.
 */
function onBound(biomarker: Biomarker, given: number, { value, factor, offset }: Converted, ranges: Ranges): number {
  const decimals = Math.max(0, Math.round(biomarker.decimals + Math.log10(factor)))
  const isPrintedAs = (bound: number | null) => bound !== null && roundTo((bound - offset) / factor, decimals) === given
  const { inRange, optimal } = ranges
  return [inRange?.low, inRange?.high, optimal?.low, optimal?.high].find((bound) => isPrintedAs(bound ?? null)) ?? value
}

/** Judges a measured result again, for another age or sex. One that could not be used stays as it is. */
export function rejudgeResult(biomarker: Biomarker, entry: BiomarkerEntry, sample: Sample): BiomarkerEntry {
  const { type, result, comparator, rawResult, rawValue, rawUnit, labRange, fasting } = entry
  if (result === null || type === 'calculated') return entry
  const raw: Raw = {
    type,
    rawResult,
    rawUnit,
    labRange,
    ...(rawValue !== undefined && { rawValue }),
    ...besideValue(entry),
    ...(fasting && { fasting }),
  }
  if (rawValue !== undefined) return judgeMeasured(biomarker, raw, rawValue, comparator, sample)
  // Old versions stored only the value in the biomarker's own unit.
  return judgeReading(
    biomarker,
    raw,
    { value: result, ...(comparator && { comparator }) },
    sample,
    biomarker.decimals + 2,
  )
}

function judgeReading(
  biomarker: Biomarker,
  raw: Raw,
  reading: Reading,
  { subject, labErrors }: Sample,
  decimals: number,
): BiomarkerEntry {
  const specimen = specimenNote(labErrors, biomarker.id)
  const [judging, person] = judgedBy(biomarker, raw, subject)
  const verdict = assessReading(judging, reading, person, raw.labFlag)
  const { state, interpretation, deviationScore } = verdict
  const shown = roundForDisplay(judging, reading, person, decimals)
  const isUnread = readFlag(raw.labFlag) === 'unreadable'
  const why = state === 'unknown' && !isUnread ? whyUnknown(biomarker, verdict, subject, raw) : undefined
  const notes = [specimen, flagNote(verdict, raw.labFlag, biomarker), why]
  return {
    ...factsOf(biomarker, raw),
    ...raw,
    labRange: shown.person.labRange ?? raw.labRange ?? null,
    result: shown.value,
    ...(reading.comparator && { comparator: reading.comparator }),
    ranges: rangesFor(judging, shown.person, decimalsOf(shown.value)),
    state,
    interpretation,
    deviationScore,
    ...noted(notes.filter((note) => note !== undefined).join(' ')),
  }
}

/**
 * By what a result is judged: limits of fasting hold for fasting samples alone, the catalogue's and the printed ones. The
 * catalogue's are for people who are not pregnant, and need a phase that nothing contradicts where they depend on it.
 */
function judgedBy(biomarker: Biomarker, raw: Raw, subject: Subject): [Biomarker, Person] {
  const { fasting, pregnant, phases: [phase] = [], labRange } = raw
  const isWrongSample = fasting === 'no' && biomarker.flags.includes('fasting_required')
  const person = { ...subject, ...(phase && { phase }), ...(!isWrongSample && { labRange: labRange ?? undefined }) }
  if (!isWrongSample && !pregnant && !phaseContradiction(biomarker, raw, subject)) return [biomarker, person]
  const { reference: _r, optimal: _o, ageBands: _a, phases: _p, tiers: _t, ...rest } = biomarker
  return [rest, person]
}

/** Why a stated phase is not to be relied on, of a value whose limits depend on it. */
function phaseContradiction({ phases }: Biomarker, { phases: statedPhases = [], pregnant }: Raw, { sex }: Subject) {
  const others = [pregnant && 'pregnant', sex === 'M' && 'male'].filter((one) => typeof one === 'string')
  if (!phases || statedPhases.length === 0 || statedPhases.length + others.length < 2) return undefined
  const t = translatorOf('en')
  const named = [...statedPhases.map((phase) => t(`phase.name.${phase}`)), ...others].join(', ')
  return `What is said of this sample contradicts itself, so no limits here judge it: ${named}`
}

/** Rounds value and printed interval as far as the verdict stays the same. */
function roundForDisplay(biomarker: Biomarker, reading: Reading, person: Person, decimals: number) {
  const { labRange } = person
  const round = (x: number | null, to: number) => (x === null ? null : roundTo(x, to))
  const wanted = assessReading(biomarker, reading, person)
  for (let to = decimals; to <= decimals + 6; to++) {
    const value = roundTo(reading.value, to)
    const rounded = labRange && { ...labRange, low: round(labRange.low, to), high: round(labRange.high, to) }
    const seen = assessReading(biomarker, { ...reading, value }, { ...person, labRange: rounded })
    const isSame =
      seen.state === wanted.state && seen.side === wanted.side && seen.ranges.source === wanted.ranges.source
    if (isSame && (value !== 0 || reading.value === 0)) return { value, person: { ...person, labRange: rounded } }
  }
  return { value: reading.value, person }
}

const noted = (note: string) => (note === '' ? {} : { note })

function whyUnknown(biomarker: Biomarker, { ranges, side }: ReadingAssessment, subject: Subject, raw: Raw): string {
  const { phases, flags } = biomarker
  const { fasting, pregnant } = raw
  if (fasting === 'no' && flags.includes('fasting_required')) return notFastingNote
  if (ranges.inRange) return side === '' ? censoredNote : otherSideNote
  if (isMinor(subject)) return minorNote
  const contradiction = phaseContradiction(biomarker, raw, subject)
  if (contradiction) return contradiction
  if (pregnant) return pregnantNote
  if (isMakersOwn({ flags })) return assayNote
  return phases ? phaseNote : noIntervalNote
}

const places = { N: 'inside', L: 'below', H: 'above' } as const

/** The note for a flag that contradicts the interval; the flag counts. */
function flagNote({ side, ranges }: ReadingAssessment, labFlag: string | undefined, { displayUnit }: Biomarker) {
  const flag = readFlag(labFlag)
  if (flag === undefined) return undefined
  if (flag === 'unreadable')
    return `The laboratory marked it "${labFlag}", which is not known here: a person must read it.`
  if (flagAgrees(flag, side)) return undefined
  const flagSentence = `The laboratory marked it as ${flagMeaning(flag)} (${labFlag}), and that counts`
  if (side === '' || !ranges.inRange) return `${flagSentence}: no interval here judges it.`
  const whose = ranges.source === 'lab' ? 'the interval that it printed' : 'the interval of this catalogue'
  return `${flagSentence}. By ${whose}, ${limitsText(ranges.inRange, displayUnit)}, it would be ${places[side]}.`
}
