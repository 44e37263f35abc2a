import { isVetoed, matchName } from '@kitlane/lab-reader/facts/guarded-match'
import { exactName } from '@kitlane/lab-reader/facts/match'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { issueDetails, refuse } from '../../platform/http/validate.ts'
import { type BiomarkerVersion, insertVersion, selectVersions } from './queries.ts'
import { Biomarker } from './schema.ts'
import { biomarkers } from './service.ts'

/** Every version of a biomarker's definition, newest first. @throws BIOMARKER_NOT_FOUND */
export async function versions(tx: SystemTx, id: string): Promise<BiomarkerVersion[]> {
  const found = await selectVersions(tx, id)
  if (found.length === 0) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  return found
}

/** What an operator may change of a definition; what identifies it stays. */
export const EditableBiomarker = Biomarker.omit({
  id: true,
  derived: true,
  unit: true,
  criticalLimits: true,
}).partial()

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

/**
 * Adds a laboratory's name to a biomarker, as a new version with a reason. A name that it has already changes nothing.
 * @throws BIOMARKER_NOT_FOUND; VALIDATION_FAILED for a name without letters, one that means another biomarker, and one that
 * speaks of another specimen, a goal or an earlier result
 */
export async function addAlias(
  tx: SystemTx,
  name: string,
  { biomarker: id, reason }: { biomarker: string; reason: string },
): Promise<{ biomarker: string; alias: string; version: number }> {
  const [current] = await versions(tx, id)
  if (!current) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  const alias = name.trim().replace(/\s+/g, ' ')
  const refuseName = (message: string): never => refuse([{ message, path: 'resultID' }])
  if (!/\p{L}{2}/u.test(alias) || alias.length > 100) refuseName('Its name is too short or too long for the catalogue')
  const catalogue = await biomarkers(tx)
  const exact = exactName(catalogue, alias)
  if (exact?.id === id) return { biomarker: id, alias, version: current.version }
  const known = exact ?? matchName(catalogue, alias)?.biomarker
  if (known && known.id !== id) refuseName('The catalogue knows this name for another biomarker')
  if (isVetoed(alias)) refuseName('The name speaks of another specimen, a goal or an earlier result')
  const { aliases } = current.definition
  const { version } = await edit(tx, id, { aliases: [...aliases, alias] }, reason)
  return { biomarker: id, alias, version }
}
