import { isUrgent, type Judged } from './harm.ts'

type Side = 'Low' | 'High' | ''

/** How a value stands, in the one vocabulary of pages, PDF and dashboard. Each language says it in its own words. */
export type Verdict =
  | 'expected'
  | 'unexpected'
  | 'veryUnexpected'
  | 'veryLow'
  | 'veryHigh'
  | 'veryFar'
  | `best${Side}`
  | `normal${Side}`
  | `slight${Side}`
  | `far${Side}`
  | 'none'

const sides = { L: 'Low', LL: 'Low', H: 'High', HH: 'High' } as const
const zones = { optimal: 'best', good: 'normal', fair: 'slight', poor: 'far' } as const

export function verdictOf(entry: Judged & { critical?: { flag?: string } | undefined }): Verdict {
  const { state, interpretation, finding, critical } = entry
  if (finding && state !== 'unknown') {
    if (state === 'good') return 'expected'
    return isUrgent(entry) ? 'veryUnexpected' : 'unexpected'
  }
  const side = sides[(critical?.flag ?? interpretation) as keyof typeof sides] ?? ''
  if (isUrgent(entry)) return `very${side || 'Far'}`
  return state === 'unknown' ? 'none' : `${zones[state]}${side}`
}
