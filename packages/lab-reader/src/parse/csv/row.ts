import { normaliseUnit } from '../../facts/convert.ts'
import { specimensIn } from '../../facts/specimens.ts'
import { annuls } from '../annulling.ts'
import { isHarmless, isNote } from '../beside.ts'
import { isHaemolysisIndex } from '../haemolysis.ts'
import { type Column, columnsOf, headingsOf, isLong, type Kind } from '../headings.ts'
import type { Layout } from '../layout.ts'
import {
  byFlag,
  type Commas,
  commasOfLine,
  flagCode,
  isKnownFlag,
  isUncertain,
  numberOf,
  rangeOf,
  readPrinted,
  unitBeside,
} from '../number.ts'
import type { Bounds, Doubt, Observation } from '../parsed.ts'
import { doubtIn, isOther, type Title } from '../pdf/section.ts'
import { fastingUnder } from '../sample-words.ts'
import { isNotOwn, isOfAnother } from '../specimen-words.ts'
import { joinedStatement } from '../statements.ts'
import { isUsable, printedStatus } from '../status.ts'
import { clean, cleaned } from '../text.ts'
import { isControl, samples } from './control.ts'
import { nameLine, otherNames } from './person-lines.ts'
import { refusedBy } from './released.ts'
import type { Table } from './table.ts'
import { isTitleOfUndone, statusUnder, titleUnder } from './titles.ts'

export interface Row {
  number: number
  cell(kind: Kind): string | undefined
  /** The texts of all columns of a kind, each once. */
  all(kind: Kind): string[]
  at(index: number): string
  /** It has more cells than there are headings: a decimal comma without quotes, say. */
  isShifted: boolean
  /** All of it, for the reviewer. */
  whole: string
  /** What stands under headings that are not known. */
  others: string[]
  /** Somebody else whom a cell names. */
  another: string | undefined
  /** Cells that change the value, with their headings. */
  changes: { heading: string; cell: string }[]
  /** Units in the headings of its values. */
  headedUnits: string[]
  /** Whether the sample was taken fasting, where a column says so. */
  fasting: boolean | undefined
  /** A cell says that the red cells of the sample had burst. */
  isHaemolysed: boolean
  /** A cell that says that the result does not count. */
  refused: string | undefined
  /** The line above it that is nothing but a title. */
  title?: Title | undefined
}

const ofWhom = /relation|subject|person|patient|whose|source|donor|member|beziehung|lien|parent/i
const ageWord =
  /^(?:child|infant|newborn|neonate|baby|kind|säugling|neugeborenes?|enfant|nouveau-né|bebé|neonato|barn)$/i

export const rowOf = (
  columns: readonly Column[],
  { number, cells }: { number: number; cells: string[] },
  title?: Title,
): Row => ({
  number,
  cell: (kind) => {
    const index = columns.findIndex((column) => column.kind === kind)
    return index < 0 ? undefined : clean(cells[index] ?? '')
  },
  all: (kind) => {
    const texts = columns.flatMap((column, index) => (column.kind === kind ? clean(cells[index] ?? '') : []))
    return [...new Set(texts.filter((text) => text !== ''))]
  },
  at: (index) => clean(cells[index] ?? ''),
  isShifted: cells.slice(columns.length).some((cell) => cell.trim() !== ''),
  whole: clean(cells.join(' | '), 400),
  others: columns.flatMap(({ kind }, index) => (kind === 'marker' ? clean(cells[index] ?? '') : [])).filter(Boolean),
  another: columns
    .flatMap(({ kind, heading }, index) => {
      const cell = clean(cells[index] ?? '')
      // "Child" under "Age group" is the person.
      const isAge = kind === 'marker' && !ofWhom.test(heading) && ageWord.test(cell)
      if ((kind === 'marker' || kind === 'patient') && !isAge && isOfAnother(cell)) return cell
      return samples.includes(kind) && isControl(cell) ? cell : []
    })
    .at(0),
  changes: columns.flatMap(({ kind, heading }, index) => {
    const cell = clean(cells[index] ?? '')
    return kind === 'changes' && cell !== '' ? { heading, cell } : []
  }),
  headedUnits: columns.flatMap(({ kind, unit }, index) =>
    kind === 'value' && unit && clean(cells[index] ?? '') !== '' ? unit : [],
  ),
  fasting: columns
    .map(({ heading }, index) => fastingUnder(heading, clean(cells[index] ?? '')))
    .find((one) => one !== undefined),
  isHaemolysed: columns.some(
    ({ heading }, index) =>
      clean(cells[index] ?? '') !== '' && isHaemolysisIndex({ names: [heading], valueText: clean(cells[index] ?? '') }),
  ),
  refused: refusedBy(columns, cells),
  title,
})

/** The rows of a table, each under the heading and the title that stand above it, and its lines that are nothing but text. */
export function rowsOf(
  columns: readonly Column[],
  { rows, preamble }: Pick<Table, 'rows' | 'preamble'>,
  person: string | undefined,
  layout?: Layout,
): { rows: Row[]; texts: string[] } {
  const isTable = isLong(columns)
  const isHeadingAgain = headingsOf(layout)
  let current = columns
  const above = preamble.map((cells) => joinedStatement(cells) ?? clean(cells.join(' '))).filter((text) => text !== '')
  const texts = above.filter((text) => !isOfAnother(text))
  const nameOf = new Map(isTable ? rows.map((row) => [row, nameLine(row.cells)]) : [])
  const others = otherNames([...preamble.map(nameLine), ...nameOf.values()], person)
  let title = above.reduce<Title | undefined>((before, text) => {
    const found = titleUnder(before, text)
    return isOther(found) ? found : before
  }, undefined)
  const read = rows.flatMap((row) => {
    if (isTable && isHeadingAgain(row.cells)) {
      current = columnsOf(row.cells, layout)
      return []
    }
    // The heading of a table of samples again.
    if (!isTable && columns.every(({ heading }, at) => heading === row.cells[at]?.trim())) return []
    const name = nameOf.get(row)
    if (name && (others.has(name) || others.size > 0)) {
      title = { text: name, holds: others.has(name) ? 'otherName' : 'results' }
      return []
    }
    const only = joinedStatement(row.cells) ?? titleIn(row.cells, current) ?? remarkIn(row.cells) ?? legendIn(row.cells)
    if (only === undefined || (!isTable && current[0]?.kind === 'marker' && /\d/.test(only)))
      return [rowOf(current, row, title)]
    const next = titleUnder(title, only)
    // Below "Pending tests" a name alone is a test, until another title.
    const isUndone = statusUnder(title) && next.holds === 'elsewhere' && !isTitleOfUndone(only) && !isHarmless(only)
    if (isTable && isUndone && !isNote(only)) return [rowOf(current, row, title)]
    // With nothing below it, a title speaks of what stands above.
    const isOfRows = row !== rows.at(-1) && (isOfAnother(only) || isTitleOfUndone(only))
    if (!isOfRows) texts.push(only)
    title = next
    // In a table of samples it may be a person without results.
    return isTable || /\d/.test(only) || isHarmless(only) || isNote(only) || only.split(' ').length > 3
      ? []
      : [rowOf(current, row, title)]
  })
  return { rows: read, texts }
}

/** A row that is nothing but a remark on others, wherever it stands. */
function remarkIn(cells: readonly string[]): string | undefined {
  const [only = '', ...others] = cells.map((cell) => clean(cell)).filter((cell) => cell !== '')
  return others.length === 0 && only.includes(' ') && annuls(only) ? only : undefined
}

/** "Legend: H = high", "L = low": cells that say nothing but what signs mean. */
function legendIn(cells: readonly string[]): string | undefined {
  const said = cells.map((cell) => clean(cell)).filter((cell) => cell !== '')
  const isLegend = said.length > 1 && said.every((cell) => /^[^=\d]*\S\s*=\s*\p{L}[^\d]*$/u.test(cell))
  return isLegend ? said.join(', ') : undefined
}

/** The only text of a row, where it stands first or as a name. */
function titleIn(cells: readonly string[], columns: readonly Column[]): string | undefined {
  const [at = -1, ...others] = cells.flatMap((cell, index) => (cell.trim() === '' ? [] : [index]))
  const isThere = at === 0 || columns[at]?.kind === 'name'
  const text = clean(cells[at] ?? '', 100)
  return others.length === 0 && isThere && columns[at]?.kind !== 'value' && /\p{L}/u.test(text) ? text : undefined
}

export interface Printed {
  name: string
  text: string
  unit?: string
  rangeText?: string
  flag?: string
  /** Two columns contradict each other. */
  hasSeveral?: boolean
}

/** The result of a row. Formulas and everything that is not a plain number stay text. */
export function readResult(
  row: Row,
  { name, text: bare, unit: printedUnit, rangeText, flag: ownFlag, hasSeveral }: Printed,
  ofTable: Commas,
): Observation {
  const commas = commasOfLine(ofTable, bare, rangeText)
  const beside = printedUnit ? {} : unitBeside(name, rangeText, commas)
  const unit = printedUnit || beside.unit
  const signs = row.all('comparator')
  const sign = [...signs, ...row.others].map(signIn).find((one) => one !== undefined)
  const text = sign && !isSign.test(bare.charAt(0)) ? `${sign} ${bare}` : bare
  const split = splitUnit(text, unit, commas)
  const ownUnit = split?.unit ?? cleaned(unit, 60)
  const range = boundsOf(row, rangeText, ownUnit, commas)
  const printed = text.startsWith('=') ? {} : (split ?? readPrinted(text, commas, range))
  const said = row.cell('status') ?? ''
  const status = bare === '' ? (statusUnder(row.title) ?? printedStatus(said)) : printedStatus(said)
  const flag =
    flagCode(ownFlag ?? row.cell('flag') ?? '') ?? printed.flag ?? (isKnownFlag(said) ? flagCode(said) : undefined)
  const flagged = byFlag(text, commas, range, flag)
  const { comparator } = printed
  const value = printed.value ?? flagged
  const loinc = /^\d{1,7}-\d$/.exec(row.cell('loinc') ?? '')?.[0]
  const section = cleaned([row.title?.text, row.cell('panel'), specimenOf(row)].filter(Boolean).join(' / '), 200)
  const annulling = [row.cell('flag') ?? '', said, ...row.others].filter(annuls)
  const comment = cleaned([row.cell('comment') ?? '', ...annulling].filter(Boolean).join('. '))
  const number = split ? (/^[^\d]*[\d.,]+/.exec(text)?.[0] ?? text) : text
  const specimen = specimenOf(row)
  const method = cleaned(row.cell('method'), 300)
  const { doubt, because } = doubtOf(row, [
    [isNotOwn(specimen ?? ''), 'notOwn', specimen],
    [hasSeveral === true, 'severalValues'],
    [status === undefined, 'unknownStatus', said],
    [
      (flagged === undefined || flagged !== value) && isUncertain(number, commas, range, rangeText ?? ''),
      'uncertainNumber',
    ],
  ])
  const usable = value !== undefined && !doubt && isUsable(status ?? 'final')
  return {
    name,
    ...(beside.bare && { alsoCalled: [beside.bare] }),
    ...(loinc && { loinc }),
    valueText: text,
    ...(usable && { value, ...(comparator && { comparator }) }),
    ...(ownUnit && { unit: ownUnit }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(flag && { flag }),
    status: status ?? 'final',
    ...(doubt && { doubt }),
    ...(because && { because }),
    ...(section && { section }),
    ...(specimen && { specimen }),
    ...(comment && { comment }),
    ...((method || comment) && { said: { ...(method && { method }), ...(comment && { comment }) } }),
    ...(row.fasting !== undefined && { fasting: row.fasting }),
    position: `row ${row.number}`,
    raw: row.isShifted ? row.whole : rawOf([name, text, unit, rangeText, flag, said, comment]),
  }
}

/** The number of a tube or a row, such as "S-1", names no specimen. Longer numbers may be codes of one. */
const tubeNumber = /^(?:(?:s|sp|sample|smp|tube|probe)[\s#._-]*\d{1,12}|#?\d{1,5})$/i

/** "Patient" beside rows of controls says that the row is the person's, not what it was measured in. */
const ofNoMaterial =
  /^(?:patient(?:en)?(?:probe)?|(?:patient|routine|test|client) (?:sample|specimen)|routine|unknown|sample|paciente|paziente|proband)$/i

/** `<`, as in a column of its own. */
const isSign = /^(?:[<>]=?|[≤≥])$/

const signWords: [sign: string, RegExp][] = [
  ['<', /^(?:lt|less than|below|under|kleiner(?: als)?|inférieur à|menor que|minore di)$/i],
  ['>', /^(?:gt|greater than|more than|above|over|größer(?: als)?|supérieur à|mayor que|maggiore di)$/i],
  ['<=', /^(?:le|lte|less than or equal(?: to)?|=<)$/i],
  ['>=', /^(?:ge|gte|greater than or equal(?: to)?|=>)$/i],
]
const signIn = (cell: string): string | undefined =>
  isSign.test(cell) ? cell : signWords.find(([, word]) => word.test(cell))?.[0]

/** "x10", "1:4", "10^3": the value has to be multiplied, or was. */
const multiplies = /^(?:[x×*]\s*\d[\d.,]*|\d+\s*[x×]|(?:[x×]\s*)?10\s*[\^*]\s*-?\d+|1\s*:\s*\d+|e[+-]?\d+)$/i
/** The value stays as it is. */
const changesNothing =
  /^(?:[x×*]?\s*1(?:[.,]0+)?\s*[x×]?|1\s*[:/]\s*1|10\s*[\^*]\s*0|=|eq|equals?|no|n|none|false|undiluted|neat|nein|non|nej|-+|n\/?a)$/i

const headed = (row: Row, cell: string): string => {
  const column = row.changes.find((one) => one.cell === cell)
  return column ? `${column.heading}: ${cell}` : cell
}

/** What in a row makes its value doubtful, first what changes all of it. */
function doubtOf(row: Row, of: readonly [is: boolean, doubt: Doubt, because?: string | undefined][]) {
  const changing = [
    ...row.changes.map(({ cell }) => cell),
    ...row.all('comparator').filter((cell) => !signIn(cell) && !isKnownFlag(cell)),
    ...row.others.filter((cell) => multiplies.test(cell)),
  ].filter((cell) => !changesNothing.test(cell))
  const { another } = row
  const [title, holds] = [row.title?.text, row.title && doubtIn[row.title.holds]]
  const all: typeof of = [
    [row.isShifted, 'shifted'],
    [holds !== undefined, holds ?? 'otherPart', title],
    [another !== undefined, 'notOwn', another],
    [row.refused !== undefined, 'annulled', row.refused],
    [changing.length > 0, 'contradicted', changing.map((cell) => headed(row, cell)).join(', ')],
    ...of,
  ]
  const [, doubt, because] = all.find(([is]) => is) ?? []
  return { doubt, because }
}

const namesSpecimen = (text: string): boolean => /^[\p{L} ]{4,40}$/u.test(text) && (specimensIn(text)?.length ?? 0) > 0

const specimenOf = (row: Row): string | undefined => {
  // Under a heading that is not known, only a whole name of a specimen is one.
  const said = cleaned(row.cell('specimen') ?? row.others.find(namesSpecimen), 200)
  return said && (tubeNumber.test(said) || ofNoMaterial.test(said)) ? undefined : said
}

const rawOf = (cells: readonly (string | undefined)[]) =>
  clean(cells.map((cell) => cell ?? '').join(' | '), 400).replace(/[ |]+$/, '')

/** "5.3 mg/dL" in one cell, if a column of units says nothing else. */
function splitUnit(text: string, unit: string | undefined, commas: Commas) {
  const match = /^([<>≤≥=]*\s*[+-]?[\d.,]+)(?:\s+((?:10[*^]|[^\d\s]).{0,40})|(%))$/.exec(text)
  const own = match?.[2] ?? match?.[3]
  if (match?.[1] === undefined || !own || text.startsWith('=')) return undefined
  if (unit && normaliseUnit(unit) !== normaliseUnit(own)) return undefined
  const printed = readPrinted(match[1], commas)
  return printed.value === undefined ? undefined : { ...printed, unit: own }
}

function boundsOf(
  row: Row,
  rangeText: string | undefined,
  unit: string | undefined,
  commas: Commas,
): Bounds | undefined {
  const printed = rangeOf(rangeText, unit, commas)
  if (printed) return printed
  const [low, high] = [numberOf(row.cell('low') ?? '', commas), numberOf(row.cell('high') ?? '', commas)]
  return low === undefined && high === undefined ? undefined : { low: low ?? null, high: high ?? null }
}
