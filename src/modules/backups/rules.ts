import type { BackupSchedule } from '../../domain/backups.ts'

const HOUR_MS = 3600 * 1000

/** The newest time of the schedule. */
function newestSlot({ everyHours, hour }: BackupSchedule, now: Date): number {
  const period = everyHours * HOUR_MS
  const first = hour * HOUR_MS
  return Math.floor((now.getTime() - first) / period) * period + first
}

/** Whether a backup is due: none was made since the newest hour of the schedule. */
export const isDue = (schedule: BackupSchedule, now: Date, newest: Date | undefined): boolean =>
  newest === undefined || newest.getTime() < newestSlot(schedule, now)

/** When the next one is due; now, if one is. */
export const nextDue = (schedule: BackupSchedule, now: Date, newest: Date | undefined): Date =>
  isDue(schedule, now, newest) ? now : new Date(newestSlot(schedule, now) + schedule.everyHours * HOUR_MS)

/** Seconds since the hour of the schedule whose backup is missing; 0 if none is. */
export const lateSeconds = (schedule: BackupSchedule, now: Date, newest: Date | undefined): number =>
  isDue(schedule, now, newest) ? (now.getTime() - newestSlot(schedule, now)) / 1000 : 0
