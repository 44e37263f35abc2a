import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { peopleOf } from '../customers/sealed-queries.ts'
import { needs } from './attention-queries.ts'
import type { KitAttention } from './lifecycle.ts'
import { isSentToAny, mayBeSentToAny } from './recipient-queries.ts'
import { foundKits } from './search-queries.ts'

export interface KitFilter {
  kitIds?: readonly string[]
  orderIds?: readonly string[]
  externalIds?: readonly string[] | undefined
  /** E-mails of recipients. */
  recipientEmails?: readonly string[] | undefined
  kitTypes?: readonly string[] | undefined
  kitStatuses?: readonly string[] | undefined
  sampleStatuses?: readonly string[] | undefined
  reportStatuses?: readonly string[] | undefined
  updatedSince?: Date | undefined
  attention?: readonly KitAttention[] | undefined
  /** Only kits that are registered to a person, or to one of these. */
  registeredTo?: 'anyone' | readonly number[] | undefined
  /** E-mails or numbers of people that a kit is registered to. */
  registeredKeys?: readonly string[] | undefined
  /** What a person typed to find a kit. */
  text?: string
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

/** The condition that a kit `k`, with its order `o` where the filter asks for that, fits a filter. */
export async function conditions(tx: Tx, filter: KitFilter): Promise<RawBuilder<unknown>> {
  const all = [sql`k.realm_id = ${tx.realm.id}`]
  if (filter.kitIds) all.push(sql`k.id = any(${filter.kitIds})`)
  if (filter.orderIds) all.push(sql`k.order_id = any(${filter.orderIds})`)
  if (filter.externalIds) all.push(sql`o.external_id = any(${filter.externalIds})`)
  if (filter.recipientEmails) all.push(await isForRecipient(tx, filter.recipientEmails))
  if (filter.kitTypes) all.push(sql`k.kit_type = any(${filter.kitTypes})`)
  if (filter.kitStatuses) all.push(sql`k.kit_status = any(${filter.kitStatuses})`)
  if (filter.sampleStatuses) all.push(sql`k.sample_status = any(${filter.sampleStatuses})`)
  if (filter.reportStatuses) all.push(sql`k.report_status = any(${filter.reportStatuses})`)
  if (filter.updatedSince) all.push(sql`k.updated_at >= ${filter.updatedSince}`)
  if (filter.attention)
    all.push(
      sql`(${sql.join(
        filter.attention.map((one) => needs(one, tx.now)),
        sql` or `,
      )})`,
    )
  if (filter.registeredKeys) all.push(await isRegisteredTo(tx, filter.registeredKeys))
  if (filter.registeredTo) all.push(sql`k.customer_id is not null and k.registered_at is not null`)
  if (filter.registeredTo && filter.registeredTo !== 'anyone')
    all.push(sql`k.customer_id = any(${filter.registeredTo}::bigint[])`)
  if (filter.text) all.push(sql`k.id = any(array(${await foundKits(tx, filter.text)}))`)
  return sql.join(all, sql` and `)
}

async function isRegisteredTo(tx: Tx, keys: readonly string[]): Promise<RawBuilder<unknown>> {
  return sql`k.registered_at is not null and k.customer_id = any(array(${peopleOf(await keyringOf(tx), keys)}))`
}

async function isForRecipient(tx: Tx, emails: readonly string[]): Promise<RawBuilder<unknown>> {
  return sql`k.order_id = any(array(${await mayBeSentToAny(tx, emails)})) and ${isSentToAny(await keyringOf(tx), emails)}`
}
