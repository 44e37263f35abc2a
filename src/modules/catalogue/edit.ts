import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { issueDetails, refuse } from '../../platform/http/validate.ts'
import { Biomarker } from './schema.ts'

export interface BiomarkerVersion {
  version: number
  reason: string
  createdDate: Date
  definition: Biomarker
}

/** Every version of a biomarker's definition, newest first. @throws BIOMARKER_NOT_FOUND */
export async function versions(tx: SystemTx, id: string): Promise<BiomarkerVersion[]> {
  const rows = await tx.rows(sql<BiomarkerVersion>`
    select version, reason, created_at as "createdDate", definition from biomarkers where id = ${id} order by version desc`)
  if (rows.length === 0) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  return rows
}

/** What an operator may change of a definition; what identifies it stays. */
export const EditableBiomarker = Biomarker.omit({ id: true, derived: true, unit: true }).partial()

/**
 * Changes a definition by a new version with a reason. Reports keep what they were judged by.
 * @throws BIOMARKER_NOT_FOUND, VALIDATION_FAILED
 */
export async function edit(tx: SystemTx, id: string, change: object, reason: string): Promise<BiomarkerVersion> {
  const [current] = await versions(tx, id)
  if (!current) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  const parsed = Biomarker.safeParse({ ...current.definition, ...change })
  if (!parsed.success) refuse(issueDetails(parsed.error))
  const next = current.version + 1
  // Two editors at once: the second finds its number taken and is told to look again.
  const made = await tx.run(sql`
    insert into biomarkers (id, version, definition, reason, created_at)
    values (${id}, ${next}, ${JSON.stringify(parsed.data)}::jsonb, ${reason}, ${tx.now}) on conflict do nothing`)
  if (made === 0) throw new AppError('VALIDATION_FAILED', 'Somebody else has just changed this biomarker; look again')
  return { version: next, reason, createdDate: tx.now, definition: parsed.data }
}
