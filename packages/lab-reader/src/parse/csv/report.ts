import { normaliseUnit } from '../../facts/convert.ts'
import { findingOf } from '../../facts/findings.ts'
import { areSameUnit } from '../../facts/ucum.ts'
import { annuls } from '../annulling.ts'
import { withAnnulledByName, withTextsAround } from '../around.ts'
import { isNote, withDoubt } from '../beside.ts'
import { printedDay, timeOn, withHour, writesDayFirst } from '../date.ts'
import { type Column, isByColumn, isLong, type Kind, withFlags, withSparse } from '../headings.ts'
import { insteadNamedIn } from '../instead.ts'
import { chooseLayout, type Layout, withLayout } from '../layout.ts'
import { type LeftOut, noteOfLeftOut } from '../left-out.ts'
import { commasIn } from '../number.ts'
import { impossibleTimes } from '../order-of-times.ts'
import type { Observation, ParsedFile, ParsedReport, Patient } from '../parsed.ts'
import { labelledDay, linesOfText, orderIn, readHead } from '../pdf/head.ts'
import { areSeveralPeople } from '../person.ts'
import { Refusal } from '../refusal.ts'
import { distinct, specimenErrorsBeside, specimenErrorsIn, specimenErrorsOfResults } from '../specimen-words.ts'
import { anothersIn, statementIn } from '../statements.ts'
import { overallStatus, printedStatus } from '../status.ts'
import { clean, decodeText } from '../text.ts'
import { type Block, blocksOf } from './blocks.ts'
import { readByColumn } from './by-column.ts'
import { columnsOfTable, withOperators } from './columns.ts'
import { keyOf, type Line, type OfTable, takenBackAmong } from './line.ts'
import { isLimits, type Lack, lacksIn, unusedLimits } from './nobody.ts'
import { readResult } from './result.ts'
import { type Row, rowsOf, type Stray } from './row.ts'
import { type Head, type Orders, ordersOf, readRowHead } from './row-head.ts'
import { readTable } from './table.ts'
import { pendingIn, pendingTest, statusUnder } from './titles.ts'
import { readWide, unitsRowIn } from './wide.ts'

const maxObservations = 20_000

/** Characters by which a layout is recognised. */
const recognisedIn = 64 * 1024

/** A table with one result per row, one column per marker or one column per day. */
export async function parseCsv(bytes: Uint8Array, layouts: readonly Layout[] = []): Promise<ParsedFile> {
  const text = decodeText(bytes)
  const chosen = chooseLayout(layouts, 'csv', text.slice(0, recognisedIn))
  return withLayout(chosen, () => {
    const { layout } = chosen
    const file = parseTable(text, layout)
    return { ...file, ...(layout && { layout: layout.name }), notes: [...chosen.notes, ...file.notes] }
  })
}

function parseTable(text: string, layout: Layout | undefined): ParsedFile {
  const { headings, rows, preamble } = readTable(text, layout)
  const columns = withOperators(withSparse(withFlags(columnsOfTable(headings, layout), rows), rows), rows)
  const blocks = blocksOf({ rows, preamble }, columns)
  const { person: above, collectedDate: dayAbove } = headAbove(preamble)
  const [named] = [above?.name, ...blocks.names()].filter(Boolean)
  const { rows: found, texts, strays } = rowsOf(columns, { rows: blocks.rows, preamble }, named, layout)
  const units = unitsRowIn(columns, found)
  const limits = found.filter((row) => row !== units && isLimits(columns, row))
  const all = found.filter((row) => !limits.includes(row))
  const commas = commasIn(numbersIn(columns, found), layout?.decimalSign)
  const isDayFirst = ['decimal', 'grouped'].includes(commas) || writesDayFirst(headings.join(' ; '))
  const order = layout?.dayOrder ?? (isDayFirst ? 'day-first' : undefined)
  const head = { ...(above && { patient: above }), ...(dayAbove && { collectedDate: dayAbove }) }
  blocks.read(all, head, order)
  const orders = ordersOf(all, order)
  const read = isLong(columns) ? readLong : isByColumn(columns) ? readByColumn : readWide
  const printed = { commas, layout, limits, order }
  const lacks = lacksIn(
    columns,
    all.filter((row) => row !== units),
  )
  const own = read(columns, all, printed).map((line) => inBlock(line, blocks.of(line.row), lacks.get(line.row)))
  const lines = withTexts(
    own,
    texts.filter((text) => pendingIn(text).length === 0),
    orders,
  )
  if (lines.length > maxObservations) throw new Refusal('TOO_LARGE')
  if (lines.length === 0) throw new Refusal('NOTHING_FOUND')
  const earlier = isLong(columns) ? all.flatMap(earlierAlone) : []
  const [known, others] = [strays.filter(saysInstead), strays.filter((one) => !saysInstead(one))]
  const left = [...unusedLimits(limits), ...earlier, ...known.map(leftOutOf)]
  const notes = noteOfLeftOut(left)
  const isUnread = (row: Row) => readRowHead(row, orders).unreadDay !== undefined
  if (all.slice(0, 100).some(isUnread)) {
    notes.push(
      'A day of collection could not be read for certain: ask the laboratory which number is the month, or which day it means',
    )
  }
  const reports = group(lines)
  reports.at(-1)?.observations.push(...texts.flatMap(pendingIn).map(pendingTest), ...others.map(unread))
  const said = texts.filter(isNote)
  // Rows without a result name people, too.
  const people = new Map(
    all
      .filter((row) => row !== units)
      .flatMap((row) => personOf(row, orders))
      .map((one) => [JSON.stringify(one), one]),
  )
  // Two numbers of one column are of two people, unless it is one of visits.
  const isOfVisits = columns.some(
    ({ kind, heading }) => kind === 'patientId' && /fall|case|visit|episode/i.test(heading),
  )
  const ofColumn = [...people.values()].map((one) => (isOfVisits ? one : { ...one, authority: 'the column' }))
  const isOfSeveral = areSeveralPeople([...ofColumn, ...blocks.people()])
  return {
    format: 'csv',
    reports: reports.map((report) => ({
      ...report,
      ...(said.length > 0 && { origin: { laboratories: [], specimens: [], notes: distinct(said) } }),
      specimenErrors: distinct([...report.specimenErrors, ...said.flatMap((text) => specimenErrorsIn(text))]),
      ...(isOfSeveral && { isOfSeveral }),
    })),
    notes,
    ...(limits.length + left.length > 0 && { leftOut: limits.length + earlier.length + known.length }),
    ...(isLong(columns) && { missing: all.filter((row) => hidesResult(columns, row)).length }),
  }
}

const saysInstead = ({ line }: Stray) => insteadNamedIn(line) !== undefined
const leftOutOf = ({ number, line }: Stray): LeftOut => ({
  position: `row ${number}`,
  because: insteadNamedIn(line) ?? '',
})

/** A line that reads like a result and stands in no row of the table. */
const unread = ({ name, text, unit, number, line }: Stray): Observation => ({
  name: clean(name, 200),
  valueText: text,
  unit,
  status: 'final',
  doubt: 'unreadable',
  position: `row ${number}`,
  raw: clean(line, 400),
})

/** A result as one of its block: whose it is and of which day, unless its row says that itself. */
function inBlock(line: Line, { head, conflict }: Block, lacks: readonly Lack[] = []): Line {
  const { collectedDate, unreadDay, patient, ...others } = head
  const isDated = line.head.collectedDate !== undefined || line.head.unreadDay !== undefined
  const because = conflict ?? lacks.find(({ of }) => head[of] === undefined)?.because
  const day = line.head.collectedDate
  const time = day && line.row.all('collected').flatMap((text) => timeOn(day, text) ?? [])[0]
  const observation = { ...line.observation, ...withHour(time) }
  return {
    ...line,
    head: {
      ...others,
      ...(!isDated && { ...(collectedDate && { collectedDate }), ...(unreadDay && { unreadDay }) }),
      ...line.head,
      ...(patient && !line.row.another && !line.row.isNobodys && { patient: { ...patient, ...line.head.patient } }),
    },
    observation: because ? withDoubt(observation, 'contradicted', because) : observation,
    key: `${keyOfHead(head)} ${line.key}`,
  }
}

/** Lines of text that say something of the results, and times that cannot be, count for all of them. */
function withTexts(lines: readonly Line[], texts: readonly string[], orders: Orders): Line[] {
  const titles = new Set(lines.map(({ row }) => row.title?.text))
  const timed = lines.map(({ row, head, observation }) => {
    const { collectedDate: collected, resultedDate: reported } = head
    const received = printedDay(row.cell('received'), orders.collected)
    const wrong = impossibleTimes({ collected, received, reported })
    return wrong ? withDoubt(observation, 'impossibleTimes', wrong) : observation
  })
  const others = texts.filter((text) => !titles.has(text) || annuls(text) || !(anothersIn(text) || statementIn(text)))
  // A remark beside one result may take back another.
  const remarks = timed.flatMap(({ comment }) => comment ?? [])
  const read = withAnnulledByName(withTextsAround(timed, others), remarks)
  return lines.map((line, index) => ({ ...line, observation: read[index] ?? line.observation }))
}

/** A row with a name, no result, and an answer where none belongs: under an unknown heading, or as a unit. */
function hidesResult(columns: readonly Column[], row: Row): boolean {
  if (hasResult(row) || !row.cell('name')) return false
  const isAnswer = (text: string) =>
    /^[<>≤≥]?\s*\d+([.,]\d+)?$/.test(text) || findingOf({ kind: 'presence', expected: [] }, text) !== undefined
  return (
    row.isShifted ||
    columns.some(({ kind }, index) => ['marker', 'empty', 'unit'].includes(kind) && isAnswer(row.at(index)))
  )
}

/** A row with a name whose only value is an earlier one. */
function earlierAlone(row: Row): LeftOut[] {
  const [previous] = row.all('previous')
  return previous && /\d/.test(previous) && row.cell('name') && !hasResult(row)
    ? [{ position: `row ${row.number}`, because: 'an earlier result alone' }]
    : []
}

/** A value or a flag, or what is said instead of a value. */
function hasResult(row: Row): boolean {
  if (row.all('value').length > 0) return true
  const status = row.cell('status') ?? ''
  const isSaid = row.cell('flag') || row.cell('comment') || printedStatus(status) !== 'final' || statusUnder(row.title)
  return Boolean(row.cell('name') && isSaid)
}

/** Person and day of collection in the lines above the table: "Patient;Jamie Doe", "Collected: 2026-03-01". */
function headAbove(preamble: readonly string[][]): { person?: Patient; collectedDate?: string } {
  const lines = linesOfText(preamble.map((cells) => cells.filter((cell) => cell.trim() !== '')))
  const order = orderIn(lines.map(({ text }) => text).join('\n'))
  const days = new Set(lines.flatMap((_, index) => labelledDay(lines, index, 'collected', order) ?? []))
  const [collectedDate] = days.size === 1 ? days : []
  return { person: readHead(lines, order).patient, collectedDate }
}

const personOf = (row: Row, orders: Orders) => readRowHead(row, orders).patient ?? []

/** Texts that may hold a number, by which a table shows what its commas mean. */
const numeric: readonly Kind[] = ['value', 'marker', 'date-column', 'value-column', 'range', 'low', 'high', 'previous']
const numbersIn = (columns: readonly Column[], rows: readonly Row[]): string[] =>
  columns.flatMap(({ kind }, index) => (numeric.includes(kind) ? rows.map((row) => row.at(index)) : []))

function readLong(_columns: readonly Column[], rows: readonly Row[], { commas, order }: OfTable): Line[] {
  const orders = ordersOf(rows, order)
  const takenBackBy = takenBackAmong(rows)
  return rows.flatMap((row) => {
    const [values, units] = [row.all('value'), apartUnits([...row.all('unit'), ...row.headedUnits])]
    const [name, text] = [row.cell('name') ?? '', row.cell('value') || (values[0] ?? '')]
    if (!hasResult(row)) return []
    const isOfCharge = units.length === 2 && units.map(normaliseUnit).sort().join() === 'meq/L,mmol/L'
    const hasSeveral = values.length > 1 || (units.length > 1 && !isOfCharge)
    const shown = hasSeveral ? values.join(' / ') : text
    const unit = units.join(isOfCharge ? ' or ' : ' / ') || row.cell('unit')
    // Of two tables side by side, each name goes with its value.
    const called = values.length > 1 ? row.all('name').join(' / ') : name
    const printed = { name: called, text: shown, unit, rangeText: row.cell('range') || undefined, hasSeveral }
    const head = readRowHead(row, orders)
    const by = takenBackBy(row)
    const read = readResult(row, printed, commas)
    const observation = by ? withDoubt(read, 'annulled', `row ${by.number}, ${by.refused}`) : read
    return [{ row, head, observation, key: keyOf(row) }]
  })
}

/** Units in several columns, those that mean the same once. */
const apartUnits = (units: readonly string[]): string[] =>
  units.filter(
    (unit, at) => !units.slice(0, at).some((other) => areSameUnit(normaliseUnit(unit), normaliseUnit(other))),
  )

const keyOfHead = ({
  collectedDate,
  unreadDay,
  resultedDate,
  accession,
  kitId,
  patient: { name, dateOfBirth, id } = {},
}: Head) => JSON.stringify([collectedDate, unreadDay, resultedDate, accession, kitId, name, dateOfBirth, id])

function group(lines: readonly Line[]): ParsedReport[] {
  const byKey = new Map<string, Line[]>()
  for (const line of lines) {
    const same = byKey.get(line.key)
    if (same) same.push(line)
    else byKey.set(line.key, [line])
  }
  return [...byKey.values()].map((same) => {
    const observations = same.map(({ observation }) => observation)
    return {
      ...Object.assign({}, ...same.map(({ head }) => head).reverse()),
      status: overallStatus(observations.map(({ status }) => status)),
      observations,
      specimenErrors: distinct([
        ...same.flatMap(({ row }) => row.interferents),
        ...specimenErrorsBeside(observations),
        ...specimenErrorsOfResults(observations),
      ]),
    }
  })
}
