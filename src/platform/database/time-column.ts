import type { SelectType } from 'kysely'
import type { DB } from './schema.gen.ts'

/** The columns of a table that tell a time. */
export type TimeColumn<T extends keyof DB> = {
  [C in keyof DB[T] & string]: Date extends SelectType<DB[T][C]> ? C : never
}[keyof DB[T] & string]
