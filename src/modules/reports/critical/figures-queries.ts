import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { Figures } from './schema.ts'

interface Period {
  after: Date
  before: Date
}

interface Row extends Omit<Figures, 'medianMinutes' | 'longestMinutes' | 'shareInTime'> {
  median: number | null
  longest: number | null
}

const minutes = sql`extract(epoch from c.acknowledged_at - c.raised_at) / 60`

const figures = (now: Date) => sql`
  count(*)::int as raised, count(c.acknowledged_at)::int as acknowledged,
  (count(*) filter (where c.acknowledged_at is null))::int as open,
  (count(*) filter (where c.acknowledged_at is null and c.deadline_at < ${now}))::int as overdue,
  (count(*) filter (where c.acknowledged_at <= c.deadline_at))::int as "inTime",
  (percentile_cont(0.5) within group (order by ${minutes}))::float8 as median, max(${minutes})::float8 as longest`

const inPeriod = ({ after, before }: Period) =>
  sql`c.raised_at >= ${after} and c.raised_at < ${before} and c.withdrawn_at is null`

const rounded = (value: number) => Math.round(value * 10) / 10

function shown({ median, longest, ...counts }: Row): Figures {
  const decided = counts.acknowledged + counts.overdue
  return {
    ...counts,
    ...(median !== null && { medianMinutes: rounded(median) }),
    ...(longest !== null && { longestMinutes: rounded(longest) }),
    ...(decided > 0 && { shareInTime: Math.round((counts.inTime / decided) * 1000) / 1000 }),
  }
}

export async function selectFigures(tx: Tx, period: Period): Promise<Figures> {
  const row = await tx.row(sql<Row>`
    select ${figures(tx.now)} from critical_results c where c.realm_id = ${tx.realm.id} and ${inPeriod(period)}`)
  return shown(row)
}

export async function selectFiguresOfAll(tx: SystemTx, period: Period) {
  const rows = await tx.rows(sql<Row & { business: { id: string; name: string } }>`
    select jsonb_build_object('id', b.id, 'name', b.name) as business, ${figures(tx.now)}
    from critical_results c join realms r on r.id = c.realm_id and r.mode = 'live' join businesses b on b.id = r.business_id
    where ${inPeriod(period)} group by b.id, b.name order by b.name, b.id`)
  return rows.map(({ business, ...row }) => ({ business, ...shown(row) }))
}
