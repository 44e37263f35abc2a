import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, type ErrorCode } from '../../domain/errors.ts'
import { statement } from '../database/statement.ts'
import type { Queries, SystemTx, Tx } from '../database/tx.ts'
import type { WireAnswer } from './wire.ts'

export interface IdempotencyKey {
  key: string
  fingerprint: Buffer
}

/** Retention of keys, published in the documentation. */
export const KEPT_FOR_MS = 24 * 3600 * 1000

const FORM = /^[\x21-\x7e]{1,255}$/

/** The caller's key with a fingerprint of what it was sent with; undefined without the header. */
export function readKey(request: {
  method: string
  url: string
  rawBody?: Buffer
  headers: Record<string, string | string[] | undefined>
}): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || request.method === 'GET' || request.method === 'HEAD') return undefined
  if (typeof key !== 'string' || !FORM.test(key)) {
    throw new AppError('VALIDATION_FAILED', 'Idempotency-Key: 1 to 255 visible ASCII characters', {
      details: [{ message: '1 to 255 visible ASCII characters', path: 'Idempotency-Key' }],
    })
  }
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  if (request.rawBody) hash.update(request.rawBody)
  return { key, fingerprint: hash.digest() }
}

// Refusals of the request itself: the caller mends it and sends it again under the same key.
const NOT_STORED = new Set<ErrorCode>(['VALIDATION_FAILED', 'KIT_TYPE_NOT_PROVISIONED'])
/** Whether a refusal is kept as the answer of its key. */
export const isStored = (err: AppError) =>
  err.status < 500 && ![401, 403, 429].includes(err.status) && !NOT_STORED.has(err.code)

/**
 * Runs `work` at most once per key, in the transaction of its effects; a later twin gets the first answer, byte for byte.
 * `refused` turns a refusal into the answer to keep (its effects are undone first). Work that goes on after the commit
 * leaves the key claimed, and keeps its answer itself.
 * @throws IDEMPOTENCY_MISMATCH, or IDEMPOTENCY_CONFLICT while the first is still running.
 */
export async function once<Later extends object>(
  tx: Tx,
  { key, fingerprint }: IdempotencyKey,
  work: () => Promise<WireAnswer | Later>,
  refused: (err: AppError) => WireAnswer,
  secret = false,
): Promise<WireAnswer | Later> {
  if (!(await claim(tx, key, fingerprint))) return replay(tx, key, fingerprint)
  await tx.client.query('savepoint work')
  let answer: WireAnswer | Later
  try {
    answer = await work()
  } catch (err) {
    if (!(err instanceof AppError) || !isStored(err)) throw err
    await tx.client.query('rollback to savepoint work')
    answer = refused(err)
  }
  if (isWire(answer)) await keepAnswer(tx, key, secret ? sealed(tx, key, answer) : answer)
  return answer
}

const isWire = (answer: WireAnswer | object): answer is WireAnswer => 'status' in answer && 'body' in answer

/** Keeps the answer of a claimed key, in the transaction of its effects; one that is there stays. */
export async function keepAnswer(tx: Tx, key: string, { status, headers, body }: WireAnswer): Promise<void> {
  await tx.run(sql`
    update idempotency_keys set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
    where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

/** Frees a claimed key that has no answer: the caller mends the request and sends it again. */
export async function freeKey(tx: Tx, key: string): Promise<void> {
  await tx.run(sql`delete from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key} and status is null`)
}

/** False when the key exists. Waits for a twin in flight at most as long as lock_timeout. */
async function claim(tx: Tx, key: string, fingerprint: Buffer): Promise<boolean> {
  try {
    const claimed = await tx.run(sql`
      insert into idempotency_keys as kept (realm_id, key, fingerprint, created_at)
      values (${tx.realm.id}, ${key}, ${fingerprint}, ${tx.now})
      on conflict (realm_id, key) do update
        set fingerprint = excluded.fingerprint, status = null, created_at = excluded.created_at
        where kept.created_at < ${new Date(tx.now.getTime() - KEPT_FOR_MS)}`)
    return claimed === 1
  } catch (err) {
    const LOCK_TIMEOUT = '55P03'
    if ((err as { code?: string }).code !== LOCK_TIMEOUT) throw err
    throw new AppError('IDEMPOTENCY_CONFLICT', 'A request with this Idempotency-Key is still running', { cause: err })
  }
}

async function replay(tx: Tx, key: string, fingerprint: Buffer): Promise<WireAnswer> {
  const stored = await tx.row(
    sql<Stored>`select fingerprint, status, headers, body from idempotency_keys where realm_id = ${tx.realm.id} and key = ${key}`,
  )
  const known = readStored(stored, fingerprint)
  if ('refusal' in known) throw known.refusal
  return opened(tx, key, known.answer)
}

// No JSON begins so. An answer with a token in it must not stand in the table for a day.
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

interface Stored {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string>
  body: string
}

/** What a key that exists says to a request. */
function readStored(stored: Stored, fingerprint: Buffer): { answer: WireAnswer } | { refusal: AppError } {
  if (!stored.fingerprint.equals(fingerprint)) {
    return { refusal: new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another request') }
  }
  const { status, headers, body } = stored
  if (status === null) {
    return { refusal: new AppError('IDEMPOTENCY_CONFLICT', 'A request with this Idempotency-Key is still running') }
  }
  return { answer: { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body } }
}

/** Where a key is kept: keys of two realms are two. */
export const placeOf = (realmId: number, key: string): string => `${realmId} ${key}`

interface Place {
  realmId: number
  key: string
}

const selectKept = statement<Stored & Place & { createdAt: Date }, [number[], string[]]>(
  'keys_find',
  `select realm_id as "realmId", key, fingerprint, status, headers, body, created_at as "createdAt" from idempotency_keys
   where (realm_id, key) in (select * from unnest($1::int[], $2::text[]))`,
)

/** What is kept under the keys of a group. A key that was never used, or has expired, says nothing. */
export async function findKept(tx: Queries, members: readonly { realm: { id: number }; key?: IdempotencyKey }[]) {
  const keyed = members.flatMap(({ realm, key }) => (key ? [{ realmId: realm.id, key: key.key }] : []))
  const rows = keyed.length > 0 ? await tx.rows(selectKept(...columnsOf(keyed))) : []
  const isExpired = (row: { createdAt: Date }) => tx.now.getTime() - row.createdAt.getTime() > KEPT_FOR_MS
  const kept = new Map(rows.filter((row) => !isExpired(row)).map((row) => [placeOf(row.realmId, row.key), row]))
  return {
    expired: rows.filter(isExpired),
    find(place: string, { fingerprint }: IdempotencyKey) {
      const stored = kept.get(place)
      return stored && readStored(stored, fingerprint)
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

/** Queues what keeps the answers of a group. A twin elsewhere that came first makes the transaction fail. */
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

/** Forgets keys past their retention. */
export async function purgeKeys(tx: SystemTx): Promise<void> {
  const before = new Date(tx.now.getTime() - KEPT_FOR_MS)
  await tx.run(sql`delete from idempotency_keys where created_at < ${before}`)
}
