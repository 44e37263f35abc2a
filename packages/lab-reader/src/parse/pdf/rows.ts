import { isVetoed } from '../../facts/guarded-match.ts'
import { mayBeName } from '../csv/person-lines.ts'
import type { DayOrder } from '../date.ts'
import { printedDay } from '../date.ts'
import { insteadOfResult } from '../instead.ts'
import { isPrintedNumber } from '../number.ts'
import type { Doubt } from '../parsed.ts'
import { aboutSample, columnsByDay, historyOf, onlyCollected, withCurrentDays, withHeadingsBelow } from './by-day.ts'
import { columnsIn, knownKind, withJoinedHeadings } from './columns.ts'
import { looksLikeResult } from './count.ts'
import { everyDay, labelledDay } from './head.ts'
import type { Block, Table } from './page.ts'
import { type Group, groupIn, isWhole, nameAndUnit, type Row, readLine, splitBeside } from './row.ts'
import {
  doubtIn,
  holdsOf,
  isOther,
  isTitle,
  labelledSpecimen,
  namesPanel,
  noTitle,
  type Title,
  titleOf,
} from './section.ts'
import { unfold } from './side-by-side.ts'
import type { Line } from './text.ts'

const continued = /[,/(-]$/

/** Reads a document's lines from the top into blocks: headings, titles, results and what is printed below them. */
export function readBlocks(printed: readonly Line[], order: DayOrder): Block[] {
  const lines = unfold(withJoinedHeadings(withCurrentDays(withHeadingsBelow(printed), order)))
  const thisDay = onlyCollected(lines, order)
  const tables = lines.map((line) => tableAt(line, order, thisDay))
  const marks = new Set(
    lines.flatMap(({ cells }) =>
      cells.flatMap(({ text }) => /^(?:\(\d{1,2}\)|\^\d{1,2}|\*{1,3})(?= \S)/.exec(text)?.[0] ?? []),
    ),
  )
  const lastHeading = new Map(tables.map((table, index) => [table?.page, index] as const))
  const blocks: Block[] = []
  let title = noTitle
  let [specimen, collectedDate]: (string | undefined)[] = []
  let above: Line | undefined
  let last: Line | undefined
  let row: Row | undefined
  /** The table in which the title stands, if it does not stand above one. */
  let titledIn: Table | undefined
  let group: Group | undefined
  const open = (table?: Table, history?: Block['history']): Block => {
    const block: Block = {
      title,
      ...(specimen && { specimen }),
      ...(collectedDate && { collectedDate }),
      ...(table && { table }),
      ...(history && { history }),
      rows: [],
      others: [],
    }
    blocks.push(block)
    return block
  }
  let block = open()
  const entitle = (line: Line) => {
    const isFirst = block.rows.length === 0
    const ofHalf = line.endsTable && ofOneTable(line, order, thisDay)
    const next =
      ofHalf || (ofOtherDay(line, order, thisDay) ?? titleOf(line, line.endsTable ? noTitle : title, isFirst))
    if (next.text === title.text && next.holds === title.holds && next.below === title.below) return
    title = next
    titledIn = block.table
    group = undefined
    if (block.table) block = open(block.table)
  }
  for (const [index, line] of lines.entries()) {
    const day = labelledDay(lines, index, 'collected', order)
    if (day !== undefined && day !== collectedDate) {
      collectedDate = day
      block = open(block.table, block.history)
    }
    const heading = tables[index]
    if (heading && !line.endsTable) {
      const [first] = line.cells
      if (first && knownKind(first.text.toLowerCase()) === undefined) title = titleOf(ofCell(line, first), title)
      // Whether another specimen goes on in the next table is not said.
      const isRead = blocks.some(
        (one) => one.rows.length > 0 && one.title.text === title.text && (one.specimen ?? specimen) === specimen,
      )
      if (isRead && (isOther(title) || specimen)) title = { ...title, below: title.below ?? 'another table' }
      block = open(heading)
      group = undefined
      last = undefined
      continue
    }
    const labelled = labelledSpecimen(line)
    if (labelled !== undefined) {
      specimen = labelled
      // The new specimen ends a part that a title gave to another one.
      if (title.holds === 'results') title = noTitle
      block = open(block.table, block.history)
    }
    const history = historyOf(line, order, thisDay)
    if (line.endsTable || history || endOfReport.test(line.text)) block = open(undefined, history)
    if (!block.table) {
      if (labelled === undefined) entitle(line)
      block.others.push(line)
      continue
    }
    if (labelled !== undefined || (block.table.isByDay && aboutSample.test(line.text))) {
      block.others.push(line)
      continue
    }
    if (ofOtherDay(line, order, thisDay)) {
      entitle(line)
      block.others.push(line)
      last = line
      continue
    }
    const { line: inside, beside } = splitBeside(line, block.table.columns)
    const read = readLine(inside, block.table.columns)
    const isNext = last !== undefined && last.page === line.page && last.y > line.y && last.y - line.y < 2 * line.height
    // The top of a page that has headings of its own below is no table, unless it reads like one.
    const isTop = line.page !== block.table.page && (lastHeading.get(line.page) ?? -1) > index
    if (beside) block.rows.push(beside)
    const isBelowRow = isNext && last?.number === row?.line.number
    const isJoined = read.kind === 'name' && row !== undefined && isNext && isOpen(row.name)
    if (read.kind === 'name' && row && isBelowRow && !isJoined) row.alsoCalled = namesWithBelow(row, line)
    const isUnread = read.kind === 'row' && read.row.doubt === 'unreadable'
    if (read.kind === 'row' && !(isUnread && (isTop || holdsOf(line) !== 'results'))) {
      group =
        groupIn(inside, block.table.columns) ??
        (group && inside.cells[0] && inside.cells[0].x0 >= group.from ? group : undefined)
      row = withNames(withoutMark(read.row, marks), nameWith(above, read.row.name, line))
      if (group) row.specimen ??= group.specimen
      if (block.table.unit && hasNoUnit(row)) row.unit = block.table.unit
      // A whole row of the table ends what explains the row above it.
      if (title.holds === 'legend' && titledIn === block.table && isWhole(row)) {
        title = noTitle
        block = open(block.table)
      }
      block.rows.push(row)
      if (read.count) block.rows.push({ ...row, ...read.count, name: row.name })
      // A title in two cells looks like a row that was not understood.
      if (isUnread && line.cells.length > 1) entitle(line)
    } else {
      const remark = isNext && isBelowRow ? doubtOfRemark(line) : undefined
      if (read.kind === 'row') entitle(line)
      else if (remark && row) row.doubt ??= remark
      else if (read.kind === 'range' && row && isNext) row.ranges.push(read.text)
      else if (isJoined && row) row.name += ` ${read.text}`
      else if (isTitle(line) || isOther(titleOf(line, noTitle)) || ofOtherDay(line, order, thisDay)) entitle(line)
      else if (row && isNext && row.comments.length < 20 && !looksLikeResult(line)) row.comments.push(read.text)
      block.others.push(line)
    }
    above = read.kind === 'name' && !isJoined ? line : undefined
    last = line
  }
  return blocks
}

/** "(previous value)" right below a row speaks of it, and is no title of those below. */
const doubtOfRemark = ({ text, cells }: Line): Doubt | undefined =>
  cells.length === 1 && /^\s*\(.*\)\s*$/.test(text) ? doubtIn[insteadOfResult(text) ?? 'results'] : undefined

const endOfReport =
  /^\W*(?:end of (?:the )?(?:report|results)|ende des befund|fin (?:du|del|de)|fine (?:del )?referto|slut på)/iu
const ofCell = (line: Line, cell: Line['cells'][number]): Line => ({ ...line, cells: [cell], text: cell.text })

/** Neither beside its number nor in its range. */
const hasNoUnit = ({ unit, text, ranges }: Row) =>
  unit === '' && isPrintedNumber(text) && ranges.every((range) => !/[\p{L}%/]/u.test(range))

/** The table that a line heads. */
function tableAt(line: Line, order: DayOrder, thisDay: string | undefined): Table | undefined {
  const byDay = columnsByDay(line, order, thisDay)
  const columns = byDay ?? columnsIn(line)
  const [, unit] = nameAndUnit(line.cells[0]?.text ?? '', columns?.some(({ kind }) => kind === 'unit') ? '-' : '')
  return columns && { columns, isByDay: byDay !== undefined, ...(unit && { unit }), page: line.page }
}

/** Words of a title of the results of a day. */
const ofResults =
  /(?<!\p{L})(?:results?|visits?|tests?|labs|befunde?|ergebnisse|werte|besuch|résultats|bilan|visite|resultados|visita|risultati|svar|prøver)(?!\p{L})/iu

/** "Results of your visit on 10 January 2024": the title of another day than that of this sample. */
function ofOtherDay(line: Line, order: DayOrder, thisDay: string | undefined): Title | undefined {
  const { text, cells } = line
  if (
    !thisDay ||
    cells.length > 1 ||
    text.length > 60 ||
    text.includes(':') ||
    !(ofResults.test(text) || namesPanel(text))
  )
    return undefined
  const [found, ...others] = text.matchAll(everyDay)
  const day = printedDay(found?.[1], order)
  if (!found || others.length > 0 || /\b(?:reported|received|printed|released|ordered|validated)\b/i.test(text))
    return undefined
  return day === thisDay ? undefined : { text: text.trim(), holds: 'earlier' }
}

/** Fields of a head, whose days are not those of results. */
const ofHead =
  /\b(?:reported|received|printed|released|ordered|validated|collected|born|dob|date of birth|patient|name|sex|id)\b[^:]*:/i
/** "Visit 2", "Sample B": which one is this sample is not said. */
const numbered =
  /^(?:visit|samples?|specimen|tube|draw|day|patient|besuch|probe|tag|visite|prélèvement|muestra|paziente)\s*(?:#|no\.?|nr\.?)?\s*(?:\d{1,3}|[A-Z])$/i

/** What a title above one of two tables side by side says of that table alone: another day, somebody, one of several samples. */
function ofOneTable({ text }: Line, order: DayOrder, thisDay: string | undefined): Title | undefined {
  const title = text.trim()
  if (ofHead.test(title)) return undefined
  const days = [...title.matchAll(everyDay)].map(([, day]) => printedDay(day, order))
  if (days.some((day) => day === undefined || day !== thisDay)) return { text: title, holds: 'earlier' }
  if (mayBeName(title)) return { text: title, holds: 'otherName' }
  return numbered.test(title) ? { text: title, holds: 'elsewhere' } : undefined
}

const isOpen = (name: string) => continued.test(name.trim()) || name.split('(').length > name.split(')').length
const isWrapped = (above: Line, line: Line) => above.page === line.page && above.y - line.y < 2 * line.height

/** What may be a line of a name of several lines: short, and no sentence, remark or title of another specimen. */
const isPiece = (text: string) =>
  text.length <= 40 && /^[\p{L}\d]/u.test(text) && !/[:;.]/.test(text) && text.split(' ').length <= 5 && !isVetoed(text)

const withNames = (row: Row, named: Pick<Row, 'name' | 'alsoCalled'>): Row => {
  const others = [...(row.alsoCalled ?? []), ...(named.alsoCalled ?? [])]
  return { ...row, ...named, ...(others.length > 0 && { alsoCalled: others }) }
}

/** "Omocisteina (3)", "Zink ^1", "AST *" where a footnote begins with that number: the name is also known without it. */
function withoutMark(row: Row, marks: ReadonlySet<string>): Row {
  const [, bare, mark = ''] = /^(.+) (\(\d{1,2}\)|\^\d{1,2}|\*{1,3})$/.exec(row.name) ?? []
  return bare && marks.has(mark) ? { ...row, alsoCalled: [...(row.alsoCalled ?? []), bare] } : row
}

/** The name of a row, and the same with the line of text above it, which may be the beginning of it. */
function nameWith(above: Line | undefined, name: string, line: Line): Pick<Row, 'name' | 'alsoCalled'> {
  if (!above || !isWrapped(above, line)) return { name: name.trim() }
  const joined = `${above.text} ${name}`.trim()
  if (isOpen(above.text) || name === '') return { name: joined }
  return isPiece(above.text) && !isVetoed(name) ? { name: name.trim(), alsoCalled: [joined] } : { name: name.trim() }
}

/** The names of a row, each also with the line of text below it. */
function namesWithBelow({ name, alsoCalled = [] }: Row, { text }: Line): string[] {
  return isPiece(text) && !isVetoed(name)
    ? [...alsoCalled, ...[name, ...alsoCalled].map((one) => `${one} ${text}`)]
    : alsoCalled
}
