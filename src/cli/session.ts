import { setTimeout as delay } from 'node:timers/promises'
import { assertMigrated, schemaVersions } from '../platform/database/migrations.ts'
import type { Actor, Database, Realm } from '../platform/database/tx.ts'
import { isNetworkFault, wentAway } from '../platform/database/unavailable.ts'
import { type PortsOf, type RealmPorts, realmPorts } from '../platform/ports/realm-ports.ts'
import { settingsForCommand } from '../service/load-settings.ts'
import { type OpenedDatabase, openForCommand } from './open-database.ts'

/** The actor of administration commands in the audit. */
export const operator: Actor = { name: 'cli' }

/** The ports of a realm, for commands that call other systems such as a payment gateway. */
export type RealmPortsOf = (realm: Realm) => RealmPorts

/** Opens the database for one command: that of DATABASE_URL, that of the running service, or its own for the duration. */
export async function withDatabase<T>(
  flags: { data?: string; creates?: boolean },
  name: string,
  work: (database: Database, outsideOf: RealmPortsOf, portsOf: PortsOf) => Promise<T>,
): Promise<T> {
  const settings = settingsForCommand(flags.data)
  const opened = await openForCommand(settings, name, { creates: flags.creates ?? false })
  try {
    await patiently(() => migrateIfNew(opened))
    // Imported here, so that help and refusals do not load the server's libraries.
    const { openDatabase } = await import('../service/open.ts')
    const { database, portsOf, close } = await patiently(() => openDatabase(opened.urls, { settings }))
    try {
      return await work(database, (realm) => realmPorts(database, portsOf, realm, operator), portsOf)
    } finally {
      await close()
    }
  } finally {
    await opened.stop()
  }
}

// A connection is given up after 2 s, which fits requests. Who types a command waits longer for a server that is busy or starting.
const PATIENCE_MS = 10_000

/** Opens something in the database, again if it was there but did not answer in time. */
async function patiently<T>(open: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!wentAway(error) || isNetworkFault(error) || performance.now() > deadline) throw error
      await delay(100)
    }
  }
}

/** Migrates an embedded database that was just created. The administrator migrates every other one. */
async function migrateIfNew({ urls, embedded }: OpenedDatabase): Promise<void> {
  if (embedded && (await schemaVersions(urls.owner)).found === 0) {
    const { prepareDatabase } = await import('../service/app.ts')
    await prepareDatabase(urls)
  } else await assertMigrated(urls.direct)
}

/** The option of commands that go on where they were interrupted. */
export const fromStart = { '--from-start': 'begin again, also where the last run was interrupted' }

export interface Continued {
  /** When the run began that was interrupted, and that this one went on with. */
  continued?: string | undefined
}

export const continuedIn = (at: Date | undefined): Continued => (at ? { continued: at.toISOString() } : {})

export const continuedInWords = ({ continued }: Continued): string =>
  continued === undefined
    ? ''
    : ` This went on with the run of ${continued}, which was interrupted: what it had verified was not read again. To do so, add --from-start.`
