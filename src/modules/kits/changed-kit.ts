import type { KitRow } from './queries.ts'
import type { Step } from './rules.ts'

/** A kit that changed: as it was, as it is, and the steps between. */
export interface ChangedKit {
  before: KitRow
  after: KitRow
  steps: readonly Step[]
}
