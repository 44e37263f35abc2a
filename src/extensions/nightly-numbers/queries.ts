import { sql } from 'kysely'
import { starts } from '../../modules/insights/numbers/ledger-queries.ts'
import { isInferred } from '../../modules/insights/numbers/queries.ts'
import type { Queries } from '../../platform/database/tx.ts'

/** A day in UTC. */
export interface Day {
  from: Date
  before: Date
}

/** When the first business was made; undefined without one. */
export async function selectBeginning(tx: Queries): Promise<Date | undefined> {
  const { first } = await tx.row(sql<{ first: Date | null }>`select min(created_at) as first from businesses`)
  return first ?? undefined
}

export async function selectLiveRealms(tx: Queries): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`select id from realms where mode = 'live' order by id`)
  return rows.map(({ id }) => id)
}

export interface KitOfDay {
  realmId: number
  kitId: string
  orderId: string
  businessId: string
  business: string
  kitType: string
  panel: string | null
  kitStatus: string
  sampleStatus: string
  reportStatus: string
  outboundCarrier: string | null
  returnCarrier: string | null
  replacementFor: string | null
  replacedBy: string | null
  orderedAt: Date
  shippedAt: Date | null
  deliveredAt: Date | null
  registeredAt: Date | null
  postedAt: Date | null
  returnedAt: Date | null
  receivedAt: Date | null
  resultedAt: Date | null
  publishedAt: Date | null
  updatedAt: Date
  /** Steps that nobody recorded, separated by commas. */
  inferred: string | null
}

/** Kits of a realm whose last change was on this day, as they are now, those after `last` in the order of their changes. */
export function selectKitsOfDay(
  tx: Queries,
  realmId: number,
  { from, before }: Day,
  last: KitOfDay | undefined,
  limit: number,
): Promise<KitOfDay[]> {
  const at = (step: string) => sql`(k.progress->>${step})::timestamptz`
  const inferred = (name: string, step: string, next: string) =>
    sql`case when ${isInferred(step, next)} then ${name}::text end`
  return tx.rows(sql<KitOfDay>`
    select k.realm_id as "realmId", k.id as "kitId", k.order_id as "orderId", b.id as "businessId", b.name as business,
      k.kit_type as "kitType", p.name as panel, k.kit_status as "kitStatus", k.sample_status as "sampleStatus",
      k.report_status as "reportStatus", k.shipment->'toUser'->>'carrier' as "outboundCarrier",
      k.shipment->'toLab'->>'carrier' as "returnCarrier", k.replacement_for as "replacementFor",
      k.replaced_by as "replacedBy", k.created_at as "orderedAt", ${at('kitInTransit')} as "shippedAt",
      ${at('kitDelivered')} as "deliveredAt", k.registered_at as "registeredAt", k.posted_at as "postedAt",
      ${at('sampleInTransit')} as "returnedAt", ${at('sampleReceived')} as "receivedAt", ${at('reportReady')} as "resultedAt",
      case when r.status = 'published' then r.published_at end as "publishedAt", k.updated_at as "updatedAt",
      nullif(concat_ws(',', ${inferred('delivered', 'kitDelivered', 'kitRegistered')},
        ${inferred('returned', 'sampleInTransit', 'sampleReceived')}, ${inferred('received', 'sampleReceived', 'reportReady')}), '') as inferred
    from kits k join realms m on m.id = k.realm_id join businesses b on b.id = m.business_id
    left join panels p on p.kit_type = k.kit_type left join reports r on r.realm_id = k.realm_id and r.kit_id = k.id
    where k.realm_id = ${realmId} and k.updated_at >= ${from} and k.updated_at < ${before}
      and (k.updated_at, k.id) > (${last?.updatedAt ?? from}, ${last?.kitId ?? ''})
    order by k.updated_at, k.id limit ${limit}`)
}

export interface CreditsOfDay {
  realmId: number
  businessId: string
  seq: number
  at: Date
  kind: string
  kitType: string
  fromAccount: string
  toAccount: string
  amount: number
  availableAfter: number
  orderId: string | null
}

/** Transfers of credits of a realm on this day, those after `last` in the order of the ledger. */
export function selectCreditsOfDay(
  tx: Queries,
  realmId: number,
  { from, before }: Day,
  last: CreditsOfDay | undefined,
  limit: number,
): Promise<CreditsOfDay[]> {
  return tx.rows(sql<CreditsOfDay>`
    with ${starts([realmId], from)}
    select t.realm_id as "realmId", m.business_id as "businessId", t.seq, t.at, t.kind, t.kit_type as "kitType",
      t.from_account as "fromAccount", t.to_account as "toAccount", t.amount, t.available_after as "availableAfter",
      t.order_id as "orderId"
    from starts s join credit_transfers t on t.realm_id = s.realm_id and t.seq >= s.seq
    join realms m on m.id = t.realm_id
    where t.at >= ${from} and t.at < ${before} and t.seq > ${last?.seq ?? 0}
    order by t.seq limit ${limit}`)
}
