import { Command, CommanderError } from 'commander'
import { VERSION } from '../platform/package-root.ts'
import { outline } from './outline.gen.ts'

/** Loads a module and gives what adds its commands. */
type Load = () => Promise<(root: Command) => void>

// In the order of the help. A module is loaded for its own commands only: loading all takes about a second.
const groups: Record<string, [names: string, Load][]> = {
  'Run it:': [
    ['start', async () => (await import('./start.ts')).addStartCommand],
    ['migrate', async () => (await import('./migrate.ts')).addMigrateCommand],
    ['doctor', async () => (await import('./doctor.ts')).addDoctorCommand],
    ['restore', async () => (await import('./restore.ts')).addRestoreCommand],
  ],
  'Use it from any machine, with a token and without its database:': [
    ['login logout', async () => (await import('./remote/login.ts')).addLoginCommands],
    ['listen', async () => (await import('./remote/listen.ts')).addListenCommand],
    ['trigger', async () => (await import('./remote/trigger.ts')).addTriggerCommand],
    ['clock', async () => (await import('./remote/clock.ts')).addClockCommands],
    ['orders', async () => (await import('./remote/orders.ts')).addOrdersCommands],
    ['logs', async () => (await import('./remote/logs.ts')).addLogsCommands],
    ['mcp', async () => (await import('./mcp.ts')).addMcpCommand],
    ['openapi', async () => (await import('./openapi-command.ts')).addOpenApiCommand],
    ['docs', async () => (await import('./docs.ts')).addDocsCommands],
    ['read', async () => (await import('./read.ts')).addReadCommand],
    ['check-compat', async () => (await import('./check-compat.ts')).addCheckCompatCommand],
    ['completion', async () => (await import('./completion.ts')).completionOf(program)],
  ],
  'Administer it, even while it runs:': [
    ['business', async () => (await import('./business.ts')).addBusinessCommands],
    ['token', async () => (await import('./token.ts')).addTokenCommands],
    ['operator-token', async () => (await import('./operator-token.ts')).addOperatorTokenCommands],
    ['user', async () => (await import('./user.ts')).addUserCommands],
    ['sso', async () => (await import('./sso.ts')).addSsoCommands],
    ['panel', async () => (await import('./panel.ts')).addPanelCommands],
    ['ranges', async () => (await import('./ranges.ts')).addRangesCommands],
    ['layouts', async () => (await import('./layouts.ts')).addLayoutsCommands],
    ['credits verify-ledger', async () => (await import('./credits.ts')).addCreditCommands],
    ['payment-method', async () => (await import('./payment-method.ts')).addPaymentMethodCommands],
    ['order', async () => (await import('./order.ts')).addOrderCommands],
    ['bulk-job', async () => (await import('./bulk-job.ts')).addBulkJobCommands],
    ['kit', async () => (await import('./kit.ts')).addKitCommands],
    ['report', async () => (await import('./report.ts')).addReportCommands],
    ['email', async () => (await import('./email.ts')).addEmailCommands],
    ['audit verify-audit', async () => (await import('./audit.ts')).addAuditCommands],
    ['keys', async () => (await import('./keys.ts')).addKeyCommands],
    ['retention', async () => (await import('./retention.ts')).addRetentionCommands],
    ['hold', async () => (await import('./retention.ts')).addHoldCommands],
    ['erased', async () => (await import('./retention.ts')).addErasedCommands],
    ['backup backups', async () => (await import('./backup.ts')).addBackupCommands],
    ['archive', async () => (await import('./archive.ts')).addArchiveCommands],
  ],
}

/** Runs the command line. Every failure becomes a sentence on standard error and exit code 1. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    const root = await program(args.find((arg) => arg !== '--') ?? '')
    await root.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed it.
      process.exitCode = error.exitCode
      return
    }
    const { explain } = await import('./explain.ts')
    console.error(explain(error))
    process.exitCode = 1
  }
}

/**
 * Declares the commands of the module that has the command `first`; every command without `first`. For anything else,
 * such as --help, it declares what the list of commands shows and loads no module.
 */
export async function program(first?: string): Promise<Command> {
  const root = new Command('kitlane')
    .description('Kitlane runs ordering, tracking and results of health test kits on your own machine.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'explain a command')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(asSentence(text)) })
    .showHelpAfterError('Add --help to see the options.')
    .addHelpText(
      'after',
      '\nTo try it: kitlane start --demo\nTo learn about one command: kitlane business create --help',
    )
  const has = ([names]: [string, Load]) => first === undefined || names.split(' ').includes(first)
  for (const [title, all] of Object.entries(groups)) {
    root.commandsGroup(title)
    for (const [, load] of all.filter(has)) (await load())(root)
  }
  if (root.commands.length > 0) return root
  for (const [title, usage, summary] of outline) root.command(usage).description(summary).helpGroup(title)
  return root
}

function asSentence(text: string): string {
  const [first = '', ...rest] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.?$/, '.')
  return `${[sentence, ...rest].join('\n')}\n`
}
