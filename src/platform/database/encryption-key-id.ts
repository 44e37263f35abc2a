import type { Pool } from 'pg'
import { StartError } from '../../domain/errors.ts'
import type { SecretKey } from '../crypto.ts'

/**
 * Compares the keys, the newest first, with the one that sealed this database's secrets, and records the first key used. With a wrong key
 * everything seems to work until somebody signs in with a code or a webhook is due.
 * @throws StartError if the keys differ
 */
export async function assertEncryptionKey(pool: Pool, [key, ...earlier]: readonly SecretKey[]): Promise<void> {
  if (!key) return
  await pool.query('insert into encryption_key (id) values ($1) on conflict do nothing', [key.id])
  const { rows } = await pool.query<{ id: Buffer }>('select id from encryption_key')
  if ([key, ...earlier].some(({ id }) => rows[0]?.id.equals(id))) return
  throw new StartError(
    'The encryption key is not the one that sealed the secrets in this database, so nobody could sign in with a code and ' +
      'nothing could be signed. Set ENCRYPTION_KEY to that key, or restore encryption.key in the data folder from a ' +
      'backup. A key that is lost for good: see docs/outages.md.',
  )
}
