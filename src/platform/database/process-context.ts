import { open, type SecretKey, seal } from '../crypto.ts'

/** What this process knows and no table holds: its encryption key and its surroundings. */
export interface ProcessContext {
  /** Whether this process has the key. A command on another machine may not have it. */
  hasKey: boolean
  /** Encrypts a secret for one place (table, column, row). It can be opened for that place only. */
  seal(plaintext: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  /** Why egress refuses this URL, as a sentence; undefined if it does not. */
  urlProblem(url: string): string | undefined
  /** The public base URL of this service, without a trailing slash. Undefined if this process does not know it. */
  publicUrl: string | undefined
  /** Whether a mail server is configured. */
  sendsMail: boolean
}

export function createProcessContext(options: {
  encryptionKey: SecretKey | undefined
  urlProblem(url: string): string | undefined
  publicUrl?: string | undefined
  sendsMail?: boolean
}): ProcessContext {
  const key = () => {
    if (!options.encryptionKey) throw new Error('ENCRYPTION_KEY is needed for this')
    return options.encryptionKey
  }
  return {
    hasKey: options.encryptionKey !== undefined,
    seal: (plaintext, place) => seal(key(), plaintext, place),
    open: (sealed, place) => open(key(), sealed, place).toString(),
    urlProblem: options.urlProblem,
    publicUrl: options.publicUrl,
    sendsMail: options.sendsMail ?? false,
  }
}
