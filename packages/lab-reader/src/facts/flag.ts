import { flagWords } from '@kitlane/display/interpretation'
import type { Finding, Presence } from './finding-schema.ts'

/** What a laboratory's flag says about the reference interval. */
export type Flag = 'N' | 'L' | 'H' | 'LL' | 'HH' | 'A' | 'AA'

const flags = new Map<string, Flag>([
  ...(['N', 'L', 'H', 'LL', 'HH', 'A', 'AA'] as const).map((flag) => [flag, flag] as const),
  // FHIR: significantly low or high, and beyond a threshold; neither is called critical there.
  ...(['LU', 'L<', 'LX'] as const).map((code) => [code, 'L'] as const),
  ...(['HU', 'H>', 'HX'] as const).map((code) => [code, 'H'] as const),
  ['EX', 'A'],
  // FHIR: expected and unexpected, of findings.
  ['EXP', 'N'],
  ['UNE', 'A'],
])

/** Changes since the last result and the ends of an instrument's scale: they say nothing about the interval. */
const besides = new Set(['U', 'D', 'B', 'W', '<', '>', '', 'NULL'])

/** Undefined if no flag is about the interval; `unreadable` if the flag is not known here. */
export function readFlag(labFlag: string | undefined): Flag | 'unreadable' | undefined {
  const code = (labFlag ?? '').trim().toUpperCase()
  return flags.get(code) ?? (besides.has(code) ? undefined : 'unreadable')
}

/** Whether a flag agrees with the side of the interval on which a value lies. */
export function flagAgrees(flag: Flag, side: 'N' | 'L' | 'H' | ''): boolean {
  if (side === '') return false
  if (flag === 'A' || flag === 'AA') return side !== 'N'
  return flag.charAt(0) === side
}

const marks: Record<Flag, string> = { N: 'normal', ...flagWords }
/** What a flag says, in words. */
export const flagMeaning = (flag: Flag): string => marks[flag]

const findingFlags = new Map<string, Presence>([
  ...['NEG', 'ND', 'NR'].map((code) => [code, 'negative'] as const),
  ...['POS', 'DET', 'RR', 'WR'].map((code) => [code, 'positive'] as const),
  ...['IND', 'E'].map((code) => [code, 'indeterminate'] as const),
])

/** FHIR has codes that repeat the finding and judge nothing. */
export const findingOfFlag = (labFlag = ''): Presence | undefined => findingFlags.get(labFlag.trim().toUpperCase())

/** Whether a code of the laboratory names another finding than the one beside it. */
export function flagNamesAnother({ kind, value }: Finding, labFlag: string | undefined): boolean {
  const said = findingOfFlag(labFlag)
  if (said === undefined || kind === 'text') return false
  if (kind === 'presence') return value !== said
  return (said === 'negative') !== (value === 'negative') && said !== 'indeterminate'
}
