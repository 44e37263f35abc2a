import type { Time } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'

/** Every column `table.column` of the type timestamptz, as the modules declare it. */
export const timeColumns: Readonly<Record<string, Time>> = Object.fromEntries(
  modules.flatMap(({ tables = {} }) =>
    Object.entries(tables).flatMap(([table, { times = {} }]) =>
      Object.entries(times).map(([column, time]) => [`${table}.${column}`, time]),
    ),
  ),
)
