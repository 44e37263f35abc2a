import { sql } from 'kysely'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'

export interface ServerRow {
  version: number
  shown: string
  standby: boolean
  readOnly: boolean
  nowMs: number
}

/** Sent by a client of its own, before anything else is opened. */
export const SERVER = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
         pg_is_in_recovery() as standby, current_setting('default_transaction_read_only')::bool as "readOnly",
         (extract(epoch from clock_timestamp()) * 1000)::float as "nowMs"`

/** Addresses of webhooks that are in use, of different endpoints, some of each hundred. */
export const selectWebhookUrls = (tx: SystemTx, limit: number): Promise<{ url: string }[]> =>
  tx.rows(sql<{ url: string }>`
    select url from webhook_endpoints where enabled and failures = 0 order by created_at desc limit ${limit}`)

/** The realm whose keys are the newest. */
export const selectNewestRealm = (tx: SystemTx): Promise<Realm | undefined> =>
  tx.maybeRow(sql<Realm>`
    select id, business_id as "businessId", mode from realms r where exists (
      select from data_keys k where k.realm_id = r.id) order by id desc limit 1`)

export const selectProviders = (tx: SystemTx): Promise<{ id: string; issuer: string }[]> =>
  tx.rows(sql<{ id: string; issuer: string }>`select id, issuer from sso_connections order by created_at limit 50`)
