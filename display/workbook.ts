import { zipSync } from 'fflate'
import readWorkbook from 'read-excel-file/universal'
import { WorkbookProblem } from './workbook-kind.ts'

/**
 * The first sheet with rows of a workbook (.xlsx), as CSV. Numbers are written in full; those with more digits than a spreadsheet
 * keeps are written as 9.40011E+21, which readers refuse. `mostBytes` bounds what is unpacked.
 * @throws WorkbookProblem
 */
export async function csvOfWorkbook(bytes: Uint8Array, { mostBytes }: { mostBytes: number }): Promise<string> {
  const files = await unpacked(bytes, mostBytes)
  // Packed again without compression: the library unpacks by itself, without a limit.
  const bounded = zipSync(files, { level: 0 })
  let sheets: Awaited<ReturnType<typeof readWorkbook<unknown>>>
  try {
    sheets = await readWorkbook(bounded.buffer as ArrayBuffer, { parseNumber: numberText })
  } catch {
    throw new WorkbookProblem('not a workbook')
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

const END = 0x06054b50
const ENTRY = 0x02014b50
const STORED = 0
const DEFLATED = 8
const MOST_FILES = 500

/** The XML of a ZIP file by its directory, each file at most as large as the rest of the limit. */
async function unpacked(bytes: Uint8Array, mostBytes: number): Promise<Record<string, Uint8Array>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const files: Record<string, Uint8Array> = {}
  let left = mostBytes
  try {
    let end = bytes.length - 22
    while (view.getUint32(end, true) !== END) end--
    const count = view.getUint16(end + 10, true)
    if (count > MOST_FILES) throw new WorkbookProblem('too large')
    let at = view.getUint32(end + 16, true)
    for (let entry = 0; entry < count && view.getUint32(at, true) === ENTRY; entry++) {
      const [method, size, nameLength] = [at + 10, at + 20, at + 28].map((place, index) =>
        index === 1 ? view.getUint32(place, true) : view.getUint16(place, true),
      ) as [number, number, number]
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
      const local = view.getUint32(at + 42, true)
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
      if (/\.(xml|rels)$/.test(name)) {
        const file = await contentOf(method, bytes.subarray(start, start + size), left)
        left -= file.length
        files[name] = file
      }
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
  } catch (error) {
    throw error instanceof WorkbookProblem ? error : new WorkbookProblem('not a workbook')
  }
  return files
}

/** @throws WorkbookProblem as soon as more than `most` bytes come out */
async function contentOf(method: number, packed: Uint8Array, most: number): Promise<Uint8Array> {
  if (method !== STORED && method !== DEFLATED) throw new WorkbookProblem('not a workbook')
  const blob = new Blob([packed as Uint8Array<ArrayBuffer>]).stream()
  const stream = method === STORED ? blob : blob.pipeThrough(new DecompressionStream('deflate-raw'))
  const reader = stream.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    if (size > most) throw new WorkbookProblem('too large')
    parts.push(read.value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
