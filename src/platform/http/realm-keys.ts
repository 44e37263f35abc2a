import { sql } from 'kysely'
import { statement } from '../database/statement.ts'
import type { Queries, SystemTx, Tx } from '../database/tx.ts'
import { type ClaimedKey, expiryOf, type IdempotencyKey, type KeyStore, replay } from './idempotency.ts'
import type { WireAnswer } from './wire.ts'

/** Keys of callers of a realm. `secret`: answers are sealed, since a token must not stand in the table for a day. */
export const realmKeys = (tx: Tx, { secret = false } = {}): KeyStore => ({
  tx,
  async claim({ key, fingerprint }) {
    const claimed = await tx.run(sql`
      insert into idempotency_keys as kept (realm_id, key, fingerprint, created_at)
      values (${tx.realm.id}, ${key}, ${fingerprint}, ${tx.now})
      on conflict (realm_id, key) do update
        set fingerprint = excluded.fingerprint, status = null, created_at = excluded.created_at
        where kept.created_at < ${expiryOf(tx.now)}`)
    return claimed === 1
  },
  async find(key) {
    const row = await tx.row(
      sql<Row>`select fingerprint, status, headers, body from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key}`,
    )
    const { fingerprint, answer } = claimedOf(row)
    return { fingerprint, answer: answer && opened(tx, key, answer) }
  },
  keep: (key, answer) => keepAnswer(tx, key, secret ? sealed(tx, key, answer) : answer),
  async free(key) {
    await tx.run(sql`delete from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
  },
})

/** Keeps the answer of a claimed key, in the transaction of its effects; one that is there stays. */
export async function keepAnswer(tx: Tx, key: string, { status, headers, body }: WireAnswer): Promise<void> {
  await tx.run(sql`
    update idempotency_keys set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
    where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

interface Row {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string>
  body: string
}

const claimedOf = ({ fingerprint, status, headers, body }: Row): ClaimedKey => ({
  fingerprint,
  answer: status === null ? undefined : { status, headers, body },
})

// No JSON begins with this.
const SEALED = 'sealed:'
const sealPlace = (tx: Tx, key: string) => `idempotency_keys.body/${tx.realm.id}/${key}`

const sealed = (tx: Tx, key: string, answer: WireAnswer): WireAnswer => ({
  ...answer,
  body: SEALED + tx.context.seal(answer.body, sealPlace(tx, key)).toString('base64'),
})

function opened(tx: Tx, key: string, answer: WireAnswer): WireAnswer {
  if (!answer.body.startsWith(SEALED)) return answer
  const bytes = Buffer.from(answer.body.slice(SEALED.length), 'base64')
  return { ...answer, body: tx.context.open(bytes, sealPlace(tx, key)) }
}

/** Identifies a key: the same text in two realms is two keys. */
export const placeOf = (realmId: number, key: string): string => `${realmId} ${key}`

interface Place {
  realmId: number
  key: string
}

const selectKept = statement<Row & Place & { createdAt: Date }, [number[], string[]]>(
  'keys_find',
  `select realm_id as "realmId", key, fingerprint, status, headers, body, created_at as "createdAt" from idempotency_keys
   where (realm_id, key) in (select * from unnest($1::int[], $2::text[]))`,
)

/** What is kept under the keys of a group. A key that was never used, or has expired, answers nothing. */
export async function findKept(tx: Queries, members: readonly { realm: { id: number }; key?: IdempotencyKey }[]) {
  const keyed = members.flatMap(({ realm, key }) => (key ? [{ realmId: realm.id, key: key.key }] : []))
  const rows = keyed.length > 0 ? await tx.rows(selectKept(...columnsOf(keyed))) : []
  const isExpired = ({ createdAt }: { createdAt: Date }) => createdAt < expiryOf(tx.now)
  const kept = new Map(rows.filter((row) => !isExpired(row)).map((row) => [placeOf(row.realmId, row.key), row]))
  return {
    expired: rows.filter(isExpired),
    find(place: string, { fingerprint }: IdempotencyKey) {
      const row = kept.get(place)
      return row && replay(claimedOf(row), fingerprint)
    },
  }
}

const columnsOf = (places: readonly Place[]): [number[], string[]] => [
  places.map(({ realmId }) => realmId),
  places.map(({ key }) => key),
]

const deleteKept = statement<never, [number[], string[]]>(
  'keys_delete',
  `delete from idempotency_keys where (realm_id, key) in (select * from unnest($1::int[], $2::text[]))`,
)

const insertKept = statement<never, [string, Date]>(
  'keys_insert',
  `insert into idempotency_keys (realm_id, key, fingerprint, status, headers, body, created_at)
   select "realmId", key, decode(fingerprint, 'base64'), status, headers, body, $2
   from json_to_recordset($1::json)
     as k("realmId" int, key text, fingerprint text, status smallint, headers jsonb, body text) order by 1, 2`,
)

/** Queues what keeps the answers of a group. A duplicate elsewhere that came first makes the transaction fail. */
export function keepAnswers(
  tx: Queries,
  answers: readonly (Place & IdempotencyKey & { answer: WireAnswer })[],
  expired: readonly Place[],
): Promise<unknown>[] {
  if (answers.length === 0) return []
  const rows = answers.map(({ realmId, key, fingerprint, answer }) => ({
    ...{ realmId, key, fingerprint: fingerprint.toString('base64') },
    ...answer,
  }))
  const used = new Set(answers.map(({ realmId, key }) => placeOf(realmId, key)))
  const old = expired.filter(({ realmId, key }) => used.has(placeOf(realmId, key)))
  return [
    ...(old.length > 0 ? [tx.run(deleteKept(...columnsOf(old)))] : []),
    tx.run(insertKept(JSON.stringify(rows), tx.now)),
  ]
}

/** Deletes keys past their retention. */
export async function purgeRealmKeys(tx: SystemTx): Promise<void> {
  await tx.run(sql`delete from idempotency_keys where created_at < ${expiryOf(tx.now)}`)
}
