import { normalizeId } from '@kitlane/display/short-id'
import { type RawBuilder, sql } from 'kysely'

// Texts of this length or more are searched as the beginning of an ID: of two million IDs, two begin with the same five.
const MIN_ID = 5
const ID_LENGTH = 10
// Above every text that begins with the one before it.
const LAST = '\u{10FFFF}'

/** The condition that a column of plain text, which sorts by code point, begins with a text. */
export const beginsWith = (column: string, text: string): RawBuilder<unknown> =>
  sql`(${sql.ref(column)} >= kitlane_plain(${text}) and ${sql.ref(column)} < kitlane_plain(${text}) || ${LAST}::text)`

/** The condition that an ID with this first letter is the text or begins with it; undefined where the text cannot be one. */
export function isIdLike(column: string, letter: string, text: string): RawBuilder<unknown> | undefined {
  const id = normalizeId(text)
  if (id.length < MIN_ID || id.length > ID_LENGTH || !id.startsWith(letter) || !/^[0-9A-Z]+$/.test(id)) return undefined
  return sql`${sql.ref(column)} between ${id} and ${id.padEnd(ID_LENGTH, 'Z')}`
}

/** Joins queries of one column; those that make no sense for a text are undefined. */
export const unionAll = (queries: readonly (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> =>
  sql.join(
    queries.filter((query) => query !== undefined),
    sql` union all `,
  )
