import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from '../domain/errors.ts'

/** Creates the data folder, which only its owner may enter, or restricts an existing one. @throws StartError */
export function makePrivateFolder(path: string): void {
  try {
    makeFolder(path, 0o700)
  } catch (cause) {
    throw new StartError(
      `The data folder ${resolve(path)} cannot be made (${errorCode(cause)}). Choose another folder with --data.`,
      { cause },
    )
  }
  const { mode, uid } = statSync(path)
  if ((mode & 0o077) === 0 || process.platform === 'win32') return
  // A volume that another account owns cannot be restricted by us.
  if (process.getuid?.() === 0 || process.getuid?.() === uid) chmodSync(path, 0o700)
}

/** The system's name of an error, such as ENOENT or EACCES. */
export function errorCode(error: unknown): string {
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return String(error)
}

/**
 * Creates a folder with those above it, and returns the first that it made. Node's own way to do so asks for ever where a folder is
 * there and takes none, as /proc.
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  const folder = resolve(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const above = dirname(folder)
  const made = above === folder ? undefined : makeFolder(above, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (err) {
    // Another process was faster.
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    if (!isThere) throw err
  }
  return made ?? folder
}
