import type { Queries } from '../../platform/database/tx.ts'
import type { WantedTopUp } from './queries.ts'

/** The job that buys credits; the module payments runs it. */
export const TOP_UP_JOB = 'credits.top-up'

/** Has credits bought, once for each fall. No statement where none is wanted; a sweep finds what is still wanted later. */
export async function requestTopUps(tx: Queries, wanted: readonly WantedTopUp[]): Promise<void> {
  for (const one of wanted) await tx.enqueue(TOP_UP_JOB, one)
}
