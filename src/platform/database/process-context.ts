import type { Settings } from '../../settings.ts'
import { keyIdOf, open, type SecretKey, seal } from '../crypto.ts'

/** What this process knows and no table holds: its encryption key and its surroundings. */
export interface ProcessContext {
  /** Whether this process has the key. A command on another machine may not have it. */
  hasKey: boolean
  /** Encrypts a secret for one place (table, column, row). It can be opened for that place only. */
  seal(plaintext: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  /** A secret that another key sealed, sealed with the key of now; undefined if that sealed it. */
  resealed(sealed: Buffer, place: string): Buffer | undefined
  /** The master key of the settings, which wraps keys. */
  masterKey: SecretKey | undefined
  /** Why egress refuses this URL, as a sentence; undefined if it does not. */
  urlProblem(url: string): string | undefined
  /** The public base URL of this service, without a trailing slash: of the settings, else where it listens. Undefined in a command. */
  publicUrl: string | undefined
  settings: Settings
  /** What the modules declare: `modulesOf` of src/modules/define-module.ts reads it. */
  modules: readonly { name: string }[]
}

export function createProcessContext(options: {
  /** The key that seals secrets; undefined in a process without the master key. */
  secretsKey: SecretKey | undefined
  /** Keys that earlier versions sealed secrets with. */
  earlierKeys?: readonly SecretKey[]
  urlProblem(url: string): string | undefined
  settings: Settings
  modules: readonly { name: string }[]
}): ProcessContext {
  const { secretsKey, earlierKeys = [] } = options
  const current = () => {
    if (!secretsKey) throw new Error('ENCRYPTION_KEY is needed for this')
    return secretsKey
  }
  const keyOf = (sealed: Buffer) => earlierKeys.find(({ id }) => id.equals(keyIdOf(sealed))) ?? current()
  return {
    hasKey: secretsKey !== undefined,
    seal: (plaintext, place) => seal(current(), plaintext, place),
    open: (sealed, place) => open(keyOf(sealed), sealed, place).toString(),
    resealed(sealed, place) {
      if (keyIdOf(sealed).equals(current().id)) return undefined
      return seal(current(), open(keyOf(sealed), sealed, place), place)
    },
    masterKey: earlierKeys[0],
    urlProblem: options.urlProblem,
    publicUrl: options.settings.publicUrl,
    settings: options.settings,
    modules: options.modules,
  }
}
