import { isKnownUnit } from '../../facts/convert.ts'
import { readRange } from '../number.ts'
import type { Row } from '../pdf/row.ts'
import type { Line } from '../pdf/text.ts'
import { mendedUnit } from './lookalikes.ts'

/** A number, also one with a mark in it that is none: "1:21". */
const start = /^(.*?\p{L}[^<>≤≥]*?)\s+([<>≤≥]?\s?=?\s?\d[\d.,:;'·]*)(?:\s+(HH?|LL?|High|Low|\*))?(?:\s+(.*))?$/u

/** A line outside of any table that may be a result: a name, a number, and a unit or a range behind it. */
export function looseRow(line: Line): Row | undefined {
  const found = start.exec(line.text.replace(/\s+/g, ' '))
  const [, name = '', text = '', flag, rest = ''] = found ?? []
  if (!found || name.length > 60) return undefined
  const { unit, range } = unitAndRange(rest)
  if (unit === '' && range === '') return undefined
  return { name, text, unit, ranges: range === '' ? [] : [range], comments: [], line, ...(flag && { flag }) }
}

function unitAndRange(rest: string): { unit: string; range: string } {
  const words = rest.split(' ').filter((word) => word !== '')
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const unit = mendedUnit(words.slice(0, count).join(' '))
    if (isKnownUnit(unit)) return { unit, range: rangeIn(words.slice(count).join(' ')) }
  }
  return { unit: '', range: rangeIn(rest) }
}

const rangeIn = (text: string) => (readRange(text, 'thousands') ? text : '')
