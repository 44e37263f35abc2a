import { otherSpecimen, urinePanel } from '../../facts/name-words.ts'
import { isBlood, specimensIn } from '../../facts/specimens.ts'
import { anyHeading } from '../headings-abroad.ts'
import { isPrintedNumber } from '../number.ts'
import type { Doubt } from '../parsed.ts'
import { ofAnother, withoutLot } from '../specimen-words.ts'
import { everyDay } from './head.ts'
import type { Line } from './text.ts'

/** What a part of a page holds: results of this sample, or what only looks like them. */
export type Holds = 'results' | 'earlier' | 'notOwn' | 'otherName' | 'elsewhere' | 'legend'

/** Why a number in such a part waits for a person. */
export const doubtIn: Record<Holds, Doubt | undefined> = {
  results: undefined,
  earlier: 'earlierOrGoal',
  notOwn: 'notOwn',
  otherName: 'otherName',
  elsewhere: 'otherPart',
  legend: 'otherPart',
}

export interface Title {
  text: string
  holds: Holds
  /** A title below it that is not known to end it: it may. */
  below?: string
}

export const noTitle: Title = { text: '', holds: 'results' }

/** Beginnings of titles in English, German, French, Spanish, Italian and Danish. */
const starts = (...words: string[]) =>
  new RegExp(String.raw`^(?:your |ihre? |vos |sus )?(?:${words.join('|')})(?!\p{L})`, 'iu')

const parts: [Exclude<Holds, 'results'>, RegExp][] = [
  [
    'earlier',
    /\((?:previous|prior|earlier)\b|\b(?:previous|prior|earlier|historical|cumulative|past|last) (?:\p{L}+ )?(?:results?|values?|reports?|data|visits?|labs|measurements?)\b/iu,
  ],
  [
    'earlier',
    starts(
      'history|trends?|averages?|mean values?|medians?|(?:treatment |therapy )?(?:goals?|targets?)(?: values?| ranges?)?',
      'vorwerte?|vorbefunde?|verlauf|frühere (?:werte|befunde|ergebnisse)|mittelwerte?|durchschnitt\\p{L}*|zielwerte?|zielbereiche?',
      'antériorités?|historique|(?:résultats?|valeurs?) (?:antérieure?s?|précédente?s?)|moyennes?|objectifs?',
      'histori(?:al|a)|(?:resultados?|valores) (?:anteriores|previos)|promedios?|objetivos?',
      'storico|(?:risultati|valori|referti) precedenti|medie|valori medi|obiettivi',
      anyHeading('previous'),
      anyHeading('goals'),
      'aiemmat|eelmised|iepriekšēj\\p{L}*|ankstes\\p{L}*|предыдущ\\p{L}*|попередні (?:результати|показники|аналізи)|предишн\\p{L}*|prethodn\\p{L}*|prejšnj\\p{L}*|korábbi|előző|προηγούμεν\\p{L}*|fyrri|poprzedni\\p{L}*|předchozí|predchádzajúc\\p{L}*|önceki|geçmiş|anteriores|sebelumnya|上次|前次|历史|既往|이전|과거|السابقة|קודמ\\p{L}*',
      'historik|(?:tidligere|forrige) (?:svar|resultater|værdier|prøver)|gennemsnit\\p{L}*|mål',
    ),
  ],
  ['notOwn', ofAnother],
  [
    'elsewhere',
    starts(
      '(?:outside|external|imported|self-reported|patient-reported|home) (?:results?|values?|tests?|labs?|measurements?)|(?:current )?medications?(?: list)?|(?:sample|example) (?:report|results?)|examples?$',
      'beispiele?$|medikation|exemples?$|ejemplos?$|esempi[o]?$|eksempler?$',
    ),
  ],
  [
    'legend',
    starts(
      '(?:explanation|key|legend|interpretation|interpretive|(?:ige |rast )?class(?:es)? legend)(?: .*)?',
      '(?:critical|panic|alert|decision|action|reporting|detection|therapeutic|toxic|normal|reference|expected|desirable|typical|example|sample) (?:values?|limits?|ranges?|intervals?|levels?|population|results?|thresholds?)',
      'limits? of (?:detection|quantitation|quantification|blank)|lo[dq]|cut-?offs?|measuring ranges?|analytical|performance|precision|interferences?',
      'conversions?|classification|categor(?:y|ies)|(?:risk|guideline) .*|guidelines?|recommendations?|method comparison',
      'erläuterung\\p{L}*|legende|interpretation|grenzwerte?|kritische werte|alarmwerte?|nachweisgrenzen?|bestimmungsgrenzen?|messbereiche?|normwerte?|referenzwerte?|referenzbereiche?|umrechnung\\p{L}*|einteilung|bewertung\\p{L}*|risikoklassen?',
      'légende|interprétation|(?:valeurs|seuils) (?:critiques?|de référence|usuelles|d.alerte|normales)|limites? de (?:détection|quantification)|conversions?|classification',
      'leyenda|interpretación|(?:valores|límites) (?:críticos|de referencia|normales|de alerta|de detección)|conversión|clasificación',
      'legenda|interpretazione|(?:valori|limiti) (?:critici|di riferimento|normali|di allarme|di rilevabilità)|conversione|classificazione',
      'forklaring|fortolkning|kritiske (?:værdier|grænser)|referenceværdier|referenceintervaller|detektionsgrænser?|omregning|klassifikation',
    ),
  ],
]

/** Only the title of another panel ends a part about another specimen: a line too many only waits for a person. */
const panelTitle =
  /(?<!\p{L})(panel|profile|serolog\p{L}*|coagulation|gerinnung|cbc|metabolic|lipids?|thyroid|hormones?|(?:your|test|lab|laboratory|current) results?|blood|serum|plasma|siero|suero|soro|surowica|chemistry|hematology|(?:cell|complete|full|platelet|differential) count|comp|vitamins?|hemoglobin|cardio\w*|testosterone|blut\p{L}*|(?:groß|klein)es blutbild|hämatologie|sang|hématologie|sangre|hematología|sangue|ematologia|blod\p{L}*|hæmatologi)(?!\p{L})/iu
export const saysSomething =
  /(?<!\p{L})(?:may|can|could|is|are|was|were|has|have|had|been|be|should|must|follow\w*|indicat\w+|suggest\w*|please|if|trace|wird|wurden?|kann|ist|sind|est|sont|peut|puede|es|può)(?!\p{L})/iu

/** "SPOT URINE collected 08:20": neither the time nor a colon or the lot of a control is part of the title. */
const withoutTime = (text: string) =>
  withoutLot(text.trim())
    .replace(/:$/, '')
    .replace(/[,;(–-]?\s*(?:\p{L}+ )?(?:at |um |à |a las |alle |kl\. ?)?\d{1,2}[:.]\d{2}(?: ?[ap]m| uhr)?\)?$/iu, '')
    .trim()

/** A sentence of Japanese, which has no spaces: its verb or what ends it. */
export const isJapaneseSentence = (text: string): boolean =>
  /[\u3041-\u30ff\u4e00-\u9fff].*(?:。|ます|です|ました|ません|ください|下さい|ため|あり$|なし$|不良|不可|不能)/u.test(
    text,
  )

/** "For the purpose of screening for the presence of diabetes:" is no title. */
const MOST_WORDS = 8

/** A short line of words that says nothing of anything: no sentence, no field, no number. */
export function isTitle(line: Line): boolean {
  const text = withoutTime(line.text)
  const isShort = text.length <= 60 && text.split(' ').length <= MOST_WORDS && !isJapaneseSentence(text)
  return isShort && !/[.:;<>≤≥=]|\d{3}/.test(text) && /\p{L}{2}/u.test(text) && !saysSomething.test(text)
}

/** "(1) Enzymatic   (2) Turbidimetry": footnotes side by side. */
export const areFootnotes = ({ cells }: Line): boolean =>
  cells.length > 1 && cells.every(({ text }) => /^[([]?\d{1,2}[)\]] ?\S/.test(text))

/** Titles of blood that may as well be of a part of another specimen. */
const ofAnything = /^(?:chemistry|hormones?|(?:cell |colony )?counts?|vitamins?|hemoglobin)$/i
const isPanel = (text: string) => panelTitle.test(text) && !saysSomething.test(text) && text.split(' ').length <= 6

/** What other titles do not end: another specimen, and what holds no results of this sample. */
export const isOther = ({ text, holds }: Title) =>
  holds !== 'results' ||
  (text.length <= 60 && (otherSpecimen.test(text) || urinePanel.test(text) || isOtherMaterial(text)))
/** "Feces", "Selles": a title that is nothing but a material. */
const isOtherMaterial = (text: string): boolean => {
  const named = text.split(' ').length > 3 ? [] : (specimensIn(text) ?? [])
  return named.length > 0 && !isBlood(named)
}

/** A sentence that introduces values which nobody measured. */
const supposed =
  /(?<!\p{L})(?:would|could|might|may|should) (?:\p{L}+ )?(?:be|look|become|reach|have)(?!\p{L})[^.]*:$|\b(?:projected|predicted|simulated|hypothetical|estimated future) (?:results?|values?)\b/iu

/** What a line says that its part of the page holds, if it is a title. A lot or a day may stand beside it. */
export function holdsOf(line: Line): Holds {
  const [first, ...rest] = line.cells
  if (rest.length === 0 && supposed.test(line.text.trim())) return 'elsewhere'
  if (
    !first ||
    line.text.length > 60 ||
    rest.length > 1 ||
    rest.some(({ text }) => text.length > 20 || /[:;.]/.test(text) || isPrintedNumber(text))
  )
    return 'results'
  // With a number that is no day, or words behind a colon, it is a remark: "Previous result: 6.1 on 3 May 2024".
  const undated = line.text.replace(everyDay, ' ').replace(/\b(?:19|20)\d\d\b/g, ' ')
  if (/\d[.,]\d|\b\d{2}\b|:\s*\S/.test(undated)) return 'results'
  const title = withoutTime(first.text)
  const holds = parts.find(([, pattern]) => pattern.test(title))?.[0] ?? 'results'
  // Only earlier results have titles with a day.
  return holds === 'earlier' || isTitle({ ...line, text: title }) ? holds : 'results'
}

/** Not "MCV (mean corpuscular volume)". */
const earlierInBrackets = /\b(?:previous|prior|earlier|old)\b|^(?:avg\.?|average|mean|median)(?: values?| of .*)?$/i

/** What the words in brackets behind a name say: "Potassium [QC level 2]", "Calcium (mean)", "Magnesium [2024-01-10]". */
export function holdsInBrackets(name: string): Holds {
  const said = [...name.matchAll(/[[(]([^\])]{2,40})[\])]/g)].map(([, words = '']) => words)
  const isEarlier = (words: string) => earlierInBrackets.test(words) || words.search(everyDay) === 0
  if (said.some(isEarlier)) return 'earlier'
  return said.some((words) => parts.some(([holds, pattern]) => holds === 'notOwn' && pattern.test(words)))
    ? 'notOwn'
    : 'results'
}

/** Whether a text names a panel that a laboratory does in blood. */
export const namesPanel = (text: string): boolean => panelTitle.test(text)

/** Whether a title is the one of a panel that a laboratory does in blood. */
export const isOfBlood = ({ text, holds }: Title): boolean => holds === 'results' && isPanel(text)

/** `isFirst`: no result stands between both titles, so that this one may be the title of a part of the other. */
export function titleOf(line: Line, before: Title, isFirst = false): Title {
  const text = withoutTime(line.text.replace(/\(cont\.?\)|\(continued\)/i, ''))
  const title: Title = { text, holds: holdsOf(line) }
  if (isOther(title)) return title
  if (!isTitle(line) || line.cells.length > 1) return before
  const isKept = isOther(before) && (!isPanel(text) || (isFirst && ofAnything.test(text)))
  return isKept ? { ...before, below: text } : title
}

const specimenLabel = new RegExp(
  String.raw`(?<!\p{L})(?:(?:specimen|sample|material|source)(?: (?:type|source)| \d)?|${anyHeading('specimen')})\s*:\s*((?:\d{1,2}[ -]?)?\p{L}[^:]{2,40}?|[\p{Script=Han}\p{Script=Hangul}]{1,3})(?=(?:, (?:\d{1,2}[ ./-](?:\p{L}{3,9}|\d{1,2})[ ./-]\d{4}|\d{4}-\d{2}-\d{2})(?:,? \d{1,2}[:.]\d{2})?)?(?:\s{2,}|$))`,
  'iu',
)

/** "Specimen: Urine", "Material: Serum": holds until the next one. A number behind it is the sample's. */
export function labelledSpecimen({ text }: Line): string | undefined {
  const said = specimenLabel.exec(text)?.[1]
  const named = specimensIn(said)
  return named === undefined || (named.length === 0 && /\d/.test(said ?? '')) ? undefined : said
}

const letters: Record<string, string> = {
  S: 'serum',
  P: 'plasma',
  B: 'blood',
  U: 'urine',
  VB: 'blood',
  AB: 'arterial blood',
  KB: 'capillary blood',
  SG: 'blood',
}
/** A column of materials has their letters, or their names. */
export const materialOf = (cell: string): string => letters[cell.toUpperCase()] ?? cell

/** "P-Kalium", "U-Albumin", as laboratories of the Nordic countries write; not "P-ANCA" or "B-type natriuretic peptide". */
const prefixed = /^f?([SPBU]|vB|aB|kB|Sg)-(?!ANCA|selectin|natriuretic|type|cells?\b|lymph)(\p{L}{2}.*)$/u

/** What a column of specimens, or a letter before a name, says, and the name without it. */
export function specimenOf(column: string, name: string): { specimen?: string; alsoCalled?: string[] } {
  // "P-Natrium / P-Natrium" has its letter in each of its languages.
  const sides = name.split(' / ').map((side) => prefixed.exec(side))
  const letter = sides[0]?.[1] ?? ''
  const isOne = sides.every((side) => side?.[1] === letter)
  const bare = isOne ? sides.map((side) => side?.[2]).join(' / ') : prefixed.exec(name)?.[2]
  const specimen = materialOf(column) || letters[letter.toUpperCase()]
  return { ...(specimen && { specimen }), ...(bare && { alsoCalled: [bare] }) }
}
