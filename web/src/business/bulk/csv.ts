const DELIMITERS = [',', ';', '\t', '|'] as const

export interface Sheet {
  header: string[]
  rows: string[][]
}

/** A CSV as a header and rows; the delimiter is the one that splits the first line into most columns. */
export function readCsv(text: string): Sheet {
  const clean = text.replace(/^\uFEFF/, '')
  const records = recordsOf(clean, delimiterOf(clean)).filter((record) => record.some((cell) => cell.trim() !== ''))
  const [header = [], ...rows] = records
  return { header: header.map((name) => name.trim()), rows }
}

function delimiterOf(text: string): string {
  const line = text.slice(0, text.search(/\r?\n|$/))
  const count = (delimiter: string) => line.split(delimiter).length
  return [...DELIMITERS].sort((a, b) => count(b) - count(a))[0] ?? ','
}

/** RFC 4180: quotes may hold delimiters, line breaks and doubled quotes. */
function recordsOf(text: string, delimiter: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (sign === delimiter) {
      record.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++
      records.push([...record, cell])
      record = []
      cell = ''
    } else {
      cell += sign
    }
  }
  if (cell !== '' || record.length > 0) records.push([...record, cell])
  return records
}
