import { kitIdOfNumber } from '@kitlane/display/short-id'
import { agreed, type DayOrder, dayOrder, printedBirth, printedDay, type TaughtOrder, writesDayFirst } from '../date.ts'
import { anyHeading } from '../headings-abroad.ts'
import type { Commas } from '../number.ts'
import type { Patient } from '../parsed.ts'
import { areSeveralPeople } from '../person.ts'
import { clean } from '../text.ts'
import type { Line } from './text.ts'

const day = String.raw`((?:令和|平成|昭和) ?(?:\d{1,2}|元)年 ?\d{1,2}月 ?\d{1,2}日|1[01]\d[/.]\d{1,2}[/.]\d{1,2}|(?:19|20)\d\d[年년] ?\d{1,2}[月월] ?\d{1,2}[日일]|(?:19|20)\d\d\. ?\d{1,2}\. ?\d{1,2}\.?|\d{4}[/-]\d{1,2}[/-]\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}\. \d{1,2}\. ?\d{2,4}|(?:19|20)\d\d[ /-][A-Za-z]{3,9}\.?[ /-]\d{1,2}|\d{1,2}[ /-][A-Za-z]{3,9}\.?[ ,/-]{1,2}\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|(?:19|20)\d{6})(?!\d)`
export const dayOnly = new RegExp(`^${day}`)
export const everyDay = new RegExp(String.raw`(?<!\d)${day}`, 'g')

export type Labelled = 'collected' | 'received' | 'resulted' | 'born'

/** Labels as whole words: in English and German, then in Spanish, French, Italian and Danish. */
const label = (...words: string[]) => new RegExp(String.raw`(?<!\p{L})(?:${words.join('|')})(?!\p{L})\s*:?\s*`, 'iu')

const labels: Record<Labelled, RegExp> = {
  collected: label(
    anyHeading('collected'),
    '(?:date|specimen|sample) (?:and time )?collected',
    String.raw`(?:sample|specimen|blood) taken(?: on)?|(?<=^|\s{2})(?:taken|sampled)(?: on)?|date of sampling|sampling date|collected on|collect(?:ed|ion)(?: date)?(?: ?(?:\/|and) ?time)?`,
    '(?:sample|specimen|collection) date|date drawn|drawn|date of collection|materialentnahme|abnahme(?:datum)?|entnahme(?:datum)?|afname(?:datum)?|provtagning(?:sdatum)?|prøvetaking(?:sdato)?|provtaget|data (?:da|de) (?:colheita|coleta)|coleta|colheita',
    'datum (?:a čas )?odběru|dátum odberu|data (?:i godz(?:ina|\\.) )?pobrania|pobrano|(?:numune|örnek) alma(?: tarihi)?|採(?:取|血)日|検査日|受診日',
    'fecha (?:de )?(?:la )?(?:toma|extracción|recogida)(?: de (?:la )?muestra)?',
    'date (?:de |du )?prélèvement|prélevé(?:e|\\(e\\))? le|prélèvement (?:du|le)|prélèvement|data (?:del |di )?prelievo|prelievo (?:del|il)|prelievo|prøvetagning(?:sdato)?|prøvedato',
  ),
  received: label(
    anyHeading('received'),
    '(?:date )?received|date of receipt|receipt date|eingang(?:sdatum)?|eingegangen am|reçu le|date de réception|recibido|fecha de recepción|ricevuto|data (?:di )?ricezione|modtaget|modtagelsesdato|mottatt|ankomst|ontvangen|受付日',
  ),
  resulted: label(
    anyHeading('resulted'),
    '(?:date )?(?:reported|resulted)(?: on)?|report(?:ed)? (?:date|issued|released|completed)(?: on)?|result date|(?:date )?issued(?: on)?|date of (?:issue|report)',
    "befunddatum|befund vom|ausgabedatum|compte[- ]rendu du|date d[’']édition|fecha de emisión|emitido(?: el)?|data di emissione|refertato il|referto del|rapportdatum|uitslagdatum|rapporteret|utfärdad|udstedt",
    'fecha de(?:l)? (?:informe|resultado)|date (?:du |de )?résultat|data (?:del )?referto|svardato|data (?:da |de )?(?:emissão|wydania)|emissão|ausgang|édité le',
  ),
  born: label(
    anyHeading('born'),
    String.raw`DOB|date of birth|birth ?date|born(?: on)?|geburtsdatum|geboren(?: am)?|geb\.?(?: am)?|geboortedatum|födelsedatum`,
    'fecha de nacimiento|f\\. ?(?:nac\\.?|nacimiento)|date de naissance|née? le|né\\(e\\) le|data di nascita|nat[oa](?:/a)? il|fødselsdato',
    'datum narození|dátum narodenia|data de nascimento|d\\. ?nasc\\.?|nasc\\.?|data urodzenia|ur\\.|doğum tarihi|d\\. ?tarihi|生年月日|geb\\. ?datum',
  ),
}

/** Known by their names, these laboratories write the month first. */
const isUnitedStatesLab = (text: string) =>
  /\blabcorp\b|laboratory corporation of america|\bquest diagnostics\b/i.test(text)

export const orderIn = (text: string, taught?: TaughtOrder): DayOrder =>
  isUnitedStatesLab(text)
    ? agreed('month-first', taught)
    : dayOrder(
        [...text.matchAll(everyDay)].map((found) => found[1] ?? ''),
        taught,
      )

/** No country that writes decimal commas writes the month first. Days of which one contradicts another stay unknown. */
export function orderBeside(commas: Commas, lines: readonly Line[], order: DayOrder): DayOrder {
  const isDayFirst = ['decimal', 'grouped'].includes(commas) || writesDayFirst(lines.map(({ text }) => text).join('\n'))
  if (order !== 'unknown' || !isDayFirst) return order
  return lines.some(({ text }) => orderIn(text) === 'month-first') ? order : 'day-first'
}

/** The day behind a label on a line, or below it where labels stand side by side. */
export function labelledDay(
  lines: readonly Line[],
  index: number,
  label: Labelled,
  order: DayOrder,
): string | undefined {
  const text = behindLabel(lines, index, label)
  return text === undefined ? undefined : (label === 'born' ? printedBirth : printedDay)(text, order)
}

function behindLabel(lines: readonly Line[], index: number, label: Labelled): string | undefined {
  const line = lines[index]
  if (!line) return undefined
  // "Entnahme / Prélèvement: 11.03.2026": the day stands behind the last of them.
  const found = [...line.text.matchAll(new RegExp(labels[label].source, 'giu'))]
  if (found.length === 0) return undefined
  const [behind] = found.flatMap(({ 0: text, index }) => dayOnly.exec(line.text.slice(index + text.length))?.[1] ?? [])
  if (behind) return behind
  const cell = line.cells.find(
    ({ text }) => labels[label].test(text) && (labels[label].exec(text)?.[0].length ?? 0) >= text.length - 6,
  )
  return cell && lines[index + 1]?.cells.find(({ x0, text }) => Math.abs(x0 - cell.x0) < 30 && dayOnly.test(text))?.text
}

/** What stands behind a label of the day of collection and is a day of no certain meaning. */
export const unreadDayIn = (lines: readonly Line[], order: DayOrder): string | undefined =>
  lines
    .map((_, index) => behindLabel(lines, index, 'collected'))
    .find((text) => text !== undefined && printedDay(text, order) === undefined)

export interface Head {
  accession?: string
  kitId?: string
  patient?: Patient
}

/** Cells without positions stand below one another by their order. */
const CELL_WIDTH = 100

/** Lines of a text without positions, such as those above a table. */
export const linesOfText = (rows: readonly (readonly string[])[]): Line[] =>
  rows.map((cells, index) => ({
    page: 1,
    number: index + 1,
    y: 0,
    height: 0,
    cells: cells.map((text, at) => ({ text, x0: at * CELL_WIDTH, x1: (at + 1) * CELL_WIDTH })),
    text: cells
      .join('  ')
      .replace(/:?\s{2,}(?=\S)/g, (gap, at: number) => (at < 20 && cells.length === 2 ? ': ' : gap)),
  }))

const nameLabel = new RegExp(
  String.raw`(?<!\b(?:test|physician|provider|doctor|client|account|facility|laboratory|lab|panel|file|first|last|user|clinic|company|product|practice)[ -]?)(?<!\p{L})(?:patient(?:in)?(?: name)?|name|patientenname|paciente|nombre(?: del paciente)?|nom du patient|paziente|naam|namn|navn|nome|nimi|utente|pasient|pacjent(?:ka)?|pacient(?:ka)?|imię i nazwisko|jméno|hasta|氏名|ονοματεπώνυμο|${anyHeading('patient')})\s*:\s*([^\n:]+?)(?=\s{2,}|\n|$)`,
  'giu',
)
const sexLabel = /\b(?:sex|gender|geschlecht)\s*:?\s*(male|female|m|f|w)\b/gi
const idLabel = /\b(?:patient (?:id|no\.?|number)|MRN|medical record(?: number| no\.?)?)\s*[:#]\s*([\w-]{2,40})/gi

/** The people named in labelled fields of these lines: one, unless a field has two values. */
function peopleIn(lines: readonly Line[], order: DayOrder): Patient[] {
  const text = lines.map((line) => line.text).join('\n')
  const all = (label: RegExp) =>
    [...text.matchAll(label)].flatMap((found) => clean(found[1]?.split(/\s{2,}/)[0] ?? '', 100) || [])
  const names = all(nameLabel)
  const births = lines.flatMap((_, index) => labelledDay(lines, index, 'born', order) ?? [])
  const sexes = all(sexLabel).map((word) => (/^m/i.test(word) ? 'M' : 'F') as 'M' | 'F')
  const ids = all(idLabel)
  const count = Math.min(50, Math.max(names.length, births.length, sexes.length, ids.length))
  return Array.from({ length: count }, (_, index) => {
    const [name, dateOfBirth, sex, id] = [names[index], births[index], sexes[index], ids[index]]
    return { ...(name && { name }), ...(dateOfBirth && { dateOfBirth }), ...(sex && { sex }), ...(id && { id }) }
  })
}

export interface People {
  isOfSeveral: boolean
  /** Whom a page is about: who is named on it, else who was named before. */
  of(page: number): Patient | undefined
}

/** The people that a document names, page by page: a second one may begin on any of them. */
export function readPeople(lines: readonly Line[], order: DayOrder): People {
  const pages = [...Map.groupBy(lines, ({ page }) => page)].map(([page, own]) => [page, peopleIn(own, order)] as const)
  const isOfSeveral = areSeveralPeople(pages.flatMap(([, people]) => people))
  const of = (page: number) => pages.findLast(([number, people]) => number <= page && people.length > 0)?.[1][0]
  return { isOfSeveral, of }
}

/** Person and sample, from labelled fields only. */
export function readHead(lines: readonly Line[], order: DayOrder): Head {
  const text = lines.map((line) => line.text).join('\n')
  const field = (label: RegExp) => clean(label.exec(text)?.[1]?.split(/\s{2,}/)[0] ?? '', 100)
  const [patient] = peopleIn(lines, order)
  // "Specimen: Urine" is no number.
  const accession = field(
    /\b(?:accession(?: number| no\.?)?|specimen (?:id|number)|specimen)\s*[:#]\s*((?=[\w-]*\d)[\w-]{3,40})/i,
  )
  const kit = field(/\bkit(?: id| number| no\.?| code)?\s*[:#]\s*(\w{10}(?:-\d{1,2})?)\b/i)
  const [kitId] = [kit, accession].flatMap((text) => kitIdOfNumber(text) ?? [])
  return {
    ...(accession && { accession }),
    ...(kitId && { kitId }),
    ...(patient && { patient }),
  }
}
