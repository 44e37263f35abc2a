import { limitsText } from '@kitlane/display/report-text'
import { Sentence, sentence } from '@kitlane/display/sentence'
import { type Converted, convert, convertInterval } from '@kitlane/lab-reader/facts/convert'
import { flagAgrees, flagMeaning, readFlag } from '@kitlane/lab-reader/facts/flag'
import { isMakersOwn, isMinor, type Person, rangesFor } from '@kitlane/lab-reader/facts/ranges'
import type { Reading } from '@kitlane/lab-reader/facts/reading'
import { decimalsOf, isPlausible, roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Ranges } from '@kitlane/lab-reader/facts/schema'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { type BiomarkerEntry, isUsable } from '../schema.ts'
import type { DerivedResult } from './derive.ts'
import { besideValue, factsOf, noted, type Raw, unjudgedEntry } from './facts.ts'
import { judgeFinding } from './finding.ts'
import type { Subject } from './formulas.ts'
import type { NewNumber, NewResult, Sample } from './new-result.ts'
import { assessReading, type ReadingAssessment } from './score.ts'
import { specimenNote } from './specimen.ts'

const unitNote = sentence('The unit is unknown or cannot be converted for this biomarker; a person must look at it')
const implausibleNote = sentence('The value cannot be right in this unit; a person must look at it')
const noIntervalNote = sentence('No interval is known that judges this result')
const minorNote = sentence(
  'The reference intervals here are for adults, and the person was under 18, so there is no verdict.',
)
const phaseNote = sentence('What is normal depends on the phase of the cycle, which is not known')
const otherSideNote = sentence('The interval has no limit on the side that matters for this biomarker')
const notFastingNote = sentence('The sample was not taken fasting, and the limits are those of fasting samples')
const pregnantNote = sentence('The laboratory says that the person is pregnant, and the limits here are not for that')
const saidPregnantNote = sentence('The person says that they are pregnant, and the limits here are not for that')
const assayNote = sentence(
  'Assays of this differ between makers: only the interval of the laboratory that measured it judges it',
)
const censoredNote = sentence('The result only names a limit, so it may lie in several ranges')

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
  if (!specimen || !isUsable(entry) || entry.note?.includes(String(specimen))) return entry
  return { ...entry, ...noted(specimen, entry.note ? stored(entry.note, entry.noteKept) : undefined) }
}

/** Judges a value that was computed from others. */
export function judgeCalculated(
  biomarker: Biomarker,
  { value, unit }: DerivedResult,
  sample: Sample,
  beside: Pick<Raw, 'preliminary' | 'pregnant' | 'phases' | 'saidByPerson'>,
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
    ...noted(specimen, flagNote(verdict, raw.labFlag, biomarker), why),
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
  const [first, ...more] = [...statedPhases, ...others].map((fact) =>
    sentence(
      '{fact, select, follicular {follicular phase} ovulation {ovulation} luteal {luteal phase} postmenopausal {after menopause} pregnant {pregnant} other {male}}',
      { fact },
    ),
  )
  const facts = first && more.reduce((before, then) => sentence('{before}, {then}', { before, then }), first)
  return sentence('What is said of this sample contradicts itself, so no limits here judge it: {facts}', {
    facts: facts ?? '',
  })
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

/** What is known of fasting: for biomarkers with fasting limits, also that it is not stated. */
function fastingFact(biomarker: Biomarker, fasting: boolean | undefined): Pick<Raw, 'fasting'> {
  if (fasting !== undefined) return { fasting: fasting ? 'yes' : 'no' }
  return biomarker.flags.includes('fasting_required') ? { fasting: 'notStated' } : {}
}

function whyUnknown(biomarker: Biomarker, { ranges, side }: ReadingAssessment, subject: Subject, raw: Raw): Sentence {
  const { phases, flags } = biomarker
  const { fasting, pregnant } = raw
  if (fasting === 'no' && flags.includes('fasting_required')) return notFastingNote
  if (ranges.inRange) return side === '' ? censoredNote : otherSideNote
  if (isMinor(subject)) return minorNote
  const contradiction = phaseContradiction(biomarker, raw, subject)
  if (contradiction) return contradiction
  if (pregnant) return raw.saidByPerson?.includes('pregnant') ? saidPregnantNote : pregnantNote
  if (isMakersOwn({ flags })) return assayNote
  return phases ? phaseNote : noIntervalNote
}

/** The note for a flag that contradicts the interval; the flag counts. */
function flagNote({ side, ranges }: ReadingAssessment, labFlag = '', { displayUnit }: Biomarker): Sentence | undefined {
  const read = readFlag(labFlag)
  if (read === undefined) return undefined
  if (read === 'unreadable') {
    return sentence('The laboratory marked it "{flag}", which is not known here: a person must read it.', {
      flag: labFlag,
    })
  }
  if (flagAgrees(read, side)) return undefined
  const flag = { meaning: new Sentence(flagMeaning(read)), flag: labFlag }
  if (side === '' || !ranges.inRange) {
    return sentence(
      'The laboratory marked it as {meaning} ({flag}), and that counts: no interval here judges it.',
      flag,
    )
  }
  return sentence(
    'The laboratory marked it as {meaning} ({flag}), and that counts. By {whose, select, lab {the interval that it printed} other {the interval of this catalogue}}, {limits}, it would be {place, select, N {inside} L {below} other {above}}.',
    { ...flag, whose: ranges.source, limits: limitsText(ranges.inRange, displayUnit), place: side },
  )
}
