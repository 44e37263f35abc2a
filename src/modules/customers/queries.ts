import { type RawBuilder, sql } from 'kysely'
import { type Counted, locate } from '../../platform/database/block-counts.ts'
import type { Part } from '../../platform/database/oldest-first.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { begins } from '../../platform/sealing/beginnings.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { drawCustomerNumber } from '../businesses/counters-queries.ts'
import type { CustomerReport } from './schema.ts'
import { hasAnyEmail, hasEmail, type Personal, sealedCustomers, termsOf } from './sealed-queries.ts'
import { selectFound } from './search-queries.ts'

export interface CustomerRow extends Personal {
  id: number
  externalId: string | null
  research: boolean
  customTags: string[]
  createdAt: Date
}

const columns = sql`
  c.id, c.external_id as "externalId", c.research, c.custom_tags as "customTags", c.created_at as "createdAt",
  ${sealedCustomers.of('c')} as personal`

type Stored<Row extends CustomerRow> = Omit<Row, keyof Personal> & { personal: Sealed<Personal> }

async function opened<Row extends { id: number; personal: Sealed<Personal> }>(
  tx: Tx,
  rows: readonly Row[],
): Promise<(Omit<Row, 'personal'> & Personal)[]> {
  const keys = await keyringOf(tx)
  return rows.map(({ personal, ...row }) => Object.assign(row, sealedCustomers.open(keys, [row.id], personal)))
}

const locks = { none: sql``, share: sql`for key share of c`, update: sql`for update of c` }
export type Lock = keyof typeof locks

// Up to 15 digits is below 2^53; with a leading zero it can only be an external_id.
const NUMBER = /^[1-9]\d{0,14}$/

/** The number of somebody who was erased stays theirs: an erasure that is sent again reaches nobody whose external_id it is. */
const wasErased = (tx: Tx, id: number) =>
  sql`exists (select from customers where realm_id = ${tx.realm.id} and id = ${id} and erased_at is not null)`

export async function selectCustomer(tx: Tx, key: string, lock: Lock): Promise<CustomerRow | undefined> {
  const id = NUMBER.test(key) ? Number(key) : null
  const rows = await tx.rows(sql<Stored<CustomerRow>>`
    select ${columns} from customers c
    where c.realm_id = ${tx.realm.id} and c.erased_at is null
      and (c.id = ${id}::bigint or c.external_id = ${key})
      ${id === null ? sql`` : sql`and (c.id = ${id} or not ${wasErased(tx, id)})`}
    order by c.id = ${id}::bigint desc nulls last limit 1 ${locks[lock]}`)
  const [customer] = await opened(tx, rows)
  return customer
}

/** The customer of an e-mail address, compared case-insensitively. */
export async function selectCustomerOf(tx: Tx, email: string, lock: Lock): Promise<CustomerRow | undefined> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<Stored<CustomerRow>>`
    select ${columns} from customers c
    where c.realm_id = ${tx.realm.id} and ${hasEmail('c', keys, email)}
    order by c.email_hash is null limit 1 ${locks[lock]}`)
  const [customer] = await opened(tx, rows)
  return customer
}

export interface ListedRow extends CustomerRow {
  reportIds: string[]
  updatedAt: Date
}

const listedColumns = sql`
  (select coalesce(array_agg(r.id order by r.created_at desc, r.id), '{}') from reports r
   where r.realm_id = c.realm_id and r.customer_id = c.id) as "reportIds",
  coalesce(c.updated_at, c.created_at) as "updatedAt"`

export interface CustomerFilter {
  /** What a person typed to find a customer. */
  text?: string | undefined
  /** The record or a report of theirs. */
  updatedSince?: Date | undefined
  /** Customer IDs or values of external_id. */
  keys?: readonly string[] | undefined
  emails?: readonly string[] | undefined
  externalIds?: readonly string[] | undefined
  /** A name, or how it or a word of it begins. */
  name?: string | undefined
}

const isNarrow = ({ text, updatedSince, keys, emails, externalIds, name }: CustomerFilter) =>
  Boolean(text) || [updatedSince, keys, emails, externalIds, name].some((value) => value !== undefined)

/** The search finds people by e-mail and number too: of those, the ones with such a name. */
async function selectNamed(tx: Tx, name: string): Promise<number[]> {
  const names = await selectNames(tx, await selectFound(tx, name))
  const isNamed = (whole: string) => wordsFrom(whole).some((words) => begins(words, name))
  return [...names].filter(([, whole]) => whole !== null && isNamed(whole)).map(([id]) => id)
}

/** A name from each of its words on. */
const wordsFrom = (name: string): string[] => name.split(/\s+/).map((_, index, words) => words.slice(index).join(' '))

async function listed(tx: Tx, { text, updatedSince, keys, emails, externalIds, name }: CustomerFilter = {}) {
  const found = text ? sql`and c.id = any(${await selectFound(tx, text)}::bigint[])` : sql``
  const changed = updatedSince
    ? sql`and c.id = any(array(
        select id from customers where realm_id = ${tx.realm.id} and created_at >= ${updatedSince}
        union select id from customers where realm_id = ${tx.realm.id} and updated_at >= ${updatedSince}))`
    : sql``
  const ids = (keys ?? []).filter((key) => NUMBER.test(key)).map(Number)
  const named = keys
    ? sql`and (c.id = any(${ids}::bigint[]) or c.external_id = any(${keys}) and c.external_id <> all(array(
        select id::text from customers where realm_id = ${tx.realm.id} and id = any(${ids}::bigint[]) and erased_at is not null)))`
    : sql``
  const reached = emails ? sql`and ${hasAnyEmail('c', await keyringOf(tx), emails)}` : sql``
  const identified = externalIds ? sql`and c.external_id = any(${externalIds})` : sql``
  const called = name === undefined ? sql`` : sql`and c.id = any(${await selectNamed(tx, name)}::bigint[])`
  return sql`c.realm_id = ${tx.realm.id} and c.erased_at is null ${found} ${changed} ${named} ${reached} ${identified} ${called}`
}

/** A part, newest first, as fast at any depth; with the exact total. */
export async function selectPart(
  tx: Tx,
  filter: CustomerFilter,
  { skip: start, size }: Part,
): Promise<{ total: number; rows: ListedRow[] }> {
  const counted: Counted = {
    list: 'customers',
    filter: '',
    as: 'c',
    where: await listed(tx),
    highest: sql`select customers from realm_counters where realm_id = ${tx.realm.id}`,
  }
  const all = { skip: start, from: 0, to: Number.MAX_SAFE_INTEGER }
  const where = await listed(tx, filter)
  const { total, skip, from, to } = isNarrow(filter)
    ? { total: await countFound(tx, where), ...all }
    : await locate(tx, counted, { start, size })
  if (start >= total || size === 0) return { total, rows: [] }
  const rows = await tx.rows(sql<Stored<ListedRow>>`
    select ${columns}, ${listedColumns} from customers c where c.realm_id = ${tx.realm.id} and c.seq = any(array(
      select c.seq from customers c where ${where} and c.seq between ${from} and ${to}
      order by c.seq desc limit ${size} offset ${skip}))
    order by c.seq desc`)
  return { total, rows: await opened(tx, rows) }
}

async function countFound(tx: Tx, where: RawBuilder<unknown>): Promise<number> {
  const { total } = await tx.row(sql<{ total: number }>`select count(*) as total from customers c where ${where}`)
  return total
}

/** Those after one in the order of the list, newest first unless it says otherwise; from its beginning on without one. */
export async function selectAfter(
  tx: Tx,
  filter: CustomerFilter,
  { id, size, isOldestFirst = false }: { id: number | undefined; size: number; isOldestFirst?: boolean },
): Promise<ListedRow[]> {
  const [beyond, direction] = isOldestFirst ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const after = id
    ? sql`and c.seq ${beyond} (select seq from customers where realm_id = ${tx.realm.id} and id = ${id})`
    : sql``
  const rows = await tx.rows(sql<Stored<ListedRow>>`
    select ${columns}, ${listedColumns} from customers c where ${await listed(tx, filter)} ${after}
    order by c.seq ${direction} limit ${size}`)
  return opened(tx, rows)
}

export interface ReportRow {
  id: string
  kitId: string | null
  collectedDate: string | null
  resultedDate: string | null
  status: CustomerReport['status']
  vendorStatus: CustomerReport['vendorStatus']
  isRecalled: boolean
}

export function selectReports(tx: Tx, customerId: number): Promise<ReportRow[]> {
  return tx.rows(sql<ReportRow>`
    select id, kit_id as "kitId", case when left(collected_at, 10) = collected_date::text then collected_at else collected_date::text end as "collectedDate",
      case when left(resulted_at, 10) = resulted_date::text then resulted_at else resulted_date::text end as "resultedDate", status,
           vendor_status as "vendorStatus",
           exists (select from recall_kits k join recalls c on c.id = k.recall_id where k.realm_id = r.realm_id and k.kit_id = r.kit_id
             and coalesce(k.released_at < k.found_at, true) and c.actions && '{markResults,holdReports}') as "isRecalled"
    from reports r where realm_id = ${tx.realm.id} and customer_id = ${customerId}
    order by created_at desc, id`)
}

/** What a customer is made with. */
export type NewCustomer = Omit<CustomerRow, 'createdAt'>

/** False when the e-mail is taken. An external_id that is taken is the database's error `customers_external_id`. */
export async function insertCustomer(tx: Tx, { id, externalId, research, customTags, ...personal }: NewCustomer) {
  const keys = await keyringOf(tx)
  const { email_hash } = sealedCustomers.hashes(keys, personal)
  const inserted = await tx.run(sql`
    with counter as (${drawCustomerNumber(tx)})
    insert into customers (realm_id, id, seq, external_id, research, custom_tags, created_at, sealed, email_hash)
    select ${tx.realm.id}, ${id}, counter.customers, ${externalId}, ${research}, ${customTags}, ${tx.now},
      ${sealedCustomers.seal(keys, [id], personal)}, ${email_hash}::bytea
    from counter
    where not exists (select from customers c where c.realm_id = ${tx.realm.id} and ${hasEmail('c', keys, personal.email)})
    on conflict (realm_id, email_hash) do nothing`)
  if (inserted === 1) await insertTerms(tx, id, termsOf(keys, personal))
  return inserted === 1
}

/**
 * Rewrites a locked customer. False when the e-mail is taken, which is also the database's error `customers_email_hash`
 * when it is taken at the same moment. An external_id that is taken is its error `customers_external_id`.
 */
export async function updateCustomer(tx: Tx, before: CustomerRow, after: CustomerRow): Promise<boolean> {
  const keys = await keyringOf(tx)
  const { id, externalId, research, customTags, createdAt, ...personal } = after
  const { email_hash } = sealedCustomers.hashes(keys, personal)
  const isSameEmail = before.email.toLowerCase() === after.email.toLowerCase()
  const updated = await tx.run(sql`
    update customers set external_id = ${externalId}, research = ${research}, custom_tags = ${customTags},
      sealed = ${sealedCustomers.seal(keys, [id], personal)}, ${sealedCustomers.emptied},
      email_hash = case when ${isSameEmail} and sealed is not null then email_hash else ${email_hash}::bytea end
    where realm_id = ${tx.realm.id} and id = ${id} and (${isSameEmail} or not exists (
      select from customers c where c.realm_id = ${tx.realm.id} and c.id <> ${id} and ${hasEmail('c', keys, personal.email)}))`)
  if (updated === 0) return false
  await replaceTerms(tx, keys, before, after)
  return true
}

async function insertTerms(tx: Tx, id: number, terms: readonly string[]): Promise<void> {
  if (terms.length === 0) return
  await tx.run(sql`
    insert into customer_finds (realm_id, term, customer_id)
    select ${tx.realm.id}, unnest(${terms}::bigint[]), ${id} on conflict do nothing`)
}

export async function updateResearch(tx: Tx, id: number, research: boolean): Promise<void> {
  await tx.run(sql`update customers set research = ${research} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** In which language each of these customers reads; those of whom it is known. */
export async function selectNames(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const rows = await tx.rows(sql<{ id: number; personal: Sealed<Personal> }>`
    select c.id, ${sealedCustomers.of('c')} as personal from customers c
    where c.realm_id = ${tx.realm.id} and c.id = any(${ids}::bigint[])`)
  const keys = await keyringOf(tx)
  return new Map(rows.map(({ id, personal }) => [id, sealedCustomers.open(keys, [id], personal).name]))
}

export function selectLanguages(tx: Tx, ids: readonly number[]): Promise<{ id: number; language: string }[]> {
  return tx.rows(sql<{ id: number; language: string }>`
    select id, language from customers
    where realm_id = ${tx.realm.id} and id = any(${ids}::bigint[]) and language is not null`)
}

export async function updateLanguage(tx: Tx, id: number, language: string): Promise<void> {
  await tx.run(sql`update customers set language = ${language} where realm_id = ${tx.realm.id} and id = ${id}`)
}

async function deleteTerms(tx: Tx, id: number, terms: readonly string[]): Promise<void> {
  if (terms.length === 0) return
  await tx.run(sql`
    delete from customer_finds where realm_id = ${tx.realm.id} and term = any(${terms}::bigint[]) and customer_id = ${id}`)
}

async function replaceTerms(tx: Tx, keys: Keyring, before: CustomerRow, after: CustomerRow): Promise<void> {
  const terms = termsOf(keys, after)
  const old = termsOf(keys, before).filter((term) => !terms.includes(term))
  await deleteTerms(tx, after.id, old)
  // A row in clear has no terms yet.
  await insertTerms(tx, after.id, terms)
}

export async function blankCustomer(tx: Tx, customer: CustomerRow): Promise<void> {
  await deleteTerms(tx, customer.id, termsOf(await keyringOf(tx), customer))
  await tx.run(sql`
    update customers set external_id = null, research = false, custom_tags = '{}', language = null, sealed = null, email_hash = null,
      ${sealedCustomers.emptied}, erased_at = ${tx.now}
    where realm_id = ${tx.realm.id} and id = ${customer.id}`)
}

export async function deleteCustomers(tx: Tx): Promise<number> {
  await tx.run(sql`delete from customer_finds where realm_id = ${tx.realm.id}`)
  return tx.run(sql`delete from customers where realm_id = ${tx.realm.id}`)
}
