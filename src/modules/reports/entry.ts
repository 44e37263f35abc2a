import { convert, convertInterval } from '../catalogue/convert.ts'
import { rangesFor } from '../catalogue/ranges.ts'
import { isPlausible } from '../catalogue/rules.ts'
import { type Biomarker, categoryLabels, type Interval, type Ranges } from '../catalogue/schema.ts'
import type { DerivedResult } from './derive.ts'
import type { Subject } from './formulas.ts'
import type { Reading } from './reading.ts'
import type { BiomarkerEntry } from './schema.ts'
import { assess } from './score.ts'
import { specimenNote } from './specimen.ts'

/** One result as a laboratory, a file or the sandbox gave it. */
export interface NewResult {
  /** Catalogue id. */
  biomarkerId: string
  value: number
  unit: string
  comparator?: Reading['comparator']
  /** The printed text; else it is made of comparator and value. */
  rawResult?: string
  /** In `unit`. */
  labRange?: Interval
  /** HL7 table 0078. */
  labFlag?: string
}

export interface Sample {
  subject: Subject
  labErrors: readonly string[]
}

type Raw = Pick<BiomarkerEntry, 'type' | 'rawResult' | 'rawValue' | 'rawUnit' | 'labRange' | 'labFlag'>

const unitNote = 'The unit is unknown or cannot be converted for this biomarker; a person must look at it'
const implausibleNote = 'The value cannot be right in this unit; a person must look at it'
const noIntervalNote = 'No interval is known that judges this result'
const phaseNote = 'What is normal depends on the phase of the cycle, which is not known'
const censoredNote = 'The result only names a limit, so it may lie in several ranges'

/** What a report says about a result. What cannot be converted or be true is kept raw, with a note and no verdict. */
export function entryOf(biomarker: Biomarker, result: NewResult, sample: Sample): BiomarkerEntry {
  const { value, unit, comparator, labFlag } = result
  const raw: Raw = {
    type: 'measured',
    rawResult: result.rawResult ?? `${comparator ?? ''}${value}`,
    rawValue: value,
    rawUnit: unit,
    labRange: (result.labRange && convertInterval(biomarker, result.labRange, unit)) ?? null,
    ...(labFlag && { labFlag }),
  }
  const converted = convert(biomarker, value, unit)
  if (!converted) return unknown(biomarker, raw, sample.subject, unitNote)
  if (!isPlausible(biomarker, converted.value)) return unknown(biomarker, raw, sample.subject, implausibleNote)
  const reading: Reading = { value: converted.value, ...(comparator && { comparator }) }
  return judged(biomarker, raw, reading, sample, labFlag)
}

/** The same for a value that was computed from others. */
export function calculatedEntry(biomarker: Biomarker, { value, unit }: DerivedResult, sample: Sample): BiomarkerEntry {
  const raw: Raw = { type: 'calculated', rawResult: String(value), rawValue: value, rawUnit: unit, labRange: null }
  return judged(biomarker, raw, { value }, sample)
}

/** A measured result judged anew, for another age or sex. What could not be used stays as it is. */
export function rejudgedEntry(biomarker: Biomarker, entry: BiomarkerEntry, sample: Sample): BiomarkerEntry {
  const { type, result, comparator, interpretation, labFlag = interpretation } = entry
  if (result === null || type === 'calculated') return entry
  const { rawResult, rawValue, rawUnit, labRange } = entry
  const raw: Raw = { type, rawResult, rawUnit, labRange, ...(rawValue !== undefined && { rawValue }) }
  const flag = entry.labFlag === undefined ? raw : { ...raw, labFlag: entry.labFlag }
  return judged(biomarker, flag, { value: result, ...(comparator && { comparator }) }, sample, labFlag)
}

function judged(
  biomarker: Biomarker,
  raw: Raw,
  reading: Reading,
  { subject, labErrors }: Sample,
  labFlag?: string,
): BiomarkerEntry {
  const specimen = specimenNote(labErrors, biomarker.id)
  if (specimen?.suppressed) {
    const { rawValue: _, ...hidden } = raw
    return unknown(biomarker, { ...hidden, rawResult: '' }, subject, specimen.note)
  }
  const person = { ...subject, labRange: raw.labRange ?? undefined }
  const { ranges, state, interpretation, deviationScore } = assess(biomarker, reading, person, labFlag)
  return {
    ...facts(biomarker),
    ...raw,
    result: reading.value,
    ...(reading.comparator && { comparator: reading.comparator }),
    ranges,
    state,
    interpretation,
    deviationScore,
    ...noted(specimen?.note ?? (state === 'unknown' ? whyUnknown(biomarker, ranges) : undefined)),
  }
}

const noted = (note: string | undefined) => (note === undefined ? {} : { note })

function whyUnknown({ phases }: Biomarker, { inRange }: Ranges): string {
  if (inRange) return censoredNote
  return phases ? phaseNote : noIntervalNote
}

function unknown(biomarker: Biomarker, raw: Raw, subject: Subject, note: string): BiomarkerEntry {
  const ranges = rangesFor(biomarker, subject)
  const verdict = { state: 'unknown', interpretation: '', deviationScore: null } as const
  return { ...facts(biomarker), ...raw, result: null, ranges, ...verdict, conversionEnabled: false, note }
}

function facts(biomarker: Biomarker) {
  const { id, loinc, label, shortLabel, simpleLabel, unit, displayUnit, direction } = biomarker
  // A unit that only holds below some value is for reading results, not for showing them.
  const shown = biomarker.conversions.filter(({ below }) => below === undefined)
  const inverse = (x: number) => Number(x.toPrecision(10))
  const commonAlternativeUnits = shown.map(({ unit, factor, offset = 0 }) => ({
    unit,
    factor: inverse(1 / factor),
    offset: offset === 0 ? 0 : inverse(-offset / factor),
  }))
  return {
    id,
    ...(loinc && { loinc }),
    label,
    shortLabel,
    simpleLabel,
    category: { name: categoryLabels[biomarker.category], weight: 0 },
    unit,
    displayUnit,
    targetType: direction,
    commonAlternativeUnits,
    conversionEnabled: commonAlternativeUnits.length > 0,
  }
}
