import type { Finding } from './finding.ts'
import { type Interpretation, isCritical } from './interpretation.ts'

/** What is read of a value to say how it stands. */
export interface Judged {
  state: 'optimal' | 'good' | 'fair' | 'poor' | 'unknown'
  interpretation: Interpretation
  finding?: Finding | undefined
  critical?: object | undefined
  /** The value that it only says otherwise: that one counts. */
  expresses?: string | undefined
}

/** The same, with what decides its place in a report. */
export interface Placed extends Judged {
  type?: 'measured' | 'calculated' | undefined
  deviationScore: number | null
  /** No report with it is published without a person. */
  holdsReport?: true | undefined
}

/** How much a value needs somebody, the most first. */
export const harms = ['critical', 'outside', 'little', 'inRange', 'notJudged'] as const
export type Harm = (typeof harms)[number]

/** So far outside that the laboratory calls it critical, or beyond a critical limit. */
export const isUrgent = ({ interpretation, critical }: Pick<Judged, 'interpretation' | 'critical'>): boolean =>
  critical !== undefined || isCritical(interpretation)

export const isOutside = ({ state }: Pick<Judged, 'state'>): boolean => state === 'fair' || state === 'poor'

/** The state whose color and mark a value is shown with: a critical one never looks fine. */
export const shownState = (entry: Judged): Judged['state'] => (isUrgent(entry) ? 'poor' : entry.state)

const harmOfState = {
  poor: 'outside',
  fair: 'little',
  good: 'inRange',
  optimal: 'inRange',
  unknown: 'notJudged',
} as const

export const harmOf = (entry: Judged & Pick<Placed, 'holdsReport'>): Harm =>
  isUrgent(entry) || entry.holdsReport ? 'critical' : harmOfState[entry.state]

const rank = (entry: Placed): number => harms.indexOf(harmOf(entry))
const isCalculated = ({ type }: Placed): number => Number(type === 'calculated')
const distance = ({ deviationScore }: Placed): number => Math.abs(deviationScore ?? 0)

/**
 * The order of every report: the most harmful first; among equals measured values before calculated ones, and the farthest from its limit
 * first, else as they came.
 */
export const byHarm = <T extends Placed>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => rank(a) - rank(b) || isCalculated(a) - isCalculated(b) || distance(b) - distance(a))

/** Whether a value is critical, outside, or a little outside. */
export const needsAttention = (entry: Placed): boolean => !['inRange', 'notJudged'].includes(harmOf(entry))

/** The same, counted once: not what only says another value otherwise. */
export const isHarmful = (entry: Placed): boolean => entry.expresses === undefined && needsAttention(entry)
