import type { SecretKey } from '../platform/crypto.ts'
import { type Connected, type DatabaseUrls, keyPool } from '../platform/database/connect.ts'
import type { Egress } from '../platform/egress/client.ts'
import type { Logger } from '../platform/log.ts'
import { type KeyProvider, noProvider } from '../platform/sealing/key-provider.ts'
import { localProvider } from '../platform/sealing/local-provider.ts'
import { openVault, type Vault } from '../platform/sealing/vault.ts'
import type { Settings } from '../settings.ts'
import { kmsOf } from './aws.ts'
import { masterKeysOf } from './ports.ts'

export interface OpenedKeys {
  vault: Vault
  provider: KeyProvider
  /** Seals secrets; undefined in a process without a master key. */
  secretsKey: SecretKey | undefined
}

/** Opens the keys of all realms. @throws StartError if the master key is another one */
export async function openKeys(options: {
  urls: DatabaseUrls
  connected: Connected
  settings: Settings
  egress: Egress
  log: Logger
  now(): Date
}): Promise<OpenedKeys> {
  const { urls, connected, settings, egress, log, now } = options
  const provider = await openKeyProvider(settings, egress)
  const vault = openVault({
    database: { pool: keyPool(urls, connected, log), roles: connected.roles },
    provider,
    now,
  })
  try {
    return { vault, provider, secretsKey: provider === noProvider ? undefined : await vault.secrets() }
  } catch (err) {
    await vault.close()
    throw err
  }
}

/** Where the master key is: in the settings, or at AWS KMS. */
export async function openKeyProvider(settings: Settings, egress: Egress): Promise<KeyProvider> {
  const [current, ...earlier] = masterKeysOf(settings)
  const local = current && localProvider(current, earlier)
  const kms = kmsOf(settings)
  if (!kms) return local ?? noProvider
  // Loaded only where it is used: the SDK is large.
  const { kmsProvider } = await import('../platform/sealing/kms-provider.ts')
  return kmsProvider({ ...kms, egress }, local)
}
