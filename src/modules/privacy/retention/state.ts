import type { SystemTx } from '../../../platform/database/tx.ts'
import { countAllRetained } from './purge-queries.ts'
import { selectRuns } from './run-queries.ts'
import type { RetentionState } from './schema.ts'
import { selectAllTerms } from './terms-queries.ts'

/** The terms that were changed, what is kept of erased people, and what the last runs found. */
export const retentionState = async (tx: SystemTx): Promise<RetentionState> => ({
  terms: await selectAllTerms(tx),
  kept: await countAllRetained(tx),
  runs: await selectRuns(tx, 30),
})
