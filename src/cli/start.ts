import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Command } from 'commander'
import { StartError } from '../domain/errors.ts'
import { keepEncryptionKey, maybeReadEncryptionKey } from '../platform/key-file.ts'
import { createLogger } from '../platform/log.ts'
import { named, unsetWords } from '../platform/settings.ts'
import { type Flags, loadSettings } from '../service/load-settings.ts'
import { declared } from '../settings.ts'
import { table } from './command.ts'
import { stopOnSignals } from './stop.ts'

const all = named(declared).map(([name, setting]) => {
  const unset = setting.flagOnly === true && typeof setting.default === 'boolean' ? undefined : unsetWords(setting)
  return { name, setting, help: unset === undefined ? setting.help : `${setting.help} (default: ${unset})` }
})

/** Every setting that the environment may set, with its line of help. */
export const settingsHelp = all.filter(({ setting }) => !setting.flagOnly).map(({ name, help }) => ({ name, help }))

// The first descriptor after standard error: sd_listen_fds(3).
const FIRST_SOCKET = 3

/** The descriptor of the port that a supervisor such as systemd holds for this process. Undefined: none. */
export function inheritedSocket(env: Record<string, string | undefined>, pid: number): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = env
  // Variables for another process were inherited by mistake.
  if (!LISTEN_FDS || Number(LISTEN_PID) !== pid) return undefined
  if (LISTEN_FDS === '1') return FIRST_SOCKET
  throw new StartError(
    `systemd hands over ${LISTEN_FDS} sockets, and Kitlane takes one. Keep one ListenStream in kitlane.socket.`,
  )
}

export function addStartCommand(root: Command): void {
  const command = root
    .command('start')
    .description('Run the service: the API, the worker and, where DATABASE_URL is not set, its own PostgreSQL.')
    .addHelpText(
      'after',
      `\nSettings, from the environment or a .env file; the options above take precedence. NAME_FILE=<path> reads NAME from a file.\n${table(settingsHelp.map(({ name, help }) => [`  ${name}`, help]))}\n\nExample:\n  kitlane start --port 9000 --data /var/lib/kitlane`,
    )
    .action(async (flags: Flags) => {
      // Files that the service creates get mode 0600, folders mode 0700.
      process.umask(0o077)
      const loaded = loadSettings({ env: process.env, flags })
      const { dataDir } = loaded
      const encryptionKey =
        loaded.encryptionKey ?? (loaded.kms ? maybeReadEncryptionKey(dataDir) : keepEncryptionKey(dataDir))
      const settings = { ...loaded, encryptionKey }
      const socketFd = inheritedSocket(process.env, process.pid)
      const log = createLogger({ level: settings.logLevel })
      // Compiling the sources takes half of the start time: the compile cache keeps the result for the next start.
      enableCompileCache(join(dataDir, 'compiled'))
      const { auditStream: stream } = settings
      const staysOnHangUp = stream !== undefined && 'file' in stream
      const bringUp = async (stopping: AbortSignal) => {
        // Imported here: the server's libraries would slow down every short command. PostgreSQL starts while they load.
        const { openForService } = await import('./open-database.ts')
        const [opened, { bringUp }] = await Promise.all([openForService(settings), import('./bring-up.ts')])
        return bringUp({ settings, socketFd, log, stopping, opened })
      }
      await stopOnSignals(log, bringUp, { staysOnHangUp })
    })
  for (const { setting, help } of all) if (setting.flag) command.option(setting.flag, help)
}
