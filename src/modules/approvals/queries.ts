import { sql } from 'kysely'
import type { Part } from '../../platform/database/oldest-first.ts'
import type { Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { isMadeUp } from '../businesses/queries.ts'
import { emailHash, type Personal, sealedCustomers } from '../customers/sealed-queries.ts'
import { type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'
import type { AddQuiz } from '../lab/schema.ts'
import { sealedData } from '../lab/sealed-queries.ts'

type AddedQuiz = Pick<AddQuiz, 'quizName' | 'quizData'>

export interface ProviderRow {
  id: string
  name: string
  npi: string
  licensedIn: string[]
  email: string
  isActive: boolean
  createdAt: Date
  changedAt: Date
}

const columns = sql`
  id, name, npi, licensed_in as "licensedIn", email, is_active as "isActive", created_at as "createdAt", changed_at as "changedAt"`

export const selectProviders = (tx: SystemTx): Promise<ProviderRow[]> =>
  tx.rows(sql<ProviderRow>`select ${columns} from providers order by name, id`)

export const selectProvider = (tx: SystemTx, idOrNpi: string): Promise<ProviderRow | undefined> =>
  tx.maybeRow(sql<ProviderRow>`select ${columns} from providers where id = ${idOrNpi} or npi = ${idOrNpi}`)

export const selectProviderByEmail = (tx: SystemTx, email: string): Promise<ProviderRow | undefined> =>
  tx.maybeRow(sql<ProviderRow>`select ${columns} from providers where lower(email) = lower(${email})`)

/** Writes a provider. @returns the field that another provider has; undefined: it is written. */
export async function upsertProvider(tx: SystemTx, row: ProviderRow): Promise<'npi' | 'email' | undefined> {
  // Who writes next waits here, and finds what this one wrote.
  await tx.run(sql`lock table providers in share row exclusive mode`)
  const taken = await tx.maybeRow(sql<{ field: 'npi' | 'email' }>`
    select case when npi = ${row.npi} then 'npi' else 'email' end as field from providers
    where id <> ${row.id} and (npi = ${row.npi} or lower(email) = lower(${row.email})) limit 1`)
  if (taken) return taken.field
  await tx.run(sql`
    insert into providers (id, name, npi, licensed_in, email, is_active, created_at, changed_at)
    values (${row.id}, ${row.name}, ${row.npi}, ${row.licensedIn}, ${row.email}, ${row.isActive}, ${row.createdAt}, ${row.changedAt})
    on conflict (id) do update set name = excluded.name, npi = excluded.npi, licensed_in = excluded.licensed_in,
      email = excluded.email, is_active = excluded.is_active, changed_at = excluded.changed_at`)
  return undefined
}

export async function deleteProvider(tx: SystemTx, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from providers where id = ${id}`)) === 1
}

export interface RecipientOfOrder {
  realmId: number
  orderId: string
  recipient: Recipient
}

export interface WaitingRow extends RecipientOfOrder {
  createdAt: Date
}

interface WaitingFilter {
  businessIds?: readonly string[] | undefined
  orderId?: string
  /** Without those of the demo's companies: nobody has to decide about them. */
  isReal?: boolean
  /** A page of them; default all. */
  part?: Part
}

const waitingIn = ({ businessIds, orderId, isReal }: WaitingFilter = {}) => sql`
  realms r cross join lateral (
    select * from orders where realm_id = r.id and status = 'pending' and approval_state = 'waiting'
      ${orderId === undefined ? sql`` : sql`and id = ${orderId}`}) o
  where r.mode = 'live' ${businessIds ? sql`and r.business_id = any(${businessIds})` : sql``} ${isReal ? sql`and not ${isMadeUp}` : sql``}`

/**
 * Live orders that wait for a provider, oldest first, those of the demo's companies last: pending orders are few, and have an index in each realm. Where their
 * recipients live is sealed, so that each is opened.
 */
export async function selectWaiting(tx: SystemTx, filter: WaitingFilter = {}): Promise<WaitingRow[]> {
  const rows = await tx.rows(sql<Omit<WaitingRow, 'recipient'> & { recipient: Sealed<Recipient> }>`
    select o.realm_id as "realmId", o.id as "orderId", o.created_at as "createdAt", ${sealedRecipients.of('o')} as recipient
    from ${waitingIn(filter)} order by ${isMadeUp}, o.created_at, o.id
    ${filter.part ? sql`limit ${filter.part.size} offset ${filter.part.skip}` : sql``}`)
  const keyrings = await keyringsOf(tx, rows)
  return mapInSlices(rows, ({ recipient, ...row }) => ({
    ...row,
    recipient: sealedRecipients.open(keyringIn(keyrings, row.realmId), [row.orderId], recipient),
  }))
}

/** How many live orders wait for a provider. */
export async function countWaiting(tx: SystemTx, filter?: WaitingFilter): Promise<number> {
  return (await tx.row(sql<{ total: number }>`select count(*)::int as total from ${waitingIn(filter)}`)).total
}

export interface WaitingFacts {
  businessId: string
  businessName: string
  items: { kitType: string; quantity: number }[]
}

/** Of whom these orders are, and what is in them, by their IDs. */
export async function selectFacts(tx: SystemTx, rows: readonly WaitingRow[]): Promise<Map<string, WaitingFacts>> {
  const found = await tx.rows(sql<WaitingFacts & { orderId: string }>`
    select w.order_id as "orderId", b.id as "businessId", b.name as "businessName",
      (select jsonb_agg(jsonb_build_object('kitType', i.kit_type, 'quantity', i.quantity) order by i.kit_type)
       from order_items i where i.realm_id = w.realm_id and i.order_id = w.order_id) as items
    from unnest(${rows.map(({ realmId }) => realmId)}::int[], ${rows.map(({ orderId }) => orderId)}::text[]) w(realm_id, order_id)
    join realms r on r.id = w.realm_id join businesses b on b.id = r.business_id`)
  return new Map(found.map(({ orderId, ...facts }) => [orderId, facts]))
}

export interface WaitingPerson extends Personal {
  orderId: string
  customerId: number
  /** The IDs of their quizzes. */
  quizzes: string[]
}

/** The customers who have the e-mail addresses of these orders: each may be the recipient, or share the address. */
export async function selectPeople(tx: Queries, rows: readonly RecipientOfOrder[]): Promise<WaitingPerson[]> {
  const hashIn = await tx.vault.hashIn()
  const wanted = rows.flatMap(({ realmId, orderId, recipient: { email } }) =>
    email === null ? [] : [{ realmId, orderId, email, hash: emailHash(hashIn, realmId, email).toString('hex') }],
  )
  const found = await tx.rows(sql<{
    realmId: number
    orderId: string
    id: number
    quizzes: string[]
    personal: Sealed<Personal>
  }>`
    select w."realmId", w."orderId", c.id, ${sealedCustomers.of('c')} as personal,
      array(select d.id from customer_data d where d.realm_id = c.realm_id and d.customer_id = c.id and d.kind = 'quiz' order by d.id) as quizzes
    from json_to_recordset(${JSON.stringify(wanted)}::json) as w("realmId" int, "orderId" text, email text, hash text)
    cross join lateral (select * from customers c where c.realm_id = w."realmId" and c.erased_at is null
      and (c.email_hash = decode(w.hash, 'hex') or c.email_key = lower(w.email)) offset 0) c
    order by c.id`)
  const keyrings = await keyringsOf(tx, found)
  return found.map(({ realmId, orderId, id, quizzes, personal }) => ({
    ...sealedCustomers.open(keyringIn(keyrings, realmId), [id], personal),
    orderId,
    customerId: id,
    quizzes,
  }))
}

const QUIZZES = 10

/** The newest quizzes that a business added about a customer, newest first. */
export async function selectQuizzes(tx: Tx, customerId: number): Promise<{ date: string; payload: AddedQuiz }[]> {
  const rows = await tx.rows(sql<{ id: string; date: string; content: Sealed<{ payload: unknown }> }>`
    select d.id, d.date::text as date, ${sealedData.of('d')} as content from customer_data d
    where d.realm_id = ${tx.realm.id} and d.customer_id = ${customerId} and d.kind = 'quiz'
    order by d.date desc, d.created_at desc, d.id limit ${QUIZZES}`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, date, content }) => ({
    date,
    payload: sealedData.open(keys, [id], content).payload as AddedQuiz,
  }))
}

/** Two processes that write to providers at once find what the other wrote. */
export const lockNotices = (tx: SystemTx): Promise<unknown> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('notices of approvals'))`)

/** The realm of a live order of any business: one look into the index of each. */
export async function selectRealmOfOrder(tx: SystemTx, orderId: string): Promise<Realm | undefined> {
  const found = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from realms r cross join lateral (select id from orders where realm_id = r.id and id = ${orderId} offset 0) o
    where r.mode = 'live'`)
  return found?.realm
}
