import { strToU8, zipSync } from 'fflate'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A workbook (.xlsx) as a spreadsheet saves it: texts are shared, numbers are numbers. `more` are further files in it. */
export function aWorkbook(
  rows: readonly (readonly (string | number)[])[],
  more: Record<string, Uint8Array> = {},
): Buffer {
  const texts = [...new Set(rows.flat().filter((cell) => typeof cell === 'string'))]
  const cell = (value: string | number, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="s"><v>${texts.indexOf(value)}</v></c>`
  const line = (row: readonly (string | number)[], index: number) =>
    `<row r="${index + 1}">${row.map((value, column) => cell(value, `${'ABCDEFGH'[column]}${index + 1}`)).join('')}</row>`
  const files = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows.map(line).join('')}</sheetData></worksheet>`,
  }
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const)
  return Buffer.from(zipSync({ ...Object.fromEntries(bytes), ...more }, { level: 9 }))
}
