import { stringify } from 'csv-stringify/browser/esm/sync'
import { fields } from './fields.ts'
import type { RowProblem } from './row-problems.ts'
import type { Row } from './rows.ts'

/** "E-mail: is missing" */
export function problemText({ field, message }: RowProblem): string {
  const label = fields.find(({ name }) => name === field)?.label
  return label ? `${label}: ${message}` : message
}

/** Rows as a CSV that this page can read again, each with its problems. */
export function csvOfRows(rows: readonly { row: Row; problems: readonly RowProblem[] }[]): string {
  const columns = [...fields.map(({ name }) => name), 'problem']
  const records = rows.map(({ row, problems }) => [
    ...fields.map(({ name }) => row[name]),
    problems.map(problemText).join('; '),
  ])
  return stringify([columns, ...records], { bom: true, record_delimiter: 'windows', escape_formulas: true })
}
