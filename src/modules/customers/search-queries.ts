import { type RawBuilder, sql } from 'kysely'
import { beginsWith } from '../../platform/database/text-search.ts'
import type { Tx } from '../../platform/database/tx.ts'

// Nobody looks through more results than these: a longer text finds fewer.
export const MAX_FOUND = 2000

/** The numbers of customers that a text finds: by number, the caller's own identifier, e-mail, name. */
export const foundCustomers = (tx: Tx, text: string) => foundCustomersIn(sql`${tx.realm.id}`, text)

/** The same in any realm; `realm` may be a column of the query around it. */
export const foundCustomersIn = (realm: RawBuilder<unknown>, text: string) => sql`
  (select id from customers where realm_id = ${realm} and erased_at is null
     and (id = ${/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null}::bigint or external_id = ${text}
       or ${beginsWith('email_key', text)} or ${beginsWith('name_key', text)} or ${beginsWith('last_key', text)}
       or ${beginsWith('name_plain', text)} or ${beginsWith('last_plain', text)})
   limit ${MAX_FOUND})`
