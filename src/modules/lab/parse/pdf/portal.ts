import { readPrinted } from '../number.ts'
import type { Found } from './rows.ts'
import type { Line } from './text.ts'

const rangeLine = /^Reference Range:?\s*(.*)$/i
const resultLine = /^(.*?\p{L}.*?)\s+([<>≤≥]?\s?=?\s?[\d.,]+)(?:\s+(HH?|LL?|High|Low))?(?:\s+(\S+(?: \S+){0,3}))?$/u

/** The older layout of patient portals, without columns: a result, and below it "Reference Range: …". */
export function readPortal(lines: readonly Line[]): Found[] {
  return lines.flatMap((line, index) => {
    const range = rangeLine.exec(lines[index + 1]?.text ?? '')
    const found = range && resultLine.exec(line.text.replace(/\s+/g, ' '))
    if (!found?.[1] || !found[2] || readPrinted(found[2], 'thousands').value === undefined) return []
    const row = { name: found[1], text: found[2], unit: found[4] ?? '', comments: [], line }
    return [
      { row: { ...row, ranges: [range?.[1] ?? ''].filter(Boolean), ...(found[3] && { flag: found[3] }) }, section: '' },
    ]
  })
}
