import { type RawBuilder, sql } from 'kysely'

/** The condition that a column of texts has one of some values; true where a filter names none. */
export const isOneOf = (column: RawBuilder<unknown>, values: readonly string[] | undefined): RawBuilder<unknown> =>
  values ? sql`${column} = any(${values})` : sql`true`
