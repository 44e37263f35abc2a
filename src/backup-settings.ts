import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { ArchivePlan } from './domain/archives.ts'
import type { BackupSchedule } from './domain/backups.ts'
import { apiUrl } from './key-settings.ts'
import type { S3Settings } from './platform/backup/s3.ts'

const count = (max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(max))
const isPlace = (text: string) =>
  isAbsolute(text) || /^file:\/\/\/./.test(text) || /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|$)/.test(text)

// 45 CFR 164.316(b)(2): the database refuses what is younger, too.
const AUDIT_DAYS = 2192

/** The settings of backups and archives. */
export const backupSettings = {
  BACKUP_KEY: {
    schema: z.string().regex(/^(AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]{50,}|age1[0-9a-z]{50,})$/),
    must: 'a key of age: AGE-SECRET-KEY-1…, or age1… to make backups only; `age-keygen` makes them',
    example: '<what age-keygen prints>',
    help: 'encrypts backups, a key of age (default: a key kept in the data folder)',
  },
  BACKUP_TO: {
    schema: z.string().refine(isPlace),
    must: 'an absolute path of a folder, or s3://bucket/prefix/',
    example: 's3://backups/kitlane/',
    help: 'the folder or s3://bucket/prefix/ for scheduled backups (default: none)',
  },
  BACKUP_EVERY_HOURS: {
    schema: count(168).pipe(z.number().min(1)),
    must: 'a whole number from 1 to 168',
    example: '24',
    help: 'hours between scheduled backups (default: 24)',
  },
  BACKUP_HOUR: {
    schema: count(23),
    must: 'a whole number from 0 to 23',
    example: '1',
    help: 'the hour of the day, UTC, at which scheduled backups begin (default: 1)',
  },
  BACKUP_KEEP: {
    schema: count(10_000).pipe(z.number().min(1)),
    must: 'a whole number from 1 to 10000',
    example: '30',
    help: 'how many scheduled backups are kept; older ones are removed (default: 30)',
  },
  ARCHIVE_TO: {
    schema: z.string().refine(isPlace),
    must: 'an absolute path of a folder, or s3://bucket/prefix/',
    example: 's3://archive/kitlane/',
    help: 'the folder or s3://bucket/prefix/ for what leaves the database (default: none)',
  },
  ARCHIVE_AUDIT_DAYS: {
    schema: count(36_500).pipe(z.number().min(AUDIT_DAYS)),
    must: `a whole number from ${AUDIT_DAYS} (six years) to 36500`,
    example: '2557',
    help: 'age in days at which months of the audit are archived (default: never)',
  },
  BACKUP_ENDPOINT_URL: {
    schema: apiUrl,
    must: 'an https URL without a path, or an http one of this machine',
    example: 'https://s3.example.com',
    help: 'where s3:// of backups is, if not AWS (default: AWS in AWS_REGION)',
  },
}

export interface BackupConfig {
  /** A key of age as text. Undefined: one in the data folder. */
  key: string | undefined
  schedule: BackupSchedule | undefined
  archive: ArchivePlan | undefined
  /** Undefined: no credentials were given. */
  s3: S3Settings | undefined
}

type Settings = typeof backupSettings
type Read = <T>(
  name: keyof Settings,
  setting: { schema: z.ZodType<T>; must: string; example: string; help: string },
) => T | undefined

/** Reads the settings; what is missing becomes a problem in words. */
export function readBackups(read: Read, env: Record<string, string | undefined>, problems: string[]): BackupConfig {
  const to = read('BACKUP_TO', backupSettings.BACKUP_TO)
  const everyHours = read('BACKUP_EVERY_HOURS', backupSettings.BACKUP_EVERY_HOURS) ?? 24
  const hour = read('BACKUP_HOUR', backupSettings.BACKUP_HOUR) ?? 1
  const keep = read('BACKUP_KEEP', backupSettings.BACKUP_KEEP) ?? 30
  const key = read('BACKUP_KEY', backupSettings.BACKUP_KEY)
  const endpoint = read('BACKUP_ENDPOINT_URL', backupSettings.BACKUP_ENDPOINT_URL)
  const {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env
  const s3 =
    region && accessKeyId && secretAccessKey
      ? { region, endpoint, credentials: { accessKeyId, secretAccessKey, sessionToken } }
      : undefined
  const archiveTo = read('ARCHIVE_TO', backupSettings.ARCHIVE_TO)
  const auditDays = read('ARCHIVE_AUDIT_DAYS', backupSettings.ARCHIVE_AUDIT_DAYS)
  if (auditDays !== undefined && archiveTo === undefined)
    problems.push('ARCHIVE_AUDIT_DAYS needs ARCHIVE_TO beside it. For example: ARCHIVE_TO=s3://archive/kitlane/')
  const inBucket = Object.entries({ BACKUP_TO: to, ARCHIVE_TO: archiveTo }).find(([, place]) =>
    place?.startsWith('s3:'),
  )
  if (inBucket && !s3)
    problems.push(
      `${inBucket[0]} in s3:// needs AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY beside it. For example: AWS_REGION=eu-central-1`,
    )
  const folderOf = (place: string) => (place.endsWith('/') ? place : `${place}/`)
  return {
    ...{ key, s3, schedule: to ? { to: folderOf(to), everyHours, hour, keep } : undefined },
    archive: archiveTo ? { to: folderOf(archiveTo), auditDays } : undefined,
  }
}
