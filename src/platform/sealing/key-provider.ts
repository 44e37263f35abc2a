import { StartError } from '../../domain/errors.ts'
import { open, type SecretKey, seal } from '../crypto.ts'

/** Where the master key is. It wraps the keys of realms, and never leaves its provider. */
export interface KeyProvider {
  /** The ID of the key that wraps now: `local:<8 hex digits>`, or a name at a key management service. */
  readonly current: string
  /** Whether it is asked over a network, which no transaction may wait for. */
  readonly isRemote?: boolean
  /** Wraps 32 bytes for one realm: bytes that were wrapped for another cannot be unwrapped. */
  wrap(bytes: Buffer, realmId: number): Promise<Buffer>
  /** @throws if the key `wrappedBy` is not there, or the bytes were wrapped for another realm. */
  unwrap(wrapped: Buffer, wrappedBy: string, realmId: number): Promise<Buffer>
}

const MISSING =
  'This needs the encryption key: set ENCRYPTION_KEY, or name the data folder of the service that has it with --data.'

/** A process without a master key, such as a command on another machine: it reads nothing of people. */
export const noProvider: KeyProvider = {
  current: 'none',
  wrap: () => Promise.reject(new StartError(MISSING)),
  unwrap: () => Promise.reject(new StartError(MISSING)),
}

const nameOf = ({ id }: SecretKey) => `local:${id.toString('hex')}`
const place = (realmId: number) => `data_keys/${realmId}`

/** Master keys in this process: `current` wraps; what earlier ones wrapped is still read. */
export function localProvider(current: SecretKey, earlier: readonly SecretKey[] = []): KeyProvider {
  const byName = new Map([current, ...earlier].map((key) => [nameOf(key), key]))
  return {
    current: nameOf(current),
    wrap: async (bytes, realmId) => seal(current, bytes, place(realmId)),
    async unwrap(wrapped, wrappedBy, realmId) {
      const key = byName.get(wrappedBy)
      if (!key) throw new StartError(`The master key ${wrappedBy} is not here: ENCRYPTION_KEY is another one.`)
      return open(key, wrapped, place(realmId))
    },
  }
}
