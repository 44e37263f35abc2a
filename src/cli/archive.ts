import type { Command } from 'commander'
import { z } from 'zod'
import type { Archives } from '../domain/archives.ts'
import { type ArchiveRow, selectArchives } from '../modules/archives/queries.ts'
import { archiveAudit, findArchive, verifyArchive } from '../modules/archives/service.ts'
import type { PortsOf } from '../platform/ports/realm-ports.ts'
import { addAdministration, addGroup, table } from './command.ts'
import { megabytes } from './progress.ts'
import { operator } from './session.ts'

const LISTED = 1000
const which = { '--archive <archive>': 'its ID' }
const ofArchive = z.object({ archive: z.string().min(1) })

const words = {
  off: 'Nothing is archived: set ARCHIVE_TO and ARCHIVE_AUDIT_DAYS.',
  held: 'Nothing more is archived while a legal hold stands. To see them: kitlane hold list',
  broken: 'Nothing more is archived: the audit was changed. Run kitlane verify-audit.',
}

export function addArchiveCommands(root: Command): void {
  const group = addGroup(root, 'archive', 'What has reached its age leaves the database for an archive.')
  addAdministration(group, {
    name: 'run',
    summary: 'Archive what has reached the age that the settings say, and delete it then. A worker does it daily.',
    options: {},
    input: z.object({}),
    example: 'kitlane archive run',
    async run(database, _input, _realmPorts, portsOf) {
      const { archived, notArchived } = await archiveAudit(database, operator, archivesOf(portsOf))
      const lines = archived.map(({ location, rows }) => `Archived ${rows} entries of the audit in ${location}.`)
      const text = [...lines, ...(notArchived ? [words[notArchived]] : [])].join('\n') || 'Nothing has reached its age.'
      return {
        json: { archived: archived.map(shown), ...(notArchived && { kept: notArchived }) },
        text,
        failed: notArchived === 'broken',
      }
    },
  })
  addAdministration(group, {
    name: 'list',
    summary: 'List the archives that were made.',
    options: {},
    input: z.object({}),
    example: 'kitlane archive list',
    async run(database) {
      const json = (await database.asSystem(operator, (tx) => selectArchives(tx, LISTED))).map(shown)
      const rows = json.map(({ id, kind, from, to, rows: count, location }) => [
        ...[id, kind, from ?? '', to ?? '', String(count), location],
      ])
      const text =
        rows.length > 0
          ? table([['ARCHIVE', 'KIND', 'FROM', 'TO', 'ROWS', 'LOCATION'], ...rows])
          : 'There is no archive.'
      return { json, text }
    },
  })
  addAdministration(group, {
    name: 'show',
    summary: 'Show what is known of an archive.',
    options: which,
    input: ofArchive,
    example: 'kitlane archive show --archive arc_…',
    async run(database, { archive }) {
      const json = shown(await findArchive(database, operator, archive))
      return { json, text: table(Object.entries(json).map(([name, value]) => [name, String(value ?? '')])) }
    },
  })
  addAdministration(group, {
    name: 'verify',
    summary: 'Read an archive back, and compare its bytes and its rows with what was written.',
    options: which,
    input: ofArchive,
    example: 'kitlane archive verify --archive arc_…',
    async run(database, { archive: id }, _realmPorts, portsOf) {
      const { archive, opened } = await verifyArchive(database, operator, archivesOf(portsOf), id)
      const text = opened
        ? `${archive.location} is whole: ${archive.rows} rows, ${megabytes(archive.bytes)}.`
        : `${archive.location} is, byte for byte, what was written. To read its rows, set BACKUP_KEY to the secret key.`
      return { json: { ...shown(archive), opened }, text }
    },
  })
}

function archivesOf(portsOf: PortsOf): Archives {
  const { archives } = portsOf('live')
  if (!archives) throw new Error('there are no archives')
  return archives
}

const shown = ({ id, kind, part, madeAt, location, from, to, rows, bytes, sha256, purgedAt }: ArchiveRow) => ({
  id,
  kind,
  part,
  madeDate: madeAt.toISOString(),
  from: from?.toISOString(),
  to: to?.toISOString(),
  rows,
  bytes,
  location,
  sha256: sha256.toString('hex'),
  purgedDate: purgedAt?.toISOString(),
})
