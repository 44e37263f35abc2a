import { chmodSync } from 'node:fs'
import { readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../../domain/errors.ts'
import { systemClock } from '../../clock.ts'
import { errorCode, makePrivateFolder } from '../../key-file.ts'
import { dataFolder } from './folder.ts'
import { processExists } from './process.ts'

export interface DataDirLock {
  release(): Promise<void>
}

interface Holder {
  pid: number
  startedAt: string
  what: string
}

const holderWaitMs = 1000
const heldHere = new Set<string>()

/**
 * Takes the data folder for this process until `release`, or until it dies in any way. `what` is the name
 * that a refused process prints. Throws StartError when the folder is taken.
 */
export async function lockDataDir(dataDir: string, what: string): Promise<DataDirLock> {
  const folder = dataFolder(dataDir)
  makePrivateFolder(folder.root)
  const key = await realpath(folder.root)
  if (heldHere.has(key)) throw await refusal(folder.root, folder.lockHolder)
  heldHere.add(key)
  let lock: DatabaseSync | undefined
  const free = () => {
    lock?.close()
    heldHere.delete(key)
  }
  try {
    // SQLite serves for its file lock, which Node has no call for: the kernel grants it to one process and takes it
    // back at any death, also across containers, so that there is no stale lock and no process id to compare.
    lock = takeFileLock(folder.lock)
    if (!lock) throw await refusal(folder.root, folder.lockHolder)
    await rm(folder.lockHolder, { force: true })
    const holder: Holder = { pid: process.pid, startedAt: systemClock.now().toISOString(), what }
    await writeFile(folder.lockHolder, JSON.stringify(holder), { mode: 0o600 })
  } catch (error) {
    free()
    throw error
  }
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      await rm(folder.lockHolder, { force: true })
      free()
    },
  }
}

function takeFileLock(path: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    chmodSync(path, 0o600)
    lock.exec('BEGIN IMMEDIATE')
    return lock
  } catch (cause) {
    lock?.close()
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === 5) return undefined
    throw new StartError(
      `The file ${path} cannot be locked (${errorCode(cause)}). Choose another folder with --data.`,
      {
        cause,
      },
    )
  }
}

/** The holder writes its name just after it gets the lock: wait for that name a moment. */
async function refusal(dataDir: string, holderPath: string): Promise<StartError> {
  const deadline = performance.now() + holderWaitMs
  let holder = await readHolder(holderPath)
  while (!(holder && processExists(holder.pid)) && performance.now() < deadline) {
    await sleep(20)
    holder = await readHolder(holderPath)
  }
  const who = holder
    ? `${holder.what} (process ${holder.pid}, started ${holder.startedAt.slice(0, 19).replace('T', ' ')} UTC)`
    : 'Another process'
  return new StartError(`${who} already uses ${dataDir}. Stop it, or choose another folder with --data.`)
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder: Partial<Holder> = JSON.parse(await readFile(path, 'utf8'))
    const { pid, startedAt, what } = holder
    return pid && startedAt && what ? { pid, startedAt, what } : undefined
  } catch {
    return undefined // absent or half-written: the caller asks again
  }
}
