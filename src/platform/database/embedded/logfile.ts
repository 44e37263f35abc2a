import { openSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'

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
