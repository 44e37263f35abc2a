import { StartError } from '../../domain/errors.ts'
import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import { maybeNewest } from '../../modules/backups/queries.ts'
import { countWithoutContact } from '../../modules/insights/system/queries.ts'
import { selectMasters, selectRotation } from '../../modules/keys/queries.ts'
import type { DatabaseUrls } from '../../platform/database/connect.ts'
import { schemaVersions } from '../../platform/database/migrations.ts'
import { createClient } from '../../platform/database/server.ts'
import { selectCallerProblems } from '../../platform/database/server-figures.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { Settings } from '../../settings.ts'
import { operator } from '../session.ts'
import { age, reasonOf } from './figures.ts'
import { SERVER, type ServerRow, selectNewestRealm } from './queries.ts'

const OLDEST = 150_000
const DAY_S = 86_400

/** The server itself and its clock; undefined if it cannot be reached. */
export async function* checkServer(urls: DatabaseUrls): AsyncGenerator<Finding> {
  const client = createClient(urls.direct, { application_name: 'kitlane-doctor' })
  client.on('error', () => {})
  const started = performance.now()
  try {
    await client.connect()
  } catch (error) {
    yield fail(
      'database',
      `It cannot be reached (${reasonOf(error)}).`,
      'Check DATABASE_URL, the network, and whether PostgreSQL runs.',
    )
    return
  }
  try {
    const connectedMs = Math.round(performance.now() - started)
    const sentMs = Date.now()
    const { rows } = await client.query<ServerRow>(SERVER)
    const [row] = rows as [ServerRow]
    const offMs = (sentMs + Date.now()) / 2 - row.nowMs
    const found = `PostgreSQL ${row.shown} answers; connecting took ${connectedMs} ms.`
    if (row.version < OLDEST)
      yield fail('database', `PostgreSQL ${row.shown} is too old.`, 'Use PostgreSQL 15 or newer.')
    else if (row.standby || row.readOnly)
      yield fail('database', 'It takes no changes: a standby, or read-only.', 'Let DATABASE_URL name the primary.')
    else yield ok('database', found)
    yield clockFinding(Math.abs(offMs) / 1000)
  } finally {
    await client.end()
  }
}

function clockFinding(offSeconds: number): Finding {
  const found = `This machine and the database differ by ${offSeconds < 1 ? 'less than 1 s' : age(offSeconds)}.`
  const todo = 'Start NTP on both machines (timedatectl set-ntp true).'
  if (offSeconds > 60) return fail('clock', found, todo)
  return offSeconds > 5 ? warn('clock', found, todo) : ok('clock', found)
}

/** Whether the schema belongs to this release. */
export async function checkMigrations(urls: DatabaseUrls): Promise<Finding> {
  try {
    const { found, newest } = await schemaVersions(urls.owner)
    if (found < newest)
      return fail('migrations', `The schema is at ${found}, this release needs ${newest}.`, 'Run: kitlane migrate')
    if (found > newest)
      return fail(
        'migrations',
        `The schema is at ${found}, newer than this release (${newest}).`,
        'Use the newer release.',
      )
    return ok('migrations', `The schema is at ${found}, the newest of this release.`)
  } catch (error) {
    return fail('migrations', `They cannot be read (${reasonOf(error)}).`, 'Run: kitlane migrate')
  }
}

/** What opening refused: the role, or the encryption key. */
export function openingFailed(error: unknown): Finding {
  const found = error instanceof StartError ? error.message : `It cannot be opened (${reasonOf(error)}).`
  return fail(
    /encryption key|ENCRYPTION_KEY|KMS/i.test(found) ? 'keys' : 'rights',
    found,
    'See docs/database.md and docs/security.md.',
  )
}

/** The keys that personal data is sealed with. */
export async function checkKeys(database: Database, settings: Settings): Promise<Finding> {
  if (!settings.encryptionKey && !settings.kms) {
    return fail(
      'keys',
      'There is no encryption key here.',
      'Set ENCRYPTION_KEY or KMS_KEY_ID, or restore encryption.key in the data folder.',
    )
  }
  const { masters, rotation, realm } = await database.asSystem(operator, async (tx) => ({
    masters: await selectMasters(tx),
    rotation: await selectRotation(tx),
    realm: await selectNewestRealm(tx),
  }))
  const count = masters.reduce((sum, { keys }) => sum + keys, 0)
  try {
    // Opening a transaction of the realm unwraps its keys.
    if (realm) await database.inRealm(realm, operator, async () => {})
  } catch (error) {
    return fail(
      'keys',
      `The keys of the newest business cannot be opened (${reasonOf(error)}).`,
      'Give this process the master key that wrapped them: kitlane keys status',
    )
  }
  if (masters.length > 1)
    return warn('keys', `${masters.length} master keys are in use.`, 'Finish with: kitlane keys rotate --master')
  if (rotation) return warn('keys', 'A rotation has begun and has not ended.', 'Finish with: kitlane keys rotate')
  return ok('keys', `The key is that of this database, and opens its ${count} data keys.`)
}

const CALLERS = 'Let the proxy in front send X-Forwarded-For, and name it in TRUSTED_PROXIES: docs/security.md.'

/** Whether the limits and the audit see the addresses of callers, or that of a proxy. */
export async function checkCallers(database: Database, { publicUrl, trustedProxies }: Settings): Promise<Finding> {
  const problems = await database.asSystem(operator, selectCallerProblems)
  if (problems.includes('untrusted'))
    return fail('callers', 'Forwarded headers come from a sender that TRUSTED_PROXIES does not name.', CALLERS)
  if (problems.includes('single')) return warn('callers', 'All callers of the last hour had one address.', CALLERS)
  if (publicUrl?.startsWith('https:') && !trustedProxies)
    return warn('callers', 'A proxy ends TLS (PUBLIC_URL is https), and TRUSTED_PROXIES names none.', CALLERS)
  return ok('callers', 'Nothing says that their addresses are those of a proxy.')
}

/** When the last backup was made. Other tools than `kitlane backup` leave no record. */
export async function checkBackups(database: Database): Promise<Finding> {
  const newest = await database.asSystem(operator, (tx) => maybeNewest(tx, true))
  const todo = 'Make one now, and on a schedule: docs/backup.md.'
  if (!newest) return warn('backups', 'There is no backup of kitlane backup.', todo)
  const seconds = (Date.now() - newest.endedAt.getTime()) / 1000
  const found = `The last one is ${age(seconds)} old.`
  return seconds > 2 * DAY_S ? fail('backups', found, todo) : ok('backups', found)
}

/** People tested are told to ask the business: somebody must be reachable there. */
export async function checkContacts(database: Database): Promise<Finding> {
  const count = await database.asSystem(operator, countWithoutContact)
  return count === 0
    ? ok('contacts', 'Every business that sends live kits has a contact address.')
    : warn(
        'contacts',
        `${count} of the businesses that send live kits ${count === 1 ? 'has' : 'have'} no contact address: people who are told to ask them do not learn where.`,
        'Run: kitlane business set --business <name> contactEmail=<address>',
      )
}
