import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../domain/errors.ts'
import { makePrivateFolder } from './private-folder.ts'

const keyLength = 32

/** The 32 bytes in 64 hexadecimal digits or base64 (both alphabets, padded or not); undefined for anything else. */
export function readEncryptionKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === keyLength ? bytes : undefined
}

/** The key in `<dataDir>/encryption.key`, if a service created one. */
export const maybeReadEncryptionKey = (dataDir: string): Buffer | undefined => read(join(dataDir, 'encryption.key'))

/**
 * The key in `<dataDir>/encryption.key`, created on the first start. Two processes that start together get the same key:
 * it is written to a temporary file, flushed, and linked into place, which only one of them can do.
 */
export function keepEncryptionKey(dataDir: string): Buffer {
  const path = join(dataDir, 'encryption.key')
  try {
    return read(path) ?? create(dataDir, path)
  } catch (error) {
    if (error instanceof StartError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error'
    throw new StartError(
      `The encryption key in ${path} can be neither read nor made (${code}). Give DATA_DIR or --data a directory that Kitlane may write to, or set ENCRYPTION_KEY.`,
      { cause: error },
    )
  }
}

function read(path: string): Buffer | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const key = readEncryptionKey(text.trim())
  if (key) return key
  throw new StartError(
    `${path} holds no encryption key. Restore it from a backup: a new key cannot read what the database holds.`,
  )
}

function create(dataDir: string, path: string): Buffer {
  makePrivateFolder(dataDir)
  const draft = `${path}.${process.pid}`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, `${randomBytes(keyLength).toString('base64')}\n`)
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
  const key = read(path)
  if (!key) throw new StartError(`${path} vanished while it was made. Start again.`)
  return key
}
