import { type RawBuilder, sql } from 'kysely'
import { normalizeId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'

// From here on what a person types is taken for the beginning of an ID: of two million, two begin with the same five.
const MIN_ID = 5
const ID_LENGTH = 10
// More than that is no search: whoever looks through it types on.
export const MAX_FOUND = 2000
// Orders that the job has not reached: reading so many takes some 20 ms.
const MAX_READ = 20_000
// Above every text that begins with the one before it.
const LAST = '\u{10FFFF}'

/** The condition that a column of plain text (migration 0034), which sorts by code point, begins with what was asked. */
export const beginsWith = (column: string, text: string): RawBuilder<unknown> =>
  sql`(${sql.ref(column)} >= kitlane_plain(${text}) and ${sql.ref(column)} < kitlane_plain(${text}) || ${LAST}::text)`

/** The condition that an ID is the one asked, or begins so; undefined where the text cannot be one. */
export function isIdLike(column: string, prefix: 'O' | 'K' | 'R', text: string): RawBuilder<unknown> | undefined {
  const id = normalizeId(text)
  if (id.length < MIN_ID || id.length > ID_LENGTH || !id.startsWith(prefix) || !/^[0-9A-Z]+$/.test(id)) return undefined
  return sql`${sql.ref(column)} between ${id} and ${id.padEnd(ID_LENGTH, 'Z')}`
}

/** Joins queries of one column; those that make no sense for this text are undefined. */
const together = (queries: readonly (RawBuilder<unknown> | undefined)[]) =>
  sql.join(
    queries.filter((query) => query !== undefined),
    sql` union all `,
  )

type RealmId = RawBuilder<unknown>

/** IDs of orders to somebody whose e-mail or name begins so. The newest, which the job has not reached, are read. */
const ordersTo = (realm: RealmId, text: string) => sql`
  (select order_id from order_terms where realm_id = ${realm} and ${beginsWith('term', text)} limit ${MAX_FOUND})
  union all
  (select id from (
     select id, email, first_name, last_name from orders
     where realm_id = ${realm} and seq > (select coalesce(max(seq), 0) from order_terms_done where realm_id = ${realm})
     order by seq desc limit ${MAX_READ}) recent
   where starts_with(lower(email), lower(${text})) or starts_with(kitlane_plain(last_name), kitlane_plain(${text}))
     or starts_with(kitlane_plain(first_name || ' ' || last_name), kitlane_plain(${text})))`

const idsOf = (realm: RealmId, table: 'orders' | 'kits', column: string, where: RawBuilder<unknown> | undefined) =>
  where && sql`select ${sql.ref(column)} from ${sql.table(table)} where realm_id = ${realm} and ${where}`

/** The IDs of orders that a text finds: by their ID or that of a kit, the caller's own identifier, the recipient. */
export const foundOrders = (tx: Tx, text: string) => foundOrdersIn(sql`${tx.realm.id}`, text)

/** The same in whichever realm; `realm` may be a column of the query around it. */
export const foundOrdersIn = (realm: RealmId, text: string) =>
  together([
    idsOf(realm, 'orders', 'id', isIdLike('id', 'O', text)),
    idsOf(realm, 'kits', 'order_id', isIdLike('id', 'K', text)),
    idsOf(realm, 'orders', 'id', sql`external_id = ${text}`),
    ordersTo(realm, text),
  ])

/** The numbers of customers that a text finds: by number, the caller's own identifier, e-mail, name. */
export const foundCustomers = (tx: Tx, text: string) => foundCustomersIn(sql`${tx.realm.id}`, text)

export const foundCustomersIn = (realm: RealmId, text: string) => sql`
  (select id from customers where realm_id = ${realm} and erased_at is null
     and (id = ${/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null}::bigint or external_id = ${text}
       or ${beginsWith('email_key', text)} or ${beginsWith('name_key', text)} or ${beginsWith('last_key', text)}
       or ${beginsWith('name_plain', text)} or ${beginsWith('last_plain', text)})
   limit ${MAX_FOUND})`

/** The IDs of kits that a text finds: by their ID or their order's, the recipient, the person tested. */
export const foundKits = (tx: Tx, text: string) => {
  const realm: RealmId = sql`${tx.realm.id}`
  return together([
    idsOf(realm, 'kits', 'id', isIdLike('id', 'K', text)),
    idsOf(realm, 'kits', 'id', isIdLike('order_id', 'O', text)),
    idsOf(realm, 'kits', 'id', sql`order_id = any(array(${ordersTo(realm, text)}))`),
    idsOf(realm, 'kits', 'id', sql`customer_id = any(array(${foundCustomersIn(realm, text)}))`),
  ])
}
