import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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

/** The text of a key file in the data folder; undefined if the file does not exist. */
export function readKeyFile(dataDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    if (code !== 'ENOTDIR') throw error
    throw new StartError(
      `The data folder ${resolve(dataDir)} is a file, or below one (${code}). Choose another folder with --data.`,
      { cause: error },
    )
  }
}

/**
 * Writes a new key to a file of the data folder, and returns what the file then holds. Two processes that start together
 * get the same key: it is written to a temporary file, flushed, and linked into place, which only one of them can do.
 */
export function keepKeyFile(dataDir: string, name: string, key: string): string {
  const path = join(dataDir, name)
  makePrivateFolder(dataDir)
  const draft = `${path}.${process.pid}`
  const file = openDraft(dataDir, draft)
  try {
    writeSync(file, `${key}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  const directory = openSync(dataDir, 'r')
  fsyncSync(directory)
  closeSync(directory)
  const written = readKeyFile(dataDir, name)
  if (written === undefined) throw new StartError(`${path} vanished while it was made. Start again.`)
  return written
}

function openDraft(dataDir: string, draft: string): number {
  try {
    return openSync(draft, 'w', 0o600)
  } catch (cause) {
    throw new StartError(
      `Nothing can be written to the data folder ${resolve(dataDir)} (${errorCode(cause)}). Choose another folder with --data.`,
      { cause },
    )
  }
}

const FILE = 'encryption.key'
const keyLength = 32

/** The 32 bytes in 64 hexadecimal digits or base64 (both alphabets, padded or not); undefined for anything else. */
export function readEncryptionKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === keyLength ? bytes : undefined
}

/** The key in `<dataDir>/encryption.key`, if a service created one. */
export const maybeReadEncryptionKey = (dataDir: string): Buffer | undefined => read(dataDir)

/** The key in `<dataDir>/encryption.key`, created on the first start. */
export function keepEncryptionKey(dataDir: string): Buffer {
  try {
    return read(dataDir) ?? create(dataDir)
  } catch (error) {
    if (error instanceof StartError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error'
    throw new StartError(
      `The encryption key in ${join(dataDir, FILE)} can be neither read nor made (${code}). Give DATA_DIR or --data a directory that Kitlane may write to, or set ENCRYPTION_KEY.`,
      { cause: error },
    )
  }
}

function read(dataDir: string): Buffer | undefined {
  const text = readKeyFile(dataDir, FILE)
  if (text === undefined) return undefined
  const key = readEncryptionKey(text)
  if (key) return key
  throw new StartError(
    `${join(dataDir, FILE)} holds no encryption key. Restore it from where you keep a copy: a new key cannot read what the database holds.`,
  )
}

function create(dataDir: string): Buffer {
  keepKeyFile(dataDir, FILE, randomBytes(keyLength).toString('base64'))
  const key = read(dataDir)
  if (!key) throw new StartError(`${join(dataDir, FILE)} vanished while it was made. Start again.`)
  return key
}
