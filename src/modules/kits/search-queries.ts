import { type RawBuilder, sql } from 'kysely'
import { isIdLike, unionAll } from '../../platform/database/text-search.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { selectFound } from '../customers/search-queries.ts'
import { ordersSentTo } from './recipient-queries.ts'

const kitsWhere = (realm: RawBuilder<unknown>, where: RawBuilder<unknown> | undefined) =>
  where && sql`select id from kits where realm_id = ${realm} and ${where}`

/** The query of the IDs of kits that a text finds: by their ID or their order's, the recipient, the person tested. */
export async function foundKits(tx: Tx, text: string): Promise<RawBuilder<unknown>> {
  const realm = sql`${tx.realm.id}`
  const sent = await ordersSentTo(tx, [tx.realm.id], text)
  return unionAll([
    kitsWhere(realm, isIdLike('id', 'K', text)),
    kitsWhere(realm, isIdLike('order_id', 'O', text)),
    kitsWhere(realm, sql`order_id = any(${sent.map(({ id }) => id)})`),
    kitsWhere(realm, sql`customer_id = any(${await selectFound(tx, text)}::bigint[])`),
  ])
}
