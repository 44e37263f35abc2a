import { isBefore } from '../standing/laboratory-time.ts'
import type { Patient } from './parsed.ts'

/** ISO 8601, as exact as they were sent. */
export interface StepTimes {
  collected?: string | undefined
  /** What the result says of its own collection: OBX-14. */
  observed?: string | undefined
  received?: string | undefined
  analyzed?: string | undefined
  reported?: string | undefined
  sent?: string | undefined
}

/** Zones and clocks may differ by a day; where both name their zone, one may be called by another's name. */
const HARMLESS_HOURS = 24
const ZONED_HOURS = 14
const hasZone = (time: string | undefined) => /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(time ?? '')
/** A request and its result may be of two days: urine of 24 hours. */
const COLLECTION_HOURS = 48

/** Two times that cannot both be right, in words: something happened before the sample was there, or after it was told. */
export function impossibleTimes(times: StepTimes): string | undefined {
  const { collected, observed, received, analyzed, reported, sent } = times
  const later = { received, analyzed, reported, sent }
  const order = Object.entries({ collected, 'collected by the result itself': observed }).flatMap(([name, time]) =>
    Object.entries(later).map(([next, other]) => ({ name, time, next, other, hours: HARMLESS_HOURS })),
  )
  const apart = { name: 'collected', next: 'collected by the result itself', hours: COLLECTION_HOURS }
  const wrong = [...order, { name: 'analyzed', time: analyzed, next: 'sent', other: sent, hours: HARMLESS_HOURS }].find(
    ({ time, other, hours }) =>
      isBefore(other, time, [time, other].every(hasZone) ? Math.min(hours, ZONED_HOURS) : hours),
  )
  if (wrong) return `${wrong.name} ${wrong.time}, ${wrong.next} ${wrong.other}`
  const isApart = isBefore(observed, collected, apart.hours) || isBefore(collected, observed, apart.hours)
  return isApart ? `${apart.name} ${collected}, ${apart.next} ${observed}` : undefined
}

/** A sample that was taken after the person's death, by the hours of both, in words. */
export const afterDeath = (died: string | undefined, collected: string | undefined): string | undefined =>
  isBefore(died, collected) ? `died ${died}, collected ${collected}` : undefined

/** The birth of a person that lies behind a day of the report, or their death before its sample, in words: one is wrong. */
export function outsideOfLife(
  { dateOfBirth, unreadBirth, died }: Pick<Patient, 'dateOfBirth' | 'unreadBirth' | 'died'>,
  days: { collected?: string | undefined; reported?: string | undefined },
): string | undefined {
  if (died !== undefined && days.collected !== undefined && died.slice(0, days.collected.length) < days.collected)
    return `died ${died}, collected ${days.collected}`
  // Of a birth that is no day, a year or a month may be certain.
  const born = dateOfBirth ?? /^\d{4}(?:-?\d{2})?$/.exec(unreadBirth?.trim() ?? '')?.[0]
  if (born === undefined) return undefined
  const digits = (text: string) => text.replaceAll('-', '')
  const early = Object.entries(days).find(([, day]) => day && digits(day).slice(0, digits(born).length) < digits(born))
  return early && `born ${born}, ${early.join(' ')}`
}
