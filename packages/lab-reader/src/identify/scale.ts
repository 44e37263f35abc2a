import { convert, convertInterval } from '../facts/convert.ts'
import { holds, isMakersOwn, rangesFor } from '../facts/ranges.ts'
import { isPlausible } from '../facts/rules.ts'
import type { Biomarker, Interval, Sex } from '../facts/schema.ts'
import type { Observation } from '../parse/parsed.ts'

/** Both limits at least this far from the catalogue's, or a single one this far, are a sign of a wrong unit. */
const bothOff = 2.2
const oneOff = 20
/** Of what the body holds within narrow limits, such as potassium, one limit this far is none of it in any unit or assay. */
const oneOffOfNarrow = 3
const NARROW = 2
/** Where assays differ, both limits must be this far; single cut-offs of makers differ up to 30-fold. */
const bothOffOfMakers = 5

/** Biomarkers whose intervals differ between people. */
const isVariable = ({ flags }: Biomarker) => flags.includes('phase_dependent') || flags.includes('age_dependent')

/** Of each sex, where it is not known for which one the laboratory printed. */
const ownIntervals = (biomarker: Biomarker, sexes: readonly Sex[] = biomarker.sexes): Interval[] =>
  sexes.flatMap((sex) => rangesFor({ ...biomarker, flags: [] }, { sex }).inRange ?? [])

/** Whether a thousandfold value may be meant, too: the catalogue's interval holds neither of both, or there is none. */
export const mayBeThousands = (biomarker: Biomarker, small: number, large: number): boolean =>
  isPlausible(biomarker, large) &&
  !ownIntervals(biomarker).some(({ low, high }) => small >= (low ?? 0) && small <= (high ?? Infinity))

/** Whether a printed interval is so far from the catalogue's that the unit must be another. */
export function isOfOtherScale(biomarker: Biomarker, printed: Interval): boolean {
  if (isVariable(biomarker)) return false
  const intervals = ownIntervals(biomarker)
  const isOfMakers = isMakersOwn(biomarker)
  return intervals.length > 0 && intervals.every((interval) => isFarFrom(interval, printed, isOfMakers))
}

function isFarFrom(interval: Interval, printed: Interval, isOfMakers: boolean): boolean {
  const pairs = [
    [printed.low, interval.low],
    [printed.high, interval.high],
  ]
  const ratios = pairs.flatMap(([a, b]) => (a && b && a > 0 && b > 0 ? [a / b] : []))
  if (isOfMakers && ratios.length < 2) return false
  const isNarrow = interval.low && interval.high && interval.high / interval.low <= NARROW
  if (isNarrow && !isOfMakers && ratios.some((ratio) => ratio >= oneOffOfNarrow || ratio <= 1 / oneOffOfNarrow))
    return true
  const least = isOfMakers ? bothOffOfMakers : ratios.length === 2 ? bothOff : oneOff
  return ratios.length > 0 && (ratios.every((ratio) => ratio >= least) || ratios.every((ratio) => ratio <= 1 / least))
}

/** Intervals that laboratories print as well, of another maker than the catalogue's. */
const alsoPrinted: Readonly<Record<string, readonly Interval[]>> = {
  // Beckman Access, which Mayo Clinic Laboratories print as 180-914 ng/L, and laboratories in Britain as 180-900.
  vitamin_b12: [{ low: 180, high: 914 }],
}

/** The most by which both limits together may differ from the catalogue's, as a sum of logarithms: 19 % at each. */
const NEAR = 0.35
/** So much nearer must another unit be: by 28 % at each limit, and fourfold where a single one can be compared. */
const NEARER = { both: 0.5, single: 2 * Math.log(4) }

/**
 * In words, the unit in which a printed interval is the catalogue's, which it is not in its own: "7.4-9.6 g/dL" of hemoglobin, which
 * laboratories next door print in mmol/L.
 */
function unitOfRange(biomarker: Biomarker, printed: Interval, unit: string, sex: Sex | undefined): string | undefined {
  if (isVariable(biomarker) || isMakersOwn(biomarker)) return undefined
  const intervals = [...ownIntervals(biomarker, sex && [sex]), ...(alsoPrinted[biomarker.id] ?? [])]
  const between = (limit: number | null, own: number | null | undefined) =>
    limit && own ? [Math.abs(Math.log(limit / own))] : []
  const isSingle = intervals.every((own) => !(printed.low && own.low) || !(printed.high && own.high))
  const distanceIn = (one: string): number => {
    const { low, high } = convertInterval(biomarker, printed, one) ?? { low: null, high: null }
    const distances = intervals.flatMap((own) => {
      const [first, second = first] = [...between(low, own.low), ...between(high, own.high)]
      return first === undefined || second === undefined ? [] : first + second
    })
    return Math.min(...distances)
  }
  const own = distanceIn(unit)
  const meant = biomarker.conversions.find((other) => {
    const distance = distanceIn(other.unit)
    return distance <= NEAR && distance + (isSingle ? NEARER.single : NEARER.both) <= own
  })
  return own < Infinity && meant ? `the range is one in ${meant.unit}` : undefined
}

/** Times the nearest limit, which no value is that lies in the range once it is read in another unit of the biomarker. */
const FAR_BEYOND = 12

/**
 * In words, the unit that is meant where it is not the one that was sent: in which the printed interval is the catalogue's, or in which
 * a value lies between both limits, printed or else of the catalogue, that is far beyond them in its own: "95 mmol/L" of glucose.
 */
export function otherUnitOf(
  biomarker: Biomarker,
  sent: { value: number; unit: string; range?: Interval | undefined },
  value: number,
  sex: Sex | undefined,
): string | undefined {
  const printed = sent.range && convertInterval(biomarker, sent.range, sent.unit)
  const isOwn = printed === undefined && biomarker.molarMass !== undefined && !isVariable(biomarker)
  const intervals = printed ? [printed] : isOwn ? ownIntervals(biomarker) : []
  // Close to nothing there may be truly: only a printed range speaks against it.
  const isFar = ({ low, high }: Interval) =>
    low && high && (value >= high * FAR_BEYOND || (!isOwn && value <= low / FAR_BEYOND))
  if (intervals.length === 0 || !intervals.every(isFar))
    return sent.range && unitOfRange(biomarker, sent.range, sent.unit, sex)
  const units = [biomarker.unit, ...biomarker.conversions.map((one) => one.unit)]
  const meant = units.find((unit) => {
    const other = convert(biomarker, sent.value, unit)?.value
    return other !== undefined && intervals.some((one) => holds(one, other))
  })
  return meant && `in ${meant} the value would lie in the range`
}

/** Sums of logarithms over both limits: a range so far from the catalogue's is none of the test, one so near may be its own. */
const OF_ANOTHER = 2
const MAY_BE_OWN = 0.7

interface Row {
  observation: Observation
  biomarker: Biomarker | undefined
}

/** How far a range is from the catalogue's of a row's test, read in the unit of that row; infinite without two limits in both. */
function distanceFrom({ biomarker, observation }: Row, range: Interval): number {
  const printed = biomarker && convertInterval(biomarker, range, observation.unit ?? '')
  const own = biomarker ? ownIntervals(biomarker) : []
  const far = (one: number | null = null, other: number | null = null) =>
    one && other && one > 0 && other > 0 ? Math.abs(Math.log(one / other)) : Number.POSITIVE_INFINITY
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...own.map(({ low, high }) => far(printed?.low, low) + far(printed?.high, high)),
  )
}

/**
 * The observations whose range is that of the row above or below, and can be none of their own test, with that in words. Where two rows
 * have the range of the row on the same side, the ranges of the report slid, and each of them may be of another test.
 */
export function rangesOfNeighbours(rows: readonly Row[]): Map<Observation, string> {
  const found = rows.flatMap((row, at) =>
    [-1, 1].flatMap((side) => {
      const [{ range, rangeText = '' }, beside] = [row.observation, rows[at + side]]
      const flags = row.biomarker?.flags ?? []
      const own = range && !flags.includes('phase_dependent') ? distanceFrom(row, range) : Infinity
      const isOf = range && beside && own < Infinity && own >= OF_ANOTHER && distanceFrom(beside, range) <= MAY_BE_OWN
      return isOf ? [{ row, side, because: `it is that of ${beside.biomarker?.label} (${rangeText})` }] : []
    }),
  )
  const isSlid = [-1, 1].some((side) => found.filter((one) => one.side === side).length > 1)
  const slid = isSlid ? rows.filter(({ observation }) => observation.range) : []
  return new Map([
    ...slid.map(({ observation }) => [observation, 'the ranges of this report stand beside other rows'] as const),
    ...found.map(({ row, because }) => [row.observation, because] as const),
  ])
}
