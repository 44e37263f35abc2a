import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../../domain/errors.ts'
import { errorCode } from '../../key-file.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { type DataFolder, openLog, readTail } from './folder.ts'
import { clusterName, isPostmasterOf, type Postmaster, processExists, readPidFile, stopPostmaster } from './process.ts'

/** What it takes to run PostgreSQL's programs on a data folder. */
export interface Place {
  folder: DataFolder
  binaries: Binaries
  account: Account | undefined
}

/** A postmaster that we started; `gone` settles when it ends. */
export interface StartedPostmaster extends Postmaster {
  gone: Promise<void>
}

const recoveryMaxMs = 10 * 60_000
const lingeringMaxMs = 30_000
const lingering = /shared memory block .* is still in use|lock file .* already exists/
const portTaken = /could not bind|could not create any TCP\/IP sockets/

/** Starts on a port of our choice, or on `port` again. Throws StartError with the last lines of the log. */
export async function launch(
  place: Place,
  options: { port?: number; signal: AbortSignal },
): Promise<StartedPostmaster> {
  const deadline = performance.now() + lingeringMaxMs
  for (;;) {
    // Below the range that outgoing connections take, so that the port is still ours after a crash.
    const port = options.port ?? randomInt(20_000, 32_000)
    const attempt = await tryLaunch(place, port, options.signal)
    if ('postmaster' in attempt) return attempt.postmaster
    const passes = lingering.test(attempt.tail) || (options.port === undefined && portTaken.test(attempt.tail))
    if (!passes || performance.now() > deadline || options.signal.aborted) {
      throw new StartError(
        `The embedded PostgreSQL does not start. Its log ${place.folder.log} ends with:\n${attempt.tail}\n` +
          'Set DATABASE_URL to use another PostgreSQL.',
      )
    }
    await sleep(100)
  }
}

type Attempt = { postmaster: StartedPostmaster } | { tail: string }

/** Sized for a machine with 1 GB; fsync stays on. Given on the command line, so that an upgrade changes them. */
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '400',
  shared_buffers: '128MB',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  // Nothing subscribes here: one process less.
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors repeat submitted values, which are health data: only what concerns the server itself is logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_checkpoints: 'off',
}

export function settingArguments(): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function tryLaunch(place: Place, port: number, signal: AbortSignal): Promise<Attempt> {
  const { folder, binaries } = place
  await removeForeignPidFile(folder.cluster)
  const name = ['-c', `cluster_name=${await clusterName(folder.cluster)}`]
  const { fd, start } = await openLog(folder.log)
  const args = ['-D', clusterPath(folder.cluster), '-p', String(port), ...name, ...settingArguments()]
  // Its own session: Ctrl-C in the terminal is for the service, which stops PostgreSQL when its own work is done.
  const child = spawn(binaries.postgres, args, { ...spawnOptions(place), stdio: ['ignore', fd, fd], detached: true })
  closeSync(fd)
  child.unref()
  const exit = watchExit(child)
  const deadline = performance.now() + recoveryMaxMs
  while (!exit.ended) {
    const found = await readPidFile(folder.cluster)
    if (child.pid && found?.pid === child.pid && found.ready) {
      return { postmaster: { pid: child.pid, port, gone: exit.gone } }
    }
    if (child.pid && (signal.aborted || performance.now() > deadline)) await stopPostmaster(folder.cluster, child.pid)
    await Promise.race([sleep(5), exit.gone])
  }
  return { tail: exit.failure ?? (await readTail(folder.log, start)) }
}

/**
 * PostgreSQL refuses to start while the process of postmaster.pid exists, even if that is now some other program or a
 * zombie that nobody collects, both common in containers. It still finds servers of this folder by their shared memory.
 */
async function removeForeignPidFile(cluster: string): Promise<void> {
  const found = await readPidFile(cluster)
  if (!found || process.platform === 'win32') return
  if (processExists(found.pid) && !(await isPostmasterOf(cluster, found.pid))) await rm(join(cluster, 'postmaster.pid'))
}

/**
 * A folder below one that only root may enter is reached through the working directory, which is set before the
 * user is changed. PostgreSQL turns `.` into a full path, but leaves this name, which needs no rights on the parents.
 */
export function clusterPath(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

/** No variable of ours is passed on: they hold secrets. */
export function spawnOptions(place: Place) {
  const inherited = process.platform === 'win32' ? process.env : { PATH: process.env.PATH ?? '/usr/bin:/bin' }
  const env = { ...inherited, LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: place.folder.cluster, env, ...place.account }
}

export function watchExit(child: ChildProcess) {
  const state: { ended: boolean; code: number | null; failure?: string; gone: Promise<void> } = {
    ended: false,
    code: null,
    gone: Promise.resolve(),
  }
  state.gone = new Promise((resolve) => {
    child.once('error', (error) => {
      state.ended = true
      state.failure = `${child.spawnfile} cannot be run: ${errorCode(error)}`
      resolve()
    })
    child.once('exit', (code) => {
      state.ended = true
      state.code = code
      resolve()
    })
  })
  return state
}
