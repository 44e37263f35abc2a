import { StartError } from '../../domain/errors.ts'
import { readMigrations } from './migrations.ts'
import { findRoles } from './roles.ts'
import { createClient } from './server.ts'

/** The version of a database (0: empty), and the newest that this code knows. The login may be the owner or a member of the program's role. */
export async function schemaVersions(url: string): Promise<{ found: number; newest: number }> {
  const newest = (await readMigrations()).at(-1)?.version ?? 0
  const client = createClient(url)
  client.on('error', () => {})
  await client.connect()
  try {
    const roles = await findRoles(client)
    if (!roles) return { found: 0, newest }
    await client.query(`set role ${roles.system}`)
    const { rows } = await client.query<{ version: number | null }>(
      'select max(version) as version from schema_migrations',
    )
    return { found: rows[0]?.version ?? 0, newest }
  } finally {
    await client.end()
  }
}

/** @throws StartError if the database is not at the version of this release */
export async function assertMigrated(url: string): Promise<void> {
  const { found, newest } = await schemaVersions(url)
  if (found < newest) {
    throw new StartError(
      `The database is ${found === 0 ? 'empty' : `at schema version ${found}`}, and this release needs version ${newest}. Run this first, as the owner of the database: kitlane migrate`,
    )
  }
  if (found > newest) {
    throw new StartError(
      `The database is at schema version ${found}, this program knows versions up to ${newest}. Use the newer release.`,
    )
  }
}
