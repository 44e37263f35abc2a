import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StartError } from '../domain/errors.ts'
import { keepKeyFile, readKeyFile } from './key-file.ts'

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
