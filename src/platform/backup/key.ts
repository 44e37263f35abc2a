import type { Decrypter, Encrypter } from 'age-encryption'
import { StartError } from '../../domain/errors.ts'
import { keepKeyFile, readKeyFile } from '../key-file.ts'

/** A pair of keys of age, or the public one alone. */
export interface BackupKey {
  publicKey: string
  /** Undefined: this process can make backups and open none. */
  secretKey: string | undefined
}

const FILE = 'backup.key'
// 25 MB and a fifth of a second of CPU that a process without backups does not need.
const age = () => import('age-encryption')

/** Reads `AGE-SECRET-KEY-1…` or `age1…`; undefined for anything else. */
export async function readBackupKey(text: string): Promise<BackupKey | undefined> {
  const { Encrypter, identityToRecipient } = await age()
  try {
    if (text.startsWith('AGE-SECRET-KEY-')) return { secretKey: text, publicKey: await identityToRecipient(text) }
    new Encrypter().addRecipient(text)
    return { secretKey: undefined, publicKey: text }
  } catch {
    return undefined
  }
}

/** The key in `<dataDir>/backup.key`; undefined where none was made. */
export async function maybeReadBackupKey(dataDir: string): Promise<BackupKey | undefined> {
  const text = readKeyFile(dataDir, FILE)
  if (text === undefined) return undefined
  const key = await readBackupKey(text)
  if (key) return key
  throw new StartError(`${dataDir}/${FILE} holds no key of backups. Put the right file back, or set BACKUP_KEY.`)
}

/** The same, created if missing. */
export async function keepBackupKey(dataDir: string): Promise<BackupKey & { isNew: boolean }> {
  const found = await maybeReadBackupKey(dataDir)
  if (found) return { ...found, isNew: false }
  const { generateX25519Identity } = await age()
  const text = keepKeyFile(dataDir, FILE, await generateX25519Identity())
  const key = await readBackupKey(text)
  if (!key) throw new Error('the new key of backups cannot be read')
  return { ...key, isNew: true }
}

export async function encrypter({ publicKey }: BackupKey): Promise<Encrypter> {
  const { Encrypter } = await age()
  const made = new Encrypter()
  made.addRecipient(publicKey)
  return made
}

export async function decrypter({ secretKey }: BackupKey): Promise<Decrypter> {
  if (secretKey === undefined)
    throw new StartError(
      'BACKUP_KEY is a public key (age1…), which makes backups and opens none. Set BACKUP_KEY to its secret key, AGE-SECRET-KEY-1….',
    )
  const { Decrypter } = await age()
  const made = new Decrypter()
  made.addIdentity(secretKey)
  return made
}
