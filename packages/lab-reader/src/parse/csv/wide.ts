import { isKnownUnit } from '../../facts/convert.ts'
import { speaksOfAll } from '../about.ts'
import { type Column, isByColumn, isLong } from '../headings.ts'
import { keyOf, type Line, type OfTable } from './line.ts'
import { rangeOfColumn } from './nobody.ts'
import { saysWhetherCounts } from './released.ts'
import { readResult } from './result.ts'
import type { Row } from './row.ts'
import { ordersOf, readRowHead } from './row-head.ts'

const unitsRow = /^\(?(units?|uom)\)?$/i

/** A row of units says so, or holds nothing but units below the names. */
function isUnitsRow(columns: readonly Column[], row: Row): boolean {
  const below = columns.flatMap(({ kind }, index) => (kind === 'marker' ? row.at(index) : []))
  const said = below.filter((text) => text !== '')
  return columns.some((_, index) => unitsRow.test(row.at(index))) || (said.length > 1 && said.every(isKnownUnit))
}

export const unitsRowIn = (columns: readonly Column[], rows: readonly Row[]): Row | undefined =>
  isLong(columns) || isByColumn(columns)
    ? undefined
    : rows.slice(0, MOST_HEAD_ROWS).find((row) => isUnitsRow(columns, row))
/** Units and ranges stand below the headings, in either order. */
const MOST_HEAD_ROWS = 4

/** One sample per row; units stand in the heading ("Glucose (mg/dL)") or in a first row of their own. */
export function readWide(columns: readonly Column[], rows: readonly Row[], { commas, limits, order }: OfTable): Line[] {
  const units = unitsRowIn(columns, rows)
  const samples = rows.filter((row) => row !== units)
  const orders = ordersOf(samples, order)
  const ofNotes = columns.flatMap(({ heading }, at) => (partOf(heading, columns)?.startsWith('note ') ? [at] : []))
  return samples.flatMap((row) => {
    // What stands beside one value is not said of the others, unless it speaks of the sample.
    const notes = new Set(ofNotes.map((at) => row.at(at)).filter((note) => !speaksOfAll(note)))
    return columns.flatMap(({ kind, heading }, index) => {
      const text = row.at(index)
      // In a wide table a plain heading such as "CO2" may also be a synonym: only unknown ones are markers.
      if (kind !== 'marker' || text === '' || saysWhetherCounts(heading)) return []
      const of = partOf(heading, columns)
      // A note beside no value says why there is none.
      const isAlone = (column: Column, at: number) => `note ${keyOfHeading(column.heading)}` === of && row.at(at) === ''
      if (of && !columns.some(isAlone)) return []
      const { name, unit } = splitHeading(heading)
      const part = (kind: Part) => {
        const at = columns.findIndex((column) => partOf(column.heading, columns) === `${kind} ${keyOfHeading(heading)}`)
        return at < 0 ? undefined : row.at(at) || undefined
      }
      const [low, high] = [part('low'), part('high')]
      const ofRow = part('range') ?? (low && high ? `${low}-${high}` : low ? `>=${low}` : high && `<=${high}`)
      const rangeText = ofRow ?? rangeOfColumn(limits, index)
      const [flag, note] = [part('flag'), part('note')]
      const printed = { name, text, unit: part('unit') || units?.at(index) || unit, rangeText, flag, note }
      const observation = readResult({ ...row, others: row.others.filter((one) => !notes.has(one)) }, printed, commas)
      const position = `row ${row.number}, column ${index + 1}`
      const head = readRowHead(row, orders)
      return [{ row, head, observation: { ...observation, position }, key: keyOf(row) }]
    })
  })
}

type Part = 'flag' | 'unit' | 'range' | 'low' | 'high' | 'note'
const parts: readonly [Part, RegExp][] = [
  ['flag', /^(.+) (?:flag|abn(?:ormal)?(?: flag)?|h\/l)$/],
  ['unit', /^(.+) (?:units?|uom)$/],
  ['range', /^(.+) (?:ref|range|ref(?:erence)? (?:range|interval)|reference|normal range)$/],
  ['low', /^(.+) (?:low|ref low|lower limit|lln|min)$/],
  ['high', /^(.+) (?:high|ref high|upper limit|uln|max)$/],
  [
    'note',
    /^(.+) (?:notes?|comments?|remarks?|bemerkung|kommentar|hinweis|commentaire|remarque|comentario|nota|commento|opmerking|bemærkning|anmärkning|merknad)$/,
  ],
]
const keyOfHeading = (heading: string) =>
  splitHeading(heading.trim())
    .name.toLowerCase()
    .replace(/[_\s]+/g, ' ')

/** What a column of a wide table says of another one: "LDL flag" beside "LDL" is `flag ldl`. */
function partOf(heading: string, columns: readonly Column[]): string | undefined {
  const key = heading
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
  return parts.flatMap(([kind, pattern]) => {
    const base = pattern.exec(key)?.[1]
    const isThere =
      base !== undefined && columns.some((one) => one.kind === 'marker' && keyOfHeading(one.heading) === base)
    return isThere ? `${kind} ${base}` : []
  })[0]
}

function splitHeading(heading: string): { name: string; unit?: string } {
  const match = /^(.*\S)\s*[([]([^()[\]]*[/%][^()[\]]*|ratio|fL|pg|%)[)\]]$/i.exec(heading)
  if (match?.[1]) return { name: match[1].replace(/_/g, ' '), unit: match[2] }
  // "Ferritin_ng_mL": no column of a database has a slash.
  const [, counted, power, volume] = /^(.+)_x?10_?(3|6|9|12)_(u?L)$/i.exec(heading) ?? []
  if (counted) return { name: counted.replace(/_/g, ' '), unit: `10*${power}/${volume}` }
  const [, named, over = '', per] = /^(.+)_(\w+?)_([a-zA-Z]+)$/.exec(heading) ?? []
  if (named && isKnownUnit(`${over}/${per}`)) return { name: named.replace(/_/g, ' '), unit: `${over}/${per}` }
  const [, share, of = ''] = /^(.+)_(pct|percent|fL|pg)$/i.exec(heading) ?? []
  if (share) return { name: share.replace(/_/g, ' '), unit: of }
  const tail = /^(.*\S)[,\s]\s*([\w%*^.]+\/[\w.*^]+|%)$/.exec(heading)
  return tail?.[1] ? { name: tail[1].replace(/,$/, ''), unit: tail[2] } : { name: heading.replace(/_/g, ' ') }
}
