import type { Table } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'

/** Who writes a table, and who may read it against the order of the modules. */
export interface Owner extends Pick<Table, 'written' | 'readByAll'> {
  /** A folder of src/modules or src/extensions, or `platform`. */
  module: string
  /** Why files of modules above the owner read it, by their path below src/modules. */
  readAlsoBy: Readonly<Record<string, string>>
}

const exceptions = modules.flatMap(({ name, readsBelow = [] }) =>
  readsBelow.flatMap(({ file, tables, why }) => tables.map((table) => ({ table, file: `${name}/${file}`, why }))),
)

const readersOf = (table: string) =>
  Object.fromEntries(exceptions.filter((one) => one.table === table).map(({ file, why }) => [file, why]))

/** Every table with the one module that writes it, as the modules declare it. */
export const owners: Readonly<Record<string, Owner>> = Object.fromEntries(
  modules.flatMap(({ name, tables = {} }) =>
    Object.entries(tables).map(([table, { written, readByAll }]) => [
      table,
      { module: name, written, ...(readByAll !== undefined && { readByAll }), readAlsoBy: readersOf(table) },
    ]),
  ),
)
