import { type RawBuilder, sql } from 'kysely'
import { beginsWith, isIdLike, unionAll } from '../../platform/database/text-search.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { foundCustomersIn, MAX_FOUND } from '../customers/search-queries.ts'

// Orders that the index does not have yet: reading so many takes some 20 ms.
const MAX_READ = 20_000

/**
 * The IDs of orders to a recipient whose e-mail or name begins with a text: by the index of orders, and by reading the newest
 * orders, which the index does not have yet. Kits are found by the recipient of their order, too.
 */
export const ordersSentTo = (realm: RawBuilder<unknown>, text: string) => sql`
  (select order_id from order_terms where realm_id = ${realm} and ${beginsWith('term', text)} limit ${MAX_FOUND})
  union all
  (select id from (
     select id, email, first_name, last_name from orders
     where realm_id = ${realm} and seq > (select coalesce(max(seq), 0) from order_terms_done where realm_id = ${realm})
     order by seq desc limit ${MAX_READ}) recent
   where starts_with(lower(email), lower(${text})) or starts_with(kitlane_plain(last_name), kitlane_plain(${text}))
     or starts_with(kitlane_plain(first_name || ' ' || last_name), kitlane_plain(${text})))`

const kitsWhere = (realm: RawBuilder<unknown>, where: RawBuilder<unknown> | undefined) =>
  where && sql`select id from kits where realm_id = ${realm} and ${where}`

/** The IDs of kits that a text finds: by their ID or their order's, the recipient, the person tested. */
export const foundKits = (tx: Tx, text: string): RawBuilder<unknown> => {
  const realm = sql`${tx.realm.id}`
  return unionAll([
    kitsWhere(realm, isIdLike('id', 'K', text)),
    kitsWhere(realm, isIdLike('order_id', 'O', text)),
    kitsWhere(realm, sql`order_id = any(array(${ordersSentTo(realm, text)}))`),
    kitsWhere(realm, sql`customer_id = any(array(${foundCustomersIn(realm, text)}))`),
  ])
}
