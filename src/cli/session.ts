import { loadConfig } from '../config.ts'
import { StartError } from '../domain/errors.ts'
import { schemaVersions } from '../platform/database/migrate.ts'
import type { Actor, Database, Realm } from '../platform/database/tx.ts'
import { maybeReadEncryptionKey } from '../platform/encryption-key.ts'
import { type RealmPorts, realmPorts } from '../platform/ports/realm-ports.ts'
import { type OpenedDatabase, openForCommand } from './open-database.ts'
import { reachOf } from './reach.ts'

/** Who an administration command acts as, in the audit. */
export const operator: Actor = { name: 'cli' }

/** For what talks to other systems, such as a payment gateway. */
export type RealmPortsOf = (realm: Realm) => RealmPorts

/** Opens the database for one command: that of DATABASE_URL, that of the running service, or its own for a moment. */
export async function withDatabase<T>(
  flags: { data?: string },
  name: string,
  work: (database: Database, outsideOf: RealmPortsOf) => Promise<T>,
): Promise<T> {
  const loaded = loadConfig({ env: process.env, flags: { data: flags.data } })
  // What a command writes is sealed with the service's key: the links of the e-mails that it causes.
  const config = { ...loaded, encryptionKey: loaded.encryptionKey ?? maybeReadEncryptionKey(loaded.dataDir) }
  const opened = await openForCommand(config, name)
  try {
    await assertMigrated(opened)
    // Loaded here: help and refusals do not wait for the server's libraries.
    const { openDatabase } = await import('../app.ts')
    const { database, portsOf, close } = await openDatabase(opened.urls, { reach: reachOf(config) })
    try {
      return await work(database, (realm) => realmPorts(database, portsOf, realm, operator))
    } finally {
      await close()
    }
  } finally {
    await opened.stop()
  }
}

/** An embedded database that was just made gets its schema; every other one is the administrator's to migrate. */
async function assertMigrated({ urls, embedded }: OpenedDatabase): Promise<void> {
  const { found, newest } = await schemaVersions(urls.owner)
  if (found === 0 && embedded) {
    const { prepareDatabase } = await import('../app.ts')
    await prepareDatabase(urls)
    return
  }
  if (found < newest) {
    throw new StartError('The database is not at the version of this release. Run this first: kitlane migrate')
  }
  if (found > newest) {
    throw new StartError('The database belongs to a newer release of Kitlane. Use that release for this command.')
  }
}
