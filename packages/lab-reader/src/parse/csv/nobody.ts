import type { Column, Kind } from '../headings.ts'
import { rangeOf } from '../number.ts'
import { samples } from './control.ts'
import type { Row } from './row.ts'

const people: readonly Kind[] = ['patient', 'givenName', 'familyName', 'patientId', 'born']
const identities: readonly Kind[] = [...samples, 'born']

const limit =
  /^(?:(?:(?:biological )?(?:reference|ref\.?|normal|norm|referenz|alert|critical|detection|quantitation)[ -]?)?(?:ranges?|intervals?|limits?|bereiche?|intervalle?|werte|values?)|reference|(?:lower|upper|low|high|minimum|maximum)(?: (?:reference|normal|ref\.?))?(?: (?:limits?|bounds?|range|value))?|lln|uln|min\.?|max\.?|means?(?: values?)?|averages?|avg\.?|medians?|s\.?d\.?|standard deviation|std\.? ?dev\.?|cv ?%?|cv ?\(%\)|l?lod|l?loq|uloq|limit of (?:detection|quantitation|quantification)|units?|uom|n|count|sum|totals?|targets?|goals?|methods?|referenz(?:bereich|werte?)|norm(?:bereich|werte?|al)|(?:untere|obere)r? (?:grenze|grenzwert|referenzwert)|untergrenze|obergrenze|grenzwerte?|mittelwert|mittel|durchschnitt|standardabweichung|nachweisgrenze|bestimmungsgrenze|einheit(?:en)?|valeurs? (?:de référence|usuelles?|normales?)|normes?|limite (?:inférieure|supérieure)|moyenne|médiane|écart[ -]type|limite de (?:détection|quantification)|unités?|valores? (?:de referencia|normal(?:es)?)|rango(?: de referencia)?|límite (?:inferior|superior|de detección)|media|mediana|desviación(?: estándar| típica)?|unidad(?:es)?|valori (?:di riferimento|normali)|limite (?:inferiore|superiore)|deviazione standard|unità|referenceinterval|reference(?:område|værdi)|nedre grænse|øvre grænse|gennemsnit|enhed(?:er)?)(?: ?[:(].*)?$/iu

const has = (row: Row, kinds: readonly Kind[]) => kinds.some((kind) => row.all(kind).length > 0)

/** A row of limits or means in a table of samples: its label stands where others have a name, or it holds ranges alone. */
export function isLimits(columns: readonly Column[], row: Row): boolean {
  if (!columns.some(({ kind }) => identities.includes(kind)) || has(row, ['born', 'collected'])) return false
  const labels = samples.flatMap((kind) => row.all(kind))
  if (labels.length > 0) return labels.every((label) => limit.test(label))
  const values = columns.flatMap(({ kind }, index) => (kind === 'marker' ? row.at(index) : [])).filter(Boolean)
  if (columns.some(({ kind }) => kind === 'value')) return false
  return values.some((text) => /\d\s*[-–]\s*\d/.test(text)) && values.every((text) => rangeOf(text) !== undefined)
}

/** Rows of a table of people that name nobody, though others do. */
export function namelessRows(columns: readonly Column[], rows: readonly Row[]): Set<Row> {
  const isNamed = (row: Row) => has(row, [...people, 'accession', 'kit'])
  if (!columns.some(({ kind }) => people.includes(kind)) || !rows.some(isNamed)) return new Set()
  return new Set(rows.filter((row) => !isNamed(row)))
}
