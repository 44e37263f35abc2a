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
  limits: readonly Row[]
}

/** What tells the rows of one report from those of others. */
export const keyOf = (row: Row) =>
  (['kit', 'accession', 'collected', 'patient', 'givenName', 'familyName', 'born', 'patientId'] as const)
    .map((kind) => row.cell(kind) ?? '')
    .join(' ')

const takesBack =
  /delet|remov|withdr|retract|cancel|void|in error|storn|annul|anulad|gelösch|supprim|eliminad|slettet|verwijder/i

/** The row among others that takes back what this one says: of the same test of one sample, with its value or with none. */
export const takenBackBy = (row: Row, others: readonly Row[]): Row | undefined =>
  others.find(
    (other) =>
      other !== row &&
      takesBack.test(other.refused ?? '') &&
      other.cell('name')?.toLowerCase() === row.cell('name')?.toLowerCase() &&
      keyOf(other) === keyOf(row) &&
      (!other.cell('value') || other.cell('value') === row.cell('value')),
  )
