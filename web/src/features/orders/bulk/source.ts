import { decodeText, type Encoding } from '../../../components/decode-text.ts'
import { t } from '../../../language/t.ts'
import { CsvProblem, readCsv, type Sheet } from './csv.ts'
import { isHeader } from './fields.ts'

const MOST_ROWS = 10_000
// Enough to see whether the accents are right.
const SHOWN_ACCENTS = 5

/** A file that was read: its contents and its encoding. Pasted rows have no bytes. */
export interface Source {
  sheet: Sheet
  bytes?: Uint8Array
  encoding?: Encoding
  /** False: the encoding is a guess. */
  isCertain: boolean
}

/** @throws CsvProblem with a sentence for the person who made the file. */
export function readSource(text: string, bytes?: Uint8Array, chosen?: Encoding): Source {
  const decoded = bytes && decodeText(bytes, chosen)
  const sheet = readCsv(decoded?.text ?? text, isHeader)
  const count = sheet.rows.length
  if (count === 0)
    throw new CsvProblem(t('The file has no row below the header. Its first line must name the columns.'))
  if (count > MOST_ROWS) {
    throw new CsvProblem(
      t('{count, number} rows are too many for one order. Split the file: up to {most, number} rows each.', {
        count,
        most: MOST_ROWS,
      }),
    )
  }
  return { sheet, bytes, encoding: decoded?.encoding, isCertain: decoded?.isCertain ?? true }
}

/** Some cells with non-ASCII letters, which show whether the encoding is right. */
export function accentsIn({ rows }: Sheet): string[] {
  const found = new Set<string>()
  for (const { cells } of rows) {
    for (const cell of cells) if (/[^\p{ASCII}]/u.test(cell)) found.add(cell.trim())
    if (found.size >= SHOWN_ACCENTS) break
  }
  return [...found].slice(0, SHOWN_ACCENTS)
}
