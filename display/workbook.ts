import { Unzip, UnzipInflate, zipSync } from 'fflate'
import readWorkbook from 'read-excel-file/universal'
import { WorkbookProblem } from './workbook-kind.ts'

/**
 * The first sheet with rows of a workbook (.xlsx), as CSV. Numbers are written in full; those with more digits than a spreadsheet
 * keeps are written as 9.40011E+21, which readers refuse. `mostBytes` bounds what is unpacked.
 * @throws WorkbookProblem
 */
export async function csvOfWorkbook(bytes: Uint8Array, { mostBytes }: { mostBytes: number }): Promise<string> {
  let sheets: Awaited<ReturnType<typeof readWorkbook<unknown>>>
  try {
    // Packed again without compression: the library unpacks by itself, without a limit.
    const bounded = zipSync(unpacked(bytes, mostBytes), { level: 0 })
    sheets = await readWorkbook(bounded.buffer as ArrayBuffer, { parseNumber: numberText })
  } catch (error) {
    throw error instanceof WorkbookProblem ? error : new WorkbookProblem('not a workbook')
  }
  const rows = sheets.find(({ data }) => data.length > 0)?.data
  if (!rows) throw new WorkbookProblem('empty')
  return rows.map((row) => `${row.map((cell) => quoted(textOf(cell))).join(',')}\r\n`).join('')
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}

// Fifteen digits: https://support.microsoft.com/office/excel-specifications-and-limits
const MOST_EXACT = 1e15

function numberText(written: string): string {
  const number = Number(written)
  return Math.abs(number) < MOST_EXACT ? String(number) : number.toExponential(5).toUpperCase()
}

// What 4 kB unpack to, at most 4 MB, is beyond the limit at most.
const PIECE = 4096

/** The XML of a ZIP file. @throws WorkbookProblem as soon as more than `mostBytes` come out, whatever its directory says */
function unpacked(bytes: Uint8Array, mostBytes: number): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array[]> = {}
  let left = mostBytes
  const unzip = new Unzip((file) => {
    if (!/\.(xml|rels)$/.test(file.name)) return
    const parts: Uint8Array[] = []
    files[file.name] = parts
    file.ondata = (error, part) => {
      if (error) throw error
      left -= part.length
      if (left < 0) throw new WorkbookProblem('too large')
      parts.push(part)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < bytes.length; at += PIECE)
    unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
  return Object.fromEntries(Object.entries(files).map(([name, parts]) => [name, joined(parts)]))
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
