import { findingOf } from '../../facts/findings.ts'
import { isHarmless } from '../beside.ts'
import type { Observation } from '../parsed.ts'
import { linesOfText } from '../pdf/head.ts'
import { isOther, namesPanel, noTitle, saysSomething, type Title, titleOf } from '../pdf/section.ts'
import { isProse } from '../remark.ts'
import { isOfAnother, isOfPatient } from '../specimen-words.ts'
import { anothersIn, statementIn } from '../statements.ts'
import { clean } from '../text.ts'

/** What was measured after a load or a drug is no result of rest. */
const provoked =
  /(?<!\p{L})(?:after|post|following|nach|après|después de|tras|dopo|efter|etter)(?!\p{L}).{0,30}(?:dexamet\p{L}*|synacthen|a?cth|trh|lhrh|gnrh|crh|glucagon|clonidin\p{L}*|arginin\p{L}*|insulin\p{L}*|stimul\p{L}*|suppress\p{L}*|provo\p{L}*|belastung|exercise|(?:glucose|glukose|oral) load)(?!\p{L})/iu

/** "Cancelled tests" speaks of the rows below it. */
export const isTitleOfUndone = (text: string): boolean =>
  /^(?:(?:cancel+ed|rejected|pending|outstanding|open|unreported) (?:tests?|orders?|results?|analy[st]es?|examinations?)|(?:tests?|orders?|results?) (?:pending|cancel+ed|outstanding|not (?:done|performed))|(?:stornierte|ausstehende|offene) (?:tests?|untersuchungen|analysen|aufträge|befunde)|(?:examens|analyses) (?:en attente|annulée?s|en cours)|(?:pruebas|análisis) (?:pendientes|anulad[oa]s)|(?:esami|analisi) (?:in attesa|annullat[ei]|in corso)|(?:afventende|annullerede) (?:prøver|analyser|svar))\W*$/iu.test(
    text.trim(),
  )

const pendingList =
  /^\W*(?:(?:tests?|results?|orders?|analyses|examens|untersuchungen|ergebnisse|pruebas|análisis|resultados|esami|analisi)(?: still)? )?(?:pending|outstanding|to follow|ausstehend|folgen|offen|en attente|en cours|pendientes?|in attesa|in corso|afventer)(?: (?:tests?|results?|orders?))?\s*:\s*(\S.*)$/iu

/** The tests that a line lists as still to come: "Tests pending: TSH, Ferritin". */
export function pendingIn(text: string): string[] {
  const [, list = ''] = pendingList.exec(text.trim()) ?? []
  const names = list.replace(/\.$/, '').split(/\s*[,;]\s*|\s+(?:and|und|et|y|e|og)\s+/)
  return names.filter((name) => /\p{L}{2}/u.test(name) && name.split(' ').length <= 6)
}

/** The status of a row without a value below such a title. */
export function statusUnder(title: Title | undefined): 'pending' | 'cancelled' | 'not-done' | undefined {
  const text = title?.text ?? ''
  if (!isTitleOfUndone(text)) return undefined
  if (/not (?:done|performed)/i.test(text)) return 'not-done'
  return /cancel|reject|storn|annul|anulad/i.test(text) ? 'cancelled' : 'pending'
}

/** Words of a title that says what stands below it. */
const LONGEST_TITLE = 5

/** What a line says of the rows below it. Another person's results end where the person's own are said to begin. */
export function titleUnder(before: Title | undefined, text: string): Title {
  const [line] = linesOfText([[text]])
  if (isOfPatient(text) || !line) return { text, holds: 'results' }
  if (isOfAnother(text) || anothersIn(text)) return { text, holds: 'notOwn' }
  if (isTitleOfUndone(text) || provoked.test(text)) return { text, holds: 'elsewhere' }
  if (before && (before.holds === 'otherName' || isOfAnother(before.text))) return before
  if (isHarmless(text) || text.split(' ').length > LONGEST_TITLE) {
    // A sentence ends no part about another specimen: "Traces of glucose are common in pregnancy."
    const isKept = before && isOther(before) && (saysSomething.test(text) || !namesPanel(text))
    return isKept ? before : { text, holds: before?.holds ?? 'results' }
  }
  const next = titleOf(line, before ?? noTitle)
  // A title that is not known may be of a part of another specimen, or of one more.
  return before && next.below === text ? next : { text, holds: next.holds }
}

/** Fields of a line of several that say whose the table is: "Name;Rex;Species;Canine", "Patient: Rex;Species: Canine". */
export const fieldsOfOthers = (cells: readonly string[]): string[] =>
  cells
    .flatMap((cell, at) => [cell, `${cell}: ${cells[at + 1] ?? ''}`])
    .filter((field) => statementIn(field) && anothersIn(field))

export const pendingTest = (name: string): Observation => ({
  name,
  valueText: '',
  status: 'pending',
  position: 'the lines around the tables',
  raw: name,
})

/** "Legend: H = high", "L = low", or "* Too little of it; the value is a guess": notes that hold what parts the cells. */
export function notesIn(cells: readonly string[]): string | undefined {
  const said = cells.map((cell) => clean(cell)).filter((cell) => cell !== '')
  if (said.length < 2) return undefined
  if (said.every((cell) => /^[^=\d]*\S\s*=\s*\p{L}[^\d]*$/u.test(cell))) return said.join(', ')
  // "*anti hbs;not detected" is a result.
  const isText = (cell: string) =>
    isProse(`${cell} ${cell}`) && findingOf({ kind: 'presence', expected: [] }, cell) === undefined
  return footnote.test(said[0] ?? '') && said.every(isText) ? said.join('; ') : undefined
}
const footnote = /^(?:\*+|[†‡§#¹²³]|[a-z\d]\)) ?\p{L}/u
