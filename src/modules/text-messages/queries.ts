import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import * as sealing from '../../platform/sealing/sealed-columns.ts'
import { OPERATOR } from '../../platform/sealing/vault.ts'
import { type SentCount, UNSCHEDULED_WINDOW_MS } from './rules.ts'
import type { TextConsent } from './schema.ts'

interface SealedTextConsent {
  phone: string
  wording: string
  /** From which address they agreed on a page. */
  ip: string | null
}

const KIND = 'text_consents.number'

export const sealedTextConsents = sealing.sealedColumns<SealedTextConsent>({
  table: 'text_consents',
  key: { customer_id: 'bigint' },
  clear: { phone: sealing.NEVER, wording: sealing.NEVER, ip: sealing.NEVER },
  emptied: [],
  hashes: { number_hash: { type: 'bytea', of: ({ phone }, keys) => keys.hash(KIND, phone) } },
})

export interface Given extends SealedTextConsent {
  source: TextConsent['source']
  at: Date
}

/** The last one given counts. */
export async function upsertConsent(tx: Tx, customerId: number, { source, at, ...given }: Given): Promise<void> {
  const keys = await sealing.keyringOf(tx)
  const { number_hash: hash } = sealedTextConsents.hashes(keys, given)
  await tx.run(sql`
    insert into text_consents (realm_id, customer_id, sealed, number_hash, source, given_at)
    values (${tx.realm.id}, ${customerId}, ${sealedTextConsents.seal(keys, [customerId], given)}::bytea, ${hash}::bytea, ${source}, ${at})
    on conflict (realm_id, customer_id) do update set sealed = excluded.sealed, number_hash = excluded.number_hash,
      source = excluded.source, given_at = excluded.given_at, ended_at = null, ended_by = null`)
}

export interface TextConsentRow extends SealedTextConsent {
  customerId: number
  source: TextConsent['source']
  givenAt: Date
  endedAt: Date | null
  endedBy: TextConsent['endedBy'] | null
}

type Stored = Omit<TextConsentRow, keyof SealedTextConsent> & { sealed: sealing.Sealed<SealedTextConsent> }

const columns = sql`c.customer_id as "customerId", c.source, c.given_at as "givenAt", c.ended_at as "endedAt",
  c.ended_by as "endedBy", ${sealedTextConsents.of('c')} as sealed`

/** What these customers agreed to, also where it ended. */
export async function selectConsents(tx: Tx, customerIds: readonly number[]): Promise<TextConsentRow[]> {
  const rows = await tx.rows(sql<Stored>`
    select ${columns} from text_consents c where c.realm_id = ${tx.realm.id} and c.customer_id = any(${customerIds})`)
  const keys = await sealing.keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedTextConsents.open(keys, [row.customerId], sealed) }))
}

/** Ends it. False if it does not exist, or it has ended. */
export async function endConsent(
  tx: Tx,
  customerId: number,
  by: NonNullable<TextConsent['endedBy']>,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update text_consents set ended_at = ${tx.now}, ended_by = ${by}
    where realm_id = ${tx.realm.id} and customer_id = ${customerId} and ended_at is null`)
  return changed === 1
}

/** The customers of the realm who get text messages at a number. */
export async function selectCustomersOfNumber(tx: Tx, phone: string): Promise<number[]> {
  const keys = await sealing.keyringOf(tx)
  const rows = await tx.rows(sql<{ id: number }>`
    select customer_id as id from text_consents
    where realm_id = ${tx.realm.id} and number_hash = ${keys.hash(KIND, phone)} and ended_at is null`)
  return rows.map(({ id }) => id)
}

export interface ConsentOfNumber extends TextConsentRow {
  realm: Realm
}

/** What was agreed to for a number, at any business: the sender is one for all. */
export async function selectConsentsOfNumber(tx: SystemTx, phone: string): Promise<ConsentOfNumber[]> {
  const hashIn = await tx.vault.hashIn()
  const realms = await tx.rows(sql<{ id: number }>`select id from realms`)
  const ids = realms.map(({ id }) => id)
  const hashes = ids.map((id) => hashIn(id, KIND, phone))
  const rows = await tx.rows(sql<Stored & { realmId: number; realm: Realm }>`
    select ${columns}, c.realm_id as "realmId",
      jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from unnest(${ids}::int[], ${hashes}::bytea[]) as l(realm_id, number_hash)
    join text_consents c on c.realm_id = l.realm_id and c.number_hash = l.number_hash
    join realms r on r.id = c.realm_id order by c.given_at desc`)
  const keyrings = await sealing.keyringsOf(tx, rows)
  return rows.map(({ sealed, realmId, ...row }) => ({
    ...row,
    ...sealedTextConsents.open(sealing.keyringIn(keyrings, realmId), [row.customerId], sealed),
  }))
}

/** Whether the person ended text messages themselves: this customer, or anybody of the realm at this number. */
export async function isEndedByPerson(tx: Tx, customerId: number, phone: string): Promise<boolean> {
  const keys = await sealing.keyringOf(tx)
  const found = await tx.maybeRow(sql`
    select 1 from text_consents where realm_id = ${tx.realm.id} and ended_by in ('person', 'reply', 'carrier')
      and (customer_id = ${customerId} or number_hash = ${keys.hash(KIND, phone)}) limit 1`)
  return found !== undefined
}

// Live numbers are those of every business, a sandbox's are its own: nothing is sent to them.
const ownerOf = (tx: Tx | SystemTx) => ('realm' in tx && tx.realm.mode === 'sandbox' ? tx.realm.id : OPERATOR)
/** How a number was stopped: by an answer at every business, on the person's page at that one. */
export type StoppedBy = 'reply' | 'page'

/** The hash that a stop is found by, and the realm that it holds in; null: in every one. */
async function stopOf(
  tx: Tx | SystemTx,
  phone: string,
  by: StoppedBy,
): Promise<{ hash: Buffer; realm: number | null }> {
  const owner = by === 'page' && 'realm' in tx ? tx.realm.id : ownerOf(tx)
  const kind = by === 'page' ? 'text_stops.page' : 'text_stops.number'
  return { hash: (await tx.vault.hashIn())(owner, kind, phone), realm: owner === OPERATOR ? null : owner }
}

/** Notes that somebody stopped the text messages to a number. It outlives their record. */
export async function insertStop(tx: Tx | SystemTx, phone: string, by: StoppedBy): Promise<void> {
  const { hash, realm } = await stopOf(tx, phone, by)
  await tx.run(sql`
    insert into text_stops (number_hash, at, said_in) values (${hash}, ${tx.now}, ${realm}) on conflict do nothing`)
}

/** Takes it back: they answered START, or agreed again on their own page. */
export async function deleteStop(tx: Tx | SystemTx, phone: string, by: StoppedBy): Promise<void> {
  await tx.run(sql`delete from text_stops where number_hash = ${(await stopOf(tx, phone, by)).hash}`)
}

export async function isStopped(tx: Tx, phone: string, by: StoppedBy): Promise<boolean> {
  const { hash } = await stopOf(tx, phone, by)
  return (await tx.maybeRow(sql`select 1 from text_stops where number_hash = ${hash}`)) !== undefined
}

/** Forgets what was stopped in this realm alone, for the reset of a sandbox. */
export async function deleteStopsOfRealm(tx: Tx): Promise<void> {
  await tx.run(sql`delete from text_stops where said_in = ${tx.realm.id}`)
}

/** Counts one more text message that nobody scheduled. Returns how many there were since the count began, at most a day ago. */
export const countUnscheduled = (tx: Tx, of: 'number' | 'customer', which: string): Promise<number> =>
  count(tx, of, which)

/** Counts one more text message that is sent now. */
export const countSent = (tx: Tx, of: SentCount, which: string): Promise<number> => count(tx, of, which)

/** Takes one back that was not sent after all. */
export async function uncountSent(tx: Tx, of: SentCount, which: string): Promise<void> {
  await tx.run(sql`update text_counts set count = greatest(count - 1, 0) where hash = ${await hashOf(tx, of, which)}`)
}

type Counted = 'number' | 'customer' | SentCount

async function hashOf(tx: Tx, of: Counted, which: string): Promise<Buffer> {
  const owner = of === 'number' || of === 'sent_number' ? ownerOf(tx) : tx.realm.id
  return (await tx.vault.hashIn())(owner, `text_counts.${of}`, which)
}

async function count(tx: Tx, of: Counted, which: string): Promise<number> {
  const hash = await hashOf(tx, of, which)
  const ended = sql`c.since <= ${new Date(tx.now.getTime() - UNSCHEDULED_WINDOW_MS)}`
  const { count: counted } = await tx.row(sql<{ count: number }>`
    insert into text_counts as c (hash, count, since) values (${hash}, 1, ${tx.now})
    on conflict (hash) do update set count = case when ${ended} then 1 else c.count + 1 end,
      since = case when ${ended} then excluded.since else c.since end
    returning count`)
  return counted
}

export async function deleteEndedCounts(tx: SystemTx): Promise<void> {
  await tx.run(sql`delete from text_counts where since <= ${new Date(tx.now.getTime() - UNSCHEDULED_WINDOW_MS)}`)
}

export async function deleteConsent(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from text_consents where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}
