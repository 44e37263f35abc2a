import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Creates a folder that only its owner may enter, or restricts an existing one. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { mode, uid } = statSync(path)
  if ((mode & 0o077) === 0 || process.platform === 'win32') return
  // A volume that another account owns cannot be restricted by us.
  if (process.getuid?.() === 0 || process.getuid?.() === uid) chmodSync(path, 0o700)
}
