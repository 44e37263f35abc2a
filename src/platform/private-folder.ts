import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Makes a folder that only its owner may enter, and closes one that was open to others. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { mode, uid } = statSync(path)
  if ((mode & 0o077) === 0 || process.platform === 'win32') return
  // A volume that somebody else owns and lets us use cannot be closed by us.
  if (process.getuid?.() === 0 || process.getuid?.() === uid) chmodSync(path, 0o700)
}
