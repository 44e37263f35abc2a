import { createSecretKey } from 'node:crypto'
import type { Client } from 'pg'
import { type SecretKey, secretKey } from '../../src/platform/crypto.ts'
import { sealedAnswers } from '../../src/platform/http/realm-keys.ts'
import { localProvider } from '../../src/platform/sealing/key-provider.ts'
import { hashWith, keyring } from '../../src/platform/sealing/keyring.ts'

interface KeyRow {
  id: number
  realmId: number
  wrapped: Buffer
  wrappedBy: string
}

async function dataKeys(db: Client, masterKey: Buffer): Promise<Map<number, SecretKey>> {
  const provider = localProvider(secretKey(masterKey))
  const { rows } = await db.query<KeyRow>(
    `select id, realm_id as "realmId", wrapped, wrapped_by as "wrappedBy" from data_keys where purpose = 'data'`,
  )
  const keys = new Map<number, SecretKey>()
  for (const { id, realmId, wrapped, wrappedBy } of rows) {
    const name = Buffer.alloc(4)
    name.writeInt32BE(id)
    keys.set(id, { id: name, key: createSecretKey(await provider.unwrap(wrapped, wrappedBy, realmId)) })
  }
  return keys
}

interface AnswerRow {
  realmId: number
  key: string
  status: number | null
  body: string | null
  sealed: Buffer | null
}

export interface StoredAnswer {
  status: number | null
  text: string | null
}

/** What is kept under each Idempotency-Key, opened. */
export async function storedAnswers(db: Client, masterKey: Buffer): Promise<Map<string, StoredAnswer>> {
  const keys = await dataKeys(db, masterKey)
  const [any] = keys.values()
  const { rows } = await db.query<AnswerRow>(
    'select realm_id as "realmId", key, status, body, sealed from idempotency_keys',
  )
  return new Map(
    rows.map(({ realmId, key, status, body, sealed }) => {
      const ring =
        any &&
        keyring({
          realmId,
          packs: false,
          current: any,
          data: keys,
          hashIn: hashWith(createSecretKey(Buffer.alloc(32))),
        })
      const text = sealed && ring ? sealedAnswers.openBytes(ring, [key], sealed).toString() : body
      return [key, { status, text }]
    }),
  )
}
