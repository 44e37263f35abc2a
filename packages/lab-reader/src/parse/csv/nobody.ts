import type { Column, Kind } from '../headings.ts'
import type { LeftOut } from '../left-out.ts'
import { rangeOf } from '../number.ts'
import { samples } from './control.ts'
import type { Row } from './row.ts'

const people: readonly Kind[] = ['patient', 'givenName', 'familyName', 'patientId', 'born']
const identities: readonly Kind[] = [...samples, 'born']

const limit =
  /^(?:(?:(?:biological )?(?:reference|ref\.?|normal|norm|referenz|alert|critical|detection|quantitation)[ -]?)?(?:ranges?|intervals?|limits?|bereiche?|intervalle?|werte|values?)|reference|(?:lower|upper|low|high|minimum|maximum)(?: (?:reference|normal|ref\.?))?(?: (?:limits?|bounds?|range|value))?|lln|uln|min\.?|max\.?|means?(?: values?)?|averages?|avg\.?|medians?|s\.?d\.?|standard deviation|std\.? ?dev\.?|cv ?%?|cv ?\(%\)|l?lod|l?loq|uloq|limit of (?:detection|quantitation|quantification)|units?|uom|n|count|sum|totals?|targets?|goals?|methods?|referenz(?:bereich|werte?)|norm(?:bereich|werte?|al)|(?:untere|obere)r? (?:grenze|grenzwert|referenzwert)|untergrenze|obergrenze|grenzwerte?|mittelwert|mittel|durchschnitt|standardabweichung|nachweisgrenze|bestimmungsgrenze|einheit(?:en)?|valeurs? (?:de référence|usuelles?|normales?)|normes?|limite (?:inférieure|supérieure)|moyenne|médiane|écart[ -]type|limite de (?:détection|quantification)|unités?|valores? (?:de referencia|normal(?:es)?)|rango(?: de referencia)?|límite (?:inferior|superior|de detección)|media|mediana|desviación(?: estándar| típica)?|unidad(?:es)?|valori (?:di riferimento|normali)|limite (?:inferiore|superiore)|deviazione standard|unità|referenceinterval|reference(?:område|værdi)|nedre grænse|øvre grænse|gennemsnit|enhed(?:er)?|referans(?: aralığı| değerleri)?)(?: ?[:(].*)?$/iu

const has = (row: Row, kinds: readonly Kind[]) => kinds.some((kind) => row.all(kind).length > 0)

/** Which printed range a row of limits holds; none of means, goals, methods and the limits of an alarm or of the instrument. */
const rangeLabels: readonly ['range' | 'low' | 'high', RegExp][] = [
  [
    'range',
    /^(?:(?:biological )?(?:reference|ref\.?|normal|norm|referenz)[ -]?(?:ranges?|intervals?|limits?|bereiche?|intervalle?|werte|values?)?|ranges?|intervals?|normal(?:bereich|werte?)|valeurs? (?:de référence|usuelles?|normales?)|normes?|valores? (?:de referencia|normal(?:es)?)|rango(?: de referencia)?|valori (?:di riferimento|normali)|referenceinterval|reference(?:område|værdi)|referans(?: aralığı| değerleri)?)$/iu,
  ],
  [
    'low',
    /^(?:(?:lower|low|minimum)(?: (?:reference|normal|ref\.?))?(?: (?:limits?|bounds?|range|value))?|lln|min\.?|untere[rn]? (?:grenze|grenzwert|referenzwert)|untergrenze|limite inférieure|límite inferior|limite inferiore|nedre grænse)$/iu,
  ],
  [
    'high',
    /^(?:(?:upper|high|maximum)(?: (?:reference|normal|ref\.?))?(?: (?:limits?|bounds?|range|value))?|uln|max\.?|obere[rn]? (?:grenze|grenzwert|referenzwert)|obergrenze|limite supérieure|límite superior|limite superiore|øvre grænse)$/iu,
  ],
]

const labelOf = (row: Row): string => samples.flatMap((kind) => row.all(kind))[0] ?? ''
const bareLabel = (label: string): string => /^([^(:]*?)\s*(?:[(:].*)?$/.exec(label)?.[1] ?? ''
const isRangeLabel = (label: string): boolean => rangeLabels.some(([, pattern]) => pattern.test(bareLabel(label)))

/** Rows of limits that print no range of their columns: means, limits of the method, counts. */
export const unusedLimits = (limits: readonly Row[]): LeftOut[] =>
  limits.flatMap((row) => {
    const label = labelOf(row)
    return label === '' || isRangeLabel(label) ? [] : [{ position: `row ${row.number}`, because: label }]
  })

/** The range that rows of limits print for a column. Ranges of several groups of people are text. */
export function rangeOfColumn(limits: readonly Row[], index: number): string | undefined {
  const printed = limits.flatMap((row) => {
    const text = row.at(index)
    const [label = ''] = samples.flatMap((kind) => row.all(kind))
    const [, bare = '', group = ''] = /^([^(:]*?)\s*(?:[(:]\s*(.*?)\)?)?$/.exec(label) ?? []
    const kind = label === '' ? 'range' : rangeLabels.find(([, pattern]) => pattern.test(bare))?.[0]
    return kind === undefined || text === '' ? [] : [{ kind, group, text }]
  })
  const of = (kind: 'range' | 'low' | 'high') => printed.filter((one) => one.kind === kind)
  const [ranges, [low], [high]] = [of('range'), of('low'), of('high')]
  if (printed.some(({ group }) => group !== '') || ranges.length > 1)
    return printed.map(({ group, text }) => (group ? `${group}: ${text}` : text)).join('; ')
  if (ranges[0]) return ranges[0].text
  if (low && high) return `${low.text}-${high.text}`
  const signed = (sign: string, { text }: { text: string }) => (/^\d/.test(text) ? sign + text : text)
  return low ? signed('>=', low) : high && signed('<=', high)
}

/** A row of limits or means in a table of samples: its label stands where others have a name, or it holds ranges alone. */
export function isLimits(columns: readonly Column[], row: Row): boolean {
  if (!columns.some(({ kind }) => identities.includes(kind)) || has(row, ['born', 'collected'])) return false
  const labels = samples.flatMap((kind) => row.all(kind))
  if (labels.length > 0) return labels.every((label) => limit.test(label))
  const values = columns.flatMap(({ kind }, index) => (kind === 'marker' ? row.at(index) : [])).filter(Boolean)
  if (columns.some(({ kind }) => kind === 'value')) return false
  return values.some((text) => /\d\s*[-–]\s*\d/.test(text)) && values.every((text) => rangeOf(text) !== undefined)
}

/** What a row lacks that the others of its table have, unless a line above says it of all. */
export interface Lack {
  of: 'patient' | 'collectedDate' | 'accession'
  because: string
}

/** Rows that may be of no sample: they name nobody, have no day or no number, though others do. */
export function lacksIn(columns: readonly Column[], rows: readonly Row[]): Map<Row, Lack[]> {
  const isNamed = (row: Row) => has(row, [...people, 'accession', 'kit'])
  const isOfSample = (row: Row) => has(row, [...samples, 'collected'])
  const isDated = (row: Row) => has(row, ['collected'])
  // Under "ID" each has a number, and a mean has words; a row with its day may lack it.
  const numbered = columns.findIndex(
    ({ kind, heading }) => ['accession', 'kit', 'patientId'].includes(kind) || /^(?:id|nr|no)\.?$/i.test(heading),
  )
  const hasNumber = (row: Row) => /[\d@]/.test(row.at(numbered))
  const isNumbered = (row: Row) => hasNumber(row) || (row.at(numbered) === '' && isDated(row))
  const isWide = !columns.some(({ kind }) => kind === 'name')
  const isUsual = (is: (row: Row) => boolean) => rows.filter(is).length * 2 > rows.length
  const rules: [boolean, (row: Row) => boolean, Lack][] = [
    [
      columns.some(({ kind }) => people.includes(kind)) && rows.some(isNamed),
      isNamed,
      { of: 'patient', because: 'The row names nobody, unlike the others' },
    ],
    [
      isWide ? rows.some(isDated) : isUsual(isOfSample),
      isWide ? isDated : isOfSample,
      { of: 'collectedDate', because: 'The row has no day, unlike the others' },
    ],
    [
      isWide && numbered >= 0 && rows.some(hasNumber),
      isNumbered,
      { of: 'accession', because: 'The row has no number, unlike the others' },
    ],
  ]
  const held = rules.filter(([isRule]) => isRule)
  return new Map(rows.map((row) => [row, held.flatMap(([, has, lack]) => (has(row) ? [] : [lack]))]))
}
