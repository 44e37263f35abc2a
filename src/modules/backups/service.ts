import * as domainBackups from '../../domain/backups.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Actor, Database, SystemTx } from '../../platform/database/tx.ts'
import { describeError } from '../../platform/log.ts'
import { recordSystem } from '../audit/service.ts'
import { deleteBackupsBefore, insertBackup, maybeNewest, maybeStartOfNewest, selectBackups } from './queries.ts'
import type { BackupList } from './schema.ts'

const HOUR_MS = 3600 * 1000

/** The newest time of the schedule. */
function newestSlot({ everyHours, hour }: domainBackups.BackupSchedule, now: Date): number {
  const period = everyHours * HOUR_MS
  const first = hour * HOUR_MS
  return Math.floor((now.getTime() - first) / period) * period + first
}

/** Whether a backup is due: none was made since the newest hour of the schedule. */
export const isDue = (schedule: domainBackups.BackupSchedule, now: Date, newest: Date | undefined): boolean =>
  newest === undefined || newest.getTime() < newestSlot(schedule, now)

/** When the next one is due; now, if one is. */
const nextDue = (schedule: domainBackups.BackupSchedule, now: Date, newest: Date | undefined): Date =>
  isDue(schedule, now, newest) ? now : new Date(newestSlot(schedule, now) + schedule.everyHours * HOUR_MS)

/** Seconds since the hour of the schedule whose backup is missing; 0 if none is. */
const lateSeconds = (schedule: domainBackups.BackupSchedule, now: Date, newest: Date | undefined): number =>
  isDue(schedule, now, newest) ? (now.getTime() - newestSlot(schedule, now)) / 1000 : 0

// Rows about backups, not the backups.
const REMEMBERED_MS = 400 * 24 * 3600 * 1000

/** Makes a backup, reads it back, and records how it came out: a row for the operator, and an entry in the audit. */
export async function makeBackup(
  database: Database,
  actor: Actor,
  backups: domainBackups.Backups,
  options: { to: string; signal?: AbortSignal; progress?: (now: domainBackups.BackupProgress) => void },
): Promise<domainBackups.MadeBackup> {
  const startedAt = await database.asSystem(actor, async (tx) => tx.now)
  const known = { id: newOpaqueId('bak'), startedAt, madeBy: actor.name }
  try {
    const made = await backups.make({ ...options, at: startedAt })
    const isChecked = await backups.check(made.location)
    await database.asSystem(actor, async (tx) => {
      const checkedAt = isChecked ? tx.now : null
      await insertBackup(tx, { ...known, ...made, endedAt: tx.now, ok: true, failure: null, checkedAt })
      await deleteBackupsBefore(tx, new Date(tx.now.getTime() - REMEMBERED_MS))
      const { location, bytes, rows } = made
      const details = { location, bytes, rows }
      await recordSystem(tx, [{ action: 'backup.made', objectType: 'backup', objectId: known.id, details }])
    })
    return made
  } catch (err) {
    const { type, code } = describeError(err)
    const failure = [type, code].filter(Boolean).join(' ')
    const none = { bytes: null, tables: null, rows: null, files: null, checkedAt: null }
    await database.asSystem(actor, (tx) =>
      insertBackup(tx, { ...known, ...none, location: options.to, endedAt: tx.now, ok: false, failure }),
    )
    throw err
  }
}

const SHOWN = 50

/** What an operator sees of backups: the schedule of this process, and how the last ones came out. */
export async function shownBackups(tx: SystemTx): Promise<BackupList> {
  const schedule = domainBackups.scheduleOf(tx.context.settings.backup)
  const rows = await selectBackups(tx, SHOWN)
  return {
    ...(schedule && {
      schedule: { ...schedule, nextDate: nextDue(schedule, tx.now, await maybeStartOfNewest(tx)).toISOString() },
    }),
    backups: rows.map(
      ({ id, startedAt, endedAt, location, madeBy, ok, failure, bytes, rows: count, files, checkedAt }) => ({
        id,
        location,
        madeBy,
        ok,
        startedDate: startedAt.toISOString(),
        endedDate: endedAt.toISOString(),
        ...(failure !== null && { failure }),
        ...(bytes !== null && { bytes: Number(bytes) }),
        ...(count !== null && { rows: Number(count) }),
        ...(files !== null && { files }),
        ...(checkedAt && { checkedDate: checkedAt.toISOString() }),
      }),
    ),
  }
}

interface BackupFigures {
  /** Of the newest that was made. */
  ageSeconds?: number
  /** Of the newest attempt. */
  ok?: boolean
  /** Only with a schedule: 0 if none is missing. */
  lateSeconds?: number
}

export async function backupFigures(tx: SystemTx): Promise<BackupFigures> {
  const schedule = domainBackups.scheduleOf(tx.context.settings.backup)
  const [newest] = await selectBackups(tx, 1)
  const made = await maybeNewest(tx, true)
  return {
    ...(made && { ageSeconds: Math.max(0, (tx.now.getTime() - made.startedAt.getTime()) / 1000) }),
    ...(newest && { ok: newest.ok }),
    ...(schedule && { lateSeconds: lateSeconds(schedule, tx.now, await maybeStartOfNewest(tx)) }),
  }
}

/** Removes what is older than the newest `keep` backups of the schedule's place. Returns their locations. */
export async function removeOld(database: Database, actor: Actor, backups: domainBackups.Backups): Promise<string[]> {
  const { schedule } = backups
  if (!schedule) return []
  const old = (await backups.list(schedule.to)).slice(schedule.keep)
  for (const { location } of old) {
    await backups.remove(location)
    await database.asSystem(actor, (tx) =>
      recordSystem(tx, [
        { action: 'backup.removed', objectType: 'backup', objectId: location.slice(location.lastIndexOf('/') + 1) },
      ]),
    )
  }
  return old.map(({ location }) => location)
}
