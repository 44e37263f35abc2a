import { sql } from 'kysely'
import { statement } from '../database/statement.ts'
import type { Queries, SystemTx, Tx } from '../database/tx.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { sealedText } from '../sealing/sealed-bytes.ts'
import { keyringIn, keyringOf, keyringsOf } from '../sealing/sealed-columns.ts'
import { type ClaimedKey, expiryOf, type IdempotencyKey, type KeyStore, replay } from './idempotency.ts'
import type { WireAnswer } from './wire.ts'

/** Answers name people, and some hold tokens: all are sealed. */
export const sealedAnswers = sealedText({
  table: 'idempotency_keys',
  key: { key: 'text' },
  clear: '$.body',
  emptied: ['body'],
})

/** Keys of callers of a realm. */
export const realmKeys = (tx: Tx): KeyStore => ({
  tx,
  async claim({ key, fingerprint }) {
    const claimed = await tx.run(sql`
      insert into idempotency_keys as kept (realm_id, key, fingerprint, created_at)
      values (${tx.realm.id}, ${key}, ${fingerprint}, ${tx.now})
      on conflict (realm_id, key) do update
        set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, sealed = null,
            created_at = excluded.created_at
        where kept.created_at < ${expiryOf(tx.now)}`)
    return claimed === 1
  },
  async find(key) {
    const row = await tx.row(
      sql<Row>`
        select fingerprint, status, headers, body, sealed from idempotency_keys
        where realm_id = ${tx.realm.id} and key = ${key}`,
    )
    return claimedOf(tx, row, { realmId: tx.realm.id, key }, await keyringOf(tx))
  },
  keep: (key, answer) => keepAnswer(tx, key, answer),
  free: (key) => freeKey(tx, key),
})

/** Frees a claimed key that has no answer. */
export async function freeKey(tx: Tx, key: string): Promise<void> {
  await tx.run(sql`delete from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

/** Forgets every key of a realm whose work is undone, but for the one of the request that undoes it. */
export async function forgetKeys(tx: Tx, own: string | undefined): Promise<void> {
  await tx.run(sql`
    delete from idempotency_keys where realm_id = ${tx.realm.id} and key is distinct from ${own ?? null}::text`)
}

// Opening so many answers takes about 10 ms of the event loop.
const OPENED_AT_ONCE = 500

/** Forgets the keys of a realm whose answers name something that is gone. */
export async function forgetKeysNaming(tx: Tx, ids: readonly string[]): Promise<void> {
  const keys = await keyringOf(tx)
  for (let last = ''; ; ) {
    const rows = await tx.rows(sql<Row & { key: string }>`
      select key, fingerprint, status, headers, body, sealed from idempotency_keys
      where realm_id = ${tx.realm.id} and key > ${last} and status is not null order by key limit ${OPENED_AT_ONCE}`)
    const named: string[] = []
    for (const row of rows) {
      const { answer } = await claimedOf(tx, row, { realmId: tx.realm.id, key: row.key }, keys)
      if (ids.some((id) => answer?.body.includes(id))) named.push(row.key)
    }
    await tx.run(sql`delete from idempotency_keys where realm_id = ${tx.realm.id} and key = any(${named})`)
    const end = rows.at(-1)
    if (!end || rows.length < OPENED_AT_ONCE) return
    last = end.key
  }
}

/** Keeps the answer of a claimed key, in the transaction of its effects; one that is there stays. */
export async function keepAnswer(tx: Tx, key: string, { status, headers, body }: WireAnswer): Promise<void> {
  const sealed = await sealedAnswers.sealText(await keyringOf(tx), [key], body)
  await tx.run(sql`
    update idempotency_keys set status = ${status}, headers = ${JSON.stringify(headers)}, sealed = ${sealed}
    where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

interface Row {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string>
  /** In clear, of a version before. */
  body: string | null
  sealed: Buffer | null
}

async function claimedOf(tx: Queries, row: Row, place: Place, keys: Keyring): Promise<ClaimedKey> {
  const { fingerprint, status, headers, body, sealed } = row
  if (status === null) return { fingerprint, answer: undefined }
  const stored = sealed ? await sealedAnswers.openText(keys, [place.key], sealed) : (body ?? '')
  return { fingerprint, answer: { status, headers, body: withoutOldSeal(tx, place, stored) } }
}

// The version before sealed answers with a secret by the key of the process. No JSON begins with this.
const OLD_SEAL = 'sealed:'

function withoutOldSeal(tx: Queries, { realmId, key }: Place, body: string): string {
  if (!body.startsWith(OLD_SEAL)) return body
  const bytes = Buffer.from(body.slice(OLD_SEAL.length), 'base64')
  return tx.context.open(bytes, `idempotency_keys.body/${realmId}/${key}`)
}

/** Identifies a key: the same text in two realms is two keys. */
export const placeOf = (realmId: number, key: string): string => `${realmId} ${key}`

interface Place {
  realmId: number
  key: string
}

const selectAnswers = statement<Row & Place & { createdAt: Date }, [number[], string[]]>(
  'keys_find',
  `select realm_id as "realmId", key, fingerprint, status, headers, body, sealed, created_at as "createdAt"
   from idempotency_keys where (realm_id, key) in (select * from unnest($1::int[], $2::text[]))`,
)

type Members = readonly { realm: { id: number }; key?: IdempotencyKey }[]

const keyedOf = (members: Members) =>
  members.flatMap(({ realm, key }) => (key ? [{ realmId: realm.id, key: key.key }] : []))

/** What is kept under the keys of a group. A key that was never used, or has expired, answers nothing. */
export async function findAnswers(tx: Queries, members: Members) {
  const keyed = keyedOf(members)
  const rows = keyed.length > 0 ? await tx.rows(selectAnswers(...columnsOf(keyed))) : []
  const isExpired = ({ createdAt }: { createdAt: Date }) => createdAt < expiryOf(tx.now)
  const fresh = rows.filter((row) => !isExpired(row))
  const keys = await keyringsOf(tx, fresh)
  const opened = fresh.map(
    async (row) =>
      [placeOf(row.realmId, row.key), await claimedOf(tx, row, row, keyringIn(keys, row.realmId))] as const,
  )
  const stored = new Map(await Promise.all(opened))
  return {
    expired: rows.filter(isExpired),
    find(place: string, { fingerprint }: IdempotencyKey) {
      const claimed = stored.get(place)
      return claimed && replay(claimed, fingerprint)
    },
  }
}

const columnsOf = (places: readonly Place[]): [number[], string[]] => [
  places.map(({ realmId }) => realmId),
  places.map(({ key }) => key),
]

const deleteAnswers = statement<never, [number[], string[]]>(
  'keys_delete',
  `delete from idempotency_keys where (realm_id, key) in (select * from unnest($1::int[], $2::text[]))`,
)

const insertAnswers = statement<never, [string, Date]>(
  'keys_insert',
  `insert into idempotency_keys (realm_id, key, fingerprint, status, headers, sealed, created_at)
   select "realmId", key, decode(fingerprint, 'base64'), status, headers, sealed, $2
   from json_to_recordset($1::json)
     as k("realmId" int, key text, fingerprint text, status smallint, headers jsonb, sealed bytea) order by 1, 2`,
)

/** The keys that seal the answers of a group. */
export const keyringsOfAnswers = (tx: Queries, members: Members) => keyringsOf(tx, keyedOf(members))

/** Queues what keeps the answers of a group. A duplicate elsewhere that came first makes the transaction fail. */
export function keepAnswers(
  tx: Queries,
  answers: readonly (Place & IdempotencyKey & { answer: WireAnswer })[],
  expired: readonly Place[],
  keyrings: ReadonlyMap<number, Keyring>,
): Promise<unknown>[] {
  if (answers.length === 0) return []
  const rows = answers.map(({ realmId, key, fingerprint, answer: { status, headers, body } }) => ({
    realmId,
    key,
    fingerprint: fingerprint.toString('base64'),
    status,
    headers,
    sealed: sealedAnswers.seal(keyringIn(keyrings, realmId), [key], { bytes: Buffer.from(body) }),
  }))
  const used = new Set(answers.map(({ realmId, key }) => placeOf(realmId, key)))
  const old = expired.filter(({ realmId, key }) => used.has(placeOf(realmId, key)))
  return [
    ...(old.length > 0 ? [tx.run(deleteAnswers(...columnsOf(old)))] : []),
    tx.run(insertAnswers(JSON.stringify(rows), tx.now)),
  ]
}

/**
 * Deletes up to `limit` keys past their retention, the oldest first, by where they are: to look up 1,000 random keys again
 * reads 4,000 pages more. Returns how many.
 */
export function purgeRealmKeys(tx: SystemTx, limit: number): Promise<number> {
  return tx.run(sql`
    delete from idempotency_keys where created_at < ${expiryOf(tx.now)} and ctid = any(array(
      select ctid from idempotency_keys where created_at < ${expiryOf(tx.now)} order by created_at limit ${limit}))`)
}
