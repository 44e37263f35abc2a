import { open, type SecretKey, seal } from '../crypto.ts'

/** What this process knows and no table holds: its key, and what it may reach. */
export interface ProcessContext {
  /** Whether this process has the key: a command on another machine may not. */
  hasKey: boolean
  /** Encrypts a secret for one place; it opens for that place only. */
  seal(plaintext: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  /** Why a URL cannot be a webhook's, as a sentence; undefined where it can. */
  webhookUrlProblem(url: string): string | undefined
  /** Under which others reach this service, without a slash at the end. Undefined: not known in this process. */
  publicUrl: string | undefined
  /** Whether there is a mail server. */
  sendsMail: boolean
}

export function createProcessContext(options: {
  encryptionKey: SecretKey | undefined
  webhookUrlProblem(url: string): string | undefined
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
    webhookUrlProblem: options.webhookUrlProblem,
    publicUrl: options.publicUrl,
    sendsMail: options.sendsMail ?? false,
  }
}
