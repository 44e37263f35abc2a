import { convert } from '@kitlane/lab-reader/facts/convert'
import { holds, rangesFor } from '@kitlane/lab-reader/facts/ranges'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { biomarkerOf } from '@kitlane/lab-reader/identify/biomarker'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import type { FoundRow } from '@kitlane/lab-reader/parse/ocr/recognised'
import type { Bounds, Observation, ParsedFile } from '@kitlane/lab-reader/parse/parsed'
import type { Findings } from './queries.ts'
import type { Candidate } from './schema.ts'

/** Below it a line was hard to read. */
const leastConfidence = 70
/** So far outside a range, a lost or added digit is likelier than the value. */
const farOutside = 3
const farFromUsual = 5

/** What a person sees of a file that was parsed. */
export function findingsOf(
  { reports, notes }: Pick<ParsedFile, 'reports' | 'notes'>,
  catalogue: readonly Biomarker[],
): Findings {
  const observations = reports.flatMap((report) => report.observations)
  const [{ patient, collectedDate, resultedDate } = {}] = reports
  return {
    pages: 0,
    head: { patient, collectedDate, resultedDate },
    lines: observations.map(({ raw }) => ({ page: 1, text: raw })),
    candidates: candidatesOf(
      observations.map((observation) => ({ observation, isLoose: false })),
      catalogue,
    ),
    ...(notes.length > 0 && { note: notes.join('. ') }),
  }
}

/**
 * Suggestions for a person of what the rows of a file are. Each names every sign that its value was misread: a lost
 * decimal point has a high confidence, and may leave a plausible value.
 */
export function candidatesOf(rows: readonly FoundRow[], catalogue: readonly Biomarker[]): Candidate[] {
  const found = rows.flatMap((row) => {
    const named = biomarkerOf(catalogue, row.observation, () => [])
    const biomarker = 'biomarker' in named ? named.biomarker : undefined
    const [unmatched] = identifyObservations([row.observation], catalogue).unmatched
    const isKnown = biomarker !== undefined || (unmatched?.suggestions.length ?? 0) > 0
    return row.isLoose && !isKnown ? [] : [{ row, biomarker, unmatched }]
  })
  const values = Map.groupBy(found, ({ biomarker }) => biomarker?.id)
  return found.map(({ row, biomarker, unmatched }, index) => {
    const { observation, confidence, crop } = row
    const { name, raw, valueText, unit = '', range, rangeText, flag } = observation
    const same = (biomarker && values.get(biomarker.id)) ?? []
    const isTwice = same.some((other) => other.row.observation.value !== observation.value)
    const problems = [
      unmatched?.reason,
      row.secondReading === undefined ? undefined : twice(observation, row.secondReading),
      ...(observation.value === undefined ? [] : doubtsOf(row, biomarker)),
      isTwice ? 'Another line gives a different value for it' : undefined,
      confidence !== undefined && confidence < leastConfidence ? 'It is hard to read' : undefined,
    ].filter((problem) => problem !== undefined)
    return {
      row: index + 1,
      raw,
      name,
      ...(biomarker && { biomarker: biomarker.id }),
      suggestions: biomarker ? [] : (unmatched?.suggestions ?? []),
      value: valueText,
      unit,
      ...(range && { range }),
      ...(rangeText && { rangeText }),
      ...(flag && { flag }),
      ...(confidence !== undefined && { confidence }),
      ...(crop && { crop }),
      ...(problems.length > 0 && { problem: `${problems.join('. ')}.` }),
    }
  })
}

function doubtsOf({ observation, confidence }: FoundRow, biomarker: Biomarker | undefined) {
  const wasRecognised = confidence !== undefined
  return [
    ...(observation.range ? [decimals(observation), flagged(observation, observation.range)] : []),
    observation.range && outOfScale(observation, observation.range),
    wasRecognised && !observation.range ? 'No printed range was read that it could be checked against' : undefined,
    biomarker && unusual(observation, biomarker),
  ]
}

const digits = (text: string) =>
  text
    .replace(/\s/g, '')
    .replace(/≤/g, '<=')
    .replace(/≥/g, '>=')
    .replace(/[.,]+$/, '')

function twice({ valueText }: Observation, secondReading: string): string | undefined {
  const [first = ''] = valueText.split(' ')
  return digits(first) === digits(secondReading)
    ? undefined
    : `Read a second time it came out as "${secondReading.slice(0, 20)}"`
}

function decimals({ valueText, rangeText = '' }: Observation): string | undefined {
  const isLost = /\d\.\d/.test(rangeText) && !/\d\.\d/.test(valueText)
  return isLost ? 'Its range is printed with decimals and it is not: a decimal point may be lost' : undefined
}

const highFlag = /^(HH?|AA?)$/
const lowFlag = /^(LL?|AA?)$/

/** A flag that is missing or does not fit the range. `identifyObservations` finds direct contradictions. */
function flagged({ value = 0, flag = '', comparator }: Observation, range: Bounds): string | undefined {
  const isOutside = !holds(range, value)
  const isHigh = isOutside && range.high !== null && value >= range.high
  const isLow = isOutside && !isHigh
  if (isHigh && !highFlag.test(flag)) return 'It is above the printed range, but not flagged'
  if (isLow && !lowFlag.test(flag) && comparator !== '>') return 'It is below the printed range, but not flagged'
  const isInside = !isHigh && !isLow && !comparator
  return isInside && /^(HH?|LL?|AA?)$/.test(flag) ? 'It is flagged, but within the printed range' : undefined
}

function outOfScale({ value = 0 }: Observation, { low, high }: Bounds): string | undefined {
  const isFarAbove = high !== null && high > 0 && value > farOutside * high
  const isFarBelow = low !== null && low > 0 && value < low / farOutside
  return isFarAbove || isFarBelow
    ? `It is more than ${farOutside} times outside of its range: a decimal point or digit may be lost`
    : undefined
}

/** Compares with the nearest range of the catalogue: the printed range may have lost the same decimal point. */
function unusual({ value = 0, unit = '' }: Observation, biomarker: Biomarker): string | undefined {
  const converted = convert(biomarker, value, unit)
  const ranges = biomarker.sexes.flatMap((sex) => rangesFor(biomarker, { sex }).inRange ?? [])
  if (!converted || ranges.length === 0) return undefined
  const isFar = ranges.every(
    ({ low, high }) =>
      (high !== null && high > 0 && converted.value > farFromUsual * high) ||
      (low !== null && low > 0 && converted.value < low / farFromUsual),
  )
  return isFar ? 'It is far from what is usual' : undefined
}
