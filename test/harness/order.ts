import { BaseSequencer, type TestSpecification } from 'vitest/node'

const WAITING = /\/test\/(?:process|browser)\//
// Nothing tells how long a file takes until it has run once, and one of these at the end would run alone.
const LONG = /\/(?:accessibility|operator|crash|webhook-crash)\.test\.ts$/

/** Spreads tests that mostly wait, for processes and browsers, evenly among those that compute: together they use the machine. */
export class EvenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By project, and in each the longest first.
    const sorted = await super.sort(files)
    const byProject = Map.groupBy(sorted, ({ project }) => project)
    return [...byProject.values()].flatMap((ofProject) => {
      const { waiting = [], computing = [] } = Object.groupBy(ofProject, ({ moduleId }) =>
        WAITING.test(moduleId) ? 'waiting' : 'computing',
      )
      const isLong = ({ moduleId }: TestSpecification) => Number(LONG.test(moduleId))
      return spread(
        waiting.toSorted((a, b) => isLong(b) - isLong(a)),
        computing,
      )
    })
  }
}

/** Merges two lists so that both come to their end together. */
function spread<T>(one: readonly T[], other: readonly T[]): T[] {
  const placed = [one, other].flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
  return placed.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}
