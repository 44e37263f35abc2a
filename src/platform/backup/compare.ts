import type { Client } from 'pg'
import { StartError } from '../../domain/errors.ts'
import { findRoles } from '../database/roles.ts'
import { protectionsOf, sequencesOf, tablesOf } from './catalog.ts'
import { type CopiedOut, copyOut } from './copy.ts'
import type { Head, Manifest, Protection } from './manifest.ts'

/** One thing that a backup and a database must have alike. */
export interface Difference {
  what: string
  expected: string
  found: string
  ok: boolean
  /** The tables that differ. */
  tables?: string[]
}

/** Compares the database with a backup, in a transaction of the owner: rows in any order, policies, roles. */
export async function differencesOf(client: Client, head: Head, manifest: Manifest): Promise<Difference[]> {
  const roles = await findRoles(client)
  if (!roles) return [check('tables', head.tables.length, 0)]
  const protections = await protectionsOf(client, roles)
  const { rows } = await client.query<{ unsafe: number }>(
    'select count(*)::int as unsafe from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)',
    [Object.values(roles)],
  )
  await client.query(`set local role ${roles.system}`)
  const found = await countRows(client, head)
  await client.query('reset role')
  const others = manifest.tables.filter((table) => {
    const other = found.get(table.name)
    return other?.rows !== table.rows || other.rowsSum !== table.rowsSum
  })
  const all = manifest.tables.length
  const sum = (list: Iterable<{ rows: number }>) => [...list].reduce((total, { rows: count }) => total + count, 0)
  const restored = head.protections.filter((one) => protections.some((other) => isSame(one, other)))
  const forced = (list: readonly Protection[]) => list.filter(({ enabled, forced: is }) => enabled && is).length
  return [
    check('tables', head.tables.length, found.size),
    check('rows', sum(manifest.tables), sum(found.values())),
    {
      ...check('tables with the same rows', all, all - others.length),
      ...(others.length > 0 && { tables: others.map(({ name }) => name) }),
    },
    check('tables with forced row-level security', forced(head.protections), forced(protections)),
    check('tables with the same policies', head.protections.length, restored.length),
    check('roles that pass row-level security', 0, rows[0]?.unsafe ?? -1),
  ]
}

const check = (what: string, expected: number, found: number): Difference => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
})

async function countRows(client: Client, head: Head): Promise<Map<string, CopiedOut>> {
  const found = new Map<string, CopiedOut>()
  const name = (text: string) => client.escapeIdentifier(text)
  const there = new Map((await tablesOf(client)).map((table) => [table.name, new Set(table.columns)]))
  for (const { name: table, columns } of head.tables) {
    const present = there.get(table)
    if (!present || !columns.every((column) => present.has(column))) continue
    const query = `select ${columns.map(name).join(', ')} from ${name(table)}`
    found.set(table, await copyOut(client, query, async () => {}))
  }
  return found
}

/** Versions of PostgreSQL write the same expression with more or fewer spaces and brackets. */
const plain = (text: string | null) => text?.replaceAll(/[\s()]/g, '') ?? null

function isSame(one: Protection, other: Protection): boolean {
  const inWords = ({ table, enabled, forced, policies }: Protection) =>
    JSON.stringify([
      table,
      enabled,
      forced,
      policies.map(({ name, command, roles, using, check: with_ }) => [
        name,
        command,
        // A role of databases of before the first release, which nothing uses any more.
        roles.filter((role) => !role.endsWith('_intake')).sort(),
        plain(using),
        plain(with_),
      ]),
    ])
  return inWords(one) === inWords(other)
}

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
