import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Flags, loadConfig, settingsHelp } from '../config.ts'
import { keepEncryptionKey, maybeReadEncryptionKey } from '../platform/encryption-key.ts'
import { createLogger } from '../platform/log.ts'
import { table } from './command.ts'
import { inheritedSocket } from './inherited-socket.ts'
import { stopOnSignals } from './stop.ts'

const settings = table(settingsHelp.map(({ name, help }) => [`  ${name}`, help]))

export function addStartCommand(root: Command): void {
  root
    .command('start')
    .description('Run the service: the API, the worker and, where DATABASE_URL is not set, its own PostgreSQL.')
    .option('--port <number>', 'the port to listen on; 0 takes any free one (default: 8080)')
    .option('--host <address>', 'the address to listen on; 0.0.0.0 lets other machines in (default: 127.0.0.1)')
    .option('--data <folder>', 'the folder for everything that it keeps (default: ./data)')
    .option('--role <role>', 'what to run: all, api or worker (default: all)')
    .option('--no-migrate', 'leave the schema as it is, which needs no owner of the database: kitlane migrate has run')
    .option('--demo', 'fill an empty database with a business, a test card, a login, tokens and an order to look at')
    .addHelpText(
      'after',
      `\nSettings, from the environment or a .env file; the options above take precedence. NAME_FILE=<path> reads NAME from a file.\n${settings}\n\nExample:\n  kitlane start --port 9000 --data /var/lib/kitlane`,
    )
    .action(async (flags: Flags) => {
      // Files that the service creates get mode 0600, folders mode 0700.
      process.umask(0o077)
      const config = loadConfig({ env: process.env, flags })
      const encryptionKey =
        config.encryptionKey ??
        (config.kms ? maybeReadEncryptionKey(config.dataDir) : keepEncryptionKey(config.dataDir))
      const socketFd = inheritedSocket(process.env, process.pid)
      const log = createLogger({ level: config.logLevel })
      // Compiling the sources takes half of the start time: the compile cache keeps the result for the next start.
      enableCompileCache(join(config.dataDir, 'compiled'))
      // Imported here: the server's libraries would slow down every short command.
      const { bringUp } = await import('./bring-up.ts')
      const { stream } = config.oversight
      const staysOnHangUp = stream !== undefined && 'file' in stream
      await stopOnSignals(log, (stopping) => bringUp({ ...config, encryptionKey, socketFd }, log, stopping), {
        staysOnHangUp,
      })
    })
}
