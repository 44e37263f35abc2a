import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'

/** Which kits are counted: those of orders placed in [from, before), whole days of UTC, in these realms. */
export interface CountedRange {
  /** Realms whose kits are read. */
  live: readonly number[]
  /** Realms whose counted days are read. */
  counted: readonly number[]
  from: Date
  before: Date
  /** As it is stored. */
  kitTypes: readonly string[] | undefined
}

// By order and not by kit: orders have an index on when they were placed, and kits one on their order. The offset keeps it a
// look for each order, so that it costs what the range has: as a join, it would read all kits of the realms.
/** Kits `k` of orders `o` that are asked for, with what is joined to them. */
export const kitsOf = ({ live, from, before, kitTypes }: CountedRange, joined = sql``): RawBuilder<unknown> => sql`
  orders o cross join lateral (
    select * from kits k where k.realm_id = o.realm_id and k.order_id = o.id offset 0) k ${joined}
  where o.realm_id = any(${live}::int[]) and o.created_at >= ${from} and o.created_at < ${before}
    and ${isOneOf(sql`k.kit_type`, kitTypes)}`

/** A day as 2026-11-22. */
export const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** Rows `n` of the counted days that are asked for. */
export const countedOf = ({ counted, from, before, kitTypes }: CountedRange): RawBuilder<unknown> => sql`
  counted_kits n where n.realm_id = any(${counted}::int[]) and n.day >= ${dayOf(from)}::date and n.day < ${dayOf(before)}::date
    and ${isOneOf(sql`n.kit_type`, kitTypes)}`

/** Rows from kits, from counted days, or from both. */
export const either = (
  { counted, live }: CountedRange,
  fromKits: RawBuilder<unknown>,
  fromDays: RawBuilder<unknown>,
) => {
  if (counted.length === 0) return fromKits
  return live.length === 0 ? fromDays : sql`${fromKits} union all ${fromDays}`
}

export const withReports = (range: CountedRange, more = sql``): RawBuilder<unknown> =>
  kitsOf(
    range,
    sql`left join reports r on r.realm_id = k.realm_id and r.kit_id = k.id and r.status = 'published' ${more}`,
  )

/** When a step of a kit `k` was. */
export const at = (step: string): RawBuilder<Date> => sql`(k.progress->>${step})::timestamptz`
