import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { here } from '../upgrade/before.ts'

const FAULT = '9999_refuse.sql'

/** Adds the migrations of this checkout that an older one does not have. Returns their names. */
export function addMigrations(folder: string, { isBroken }: { isBroken: boolean }): string[] {
  const newest = readdirSync(join(folder, 'migrations')).toSorted().at(-1) ?? ''
  const added = readdirSync(join(here, 'migrations')).filter((name) => name.slice(0, 4) > newest.slice(0, 4))
  for (const name of added) {
    const sql = readFileSync(join(here, 'migrations', name), 'utf8')
    writeFileSync(join(folder, 'migrations', name), plain(sql))
  }
  if (!isBroken) return added
  writeFileSync(
    join(folder, 'migrations', FAULT),
    "-- A mistake.\nalter table orders add constraint refuse check (status <> 'canceled') not valid;\n",
  )
  return [...added, FAULT]
}

/** An index that the older release would not know how to build concurrently; on an empty database it is the same. */
const plain = (sql: string): string =>
  sql.startsWith('-- Concurrently:')
    ? sql.replace('-- Concurrently:', '--').replaceAll(/create (unique )?index concurrently/g, 'create $1index')
    : sql

export function removeMigrations(folder: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(folder, 'migrations', name))
}
