import { Command, CommanderError } from 'commander'
import { VERSION } from '../platform/package-root.ts'
import { addArchiveCommands } from './archive.ts'
import { addAuditCommands } from './audit.ts'
import { addBackupCommands } from './backup.ts'
import { addBulkJobCommands } from './bulk-job.ts'
import { addBusinessCommands } from './business.ts'
import { addCheckCompatCommand } from './check-compat.ts'
import { addCreditCommands } from './credits.ts'
import { addDocsCommands } from './docs.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEmailCommands } from './email.ts'
import { explain } from './explain.ts'
import { addKeyCommands } from './keys.ts'
import { addKitCommands } from './kit.ts'
import { addLayoutsCommands } from './layouts.ts'
import { addMcpCommand } from './mcp.ts'
import { addMigrateCommand } from './migrate.ts'
import { addOpenApiCommand } from './openapi-command.ts'
import { addOperatorTokenCommands } from './operator-token.ts'
import { addOrderCommands } from './order.ts'
import { addPanelCommands } from './panel.ts'
import { addPaymentMethodCommands } from './payment-method.ts'
import { addRangesCommands } from './ranges.ts'
import { addListenCommand } from './remote/listen.ts'
import { addLoginCommands } from './remote/login.ts'
import { addLogsCommands } from './remote/logs.ts'
import { addOrdersCommands } from './remote/orders.ts'
import { addTriggerCommand } from './remote/trigger.ts'
import { addReportCommands } from './report.ts'
import { addRestoreCommand } from './restore.ts'
import { addErasedCommands, addHoldCommands, addRetentionCommands } from './retention.ts'
import { addSsoCommands } from './sso.ts'
import { addStartCommand } from './start.ts'
import { addTokenCommands } from './token.ts'
import { addUserCommands } from './user.ts'

/** Runs the command line. Every failure becomes a sentence on standard error and exit code 1. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed it.
      process.exitCode = error.exitCode
      return
    }
    console.error(explain(error))
    process.exitCode = 1
  }
}

/** Declares every command. */
export function program(): Command {
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
  root.commandsGroup('Run it:')
  addStartCommand(root)
  addMigrateCommand(root)
  addDoctorCommand(root)
  addRestoreCommand(root)
  root.commandsGroup('Use it from any machine, with a token and without its database:')
  addLoginCommands(root)
  addListenCommand(root)
  addTriggerCommand(root)
  addOrdersCommands(root)
  addLogsCommands(root)
  addMcpCommand(root)
  addOpenApiCommand(root)
  addDocsCommands(root)
  addCheckCompatCommand(root)
  root.commandsGroup('Administer it, even while it runs:')
  addBusinessCommands(root)
  addTokenCommands(root)
  addOperatorTokenCommands(root)
  addUserCommands(root)
  addSsoCommands(root)
  addPanelCommands(root)
  addRangesCommands(root)
  addLayoutsCommands(root)
  addCreditCommands(root)
  addPaymentMethodCommands(root)
  addOrderCommands(root)
  addBulkJobCommands(root)
  addKitCommands(root)
  addReportCommands(root)
  addEmailCommands(root)
  addAuditCommands(root)
  addKeyCommands(root)
  addRetentionCommands(root)
  addHoldCommands(root)
  addErasedCommands(root)
  addBackupCommands(root)
  addArchiveCommands(root)
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
