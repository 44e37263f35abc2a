import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { errorCode } from '../../key-file.ts'

export interface Postmaster {
  pid: number
  port: number
}

const fastStopMs = 8000
const immediateStopMs = 7000

/** Names the folder by its inode: a copied folder holds a postmaster.pid that is not its own. */
export async function clusterName(cluster: string): Promise<string> {
  return `kitlane-${(await stat(cluster, { bigint: true })).ino}`
}

/** Whether `pid` is the postmaster of this very folder: process ids are used again, and a dead one may be a zombie. */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  const name = await clusterName(cluster).catch(() => undefined)
  return name !== undefined && (await commandLine(pid)).includes(`cluster_name=${name}`)
}

/** Reads postmaster.pid: line 1 is the process id, line 4 the port, line 8 the state. */
export async function readPidFile(cluster: string): Promise<(Postmaster & { ready: boolean }) | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid < 2) return undefined
  return { pid, port: Number(lines[3]), ready: lines[7] === 'ready' }
}

/** The running postmaster of this folder, if there is one. */
export async function findPostmaster(cluster: string): Promise<(Postmaster & { ready: boolean }) | undefined> {
  const found = await readPidFile(cluster)
  return found && (await isPostmasterOf(cluster, found.pid)) ? found : undefined
}

/** Stops a postmaster: fast, after 8 s at once (the next start then recovers from the log). True when it is gone. */
export async function stopPostmaster(cluster: string, pid: number): Promise<boolean> {
  const stages = [
    { signal: 'SIGINT', waitMs: fastStopMs },
    { signal: 'SIGQUIT', waitMs: immediateStopMs },
  ] as const
  for (const { signal, waitMs } of stages) {
    if (!(await isPostmasterOf(cluster, pid))) return true
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error
    }
    const deadline = performance.now() + waitMs
    while (performance.now() < deadline) {
      if (!(await isPostmasterOf(cluster, pid))) return true
      await sleep(10)
    }
  }
  return false
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
}
