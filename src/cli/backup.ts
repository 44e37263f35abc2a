import type { Command } from 'commander'
import { z } from 'zod'
import type { Backups } from '../domain/backups.ts'
import { StartError } from '../domain/errors.ts'
import { selectBackups } from '../modules/backups/queries.ts'
import { makeBackup } from '../modules/backups/service.ts'
import type { PortsOf } from '../platform/ports/realm-ports.ts'
import { addAdministration, table } from './command.ts'
import { megabytes, progressLine } from './progress.ts'
import { operator } from './session.ts'

const REMEMBERED = 20

export function addBackupCommands(root: Command): void {
  addAdministration(root, {
    name: 'backup',
    summary: 'Write everything to one encrypted file, while the service runs: the database, its jobs, and the files.',
    options: {},
    rest: { name: 'to', words: 'a file, a folder, or s3://bucket/key (default: BACKUP_TO)' },
    input: z.object({ to: z.array(z.string()).max(1, 'Name one place.') }),
    example: 'kitlane backup /mnt/elsewhere/',
    async run(database, { to: [given] }, _realmPorts, portsOf) {
      const backups = backupsOf(portsOf)
      const to = placeOf(given, backups)
      const progress = progressLine('Backup')
      const started = performance.now()
      const made = await makeBackup(database, operator, backups, { to, progress: progress.show }).finally(progress.end)
      const seconds = Math.round((performance.now() - started) / 100) / 10
      const { location, bytes, rows, tables, files } = made
      return {
        json: { ...made, seconds },
        text: `Wrote ${location}: ${megabytes(bytes)}, ${rows} rows of ${tables} tables and ${files} files, in ${seconds} s.`,
      }
    },
  })

  addAdministration(root, {
    name: 'backups',
    summary: 'List the backups at a place, and how the last ones came out.',
    options: {},
    rest: { name: 'where', words: 'a folder or s3://bucket/prefix/ (default: BACKUP_TO)' },
    input: z.object({ where: z.array(z.string()).max(1, 'Name one place.') }),
    example: 'kitlane backups /mnt/elsewhere/',
    async run(database, { where: [given] }, _realmPorts, portsOf) {
      const backups = backupsOf(portsOf)
      const made = await database.asSystem(operator, (tx) => selectBackups(tx, REMEMBERED))
      const where = given ?? backups.schedule?.to
      const stored = where === undefined ? [] : await backups.list(where)
      const places =
        where === undefined ? [] : [where, ...stored.map(({ location, bytes }) => `${location}  ${megabytes(bytes)}`)]
      const attempts = made.map((one) => [
        one.endedAt.toISOString(),
        one.ok ? 'made' : `failed: ${one.failure}`,
        one.madeBy,
        one.bytes === null ? '' : megabytes(one.bytes),
        one.location,
      ])
      const text =
        made.length === 0
          ? 'No backup was made yet.'
          : table([['ENDED', 'OUTCOME', 'BY', 'SIZE', 'LOCATION'], ...attempts])
      return {
        json: { kept: stored, made },
        text: [...(places.length > 0 ? [places.join('\n')] : []), text].join('\n\n'),
      }
    },
  })
}

function backupsOf(portsOf: PortsOf): Backups {
  const { backups } = portsOf('live')
  if (!backups) throw new Error('the command line has no settings of backups')
  return backups
}

function placeOf(given: string | undefined, { schedule }: Backups): string {
  const to = given ?? schedule?.to
  if (to !== undefined) return to
  throw new StartError(
    'Say where the backup shall be written, or set BACKUP_TO. For example: kitlane backup /mnt/elsewhere/',
  )
}
