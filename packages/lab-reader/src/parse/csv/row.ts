import { annuls } from '../annulling.ts'
import { isHarmless, isNote } from '../beside.ts'
import { siteOf } from '../body-site.ts'
import { isKnownFlag } from '../flags.ts'
import { type Column, columnsOf, headingsOf, isLong, type Kind } from '../headings.ts'
import { insteadOfResult } from '../instead.ts'
import { type Interferent, interferentsIn, interferentsOfIndex } from '../interference.ts'
import type { Layout } from '../layout.ts'
import { hasUsualWords } from '../order-name.ts'
import { type Holds, isOther, materialOf, type Title } from '../pdf/section.ts'
import { remarkOf } from '../remark.ts'
import { fastingUnder } from '../sample-words.ts'
import { isOfAnother } from '../specimen-words.ts'
import { joinedStatement } from '../statements.ts'
import { type Stray as StrayResult, strayResultIn } from '../stray.ts'
import { clean } from '../text.ts'
import { type Allergy, allergyIn } from './allergy.ts'
import { isCounted } from './columns.ts'
import { isControl, isOfSeveral, samples } from './control.ts'
import { nameLine, otherNames } from './person-lines.ts'
import { refusedBy } from './released.ts'
import type { Table } from './table.ts'
import { fieldsOfOthers, isTitleOfUndone, notesIn, statusUnder, titleUnder } from './titles.ts'

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
  /** What stands under no heading, and what is said of the row itself in other words than rows of a person have. */
  strange: string[]
  /** Somebody else whom a cell names. */
  another: string | undefined
  /** A cell that says that the row holds an earlier result, a mean, a limit or control material. */
  instead: { cell: string; holds: Exclude<Holds, 'results'> } | undefined
  /** What stands where others have a name or a day is neither. */
  isNobodys: boolean
  /** Cells that change the value, with their headings. */
  changes: { heading: string; cell: string }[]
  /** A signal and the limit from which it is positive, in columns of their own. */
  signal: { index: string; cutOff: string } | undefined
  allergy: Allergy
  /** What columns of codes hold: "POS" under "Result code". */
  codes: string[]
  /** Units in the headings of its values. */
  headedUnits: string[]
  /** Whether the sample was taken fasting, where a column says so. */
  fasting: boolean | undefined
  /** What a column of an index says to have been in the sample. */
  interferents: Interferent[]
  /** A cell that says that the result does not count. */
  refused: string | undefined
  /** How long after a dose or a load it was taken, where a column says so. */
  later: string | undefined
  /** The line above it that is nothing but a title. */
  title?: Title | undefined
}

const ofWhom = /relation|subject|person|patient|whose|source|donor|member|beziehung|lien|parent/i
/** A place where no venous blood is; "left" makes an unknown word usual, which may be that of a town. */
const siteHeading =
  /^(?:(?:body|anatomic(?:al)?|puncture|sampling|collection|draw|source|specimen|sample)[ _]?)?(?:site|source|location)$|^(?:entnahmeort|körperstelle|site de prélèvement|localización|sede)$/i
/** Under such a heading stands what a row is of: a sample, a standard, a blank. */
const typeOfRow =
  /^(?:(?:sample|specimen|well|record|row|tube|task|content)[ _]?)?(?:type|role|kind|class|content|task)$/i
/** Under these stands what became of a row or where it comes from. */
const saysOfRow =
  /^(?:(?:sample|specimen|well|record|row|tube|result|data|test|value)[ _]?)?(?:type|role|kind|class|content|task|source|origin|action|state|reason|validity|quality|condition|purpose|mode|herkunft|quelle|art|aktion|origine|origen|acción|azione)$/i
const isUsualRow = (cell: string): boolean =>
  !/\b(?:home|self|selbst|domicile|casa|standards?|reference)\b/i.test(cell) &&
  hasUsualWords(
    cell,
    /^(?:patients?|employees?|workers?|patienten|paciente|paziente|person|client|customer|primary|unknown|sample|specimen|hospital|clinic|pathology|links?|interface|lis|lims|in-?house|main|central|final|validated|approved|released|complete|new|add|numeric|number|text|measured|reported|result|normal|valid|good|ok|accepted|passed|stat|urgent|yes|ja|oui|si|lab|labor)$/,
  )
const isSaid = (cell: string): boolean =>
  /\p{L}/u.test(cell) && !isKnownFlag(cell) && remarkOf(cell) !== 'ordinary' && !/^\d[\d./: -]*(?:[ap]m)?$/i.test(cell)
const codeHeading = /\bcoded?\b|\bk(?:ürzel|z)\b|abbrev/i
/** A letter and one more: a sign alone says nothing. */
const isMoreThanSign = /\p{L}{2}/u
const timeHeading =
  /^(?:(?:sample|sampling|collection|draw|test|relative|nominal)[ _]?)?(?:time|time ?point|timing|zeit|zeitpunkt|temps|tiempo|tempo|tid|tidspunkt|tijd|tijdstip|(?<minutes>min|minutes?|minuten|minutos|minuti|(?:time|zeit|temps|tiempo|tempo|tid) ?[([]?min(?:utes)?[)\]]?|(?:time|zeit|temps|tiempo|tempo|tid|tijd|čas|czas|idő|aika|timp)(?!\p{L})[^([]{0,30}[([]min\p{L}*\.?[)\]]))$/iu
/** "+30 min", "T60", "2 h post glucose": no time of the day. */
const laterThanStart =
  /^(?:[t+] ?)?0*[1-9]\d{0,3} ?(?:['′]|m|mins?|minut\p{L}*|h|hrs?|hours?|std|stunden?|heures?|horas?|or[ae]|timer?|uur)(?: .*)?$|^[t+] ?[1-9]\d{1,2}$|^(?:peak|nadir|trough)$/iu
function isLater(heading: string, cell: string): boolean {
  const found = timeHeading.exec(heading.trim())
  return (
    found !== null &&
    (laterThanStart.test(cell) || (found.groups?.minutes !== undefined && /^[1-9]\d{0,2}$/.test(cell)))
  )
}
const ageWord =
  /^(?:child|infant|newborn|neonate|baby|kind|säugling|neugeborenes?|enfant|nouveau-né|bebé|neonato|barn)$/i

/** "Average" as a step of a risk says nothing of where a value comes from. */
const ofRisk = /risk|interpret|categor|class|rating|risiko|bewertung|riesgo|rischio|risque/i
/** Czech and Slovak codes (NČLP) and those of the Nordic countries (NPU) have a letter for each material; elsewhere "S" may be saliva. */
const hasLetters = /^(?:(?:biologický )?materiál|vzorek|vzorka|provmaterial|prøvemateriale)$/iu
const ofSample: readonly Kind[] = [...samples, 'collected']
const mayTell: readonly Kind[] = [...ofSample, 'marker', 'comment', 'panel', 'specimen', 'flag', 'empty', 'ignored']

/** The cells of a row that stand for something else than a result of the sample. */
function insteadIn(
  columns: readonly Column[],
  cells: readonly string[],
): (NonNullable<Row['instead']> & { kind: Kind })[] {
  return columns.flatMap(({ kind, heading }, index) => {
    const cell = clean(cells[index] ?? '')
    const holds = mayTell.includes(kind) && !ofRisk.test(heading) ? insteadOfResult(cell) : undefined
    // Another person or material under such a heading is known by more than its words.
    return holds === undefined || (holds === 'notOwn' && kind === 'marker') ? [] : [{ cell, holds, kind }]
  })
}

function signalIn(columns: readonly Column[], cells: readonly string[]): Row['signal'] {
  const under = (heading: RegExp) =>
    clean(cells[columns.findIndex((column) => heading.test(column.heading.trim()))] ?? '')
  const [index, cutOff] = [under(/^(?:index|signal|s\/?co|coi|od|ratio)$/i), under(/^cut[- ]?off(?: value| index)?$/i)]
  return index && cutOff ? { index, cutOff } : undefined
}

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
    const texts = columns.flatMap((column, index) => {
      if (column.kind !== kind) return []
      const cell = clean(cells[index] ?? '')
      return kind === 'specimen' && hasLetters.test(column.heading) ? materialOf(cell) : cell
    })
    return [...new Set(texts.filter((text) => text !== ''))]
  },
  at: (index) => clean(cells[index] ?? ''),
  isShifted: cells.slice(columns.length).some((cell) => cell.trim() !== ''),
  whole: clean(cells.join(' | '), 400),
  others: columns.flatMap(({ kind }, index) => (kind === 'marker' ? clean(cells[index] ?? '') : [])).filter(Boolean),
  strange: columns.flatMap(({ kind, heading, isSparse = false }, index) => {
    const cell = clean(cells[index] ?? '')
    if (kind === 'empty') return isMoreThanSign.test(cell) && !isKnownFlag(cell) ? cell : []
    const isTold = kind === 'marker' && (saysOfRow.test(heading) || (isSparse && isSaid(cell)))
    return isTold && interferentsIn(cell).length === 0 && !isUsualRow(cell) ? `${heading}: ${cell}` : []
  }),
  another: columns
    .flatMap(({ kind, heading }, index) => {
      const cell = clean(cells[index] ?? '')
      // "Child" under "Age group" is the person.
      const isAge = kind === 'marker' && !ofWhom.test(heading) && ageWord.test(cell)
      if ((kind === 'marker' || kind === 'patient') && !isAge && isOfAnother(cell)) return cell
      if (kind !== 'value' && isOfSeveral(heading, cell)) return cell
      if (kind === 'marker' && siteHeading.test(heading) && siteOf([cell, 'left']).isOther) return cell
      const isOfSample = samples.includes(kind) || kind === 'specimen' || (kind === 'marker' && typeOfRow.test(heading))
      return isOfSample && isControl(cell) ? cell : []
    })
    .at(0),
  instead: insteadIn(columns, cells)[0],
  isNobodys: insteadIn(columns, cells).some(({ kind }) => ofSample.includes(kind)),
  changes: columns.flatMap(({ kind, heading }, index) => {
    const cell = clean(cells[index] ?? '')
    return kind === 'changes' && cell !== '' && !isCounted(columns, cells, cell) ? { heading, cell } : []
  }),
  signal: signalIn(columns, cells),
  allergy: allergyIn(columns, cells),
  codes: columns.flatMap(({ kind, heading }, index) =>
    ['marker', 'ignored'].includes(kind) && codeHeading.test(heading) ? clean(cells[index] ?? '') : [],
  ),
  headedUnits: columns.flatMap(({ kind, unit }, index) =>
    kind === 'value' && unit && clean(cells[index] ?? '') !== '' ? unit : [],
  ),
  fasting: columns
    .map(({ heading }, index) => fastingUnder(heading, clean(cells[index] ?? '')))
    .find((one) => one !== undefined),
  interferents: columns.flatMap(({ heading, kind }, index) => {
    const valueText = clean(cells[index] ?? '')
    const words = kind === 'marker' ? interferentsIn(valueText, { isBeside: true }) : []
    return valueText === '' ? [] : [...interferentsOfIndex({ names: [heading], valueText }), ...words]
  }),
  refused: refusedBy(columns, cells),
  later: columns
    .flatMap(({ kind, heading }, index) => {
      const cell = clean(cells[index] ?? '')
      return kind === 'marker' && isLater(heading, cell) ? cell : []
    })
    .at(0),
  title,
})

/** A line outside of the rows that reads like a result. */
export interface Stray extends StrayResult {
  number: number
  line: string
}

/** The rows of a table, each under the heading and the title that stand above it, and its lines that are nothing but text. */
export function rowsOf(
  columns: readonly Column[],
  { rows, preamble }: Pick<Table, 'rows' | 'preamble'>,
  person: string | undefined,
  layout?: Layout,
): { rows: Row[]; texts: string[]; strays: Stray[] } {
  const isTable = isLong(columns)
  const isHeadingAgain = headingsOf(layout)
  let current = columns
  const above = preamble.map((cells) => joinedStatement(cells) ?? clean(cells.join(' '))).filter((text) => text !== '')
  const texts = [...above.filter((text) => !isOfAnother(text)), ...preamble.flatMap(fieldsOfOthers)]
  const strays = preamble.flatMap((cells, at) => strayIn(clean(cells.join(' ')), at + 1))
  const nameOf = new Map(isTable ? rows.map((row) => [row, nameLine(row.cells)]) : [])
  const others = otherNames([...preamble.map(nameLine), ...nameOf.values()], person)
  let title = above.reduce<Title | undefined>((before, text) => {
    const found = titleUnder(before, text)
    return isOther(found) ? found : before
  }, undefined)
  const read = rows.flatMap((row) => {
    if (isTable && isHeadingAgain(row.cells)) {
      current = columnsOf(row.cells, layout)
      if (title?.text === OTHER_TABLE) title = undefined
      return []
    }
    if (isTable && isHeadingOfOthers(row.cells, layout)) {
      title = { text: OTHER_TABLE, holds: 'earlier' }
      return []
    }
    // The heading of a table of samples again.
    if (!isTable && columns.every(({ heading }, at) => heading === row.cells[at]?.trim())) return []
    const name = nameOf.get(row)
    if (name && (others.has(name) || others.size > 0)) {
      title = { text: name, holds: others.has(name) ? 'otherName' : 'results' }
      return []
    }
    const only = joinedStatement(row.cells) ?? titleIn(row.cells, current) ?? remarkIn(row.cells) ?? notesIn(row.cells)
    if (only === undefined || (!isTable && current[0]?.kind === 'marker' && /\d/.test(only)))
      return [rowOf(current, row, title)]
    const next = titleUnder(title, only)
    // Below "Pending tests" a name alone is a test, until another title.
    const isUndone = statusUnder(title) && next.holds === 'elsewhere' && !isTitleOfUndone(only) && !isHarmless(only)
    if (isTable && isUndone && !isNote(only)) return [rowOf(current, row, title)]
    // With nothing below it, a title speaks of what stands above.
    const isOfRows = row !== rows.at(-1) && (isOfAnother(only) || isTitleOfUndone(only))
    if (!isOfRows) texts.push(only)
    strays.push(...strayIn(only, row.number))
    title = next
    // In a table of samples it may be a person without results.
    return isTable || /\d/.test(only) || isHarmless(only) || isNote(only) || only.split(' ').length > 3
      ? []
      : [rowOf(current, row, title)]
  })
  return { rows: read, texts, strays }
}

const strayIn = (line: string, number: number): Stray[] => {
  const found = strayResultIn(line)
  return found ? [{ ...found, number, line }] : []
}

const OTHER_TABLE = 'a table of means, limits or earlier results'

/** The headings of a table of means, earlier results or limits below that of the results. */
function isHeadingOfOthers(cells: readonly string[], layout?: Layout): boolean {
  const columns = columnsOf(cells, layout).filter(({ kind }) => kind !== 'empty')
  const isName = columns[0]?.kind === 'name'
  const known = columns.filter(({ kind, heading }) => kind !== 'marker' || insteadOfResult(heading) !== undefined)
  return (
    isName &&
    columns.length > 1 &&
    known.length === columns.length &&
    columns.some(({ heading }) => insteadOfResult(heading) !== undefined)
  )
}

/** A row that is nothing but a remark on others, wherever it stands. */
function remarkIn(cells: readonly string[]): string | undefined {
  const [only = '', ...others] = cells.map((cell) => clean(cell)).filter((cell) => cell !== '')
  return others.length === 0 && only.includes(' ') && annuls(only) ? only : undefined
}

/** The only text of a row, where it stands first or as a name. */
function titleIn(cells: readonly string[], columns: readonly Column[]): string | undefined {
  const [at = -1, ...others] = cells.flatMap((cell, index) => (cell.trim() === '' ? [] : [index]))
  const isThere = at === 0 || columns[at]?.kind === 'name'
  const text = clean(cells[at] ?? '', 100)
  return others.length === 0 && isThere && columns[at]?.kind !== 'value' && /\p{L}/u.test(text) ? text : undefined
}
