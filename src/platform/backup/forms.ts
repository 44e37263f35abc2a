import type { Client } from 'pg'
import { StartError } from '../../domain/errors.ts'
import { sequencesOf, tablesOf } from './catalog.ts'
import type { Head, Manifest } from './manifest.ts'

const VALUE = String.raw`(?:MINVALUE|MAXVALUE|-?\d{1,19}|'-?\d{1,19}')`
const VALUES = `\\(${VALUE}(?:, ${VALUE})*\\)`
// As pg_get_expr writes the bounds of our partitions, which are divided by whole numbers.
const BOUND = new RegExp(`^(?:DEFAULT|FOR VALUES (?:IN ${VALUES}|FROM ${VALUES} TO ${VALUES}))$`)
const PARTITION = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Refuses a backup with anything that becomes SQL and is not as this release writes it: tables and columns are those of the
 * migrations, partitions belong to them and have bounds of numbers. Called after the migrations have run.
 */
export async function refuseUnknownForms(client: Client, head: Head, name: string): Promise<void> {
  const tables = new Map((await tablesOf(client)).map((table) => [table.name, new Set(table.columns)]))
  for (const { name: table, columns } of head.tables) {
    const known = tables.get(table)
    if (!known) throw strange(name, `the table ${table}`)
    const column = columns.find((one) => !known.has(one))
    if (column !== undefined) throw strange(name, `the column ${column} of ${table}`)
  }
  for (const { name: partition, parent, bound } of head.partitions) {
    const isOurs = tables.has(parent) && partition.startsWith(`${parent}_`) && PARTITION.test(partition)
    if (!isOurs || tables.has(partition) || !BOUND.test(bound)) throw strange(name, `the partition ${partition}`)
  }
}

/** The same for what the manifest names, and for the migrations that the rows say have run. */
export async function refuseUnknownEnd(client: Client, head: Head, manifest: Manifest, name: string): Promise<void> {
  const sequences = new Set((await sequencesOf(client)).map((one) => one.name))
  const sequence = manifest.sequences.find((one) => !sequences.has(one.name))
  if (sequence) throw strange(name, `the sequence ${sequence.name}`)
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from schema_migrations order by version',
  )
  const textOf = (list: readonly { version: number; checksum: string }[]) =>
    JSON.stringify(list.map(({ version, checksum }) => [version, checksum]))
  // Otherwise the next migration would leave out what was never done.
  if (textOf(rows) !== textOf(head.migrations)) throw strange(name, 'another list of migrations in its rows')
}

const strange = (name: string, what: string) =>
  new StartError(
    `${name} has what no backup of Kitlane has (${what.slice(0, 200)}), so that nothing of it was restored: somebody else made or changed it. Take another backup.`,
  )
