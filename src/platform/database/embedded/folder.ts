import { openSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Where things are inside the service's data folder. */
export interface DataFolder {
  root: string
  /** PostgreSQL's own folder. */
  cluster: string
  credentials: string
  log: string
  lock: string
  lockHolder: string
}

export function dataFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir)
  return {
    root,
    cluster: join(root, 'postgres'),
    credentials: join(root, 'postgres.json'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'kitlane.lock'),
    lockHolder: join(root, 'kitlane.lock.json'),
  }
}

const maxBytes = 10 * 1024 * 1024

/** Opens PostgreSQL's log for appending; a full one becomes `.1`. Returns where this run's lines begin. */
export async function openLog(path: string): Promise<{ fd: number; start: number }> {
  let size = await sizeOf(path)
  if (size > maxBytes) {
    await rename(path, `${path}.1`)
    size = 0
  }
  return { fd: openSync(path, 'a', 0o600), start: size }
}

/** The last lines of the log since `start`. */
export async function readTail(path: string, start: number, lines = 8): Promise<string> {
  const from = Math.max(start, (await sizeOf(path)) - 16_384)
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16_384), position: from })
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-lines).join('\n')
  } finally {
    await file.close()
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
