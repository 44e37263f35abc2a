import type { Pool } from 'pg'
import { secretKey } from '../../src/platform/crypto.ts'
import { localProvider } from '../../src/platform/sealing/key-provider.ts'
import { openVault, type Vault } from '../../src/platform/sealing/vault.ts'

/** The keys of a service, by its ENCRYPTION_KEY (base64). `pool`: connections of a superuser, who needs no other role. */
export const vaultWith = (pool: Pool, encryptionKey: string): Vault =>
  openVault({
    database: { pool, roles: { app: 'none', system: 'none', placement: 'none', reading: 'none' } },
    provider: localProvider(secretKey(Buffer.from(encryptionKey, 'base64'))),
    now: () => new Date(),
  })
