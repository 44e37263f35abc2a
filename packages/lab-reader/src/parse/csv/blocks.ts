import type { TaughtOrder } from '../date.ts'
import { type Column, type Kind, labelKind } from '../headings.ts'
import type { Patient } from '../parsed.ts'
import { dayOnly } from '../pdf/head.ts'
import { areSeveralPeople } from '../person.ts'
import { isOfAnother } from '../specimen-words.ts'
import { clean } from '../text.ts'
import { type Row, rowOf } from './row.ts'
import { type Head, type Orders, ordersOf, readRowHead } from './row-head.ts'
import type { Table } from './table.ts'

interface Field {
  kind: Kind
  label: string
  text: string
}

/** Rows below labelled lines that say whose they are and of which day: "Patient;Jamie Doe". */
interface Part {
  fields: Field[]
  lines: string[][]
  rows: number
}

export interface Block {
  head: Head
  /** Texts that cannot all be right of these rows. */
  conflict?: string | undefined
}

export interface Blocks {
  /** The rows that are not labelled lines. */
  rows: Table['rows']
  of(row: Row): Block
  /** Names behind labels, before days and other fields are read. */
  names(): string[]
  /** Everybody whom a labelled line names. */
  people(): Patient[]
  /** Reads the labelled lines: `above` is what else the lines above the table say, `rows` prove the order of days. */
  read(rows: readonly Row[], above: Head, order: TaughtOrder | undefined): void
}

/** Lines that stand together say no more of one person. */
const MOST_FIELDS = 60

const identity: readonly Kind[] = ['patient', 'givenName', 'familyName', 'born', 'patientId']
const names: readonly Kind[] = ['patient', 'givenName', 'familyName']
const days: readonly Kind[] = ['collected', 'resulted', 'born']

const field = (label: string, text: string): Field[] => {
  const kind = labelKind(label)
  if (!kind || text.trim() === '' || isOfAnother(text)) return []
  if (names.includes(kind) && !/\p{L}/u.test(text)) return []
  return [{ kind, label: label.replace(/\s*:\s*$/, '').trim(), text: clean(text, 200) }]
}

/** "Patient: Jamie Doe / DOB 1980-01-01": the fields of one cell. */
function fieldsInCell(cell: string): Field[] {
  return cell
    .split(/\s+[/|;]\s+|[;|]\s|\s{2,}|,\s+(?=(?:geb|geboren|dob|born|née?|nacid[oa]|nat[oa]|født)(?!\p{L}))/iu)
    .flatMap((text) => {
      const [, label = '', behind = ''] = /^([^:]{2,40}?)\s*:\s*(\S.*)$/.exec(text.trim()) ?? []
      const found = field(label, behind)
      if (found.length > 0) return found
      const [, before = '', day = ''] = /^(\D{3,40}?)\s+(\d.*)$/.exec(text.trim()) ?? []
      const kind = labelKind(before)
      return kind && days.includes(kind) && dayOnly.test(day) ? field(before, day) : []
    })
}

/** The fields of a line that begins with a label; none if it is anything else. */
function fieldsOf(cells: readonly string[]): Field[] {
  const said = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const found: Field[] = []
  for (let at = 0; at < said.length; at++) {
    const [cell = '', next = ''] = said.slice(at)
    const pair = labelKind(next) ? [] : field(cell, next)
    const own = pair.length > 0 ? pair : fieldsInCell(cell)
    if (at === 0 && own.length === 0) return []
    if (pair.length > 0) at++
    found.push(...own)
  }
  return found
}

/** "Name;Date of birth;Collected" above a line with what they say. */
const isLabelsOnly = (cells: readonly string[]): boolean => {
  const said = cells.filter((cell) => cell.trim() !== '')
  return said.length > 1 && said.filter(labelKind).length > 1 && !cells.some((cell) => /^\s*[<>]?\d/.test(cell))
}

function fieldsBelow(labels: readonly string[], cells: readonly string[]): Field[] {
  return labels.flatMap((label, at) => field(label, cells[at] ?? ''))
}

/** The fields of lines that stand together, and how many of the lines are labelled. */
function readLines(lines: readonly (readonly string[])[]): { fields: Field[]; labelled: Set<number> } {
  const labelled = new Set<number>()
  const fields = lines.flatMap((cells, at) => {
    if (labelled.has(at)) return []
    const next = lines[at + 1]
    const below = isLabelsOnly(cells) && next ? fieldsBelow(cells, next) : []
    if (below.length > 1) {
      labelled.add(at).add(at + 1)
      return below
    }
    const own = fieldsOf(cells)
    if (own.length > 0) labelled.add(at)
    return own
  })
  return { fields, labelled }
}

/** A row with a test and a value, neither of which is a label, is a result. */
function isResult(columns: readonly Column[], cells: readonly string[]): boolean {
  const at = (kind: Kind) => cells[columns.findIndex((column) => column.kind === kind)]?.trim() ?? ''
  const [name, value] = [at('name'), at('value')]
  if (columns.some(({ kind }) => kind === 'value'))
    return name !== '' && value !== '' && !labelKind(name) && !labelKind(value) && fieldsInCell(name).length === 0
  const said = cells.filter((cell) => cell.trim() !== '')
  return said.length > 2 && said.filter(labelKind).length * 2 < said.length && !isLabelsOnly(cells)
}

/** What later fields leave of earlier ones. */
const over = (later: readonly Field[], earlier: readonly Field[]): Field[] => [
  ...later,
  ...earlier.filter(({ kind }) => !later.some((one) => one.kind === kind)),
]

const ofPerson = ({ kind }: Field) => identity.includes(kind)
const saidBy = (fields: readonly Field[]) => fields.map(({ label, text }) => `${label}: ${text}`)

/** Splits a table where lines in it say that what follows is of somebody else or of another day. */
export function blocksOf({ rows, preamble }: Pick<Table, 'rows' | 'preamble'>, columns: readonly Column[]): Blocks {
  const above = readLines(preamble).fields
  const candidates = rows.map(({ cells }) => (isResult(columns, cells) ? [''] : cells))
  const { labelled } = readLines(candidates)
  const parts: Part[] = [{ fields: above, lines: [], rows: 0 }]
  const partOf = new Map<number, number>()
  let isHead = false
  const ordinary = rows.filter(({ number, cells }, at) => {
    if (labelled.has(at)) {
      if (!isHead && (parts.length > 1 || at > 0)) parts.push({ fields: [], lines: [], rows: 0 })
      isHead = true
      parts.at(-1)?.lines.push(cells)
      return false
    }
    isHead = false
    partOf.set(number, parts.length - 1)
    const said = cells.filter((cell) => cell.trim() !== '')
    const last = parts.at(-1)
    if (last && said.length > 1 && said.some((cell) => /\d/.test(cell))) last.rows++
    return true
  })
  for (const part of parts) part.fields = [...part.fields, ...readLines(part.lines).fields].slice(0, MOST_FIELDS)
  const named = parts.flatMap(({ fields }) =>
    fields.flatMap(({ kind, text }) => (kind === 'patient' ? { name: text } : [])),
  )
  let blocks: Block[] = []
  const headOf = (fields: readonly Field[], orders: Orders): Head => readRowHead(asRow(fields), orders)

  return {
    rows: ordinary,
    of: ({ number }) => blocks[partOf.get(number) ?? 0] ?? blocks.at(-1) ?? { head: {} },
    names: () => named.map(({ name }) => name),
    people: () => [...blocks.flatMap(({ head }) => head.patient ?? []), ...named],
    read(of, free, taught) {
      const order = ordersOf([...of, ...parts.map(({ fields }) => asRow(fields))], taught)
      const footer = parts.length > 1 && parts.at(-1)?.rows === 0 ? parts.pop() : undefined
      const first = parts[0]
      if (footer && first && parts.length === 1) first.fields = over(first.fields, footer.fields)
      let before: Field[] = []
      const withRows = parts.filter((part) => part.rows > 0)
      const isUnclear = withRows.length > 1 && withRows.some(ofNobody) && !withRows.every(ofNobody)
      blocks = parts.map((part, index) => {
        const isSame = !part.fields.some(ofPerson) || isSamePerson(headOf(part.fields, order), headOf(before, order))
        const fields = isSame || index === 0 ? over(part.fields, before) : part.fields
        before = fields
        const read = headOf(fields, order)
        const head = index === 0 ? { ...free, ...read, ...withPerson(free.patient, read.patient) } : read
        const all = [...part.fields, ...(footer && parts.length === 1 ? footer.fields : [])]
        const conflict =
          conflictIn(all, order) ?? (footer && index > 0 ? conflictIn([...fields, ...footer.fields], order) : undefined)
        return { head, conflict }
      })
      const [known] = blocks.flatMap(({ conflict }) => conflict ?? [])
      const unclear =
        isUnclear && !withRows[0]?.fields.some(ofPerson)
          ? saidBy([...withRows, ...(footer ? [footer] : [])].flatMap(({ fields }) => fields.filter(ofPerson))).join(
              '; ',
            )
          : undefined
      const conflict = known ?? unclear
      if (conflict) blocks = blocks.map((block) => ({ ...block, conflict }))
    },
  }
}

const ofNobody = ({ fields }: Part) => !fields.some(ofPerson)

const withPerson = (one: Patient | undefined, other: Patient | undefined) =>
  one || other ? { patient: { ...one, ...other } } : {}

const isSamePerson = ({ patient: one }: Head, { patient: other }: Head): boolean =>
  one !== undefined &&
  other !== undefined &&
  !areSeveralPeople([one, other]) &&
  one.name !== undefined &&
  other.name !== undefined

const asRow = (fields: readonly Field[]): Row =>
  rowOf(
    fields.map(({ kind, label }) => ({ kind, heading: label })),
    { number: 0, cells: fields.map(({ text }) => text) },
  )

/** Two fields of one kind that cannot both be right. */
function conflictIn(fields: readonly Field[], orders: Orders): string | undefined {
  const differ = (one: Field, other: Field): boolean => {
    const [a, b] = [readRowHead(asRow([one]), orders), readRowHead(asRow([other]), orders)]
    if (one.kind === 'collected')
      return a.collectedDate !== undefined && b.collectedDate !== undefined && a.collectedDate !== b.collectedDate
    if (!a.patient || !b.patient) return false
    return areSeveralPeople([a.patient, b.patient])
  }
  const wrong = fields.flatMap((one, at) =>
    fields.slice(at + 1).flatMap((other) => (one.kind === other.kind && differ(one, other) ? [[one, other]] : [])),
  )[0]
  return wrong && saidBy(wrong).join('; ')
}
