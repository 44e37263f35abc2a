import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { issueDetails, refuse } from '../../platform/http/validate.ts'
import { type BiomarkerVersion, insertVersion, selectVersions } from './queries.ts'
import { Biomarker } from './schema.ts'

/** Every version of a biomarker's definition, newest first. @throws BIOMARKER_NOT_FOUND */
export async function versions(tx: SystemTx, id: string): Promise<BiomarkerVersion[]> {
  const found = await selectVersions(tx, id)
  if (found.length === 0) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  return found
}

/** What an operator may change of a definition; what identifies it stays. */
export const EditableBiomarker = Biomarker.omit({ id: true, derived: true, unit: true }).partial()

/**
 * Changes a definition by a new version with a reason. Reports keep the version that judged them.
 * @throws BIOMARKER_NOT_FOUND, VALIDATION_FAILED
 */
export async function edit(tx: SystemTx, id: string, change: object, reason: string): Promise<BiomarkerVersion> {
  const [current] = await versions(tx, id)
  if (!current) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  const parsed = Biomarker.safeParse({ ...current.definition, ...change })
  if (!parsed.success) refuse(issueDetails(parsed.error))
  const next = { version: current.version + 1, reason, createdDate: tx.now, definition: parsed.data }
  // Of two editors at once, the second one finds its version taken and has to look again.
  if (!(await insertVersion(tx, id, next))) {
    throw new AppError('VALIDATION_FAILED', 'Somebody else has just changed this biomarker; look again')
  }
  return next
}
