import { alsoCapillary } from '@kitlane/lab-reader/facts/specimens'
import type { Queries } from '../../platform/database/tx.ts'
import { selectBiomarkers, selectStamp } from './queries.ts'
import type { Biomarker } from './schema.ts'

/**
 * The catalogue as this process read it last. It holds 700 definitions, 500 kB, which each message of a laboratory needs,
 * with indexes of their names that hang on the list.
 */
let known: { stamp: string; capillary: boolean; list: readonly Biomarker[] } | undefined

/** The current definition of every biomarker, by category and label. */
export async function biomarkers(tx: Queries): Promise<readonly Biomarker[]> {
  const stamp = await selectStamp(tx)
  const { capillaryAsBlood: capillary } = tx.context.settings
  if (known?.stamp !== stamp || known.capillary !== capillary) {
    const list = await selectBiomarkers(tx)
    known = { stamp, capillary, list: capillary ? list.map(alsoCapillary) : list }
  }
  return known.list
}
