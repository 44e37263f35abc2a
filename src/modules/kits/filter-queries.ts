import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { hasEmail } from '../customers/sealed-queries.ts'
import { needs } from './attention-queries.ts'
import type { KitAttention } from './lifecycle.ts'
import { foundKits } from './search-queries.ts'

export interface KitFilter {
  kitIds?: readonly string[]
  orderIds?: readonly string[]
  externalId?: string
  kitStatuses?: readonly string[] | undefined
  sampleStatuses?: readonly string[] | undefined
  reportStatuses?: readonly string[] | undefined
  updatedSince?: Date | undefined
  attention?: KitAttention | undefined
  /** Only kits that are registered to a person, or to one of these. */
  registeredTo?: 'anyone' | readonly number[] | undefined
  /** The e-mail or the number of the person that a kit is registered to. */
  registeredKey?: string | undefined
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
  if (filter.externalId !== undefined) all.push(sql`o.external_id = ${filter.externalId}`)
  if (filter.kitStatuses) all.push(sql`k.kit_status = any(${filter.kitStatuses})`)
  if (filter.sampleStatuses) all.push(sql`k.sample_status = any(${filter.sampleStatuses})`)
  if (filter.reportStatuses) all.push(sql`k.report_status = any(${filter.reportStatuses})`)
  if (filter.updatedSince) all.push(sql`k.updated_at >= ${filter.updatedSince}`)
  if (filter.attention) all.push(needs(filter.attention, tx.now))
  if (filter.registeredKey !== undefined) all.push(await isRegisteredTo(tx, filter.registeredKey))
  if (filter.registeredTo) all.push(sql`k.customer_id is not null and k.registered_at is not null`)
  if (filter.registeredTo && filter.registeredTo !== 'anyone')
    all.push(sql`k.customer_id = any(${filter.registeredTo}::bigint[])`)
  if (filter.text) all.push(sql`k.id = any(array(${await foundKits(tx, filter.text)}))`)
  return sql.join(all, sql` and `)
}

async function isRegisteredTo(tx: Tx, key: string): Promise<RawBuilder<unknown>> {
  const isRegistered = sql`k.registered_at is not null`
  if (/^\d{1,15}$/.test(key)) return sql`k.customer_id = ${Number(key)} and ${isRegistered}`
  const isTheirs = hasEmail('c', await keyringOf(tx), key)
  return sql`${isRegistered} and k.customer_id = any(array(
    select c.id from customers c where c.realm_id = ${tx.realm.id} and ${isTheirs}))`
}
