import { sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { ShopKind } from './schema.ts'

export interface ConnectedShop {
  id: string
  kind: ShopKind
  url: string
  secret: Buffer
  realm: Realm
  isSilent: boolean
}

/** Shops that are connected, of all businesses. */
export const selectConnected = (tx: SystemTx, limit: number): Promise<ConnectedShop[]> =>
  tx.rows(sql<ConnectedShop>`
    select s.id, s.kind, s.url, s.secret, s.heard_at is null as "isSilent", ${realmColumn}
    from shops s join realms r on r.id = s.realm_id where s.secret is not null and s.enabled order by s.created_at limit ${limit}`)

/** The newest sandbox with a panel, and one of its kit types. */
export const selectSandbox = (tx: SystemTx): Promise<{ realm: Realm; kitType: string } | undefined> =>
  tx.maybeRow(sql<{ realm: Realm; kitType: string }>`
    select ${realmColumn}, (select min(p.kit_type) from realm_panels p where p.realm_id = r.id) as "kitType"
    from realms r where r.mode = 'sandbox' and exists (select from realm_panels p where p.realm_id = r.id)
    order by r.id desc limit 1`)

/** What became of the order of a shop. */
export const selectOutcome = (
  tx: Tx,
  shopId: string,
  externalId: string,
): Promise<{ status: string; reason: string | null } | undefined> =>
  tx.maybeRow(sql<{ status: string; reason: string | null }>`
    select status, reason from shop_orders
    where realm_id = ${tx.realm.id} and shop_id = ${shopId} and external_id = ${externalId}`)
