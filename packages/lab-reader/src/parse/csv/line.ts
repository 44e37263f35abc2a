import type { TaughtOrder } from '../date.ts'
import type { Layout } from '../layout.ts'
import type { Commas } from '../number.ts'
import type { Observation } from '../parsed.ts'
import type { Row } from './row.ts'
import type { Head } from './row-head.ts'

/** A result of a table with the row that it stands in. */
export interface Line {
  row: Row
  head: Head
  observation: Observation
  /** The key of a report, also if a day could not be read. */
  key: string
}

/** What holds for all rows: `limits` are those of ranges below the headings of a wide table. */
export interface OfTable {
  commas: Commas
  layout: Layout | undefined
  /** Of day and month, where a template or the language of the file says it. */
  order: TaughtOrder | undefined
  limits: readonly Row[]
}

/** What tells the rows of one report from those of others. */
export const keyOf = (row: Row) =>
  (['kit', 'accession', 'collected', 'patient', 'givenName', 'familyName', 'born', 'patientId'] as const)
    .map((kind) => row.cell(kind) ?? '')
    .join(' ')

const takesBack =
  /delet|remov|withdr|retract|cancel|void|in error|storn|annul|anulad|gelösch|supprim|eliminad|slettet|verwijder/i

/** Finds the row among all that takes back what one says: of the same test of one sample, with its value or with none. */
export function takenBackAmong(rows: readonly Row[]): (row: Row) => Row | undefined {
  const testOf = (row: Row) => `${row.cell('name')?.toLowerCase()} ${keyOf(row)}`
  const taking = Map.groupBy(
    rows.filter(({ refused = '' }) => takesBack.test(refused)),
    testOf,
  )
  if (taking.size === 0) return () => undefined
  // It names its row by a number, or not at all.
  const ofAny = [...taking.values()].flat().find((other) => !other.cell('name') && !other.cell('value'))
  return (row) =>
    ofAny ??
    taking
      .get(testOf(row))
      ?.find((other) => other !== row && [undefined, '', row.cell('value')].includes(other.cell('value')))
}
