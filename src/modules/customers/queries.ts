import { sql } from 'kysely'
import { type Counted, locate } from '../../platform/database/block-counts.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { drawCustomerNumber } from '../businesses/counters-queries.ts'
import type { CustomerReport } from './schema.ts'
import { foundCustomers } from './search-queries.ts'

export interface Address {
  street1?: string | undefined
  street2?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zip?: string | undefined
  country?: string | undefined
}

export interface CustomerRow {
  id: number
  externalId: string | null
  email: string
  name: string
  firstName: string | null
  lastName: string | null
  dateOfBirth: string | null
  gender: 'M' | 'F' | 'X' | null
  phone: string | null
  address: Address | null
  race: string | null
  research: boolean
  customTags: string[]
  createdAt: Date
}

/** What a customer can be made with. */
export interface NewCustomer {
  id: number
  email: string
  name: string
  firstName?: string | undefined
  lastName?: string | undefined
  dateOfBirth?: string | undefined
  gender?: 'M' | 'F' | 'X' | undefined
  phone?: string | undefined
  address?: Address | undefined
  race?: string | undefined
  research?: boolean | undefined
  externalId?: string | undefined
  customTags?: string[] | undefined
}

const columns = sql`
  c.id, c.external_id as "externalId", c.email, c.name, c.first_name as "firstName", c.last_name as "lastName",
  c.date_of_birth as "dateOfBirth", c.gender, c.phone, c.address, c.race, c.research,
  c.custom_tags as "customTags", c.created_at as "createdAt"`

const locks = { none: sql``, share: sql`for key share of c`, update: sql`for update of c` }
export type Lock = keyof typeof locks

// Up to 15 digits is below 2^53; with a leading zero it can only be an external_id.
const NUMBER = /^[1-9]\d{0,14}$/

export function selectCustomer(tx: Tx, key: string, lock: Lock): Promise<CustomerRow | undefined> {
  const id = NUMBER.test(key) ? Number(key) : null
  return tx.maybeRow(sql<CustomerRow>`
    select ${columns} from customers c
    where c.realm_id = ${tx.realm.id} and c.erased_at is null
      and (c.id = ${id}::bigint or c.external_id = ${key})
    order by c.id = ${id}::bigint desc nulls last limit 1 ${locks[lock]}`)
}

export type ListedRow = CustomerRow & { reportIds: string[] }

const reportIds = sql`
  (select coalesce(array_agg(r.id order by r.created_at desc, r.id), '{}') from reports r
   where r.realm_id = c.realm_id and r.customer_id = c.id) as "reportIds"`

export interface CustomerFilter {
  /** What a person typed to find a customer. */
  text?: string | undefined
  /** The record or a report of theirs. */
  updatedSince?: Date | undefined
}

const isNarrow = ({ text, updatedSince }: CustomerFilter) => Boolean(text) || updatedSince !== undefined

const listed = (tx: Tx, { text, updatedSince }: CustomerFilter = {}) => {
  const found = text ? sql`and c.id = any(array(${foundCustomers(tx, text)}))` : sql``
  const changed = updatedSince
    ? sql`and c.id = any(array(
        select id from customers where realm_id = ${tx.realm.id} and created_at >= ${updatedSince}
        union select id from customers where realm_id = ${tx.realm.id} and updated_at >= ${updatedSince}))`
    : sql``
  return sql`c.realm_id = ${tx.realm.id} and c.erased_at is null ${found} ${changed}`
}

/** A page, newest first, as fast at any depth; with the exact total. */
export async function selectPage(
  tx: Tx,
  filter: CustomerFilter,
  page: number,
  size: number,
): Promise<{ total: number; rows: ListedRow[] }> {
  const counted: Counted = {
    ...{ list: 'customers', filter: '', as: 'c', where: listed(tx) },
    highest: sql`select customers from realm_counters where realm_id = ${tx.realm.id}`,
  }
  const all = { skip: page * size, from: 0, to: Number.MAX_SAFE_INTEGER }
  const { total, skip, from, to } = isNarrow(filter)
    ? { total: await countFound(tx, filter), ...all }
    : await locate(tx, counted, { page, size })
  if (page * size >= total) return { total, rows: [] }
  const rows = await tx.rows(sql<ListedRow>`
    select ${columns}, ${reportIds} from customers c where ${listed(tx, filter)} and c.seq between ${from} and ${to}
    order by c.seq desc limit ${size} offset ${skip}`)
  return { total, rows }
}

async function countFound(tx: Tx, filter: CustomerFilter): Promise<number> {
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*) as total from customers c where ${listed(tx, filter)}`,
  )
  return total
}

/** Those made before one, newest first; from the newest on without it. */
export function selectBefore(
  tx: Tx,
  filter: CustomerFilter,
  id: number | undefined,
  size: number,
): Promise<ListedRow[]> {
  const before = id
    ? sql`and c.seq < (select seq from customers where realm_id = ${tx.realm.id} and id = ${id})`
    : sql``
  return tx.rows(sql<ListedRow>`
    select ${columns}, ${reportIds} from customers c where ${listed(tx, filter)} ${before}
    order by c.seq desc limit ${size}`)
}

export interface ReportRow {
  id: string
  kitId: string | null
  collectedDate: string | null
  resultedDate: string | null
  status: CustomerReport['status']
  vendorStatus: CustomerReport['vendorStatus']
}

export function selectReports(tx: Tx, customerId: number): Promise<ReportRow[]> {
  return tx.rows(sql<ReportRow>`
    select id, kit_id as "kitId", case when left(collected_at, 10) = collected_date::text then collected_at else collected_date::text end as "collectedDate",
      case when left(resulted_at, 10) = resulted_date::text then resulted_at else resulted_date::text end as "resultedDate", status,
           vendor_status as "vendorStatus"
    from reports where realm_id = ${tx.realm.id} and customer_id = ${customerId}
    order by created_at desc, id`)
}

/** False when the e-mail is taken. An external_id that is taken is the database's error `customers_external_id`. */
export async function insertCustomer(tx: Tx, customer: NewCustomer): Promise<boolean> {
  const inserted = await tx.run(sql`
    with counter as (${drawCustomerNumber(tx)})
    insert into customers (realm_id, id, seq, external_id, email, name, first_name, last_name, date_of_birth, gender,
      phone, address, race, research, custom_tags, created_at)
    select ${tx.realm.id}, ${customer.id}, counter.customers, ${customer.externalId ?? null}, ${customer.email},
      ${customer.name}, ${customer.firstName ?? null}, ${customer.lastName ?? null}, ${customer.dateOfBirth ?? null},
      ${customer.gender ?? null}, ${customer.phone ?? null}, ${addressJson(customer.address)}, ${customer.race ?? null},
      ${customer.research ?? false}, ${customer.customTags ?? []}, ${tx.now}
    from counter
    on conflict (realm_id, lower(email)) do nothing`)
  return inserted === 1
}

/**
 * Fills what the customer of this e-mail lacks, but nothing where the date of birth is another: it may be another person.
 * Undefined when there is none. Locks the row either way.
 */
export function fillCustomer(
  tx: Tx,
  given: Omit<NewCustomer, 'id'> & { dateOfBirth: string },
): Promise<{ id: number; dateOfBirthMatches: boolean } | undefined> {
  const isSame = sql`(date_of_birth is null or date_of_birth = ${given.dateOfBirth}::date)`
  const isSameName = sql`lower(name) = lower(${given.name})`
  const filled = (column: string, value: unknown, type: string) => {
    const known = sql.ref(column)
    return sql`${known} = case when ${isSame} then coalesce(${known}, ${value}::${sql.raw(type)}) else ${known} end`
  }
  return tx.maybeRow(sql<{ id: number; dateOfBirthMatches: boolean }>`
    update customers set
      first_name = coalesce(first_name, case when ${isSame} and ${isSameName} then ${given.firstName ?? null}::text end),
      last_name = coalesce(last_name, case when ${isSame} and ${isSameName} then ${given.lastName ?? null}::text end),
      date_of_birth = coalesce(date_of_birth, ${given.dateOfBirth}::date),
      research = case when ${isSame} then coalesce(${given.research ?? null}::boolean, research) else research end,
      ${filled('gender', given.gender ?? null, 'text')},
      ${filled('phone', given.phone ?? null, 'text')},
      ${filled('address', addressJson(given.address), 'jsonb')},
      ${filled('race', given.race ?? null, 'text')},
      ${filled('external_id', given.externalId ?? null, 'text')}
    where realm_id = ${tx.realm.id} and lower(email) = lower(${given.email})
    returning id, date_of_birth = ${given.dateOfBirth}::date as "dateOfBirthMatches"`)
}

function addressJson(address: Address | undefined): string | null {
  const json = JSON.stringify(address ?? {})
  return json === '{}' ? null : json
}

/** Writes what a correction names. A taken e-mail or external_id is the database's error of that index. */
export async function updateCustomer(
  tx: Tx,
  id: number,
  change: Omit<NewCustomer, 'id' | 'email' | 'name'> & Partial<NewCustomer>,
): Promise<void> {
  await tx.run(sql`
    update customers set
      email = coalesce(${change.email ?? null}, email), name = coalesce(${change.name ?? null}, name),
      first_name = case when ${change.name ?? null}::text is null then first_name end,
      last_name = case when ${change.name ?? null}::text is null then last_name end,
      date_of_birth = coalesce(${change.dateOfBirth ?? null}::date, date_of_birth),
      gender = coalesce(${change.gender ?? null}, gender), phone = coalesce(${change.phone ?? null}, phone),
      address = coalesce(${addressJson(change.address)}::jsonb, address),
      external_id = coalesce(${change.externalId ?? null}, external_id),
      custom_tags = coalesce(${change.customTags ?? null}::text[], custom_tags)
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function blankCustomer(tx: Tx, id: number): Promise<void> {
  await tx.run(sql`
    update customers set external_id = null, email = null, name = null, first_name = null, last_name = null,
      date_of_birth = null, gender = null, phone = null, address = null, race = null, research = false,
      custom_tags = '{}', erased_at = ${tx.now}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export function deleteCustomers(tx: Tx): Promise<number> {
  return tx.run(sql`delete from customers where realm_id = ${tx.realm.id}`)
}
