import { type RawBuilder, sql } from 'kysely'
import type { Queries, Tx } from '../../platform/database/tx.ts'
import { beginningsOf, type Hashing, isMeant, nameWordsOf, termsOfTyped } from '../../platform/sealing/beginnings.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import {
  keyringIn,
  keyringOf,
  keyringsOf,
  NEVER,
  type Sealed,
  sealedColumns,
} from '../../platform/sealing/sealed-columns.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { type Personal, sealedCustomers } from '../customers/sealed-queries.ts'
import { MAX_FOUND } from '../customers/search-queries.ts'
import { type RegisteredPerson, sealedKits } from './sealed-queries.ts'

export type RecipientAddress = {
  street1: string
  street2?: string | undefined
  city: string
  state: string
  zip: string
  country: string
}

/** Whom an order is sent to. All null once the person was erased. */
export interface Recipient {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  address: RecipientAddress | null
}

export const sealedRecipients = sealedColumns<Recipient>({
  table: 'orders',
  key: { id: 'text' },
  clear: { firstName: 'first_name', lastName: 'last_name', email: 'email', phone: 'phone', address: 'address' },
  hashes: { email_hash: { type: 'bytea', of: ({ email }, keys) => (email ? emailHash(keys, email) : null) } },
})

const emailHash = (keys: Keyring, email: string): Buffer => keys.hash('orders.email', email.toLowerCase())

/** The condition that an order `o` was sent to an address. */
export const isSentTo = (keys: Keyring, email: string) =>
  sql`(o.email_hash = ${emailHash(keys, email)} or (o.sealed is null and lower(o.email) = lower(${email})))`

/** The same of some addresses. */
export const isSentToAny = (keys: Keyring, emails: readonly string[]) =>
  sql`(${sql.join(
    emails.map((email) => isSentTo(keys, email)),
    sql` or `,
  )})`

/** The texts that an order is found by. */
const searched = ({ email, firstName, lastName }: Recipient): string[] =>
  [email, firstName && lastName && `${firstName} ${lastName}`, lastName].filter((text) => typeof text === 'string')

/** What a provider knew and wrote of the recipient when they decided. */
export interface SealedApproval {
  /** Why they refused: words that may say something of the recipient. */
  reason: string | null
  /** What they were shown of the customer who is the recipient; absent in approvals of earlier releases and of the sandbox. */
  shown?: Shown | null | undefined
}
export interface Shown {
  dateOfBirth?: string
  sex?: 'M' | 'F'
}

export const sealedApprovals = sealedColumns<SealedApproval>({
  table: 'orders',
  column: 'sealed_approval',
  key: { id: 'text' },
  clear: { reason: NEVER, shown: NEVER },
  emptied: [],
})

/** What was shown to the provider who approved an order; undefined: nobody approved it. */
export async function maybeFindApproval(tx: Tx, orderId: string): Promise<Pick<SealedApproval, 'shown'> | undefined> {
  const row = await tx.maybeRow(sql<{ said: Sealed<SealedApproval> }>`
    select ${sealedApprovals.of('o')} as said from orders o
    where realm_id = ${tx.realm.id} and id = ${orderId} and approval_state = 'approved'`)
  return row && sealedApprovals.open(await keyringOf(tx), [orderId], row.said)
}

/** The person of another kit of an order. */
export interface OtherPerson {
  email: string | null
  registration: unknown
  /** As their record says. */
  gender: Personal['gender']
}

/**
 * The people of the other kits of an order: of each that is registered for another customer; undefined for one who was erased. While
 * one is being registered, the next waits: kits are locked before, and nothing else takes this lock.
 */
export async function selectOthers(
  tx: Tx,
  {
    id,
    orderId,
    customerId,
    registeredAt,
  }: { id: string; orderId: string; customerId: number | null; registeredAt: Date | null },
): Promise<(OtherPerson | undefined)[]> {
  const { realm } = tx
  if (registeredAt === null)
    await tx.run(sql`select pg_advisory_xact_lock(hashtext('registering'), hashtext(${`${realm.id} ${orderId}`}))`)
  const rows = await tx.rows(sql<{
    id: string
    customerId: number | null
    kit: Sealed<RegisteredPerson>
    person: Sealed<Personal>
  }>`
    select k.id, k.customer_id as "customerId", ${sealedKits.of('k')} as kit, ${sealedCustomers.of('c')} as person
    from kits k left join customers c on c.realm_id = k.realm_id and c.id = k.customer_id
    where k.realm_id = ${realm.id} and k.order_id = ${orderId} and k.id <> ${id} and k.registered_at is not null
      and coalesce(k.customer_id, 0) <> ${customerId ?? -1}`)
  const keys = await keyringOf(tx)
  return rows.map((row): OtherPerson | undefined => {
    if (row.customerId === null) return undefined
    const { registeredEmail: email, registration } = sealedKits.open(keys, [row.id], row.kit)
    return { email, registration, gender: sealedCustomers.open(keys, [row.customerId], row.person).gender }
  })
}

const nameOf = ({ firstName, lastName }: Recipient): string => [firstName, lastName].filter(Boolean).join(' ')

const KIND = 'recipient'

/** The terms of each word of the recipient's name that earlier releases did not write. */
export function wordTermsOf(keys: Hashing, recipient: Recipient): string[] {
  const former = new Set(searched(recipient).flatMap((text) => beginningsOf(keys, KIND, text)))
  return termsOf(keys, recipient).filter((term) => !former.has(term))
}

/** The terms that an order is found by in the index. */
export const termsOf = (keys: Hashing, recipient: Recipient): string[] => [
  ...new Set(
    [...searched(recipient), ...nameWordsOf(nameOf(recipient))].flatMap((text) => beginningsOf(keys, KIND, text)),
  ),
]

/** The IDs of few orders of a realm, among which are all that were sent to an address: by the index, and what it does not have yet. */
export const mayBeSentTo = (tx: Tx, email: string): Promise<RawBuilder<unknown>> => mayBeSentToAny(tx, [email])

/** The same of some addresses. */
export async function mayBeSentToAny(tx: Tx, emails: readonly string[]): Promise<RawBuilder<unknown>> {
  const hashIn = await tx.vault.hashIn()
  const hashing: Hashing = { hash: (kind, part) => hashIn(tx.realm.id, kind, part) }
  const terms = emails.flatMap((email) => termsOfTyped(hashing, KIND, email))
  // Read first: of a number that it does not know, the planner expects a third of all orders beyond it.
  const done = await tx.maybeRow(sql<{ seq: number }>`
    select d.seq from order_finds_done d where d.realm_id = ${tx.realm.id}`)
  return sql`
    select f.order_id from order_finds f where f.realm_id = ${tx.realm.id} and f.term = any(${terms}::bigint[])
    union all
    select n.id from orders n where n.realm_id = ${tx.realm.id} and n.seq > ${done?.seq ?? 0}`
}

/** An order with its recipient. */
export interface SentOrder {
  realmId: number
  id: string
  recipient: Recipient
}

// Orders that the index does not have yet: to open so many takes some 100 ms, in slices.
const MAX_READ = 20_000

/**
 * Orders of some realms to a recipient whose e-mail or name, or any word of it, begins with a text of three letters or more, or is the text: by the
 * index, and by reading the newest orders, which the index does not have yet.
 */
export async function ordersSentTo(tx: Queries, realmIds: readonly number[], text: string): Promise<SentOrder[]> {
  const hashIn = await tx.vault.hashIn()
  const looked = realmIds.flatMap((realmId) =>
    termsOfTyped({ hash: (kind, part) => hashIn(realmId, kind, part) }, KIND, text).map((term) => ({ realmId, term })),
  )
  const rows = await tx.rows(sql<{ realmId: number; id: string; recipient: Sealed<Recipient> }>`
    with looked as (select * from unnest(${looked.map(({ realmId }) => realmId)}::int[],
      ${looked.map(({ term }) => term)}::bigint[]) l(realm_id, term)),
    found as (
      (select f.realm_id, f.order_id as id from looked l join order_finds f on f.realm_id = l.realm_id and f.term = l.term
       limit ${MAX_FOUND * 10})
      union
      (select o.realm_id, o.id from realm_counters c left join order_finds_done d on d.realm_id = c.realm_id
       -- The limit keeps it a look at the newest: as a join, it would read all orders.
       cross join lateral (select o.realm_id, o.id, o.created_at from orders o
         where o.realm_id = c.realm_id and o.seq > coalesce(d.seq, 0) order by o.seq desc limit ${MAX_READ}) o
       where c.realm_id = any(${realmIds}::int[]) and c.orders > coalesce(d.seq, 0)
       order by o.created_at desc limit ${MAX_READ}))
    select o.realm_id as "realmId", o.id, ${sealedRecipients.of('o')} as recipient
    -- The offset keeps it a look for each: as a join, few found orders would be sought among all orders.
    from found f cross join lateral (
      select * from orders o where o.realm_id = f.realm_id and o.id = f.id offset 0) o`)
  const keyrings = await keyringsOf(tx, rows)
  const opened = await mapInSlices(rows, (row) => ({
    ...row,
    recipient: sealedRecipients.open(keyringIn(keyrings, row.realmId), [row.id], row.recipient),
  }))
  const isFound = ({ recipient }: SentOrder) => isMeant({ texts: searched(recipient), name: nameOf(recipient) }, text)
  return opened.filter(isFound).slice(0, MAX_FOUND)
}
