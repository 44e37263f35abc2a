import { holds, scoredLimits } from '@kitlane/lab-reader/facts/ranges'
import type { BiomarkerEntry } from '../../src/modules/reports/schema.ts'
import { flagCodes, type VerdictCase } from './verdict-cases.ts'

const meanings = new Map(flagCodes.map(([code, says]) => [code ?? '', says]))
const isGood = ({ state }: BiomarkerEntry) => state === 'good' || state === 'optimal'
const isCritical = (flag: string) => ['LL', 'HH', 'AA'].includes(flag)

const isFlagged = ({ labFlag = '' }: BiomarkerEntry) => meanings.get(labFlag) !== 'nothing'

/** Whether a flag says the same as the side of an interval. */
const agrees = (flag: string, side: string) =>
  flag === 'A' || flag === 'AA' ? side === 'L' || side === 'H' : side !== '' && flag[0] === side

/** What an entry says that its case, or another part of itself, does not allow. Each sentence names one kind. */
export function contradictionsOf(of: VerdictCase, entry: BiomarkerEntry): string[] {
  return [...ofVerdict(of, entry), ...ofParts(of, entry), ...ofWhatIsShown(of, entry)]
}

function ofVerdict({ given, sides, interval, subject }: VerdictCase, entry: BiomarkerEntry): string[] {
  const flag = meanings.get(given.labFlag ?? '') ?? 'unknown'
  const { interpretation, state, note = '' } = entry
  const found: string[] = []
  if (flag === 'unknown') {
    if (interpretation !== '' || state !== 'unknown') found.push('a flag that nobody knows has a verdict')
    return found
  }
  if (flag === 'nothing') {
    if (!sides.includes(interpretation as never)) found.push('the side is not that of the printed numbers')
    if (interval === 'none' && state !== 'unknown') found.push('nothing judges it, and it has a state')
    if (interval === 'none' && note === '') found.push('no verdict, and no reason')
    if (interval === 'none' && (subject.ageYears ?? 18) < 18 && !note.includes('under 18'))
      found.push('a child has no verdict, and the reason is not said')
    return found
  }
  if (interpretation !== flag) found.push("the laboratory's flag is not the interpretation")
  if (flag !== 'N' && isGood(entry)) found.push('it is good, and the laboratory flagged it')
  if (flag !== 'N' && state === 'unknown') found.push('the laboratory flagged it, and it has no state')
  if (flag === 'N' && !isGood(entry)) found.push('it is not good, and the laboratory says normal')
  if (isCritical(flag) && state !== 'poor') found.push('it is critical, and not poor')
  if (sides.length === 1 && !agrees(flag, sides[0] ?? '') && !note.includes(`(${given.labFlag})`))
    found.push('flag and interval differ, and it is not said')
  if (sides.length === 1 && agrees(flag, sides[0] ?? '') && note.includes('and that counts'))
    found.push('flag and interval agree, and it is said that they differ')
  if (entry.labFlag !== given.labFlag) found.push("the laboratory's own flag is not kept")
  return found
}

function ofParts({ biomarker }: VerdictCase, entry: BiomarkerEntry): string[] {
  const { interpretation, state, deviationScore, ranges, result, note = '' } = entry
  const found: string[] = []
  if (deviationScore !== null) {
    if (deviationScore === 0 && interpretation !== 'N') found.push('outside, and no distance from the limit')
    if (deviationScore !== 0 && interpretation === 'N') found.push('normal, and at a distance from the limit')
    if (deviationScore > 0 && interpretation.startsWith('L')) found.push('low, and above the limit')
    if (deviationScore < 0 && interpretation.startsWith('H')) found.push('high, and below the limit')
  }
  if (interpretation === '' && deviationScore !== null) found.push('no verdict, and a distance')
  if (interpretation === '' && state !== 'unknown') found.push('no interpretation, and a state')
  if (state === 'unknown' && note === '') found.push('no state, and no reason')
  const isHarmless = { lower: 'L', higher: 'H', range: '' }[biomarker.direction] === interpretation
  const isOutside = interpretation !== 'N' && interpretation !== ''
  if (isOutside && isGood(entry) && (!isHarmless || isFlagged(entry))) found.push('outside, and good')
  if (interpretation === 'N' && (state === 'fair' || state === 'poor')) found.push('normal, and not good')
  if (state === 'optimal' && !(ranges.optimal && result !== null && holds(ranges.optimal, result)))
    found.push('optimal, and not in the optimal range that is shown')
  if (note.includes('would be inside') && isShownOn(entry) !== 'N')
    found.push('the note says inside, the numbers do not')
  if (note.includes('would be above') && isShownOn(entry) !== 'H') found.push('the note says above, the numbers do not')
  if (note.includes('would be below') && isShownOn(entry) !== 'L') found.push('the note says below, the numbers do not')
  return found
}

/** The side of the value that is shown in the interval that is shown. */
function isShownOn({ result, ranges: { inRange } }: BiomarkerEntry): string {
  if (result === null || !inRange) return ''
  if (holds(inRange, result)) return 'N'
  return inRange.low !== null && result <= inRange.low ? 'L' : 'H'
}

function ofWhatIsShown({ given, biomarker, sides, subject, interval }: VerdictCase, entry: BiomarkerEntry): string[] {
  const { result, ranges } = entry
  const found: string[] = []
  if (result === null) return ['a plausible value is not shown']
  if (result === 0 && given.value !== 0) found.push('it is shown as 0')
  if (!sides.includes(isShownOn(entry) as never)) found.push('the numbers that are shown say another side')
  if (given.unit === biomarker.unit && Math.abs(result - given.value) > 0.5 * 10 ** -biomarker.decimals)
    found.push('another value is shown than was sent')
  if (interval === 'none' && ranges.inRange) found.push('an interval judges whom it is not for')
  const isChild = (subject.ageYears ?? 18) < 18
  if (isChild && ranges.optimal) found.push('a child has an optimal range')
  if (isChild && (ranges.source === 'sex' || ranges.source === 'union'))
    found.push("a child is judged by an adult's interval")
  if (ranges.source === 'phase') found.push('a phase that nobody stated')
  if (entry.rawValue !== given.value) found.push('the raw value is not kept')
  const inner = ranges.inRange && scoredLimits(biomarker, ranges.inRange)
  if (inner && !isFlagged(entry) && entry.state !== 'unknown' && isGood(entry) !== holds(inner, result))
    found.push('the state is not that of the ranges that are shown')
  return found
}
