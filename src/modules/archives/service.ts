import type { Archives } from '../../domain/archives.ts'
import { StartError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import { copyMonth, isSealed, purgeMonth } from '../audit/archive.ts'
import { type AuditMonth, selectMonths } from '../audit/archive-queries.ts'
import { recordSystem } from '../audit/service.ts'
import { verifyAuditInBatches } from '../audit/verify.ts'
import { selectHolds } from '../privacy/retention/queries.ts'
import { type ArchiveRow, insertArchive, maybeArchive, maybeArchiveOf, updatePurged } from './queries.ts'

const DAY_MS = 24 * 3600 * 1000

/** Why nothing was archived. */
export type NotArchived = 'off' | 'held' | 'broken'

/**
 * Archives the months of the audit that have reached the age of the settings, the oldest first, and then drops them.
 * Nothing while any legal hold stands, since a month holds what was done in all businesses, and nothing of a broken audit.
 * Interrupted, the next call goes on.
 */
export async function archiveAudit(
  database: Database,
  actor: Actor,
  archives: Archives,
  signal?: AbortSignal,
): Promise<{ archived: ArchiveRow[]; notArchived?: NotArchived }> {
  const { plan } = archives
  if (plan?.auditDays === undefined) return { archived: [], notArchived: 'off' }
  const before = new Date(database.now().getTime() - plan.auditDays * DAY_MS)
  const months = await database.asSystem(actor, (tx) => selectMonths(tx, before))
  const archived: ArchiveRow[] = []
  for (const month of months) {
    if (signal?.aborted) break
    if (await isAnythingHeld(database, actor)) return { archived, notArchived: 'held' }
    const { intact } = await verifyAuditInBatches(database, actor, { which: 'whole', signal })
    if (!intact) return { archived, notArchived: 'broken' }
    if (!(await isSealed(database, actor, month))) break
    const made = await archiveOf(database, actor, archives, month, { to: plan.to, signal })
    await purgeMonth(database, actor, month)
    archived.push(await purged(database, actor, made))
  }
  return { archived }
}

const isAnythingHeld = (database: Database, actor: Actor): Promise<boolean> =>
  database.asSystem(actor, async (tx) => (await selectHolds(tx, { state: ['standing'], page: 0, size: 1 })).total > 0)

/** The verified archive of a month: the one of an interrupted call, or a new one. */
async function archiveOf(
  database: Database,
  actor: Actor,
  archives: Archives,
  month: AuditMonth,
  { to, signal }: { to: string; signal: AbortSignal | undefined },
): Promise<ArchiveRow> {
  const found = await database.asSystem(actor, (tx) => maybeArchiveOf(tx, month.part))
  if (found && (await archives.isSame(found.location, found.sha256).catch(() => false))) return found
  const kind = month.part.replaceAll('_', '-')
  let copied = { rows: 0, from: null as Date | null, to: null as Date | null }
  const options = { to, kind, at: database.now(), ...(signal && { signal }) }
  const written = await archives.write(options, async (add) => {
    copied = await copyMonth(database, actor, month, add)
  })
  await check(archives, { ...written, rows: copied.rows })
  const id = newOpaqueId('arc')
  return database.asSystem(actor, async (tx) => {
    await insertArchive(tx, { id, kind: 'audit', part: month.part, ...copied, ...written, verifiedAt: tx.now })
    const row = await maybeArchive(tx, id)
    if (!row) throw new Error('the archive was just written')
    return row
  })
}

/** Reads an archive back: its bytes, and with the secret key its rows. @throws StartError if it is not as it was written */
async function check(
  archives: Archives,
  { location, sha256, rows }: Pick<ArchiveRow, 'location' | 'sha256' | 'rows'>,
): Promise<boolean> {
  if (!(await archives.isSame(location, sha256)))
    throw new StartError(`The archive ${location} is not as it was written. Nothing was deleted for it.`)
  const contents = await archives.open(location)
  const found = contents?.tables.find(({ name }) => name === 'audit_entries')?.rows
  if (contents && found !== rows)
    throw new StartError(`The archive ${location} holds ${found} entries, and not ${rows}. Nothing was deleted for it.`)
  return contents !== undefined
}

/** Reads an archive back, as when it was made. @throws StartError. `opened`: false with the public key only */
export async function verifyArchive(
  database: Database,
  actor: Actor,
  archives: Archives,
  id: string,
): Promise<{ archive: ArchiveRow; opened: boolean }> {
  const archive = await findArchive(database, actor, id)
  return { archive, opened: await check(archives, archive) }
}

/** @throws StartError if it is missing */
export async function findArchive(database: Database, actor: Actor, id: string): Promise<ArchiveRow> {
  const found = await database.asSystem(actor, (tx) => maybeArchive(tx, id))
  if (found) return found
  throw new StartError(`There is no archive ${id}. To see all of them: kitlane archive list`)
}

const purged = (database: Database, actor: Actor, { id, location, rows, part }: ArchiveRow): Promise<ArchiveRow> =>
  database.asSystem(actor, async (tx) => {
    await updatePurged(tx, id)
    const details = { location, rows, part }
    await recordSystem(tx, [{ action: 'archive.made', objectType: 'archive', objectId: id, details }])
    const row = await maybeArchive(tx, id)
    if (!row) throw new Error('the archive is not there any more')
    return row
  })
