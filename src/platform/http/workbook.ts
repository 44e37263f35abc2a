import { XLSX } from '@kitlane/display/workbook-kind'
import type { Document } from './answer.ts'
import type { Cell, Columns } from './csv.ts'

/** Rows that are at hand as a workbook (.xlsx). Text stays text: it starts no formula, and long numbers keep their digits. */
export async function workbookFile<R>(name: string, columns: Columns<R>, rows: readonly R[]): Promise<Document> {
  const { default: writeWorkbook } = await import('write-excel-file/universal')
  const cells = Object.values(columns)
  const sheet = [Object.keys(columns).map(written), ...rows.map((row) => cells.map((cell) => written(cell(row))))]
  const blob = await writeWorkbook(sheet, { sheet: name, stickyRowsCount: 1 }).toBlob()
  return {
    status: 200,
    document: { contentType: XLSX, body: Buffer.from(await blob.arrayBuffer()) },
    headers: { vary: 'Accept', 'content-disposition': `attachment; filename="${name}.xlsx"` },
  }
}

// The library takes a text for a formula only where it is said to be one.
function written(value: Cell) {
  if (value === undefined) return null
  return typeof value === 'number' ? { value, type: Number } : { value: String(value), type: String }
}
