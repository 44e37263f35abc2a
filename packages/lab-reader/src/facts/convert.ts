import { inLatin } from './cyrillic-units.ts'
import { exact } from './rules.ts'
import type { Biomarker, Interval } from './schema.ts'
import { ucumFactor } from './ucum.ts'

export interface Converted {
  /** In the biomarker's unit, not rounded: values are compared unrounded. */
  value: number
  factor: number
  offset: number
}

/**
 * A value in the biomarker's own unit: value * factor + offset. Undefined when the unit is unknown or cannot be
 * converted for this biomarker, such as Lp(a) from mg/dL to nmol/L: the report then shows the raw result.
 * A1c in mmol/mol is converted by the NGSP/IFCC master equation.
 */
export function convert(biomarker: Biomarker, value: number, unit: string): Converted | undefined {
  const rule = ruleFor(biomarker, unit)
  if (!rule || !Number.isFinite(value) || (rule.below !== undefined && value >= rule.below)) return undefined
  const { factor, offset } = rule
  return { value: exact(value * factor + offset), factor, offset }
}

/**
 * A printed interval in the biomarker's own unit, by the same rule as its value and not rounded either: a value equal
 * to a printed bound stays equal to it.
 */
export function convertInterval(biomarker: Biomarker, interval: Interval, unit: string): Interval | undefined {
  const rule = ruleFor(biomarker, unit)
  if (!rule) return undefined
  const bound = (x: number | null) => (x === null ? null : exact(x * rule.factor + rule.offset))
  return { ...interval, low: bound(interval.low), high: bound(interval.high) }
}

function ruleFor(biomarker: Biomarker, unit: string): { factor: number; offset: number; below?: number } | undefined {
  if (unit === biomarker.unit || unit === biomarker.displayUnit) return { factor: 1, offset: 0 }
  const isCount = biomarker.unit.startsWith('10*')
  const from = (isCount ? (countIn(unit) ?? thousandsIn(unit, biomarker)) : undefined) ?? normaliseUnit(unit)
  const power = isCount ? powerOf(from, biomarker.unit) : undefined
  if (power !== undefined) return { factor: power, offset: 0 }
  if (from === normaliseUnit(biomarker.unit)) return { factor: 1, offset: 0 }
  if (isDimensionless(biomarker.unit) && ['', '1', '{ratio}', '{index}'].includes(from)) {
    return { factor: 1, offset: 0 }
  }
  const found = biomarker.conversions.find((conversion) => normaliseUnit(conversion.unit) === from)
  if (found) return { factor: found.factor, offset: found.offset ?? 0, below: found.below }
  const factor = ucumFactor(biomarker, from)
  return factor === undefined ? undefined : { factor, offset: 0 }
}

/** Japan prints leukocytes as 10*2/uL and erythrocytes as 10*4/uL, India platelets in lakhs, 10*5/uL: only the power of ten is another one. */
function powerOf(from: string, to: string): number | undefined {
  const one = /^10\*([245])\/uL$/.exec(from)?.[1]
  const other = /^10\*(\d)\/uL$/.exec(to)?.[1]
  return one === undefined || other === undefined ? undefined : 10 ** (Number(one) - Number(other))
}

/** "G/l" and "T/l", as Europe writes 10*9/L and 10*12/L; in small letters they are grams and tons. Only counts of cells. */
export const countIn = (unit: string): string | undefined =>
  ({ G: '10*9/L', T: '10*12/L' })[/^([GT])\/[lL]$/.exec(unit.trim())?.[1] ?? '']

/** "mil/mm³" is a thousand in Portuguese and Spanish, and a million of red cells in English: what is counted in thousands is never that many. */
const thousandsIn = (unit: string, { unit: own }: Biomarker): string | undefined =>
  own === '10*3/uL' && /^mil(?=\W)/i.test(unit.trim()) && normaliseUnit(unit) === '10*6/uL' ? own : undefined

/** Annotations that say what is counted. Others are part of the unit: D-dimer in {FEU} is twice that in {DDU}. */
const saysOnly = /\{(cells?|wbcs?|rbcs?|plts?|platelets|leukocytes|erythrocytes|total|fasting|calc)\}/g

const dimensionless = new Set(['{ratio}', '{index}', '{INR}', '[pH]'])

/** Whether a result in this unit is often printed without any. */
export const isDimensionless = (unit: string): boolean => dimensionless.has(unit)

/**
 * A laboratory's spelling of a unit as UCUM: case, spaces, micro signs, "(calc)" and the usual aliases. Raw units
 * never go to a UCUM library first: it reads K/uL as kelvin per microlitre. An unknown unit is returned unchanged.
 */
export function normaliseUnit(unit: string): string {
  const powers = unit.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (digits) => `^${digits.normalize('NFKC')}`)
  const plain = inLatin(powers.normalize('NFKC').trim())
  const key = plain
    .toLowerCase()
    .replace(/\(calc\)|\s+|^[*·×](?=10)/g, '')
    .replace(/[μµ]/g, 'u')
    .replace('1,73', '1.73')
    .replace(/×/g, 'x')
    .replace(/mc(?=g|mol)/g, 'u')
    .replace(/mcl|micl|mm\^?3|cu\.?mm/g, 'ul')
    .replace(
      /^(?!.*[\d^*])(.+?)(?:per|\/)(.+)$/,
      (_, one: string, other: string) => `${symbolOf(one)}/${symbolOf(other)}`,
    )
    .replace(/m\*2$/, 'm2')
    .replace(/^x?1[.,]?000\//, '10*3/')
    .replace(/^x?\(?10[e^*x]{0,2}\(?([1-9]\d*)\)?\//, '10*$1/')
  const known = spellings.get(key) ?? spellings.get(key.replace(saysOnly, ''))
  return known ?? ofDimer(key) ?? ofCreatinine(key) ?? plain
}

const sizes: Record<string, string> = { milli: 'm', micro: 'u', nano: 'n', pico: 'p', femto: 'f', deci: 'd' }
const measures: Record<string, string> = {
  moles: 'mol',
  mole: 'mol',
  gram: 'g',
  grams: 'g',
  gm: 'g',
  liter: 'l',
  liters: 'l',
  litre: 'l',
}

/** "milligrams" is mg and "gm" g: one side of a unit in words, else as it is. */
function symbolOf(word: string): string {
  const [, size = '', measure = ''] = /^(milli|micro|nano|pico|femto|deci)?(.+)$/.exec(word) ?? []
  const short = measures[measure] ?? (size && /^(?:g|mol|l|iu|u|units?)$/.test(measure) ? measure : undefined)
  return short === undefined ? word : `${sizes[size] ?? ''}${short}`
}

/** "mg/g Krea", "mg/mmol creatinine", "ug/mg creat": for each gram or mole of creatinine. */
function ofCreatinine(key: string): string | undefined {
  const [, amount = ''] =
    /^(mg\/g|ug\/mg|mg\/mmol)[({]?(?:[ck]r|[ck]r(?:e|é)a(?:t(?:inin[ae]?)?)?)[)}]?\.?$/.exec(key) ?? []
  const per = amount === 'ug/mg' ? 'mg/g' : amount
  return per === '' ? undefined : `${per}{creat}`
}

/** D-dimer is counted in two kinds of units, which laboratories print behind it: "mg/L FEU". */
function ofDimer(key: string): string | undefined {
  const [, amount = '', kind = ''] = /^([^({]+)[({]?(feu|ddu)[)}]?$/.exec(key) ?? []
  const known = amount === '' ? undefined : spellings.get(amount)
  return known && `${known}{${kind.toUpperCase()}}`
}

/** Whether a spelling is in the table of aliases, so that its meaning is certain. */
export function isKnownUnit(unit: string): boolean {
  return spellings.has(normaliseUnit(unit).toLowerCase()) && unit.trim() !== ''
}

const canonical = [
  ...[
    '%',
    'U/L',
    'ukat/L',
    'fL',
    'pg',
    'mm/h',
    's',
    'L/L',
    '1',
    'mmol/mol',
    '{ratio}',
    '{index}',
    '{titer}',
    '/uL',
    '{cells}/uL',
    'mg/g',
    'mg/g{creat}',
    'mg/mmol{creat}',
  ],
  ...['ug/g', 'g/dL', 'mg/dL', 'ug/dL', 'ng/dL', 'g/L', 'mg/L', 'ug/L', 'ng/L', 'ug/mL', 'ng/mL', 'pg/mL'],
  ...[
    'mmol/L',
    'umol/L',
    'nmol/L',
    'pmol/L',
    'meq/L',
    '10*2/uL',
    '10*3/uL',
    '10*4/uL',
    '10*5/uL',
    '10*6/uL',
    '10*9/L',
    '10*12/L',
  ],
  ...['[IU]/mL', '[IU]/L', 'k[IU]/L', 'kU/L', 'U/mL', 'm[IU]/L', 'm[IU]/mL', 'u[IU]/mL', 'mL/min/{1.73_m2}'],
]

/** An hour in Polish, Czech, Hungarian, Lithuanian, Dutch, Indonesian, Norwegian, Vietnamese, Greek, Chinese and Korean. */
const perHour = [
  'godz',
  'godz.',
  'hod',
  'hod.',
  'óra',
  'val',
  'val.',
  'uur',
  'jam',
  'time',
  'giờ',
  'ώρα',
  '小时',
  '小時',
]
  .concat(['시간', '時間'])
  .map((hour) => `mm/${hour}`)

const aliases: Record<string, string[]> = {
  '%': ['percent', 'pct', '%oftotalhgb', '%oftotalhb', '%ngsp', '%byngsp', '%hb', '%a1c'],
  '[IU]/mL': ['iu/ml', 'ui/ml', 'ie/ml'],
  'U/L': ['units/l', 'unit/l'],
  'mosm/kg': ['mosm/kg', 'mosmol/kg', 'mosm/kgh2o', 'mosmol/kgh2o'],
  '[IU]/L': ['iu/l', 'ui/l', 'u.i./l', 'ie/l'],
  'k[IU]/L': ['kiu/l', 'kui/l', 'kie/l'],
  // Units of antibodies against one allergen, which are those of all IgE.
  'kU/L': ['ke/l', 'kua/l', 'kuia/l'],
  // Denmark prints 10^-3 IU/L.
  'm[IU]/L': [
    'miu/l',
    'mu/l',
    'mui/l',
    'mie/l',
    '10^-3iu/l',
    '10*-3iu/l',
    'x10^-3iu/l',
    '10-3iu/l',
    '10^-3int.enh./l',
    '10*-3int.enh./l',
  ],
  'm[IU]/mL': ['miu/ml', 'mu/ml', 'mui/ml', 'mie/ml'],
  'u[IU]/mL': ['uiu/ml', 'uu/ml', 'uui/ml', 'uie/ml'],
  'ug/g': ['mg/kg', 'microg/g'],
  'ukat/L': ['microkat/l'],
  'ug/L': ['microg/l'],
  'ug/dL': ['microg/dl'],
  '10*3/uL': [
    '/nl',
    'k/ul',
    'x1000/ul',
    '1000/ul',
    'thousand/ul',
    'thous/ul',
    'thou/ul',
    'th/ul',
    'k/cmm',
    'tsd./ul',
    'tsd/ul',
    'tys/ul',
    'tys./ul',
    'tis./ul',
    'tis/ul',
    'ribu/ul',
    'bin/ul',
    'mii/ul',
  ],
  '10*6/uL':
    '/pl m/ul million/ul mill/ul mil/ul m/cmm mio./ul mio/ul mln/ul mln./ul milhões/ul juta/ul milioane/ul milyon/ul'.split(
      ' ',
    ),
  '10*4/uL': ['万/ul'],
  '10*5/uL': ['lakhs/ul', 'lakh/ul', 'lacs/ul', 'lac/ul'],
  '10*9/L': ['e9/l', 'giga/l', 'giga.l-1', 'gpt/l'],
  '10*12/L': ['e12/l', 'tera/l', 'tera.l-1', 'tpt/l'],
  '{cells}/uL': ['cells/ul', 'cell/ul'],
  'mL/min/{1.73_m2}': [
    '1.73',
    '1.73sqm.',
    '1.73sq.m.',
    '1.73sq.m',
    '1.73qm',
    '1.73m2',
    '1.73m^2',
    '1.73sqm',
    '(1.73m2)',
    '{1.73m2}',
    '1.73_m2',
  ].map((m) => `ml/min/${m}`),
  'mm/h': ['mm/hr', 'mm/hour', 'mm/1h', 'mm/1hr', 'mm/1sthr', 'mm/1sthour', 'mm/saat', ...perHour],
  'mmol/mol': ['mmol/mol{hb}', 'mmol/molhb'],
  'g/dL': ['g/100ml', 'gm%', 'g%'],
  'mg/dL': ['mg/100ml', 'mg%'],
  fL: ['um^3', 'um3'],
  s: 'sec sec. secs seconds second sek sek. sekunden secondes segundos seg seg. secondi sekunder saniye sn'.split(' '),
  pg: ['pg/cell', 'pg/{cell}', 'pg/{cells}'],
  '{ratio}': ['ratio'],
  '{index}': ['index'],
  '{INR}': ['inr'],
  '1': ['{fraction}'],
  '[pH]': ['ph', 'phunits'],
  '/[HPF]': ['/hpf', 'hpf', 'perhpf'],
  // Nothing but creatinine is what laboratories count by the millimole.
  'mg/mmol{creat}': ['mg/mmol'],
  '{titer}': ['titer', 'titre', 'titr', '{titre}'],
}

const spellings = new Map([
  ...canonical.map((unit) => [unit.toLowerCase(), unit] as const),
  ...Object.entries(aliases).flatMap(([unit, names]) => names.map((name) => [name, unit] as const)),
  ['', ''] as const,
])
