import { access, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Finding, fail, ok, warn } from '../domain/finding.ts'
import { dataFolder } from '../platform/database/embedded/folder.ts'
import { readSettings } from '../platform/settings.ts'
import { settingsForCommand } from '../service/load-settings.ts'
import type { openDatabase } from '../service/open.ts'
import { declared, type Settings } from '../settings.ts'
import * as doctorDatabase from './doctor/database.ts'
import { checkGateway, checkMail, checkWebhooks, judgeFigures, reasonOf } from './doctor/figures.ts'
import { openForCommand } from './open-database.ts'

export function addDoctorCommand(root: Command): void {
  root
    .command('doctor')
    .description('Check settings, database, keys, mail, gateway, queues and records, and say what to do.')
    .option('--json', 'print JSON only')
    .option('--integrations', 'play what connected systems send to the running service, and say what would work')
    .option('--data <folder>', 'the data folder (default: ./data)')
    .addHelpText(
      'after',
      '\nChanges nothing, sends nothing to anybody, and may run beside the service. Exits with 1 if a check fails.\n\nExample:\n  kitlane doctor --json',
    )
    .action(async ({ json, data, integrations }: { json?: boolean; data?: string; integrations?: boolean }) => {
      const findings: Finding[] = []
      for await (const finding of examine(data, integrations ? examineIntegrations : examineService)) {
        findings.push(finding)
        if (!json) console.log(inWords(finding))
      }
      const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length
      if (json) console.log(JSON.stringify({ healthy: count('FAIL') === 0, findings }, null, 2))
      else console.log(`\n${count('ok')} ok, ${count('warn')} to look at, ${count('FAIL')} failed.`)
      if (count('FAIL') > 0) process.exitCode = 1
    })
}

const inWords = ({ about, status, found, todo }: Finding): string =>
  `${status.padEnd(4)}  ${about.padEnd(17)}  ${found}${todo ? `\n${' '.repeat(25)}→ ${todo}` : ''}`

const GB = 1024 ** 3

/** The disk of the data folder. */
async function checkDisk({ dataDir }: Settings): Promise<Finding> {
  const disk = await statfs(dataDir).catch((error: unknown) => reasonOf(error))
  if (typeof disk === 'string') {
    return warn(
      'disk',
      `The data folder cannot be read (${disk}).`,
      'Check --data or DATA_DIR; `kitlane start` makes the folder.',
    )
  }
  const [free, size] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize]
  const found = `${(free / GB).toFixed(1)} GB of ${(size / GB).toFixed(1)} GB are free in the data folder.`
  const todo = 'Enlarge the disk, or remove old backups from it. Delete nothing in the folder of the database.'
  if (free < 0.5 * GB || free / size < 0.03) return fail('disk', found, todo)
  return free < 2 * GB || free / size < 0.1 ? warn('disk', found, todo) : ok('disk', found)
}

/** Who else on this machine can read the data folder and the key in it. */
async function checkFolder({ dataDir }: Settings): Promise<Finding> {
  const open: string[] = []
  let isThere = false
  for (const path of [dataDir, join(dataDir, 'encryption.key')]) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : error,
    )
    if (found instanceof Error) {
      return warn(
        'data folder',
        `${path} cannot be looked at (${reasonOf(found)}).`,
        'Run this as the user of the service.',
      )
    }
    isThere ||= found !== undefined
    if (found && (found.mode & 0o077) !== 0) open.push(path)
  }
  if (!isThere) return ok('data folder', `${dataDir} is not there yet: Kitlane makes it when it starts.`)
  if (open.length === 0) return ok('data folder', 'Only its owner can read it.')
  return warn(
    'data folder',
    `Others on this machine can read ${open.join(' and ')}.`,
    `Run: chmod go-rwx ${open.join(' ')}`,
  )
}

/** Settings that are right one by one, but not for a service that others rely on. */
function checkSettings({ publicUrl }: Settings, set: ReadonlySet<string>): Finding {
  const missing = [
    !publicUrl && 'PUBLIC_URL (links in e-mails lead to this machine)',
    publicUrl?.startsWith('http:') && 'https in PUBLIC_URL (cookies and links travel in clear)',
  ].filter((text) => typeof text === 'string')
  if (missing.length === 0) return ok('settings', `All are well-formed; set are ${[...set].join(', ')}.`)
  return warn('settings', `Missing for live use: ${missing.join(', ')}.`, 'Set it in the environment or in .env.')
}

/** The names of what is set, for a look at the settings. */
const settingsThatAreSet = (data: string | undefined): ReadonlySet<string> =>
  readSettings(declared, { env: process.env, flags: { data }, envFile: resolve('.env') }).given

/** Every check, in the order in which one rests on the other. */
async function* examine(data: string | undefined, ofService: ServiceChecks): AsyncGenerator<Finding> {
  let settings: Settings
  try {
    settings = settingsForCommand(data)
  } catch (error) {
    yield fail('settings', (error as Error).message, 'Correct them, then run this again.')
    return
  }
  yield checkSettings(settings, settingsThatAreSet(data))
  yield await checkDisk(settings)
  yield await checkFolder(settings)
  yield* examineDatabase(settings, ofService)
  yield await checkMail(settings)
}

async function* examineDatabase(settings: Settings, ofService: ServiceChecks): AsyncGenerator<Finding> {
  const isEmbedded = settings.database === undefined
  const exists = await access(dataFolder(settings.dataDir).cluster).then(
    () => true,
    () => false,
  )
  if (isEmbedded && !exists) {
    yield fail('database', 'There is none yet in the data folder.', 'Run: kitlane start, or set DATABASE_URL.')
    return
  }
  let opened: Awaited<ReturnType<typeof openForCommand>>
  try {
    opened = await openForCommand(settings, 'kitlane doctor', { creates: false })
  } catch (error) {
    yield fail(
      'database',
      `Its own PostgreSQL does not start (${reasonOf(error)}).`,
      'See postgres.log in the data folder.',
    )
    return
  }
  try {
    let isSound = true
    for await (const finding of doctorDatabase.checkServer(opened.urls)) {
      isSound &&= finding.about !== 'database' || finding.status !== 'FAIL'
      yield finding
    }
    if (!isSound) return
    const migrations = await doctorDatabase.checkMigrations(opened.urls)
    yield migrations
    if (migrations.status === 'ok') yield* withService(settings, opened.urls, ofService)
  } finally {
    await opened.stop()
  }
}

async function* withService(
  settings: Settings,
  urls: Awaited<ReturnType<typeof openForCommand>>['urls'],
  checks: ServiceChecks,
): AsyncGenerator<Finding> {
  // Imported here, so that help does not load the server's libraries.
  const { openDatabase } = await import('../service/open.ts')
  let opened: Opened
  try {
    opened = await openDatabase(urls, { settings })
  } catch (error) {
    yield doctorDatabase.openingFailed(error)
    return
  }
  try {
    yield* checks(settings, opened)
  } finally {
    await opened.close()
  }
}

type Opened = Awaited<ReturnType<typeof openDatabase>>
type ServiceChecks = (
  settings: Settings,
  opened: Pick<Opened, 'database' | 'egress' | 'portsOf' | 'context'>,
) => AsyncGenerator<Finding>

async function* examineService(
  ...[settings, { database, egress }]: Parameters<ServiceChecks>
): AsyncGenerator<Finding> {
  const { readFigures } = await import('../modules/insights/figures/service.ts')
  yield ok('rights', 'The program is no owner here: row-level security holds.')
  yield await guarded('keys', () => doctorDatabase.checkKeys(database, settings))
  try {
    yield* judgeFigures(await readFigures(database))
  } catch (error) {
    yield fail('figures', `They cannot be read (${reasonOf(error)}).`, 'Look at the load of the database.')
  }
  yield await guarded('callers', () => doctorDatabase.checkCallers(database, settings))
  yield await guarded('backups', () => doctorDatabase.checkBackups(database))
  yield await guarded('contacts', () => doctorDatabase.checkContacts(database))
  yield await guarded('gateway', () => checkGateway(settings, egress))
  yield await guarded('webhook hosts', () => checkWebhooks(database, egress))
}

async function* examineIntegrations(...[settings, opened]: Parameters<ServiceChecks>): AsyncGenerator<Finding> {
  const { database, egress } = opened
  const { checkProviders, playIntegrations, playModules } = await import('./doctor/integrations.ts')
  yield* playIntegrations(settings, egress)
  yield await guarded('single sign-on', () => checkProviders(database, egress))
  yield* playModules(settings, opened)
  yield await guarded('gateway', () => checkGateway(settings, egress))
  yield await guarded('webhook hosts', () => checkWebhooks(database, egress))
}

/** A check that breaks is a finding too. */
const guarded = (about: string, check: () => Promise<Finding>): Promise<Finding> =>
  check().catch((error: unknown) => fail(about, `This could not be checked (${reasonOf(error)}).`, 'Run this again.'))
