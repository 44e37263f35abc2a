import { type Leg, legs } from './schema.ts'

/** Lengths of a leg are below this: the next leg begins there. A length of 999 would be 4,000 years. */
export const LENGTHS_OF_LEG = 1000
/** How many lengths there are from a time to 2.7 times that: each is 3 of 100 longer than the one before. */
export const LENGTHS_OF_E = 32

export interface LegHours {
  leg: Leg
  kits: number
  /** Null where no kit took it. */
  p50Hours: number | null
  p95Hours: number | null
}

/** How many kits took so long for a leg. Lengths are those of the table `counted_kits`. */
export interface LegLength {
  leg: Leg
  length: number
  kits: number
}

const beginOf = (length: number): number => Math.expm1(length / LENGTHS_OF_E) / 10

/** Where half of the kits end, and 95 of 100: between the two ends of a length as if its kits were spread evenly. */
export function hoursOf(lengths: readonly LegLength[]): LegHours[] {
  return legs.map((leg) => {
    const ofLeg = lengths.filter((one) => one.leg === leg).toSorted((a, b) => a.length - b.length)
    const kits = ofLeg.reduce((sum, one) => sum + one.kits, 0)
    return { leg, kits, p50Hours: within(ofLeg, 0.5 * (kits - 1)), p95Hours: within(ofLeg, 0.95 * (kits - 1)) }
  })
}

function within(lengths: readonly LegLength[], place: number): number | null {
  let before = 0
  for (const { length, kits } of lengths) {
    if (place <= before + kits - 1 || length === lengths.at(-1)?.length) {
      const part = Math.min(1, Math.max(0, (place - before + 0.5) / kits))
      return beginOf(length) + part * (beginOf(length + 1) - beginOf(length))
    }
    // Between the last kit of this length and the first of the next one.
    if (place < before + kits) return beginOf(length + 1)
    before += kits
  }
  return null
}
