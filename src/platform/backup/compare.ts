import type { Client } from 'pg'
import { findRoles } from '../database/roles.ts'
import { protectionsOf, tablesOf } from './catalog.ts'
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
