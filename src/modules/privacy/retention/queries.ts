import { sql } from 'kysely'
import type { Queries, Realm, SystemTx } from '../../../platform/database/tx.ts'
import type { Count, StoredTerms } from './rules.ts'

export interface TermsRow extends StoredTerms {
  /** Null: the operator's default. */
  businessId: string | null
}

const columns = sql`business_id as "businessId", laboratory_days as "laboratoryDays", requisition_days as "requisitionDays",
  correspondence_days as "correspondenceDays", by_age as "byAge"`

/** The rows that decide for a business: its own, and the operator's default. */
export const selectTermsOf = (tx: Queries, businessId: string): Promise<TermsRow[]> =>
  tx.rows(sql<TermsRow>`
    select ${columns} from retention_terms where business_id is null or business_id = ${businessId} order by business_id nulls last`)

/** Every row, the default first. */
export const selectAllTerms = (tx: SystemTx): Promise<(TermsRow & { businessName: string | null })[]> =>
  tx.rows(sql<TermsRow & { businessName: string | null }>`
    select ${columns}, b.name as "businessName" from retention_terms t left join businesses b on b.id = t.business_id
    order by t.business_id is not null, b.name, t.business_id`)

export async function upsertTerms(tx: SystemTx, { businessId, ...terms }: TermsRow): Promise<void> {
  const { laboratoryDays, requisitionDays, correspondenceDays, byAge } = terms
  await tx.run(sql`
    insert into retention_terms (business_id, laboratory_days, requisition_days, correspondence_days, by_age)
    values (${businessId}, ${laboratoryDays}, ${requisitionDays}, ${correspondenceDays}, ${byAge})
    on conflict (business_id) do update set laboratory_days = excluded.laboratory_days,
      requisition_days = excluded.requisition_days, correspondence_days = excluded.correspondence_days, by_age = excluded.by_age`)
}

/** The live realms: nothing is kept of the people of a sandbox, who are made up. */
export const selectLiveRealms = (tx: SystemTx): Promise<Realm[]> =>
  tx.rows(sql<Realm>`select id, business_id as "businessId", mode from realms where mode = 'live' order by id`)

export interface RunRow {
  id: string
  by: string
  startedAt: Date
  /** Null: it runs, or was interrupted. */
  finishedAt: Date | null
  counts: Count[]
}

export async function upsertRun(tx: SystemTx, { id, counts }: Pick<RunRow, 'id' | 'counts'>, isOver: boolean) {
  const finishedAt = isOver ? tx.now : null
  await tx.run(sql`
    insert into retention_runs (id, run_by, started_at, finished_at, counts)
    values (${id}, ${tx.actor.name}, ${tx.now}, ${finishedAt}, ${JSON.stringify(counts)})
    on conflict (id) do update set counts = excluded.counts, finished_at = excluded.finished_at`)
}

/** The last runs, newest first. */
export const selectRuns = (tx: SystemTx, limit: number): Promise<RunRow[]> =>
  tx.rows(sql<RunRow>`
    select id, run_by as by, started_at as "startedAt", finished_at as "finishedAt", counts
    from retention_runs order by started_at desc limit ${limit}`)
