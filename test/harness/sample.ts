import { randomInt } from 'node:crypto'
import { type Random, randomOf } from '../../prove/random.ts'

/** What `npm run prove:matrices` sets. */
const isWhole = process.env.MATRICES === 'whole'
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

/** How many runs a property has: all of them in `npm run prove:matrices`, else a fifteenth. */
export const runsOf = (whole: number): number => (isWhole ? whole : Math.ceil(whole / 15))

export interface Sample {
  /** Draws one case in `oneOf` from each group, and at least one. The order stays. */
  draw<T>(cases: readonly T[], groupOf: (one: T) => string, oneOf?: number): T[]
}

/**
 * The cases that one run of a matrix has: all of them in `npm run prove:matrices`, else a sample that differs from run to run.
 * Prints its seed: SEED=<seed> draws the same sample again.
 */
export function openSample(matrix: string): Sample {
  if (isWhole) return { draw: (cases) => [...cases] }
  process.stdout.write(`${matrix}: a sample, SEED=${seed}\n`)
  return sampleOf(randomOf(seed))
}

/** The same by given random numbers. */
export const sampleOf = (random: Random): Sample => ({
  draw(cases, groupOf, oneOf = Number.POSITIVE_INFINITY) {
    const chosen = new Set<number>()
    const groups = Map.groupBy(cases.keys(), (index) => groupOf(cases[index] as (typeof cases)[number]))
    for (const group of groups.values()) {
      const size = Math.max(1, Math.round(group.length / oneOf))
      // The begin of a shuffle by Fisher and Yates.
      for (let at = 0; at < size; at++) {
        const other = random.between(at, group.length - 1)
        const [here, there] = [group[at] as number, group[other] as number]
        group[at] = there
        group[other] = here
        chosen.add(there)
      }
    }
    return cases.filter((_, index) => chosen.has(index))
  },
})
