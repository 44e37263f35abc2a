import { sql } from 'kysely'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'

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

export interface WaitingRow {
  realmId: number
  orderId: string
  businessId: string
  businessName: string
  items: { kitType: string; quantity: number }[]
  createdAt: Date
  recipient: Recipient
}

/** Live orders that wait for a provider, oldest first: pending orders are few, and have an index in each realm. */
export async function selectWaiting(
  tx: SystemTx,
  { businessIds, page, size }: { businessIds?: readonly string[] | undefined; page: number; size: number },
): Promise<{ total: number; rows: WaitingRow[] }> {
  const wanted = businessIds ? sql`and r.business_id = any(${businessIds})` : sql``
  const waiting = sql`
    realms r cross join lateral (
      select * from orders where realm_id = r.id and status = 'pending' and approval_state = 'waiting') o
    where r.mode = 'live' ${wanted}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*)::int as total from ${waiting}`)
  const rows = await tx.rows(sql<Omit<WaitingRow, 'recipient'> & { recipient: Sealed<Recipient> }>`
    select o.*, b.name as "businessName",
      (select jsonb_agg(jsonb_build_object('kitType', i.kit_type, 'quantity', i.quantity) order by i.kit_type)
       from order_items i where i.realm_id = o."realmId" and i.order_id = o."orderId") as items
    from (select o.realm_id as "realmId", o.id as "orderId", r.business_id as "businessId", o.created_at as "createdAt",
            ${sealedRecipients.of('o')} as recipient
          from ${waiting} order by o.created_at, o.id limit ${size} offset ${page * size}) o
    join businesses b on b.id = o."businessId" order by o."createdAt", o."orderId"`)
  const keyrings = await keyringsOf(tx, rows)
  return {
    total,
    rows: rows.map(({ recipient, ...row }) => ({
      ...row,
      recipient: sealedRecipients.open(keyringIn(keyrings, row.realmId), [row.orderId], recipient),
    })),
  }
}

/** How many live orders wait for a provider. */
export async function countWaiting(tx: SystemTx): Promise<number> {
  return (await selectWaiting(tx, { page: 0, size: 0 })).total
}

/** The realm of a live order of any business: one look into the index of each. */
export async function selectRealmOfOrder(tx: SystemTx, orderId: string): Promise<Realm | undefined> {
  const found = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from realms r cross join lateral (select id from orders where realm_id = r.id and id = ${orderId} offset 0) o
    where r.mode = 'live'`)
  return found?.realm
}
