import { access } from 'node:fs/promises'
import type { Command } from 'commander'
import { type Finding, fail, ok } from '../domain/finding.ts'
import { dataFolder } from '../platform/database/embedded/folder.ts'
import { settingsForCommand, settingsThatAreSet } from '../service/load-settings.ts'
import type { openDatabase } from '../service/open.ts'
import type { Settings } from '../settings.ts'
import {
  checkBackups,
  checkCallers,
  checkContacts,
  checkKeys,
  checkMigrations,
  checkServer,
  openingFailed,
} from './doctor/database.ts'
import { judgeFigures } from './doctor/figures.ts'
import { reasonOf } from './doctor/finding.ts'
import { checkDisk, checkFolder, checkSettings } from './doctor/machine.ts'
import { checkGateway, checkMail, checkWebhooks } from './doctor/reach.ts'
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
    for await (const finding of checkServer(opened.urls)) {
      isSound &&= finding.about !== 'database' || finding.status !== 'FAIL'
      yield finding
    }
    if (!isSound) return
    const migrations = await checkMigrations(opened.urls)
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
    yield openingFailed(error)
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
  yield await guarded('keys', () => checkKeys(database, settings))
  try {
    yield* judgeFigures(await readFigures(database))
  } catch (error) {
    yield fail('figures', `They cannot be read (${reasonOf(error)}).`, 'Look at the load of the database.')
  }
  yield await guarded('callers', () => checkCallers(database, settings))
  yield await guarded('backups', () => checkBackups(database))
  yield await guarded('contacts', () => checkContacts(database))
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
