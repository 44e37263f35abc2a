import { type RawBuilder, sql } from 'kysely'

/** A date of a sample as it was given: with its time where there was one, of that very day. */
export const sampleDate = (table: 'r' | 'v', which: 'collected' | 'resulted'): RawBuilder<string | null> => {
  const [day, time] = [sql.ref(`${table}.${which}_date`), sql.ref(`${table}.${which}_at`)]
  return sql`case when left(${time}, 10) = ${day}::text then ${time} else ${day}::text end as ${sql.ref(`${which}Date`)}`
}
