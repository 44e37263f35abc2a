import { StartError } from '../../domain/errors.ts'
import { open, type SecretKey, seal } from '../crypto.ts'
import type { KeyProvider } from './key-provider.ts'

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
