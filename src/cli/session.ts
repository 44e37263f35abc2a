import { loadConfig } from '../config.ts'
import { StartError } from '../domain/errors.ts'
import { schemaVersions } from '../platform/database/migrate.ts'
import type { Actor, Database, Realm } from '../platform/database/tx.ts'
import { maybeReadEncryptionKey } from '../platform/encryption-key.ts'
import { type RealmPorts, realmPorts } from '../platform/ports/realm-ports.ts'
import { type OpenedDatabase, openForCommand } from './open-database.ts'
import { reachOf } from './reach.ts'

/** The actor of administration commands in the audit. */
export const operator: Actor = { name: 'cli' }

/** The ports of a realm, for commands that call other systems such as a payment gateway. */
export type RealmPortsOf = (realm: Realm) => RealmPorts

/** Opens the database for one command: that of DATABASE_URL, that of the running service, or its own for the duration. */
export async function withDatabase<T>(
  flags: { data?: string },
  name: string,
  work: (database: Database, outsideOf: RealmPortsOf) => Promise<T>,
): Promise<T> {
  const loaded = loadConfig({ env: process.env, flags: { data: flags.data } })
  // The service's key seals what a command writes, such as the links in e-mails.
  const config = { ...loaded, encryptionKey: loaded.encryptionKey ?? maybeReadEncryptionKey(loaded.dataDir) }
  const opened = await openForCommand(config, name)
  try {
    await assertMigrated(opened)
    // Imported here, so that help and refusals do not load the server's libraries.
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

/** Migrates an embedded database that was just created. The administrator migrates every other one. */
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
