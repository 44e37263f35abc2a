import type { Expected } from '../truth.ts'

export const tongues = ['en', 'de', 'fr', 'es', 'nl', 'sv'] as const
export type Tongue = (typeof tongues)[number]

/** How a country prints an analyte: unit, interval, decimals. */
interface Printing {
  unit: string
  low: number
  high: number
  decimals: number
}

interface Analyte {
  id: string
  loinc: string
  /** The unit of LOINC's property, and the one that most of Europe prints. */
  mass: Printing
  si: Printing
  names: Record<Tongue, string>
}

const printing = (text: string): Printing => {
  const [unit = '', low, high, decimals] = text.split(' ')
  return { unit, low: Number(low), high: Number(high), decimals: Number(decimals) }
}

// Names of French results follow valeurs_normales.md of scherkao31/assistant-labo-francais; Swedish ones have the letter of the
// system before the name, as NPU's short names do.
const table = `
sodium|2951-2|mmol/L 136 145 0||Sodium|Natrium|Sodium|Sodio|Natrium|P-Natrium
potassium|2823-3|mmol/L 3.5 5.1 1||Potassium|Kalium|Potassium|Potasio|Kalium|P-Kalium
creatinine|2160-0|mg/dL 0.60 1.20 2|µmol/L 53 106 0|Creatinine|Kreatinin|Créatinine|Creatinina|Kreatinine|P-Kreatinin
ferritin|2276-4|ng/mL 30 300 0|µg/L 30 300 0|Ferritin|Ferritin|Ferritine|Ferritina|Ferritine|P-Ferritin
hemoglobin|718-7|g/dL 12.0 16.0 1|g/L 120 160 0|Hemoglobin|Hämoglobin|Hémoglobine|Hemoglobina|Hemoglobine|B-Hemoglobin
alt|1742-6|U/L 10 40 0||ALT|GPT (ALT)|ALAT|ALT (GPT)|ALAT|P-ALAT
calcium|17861-6|mg/dL 8.6 10.2 1|mmol/L 2.15 2.55 2|Calcium|Calcium|Calcium|Calcio|Calcium|P-Calcium
total_cholesterol|2093-3|mg/dL 120 200 0|mmol/L 3.0 5.0 1|Cholesterol, Total|Cholesterin|Cholestérol total|Colesterol total|Cholesterol|P-Kolesterol
tsh|3016-3|mIU/L 0.40 4.00 2|mU/L 0.40 4.00 2|TSH|TSH|TSH|TSH|TSH|P-TSH
platelets|777-3|10*3/uL 150 400 0|10*9/L 150 400 0|Platelets|Thrombozyten|Plaquettes|Plaquetas|Trombocyten|B-Trombocyter
uric_acid|3084-1|mg/dL 3.5 7.2 1|µmol/L 200 420 0|Uric Acid|Harnsäure|Acide urique|Ácido úrico|Urinezuur|P-Urat
magnesium|19123-9|mg/dL 1.7 2.4 1|mmol/L 0.70 1.00 2|Magnesium|Magnesium|Magnésium|Magnesio|Magnesium|P-Magnesium
triglycerides|2571-8|mg/dL 50 150 0|mmol/L 0.5 1.7 1|Triglycerides|Triglyceride|Triglycérides|Triglicéridos|Triglyceriden|P-Triglycerid
wbc|6690-2|10*3/uL 4.0 10.0 1|10*9/L 4.0 10.0 1|WBC|Leukozyten|Leucocytes|Leucocitos|Leukocyten|B-Leukocyter
chloride|2075-0|mmol/L 98 107 0||Chloride|Chlorid|Chlore|Cloruro|Chloride|P-Klorid
albumin|1751-7|g/dL 3.5 5.0 1|g/L 35 50 0|Albumin|Albumin|Albumine|Albúmina|Albumine|P-Albumin
hdl|2085-9|mg/dL 40 80 0|mmol/L 1.0 2.1 1|HDL Cholesterol|HDL-Cholesterin|Cholestérol HDL|Colesterol HDL|HDL-cholesterol|P-HDL-kolesterol
vitamin_b12|2132-9|pg/mL 200 900 0|pmol/L 150 650 0|Vitamin B12|Vitamin B12|Vitamine B12|Vitamina B12|Vitamine B12|P-Vitamin B12
ast|1920-8|U/L 10 40 0||AST|GOT (AST)|ASAT|AST (GOT)|ASAT|P-ASAT
free_t4|3024-7|ng/dL 0.80 1.80 2|pmol/L 12.0 22.0 1|Free T4|Freies T4|T4 libre|T4 libre|Vrij T4|P-T4, fritt
crp|1988-5|mg/L 0.0 5.0 1||C-Reactive Protein|CRP|CRP|Proteína C reactiva|CRP|P-CRP
iron|2498-4|ug/dL 50 170 0|µmol/L 10 30 0|Iron|Eisen|Fer|Hierro|IJzer|P-Järn
hba1c|4548-4|% 4.0 5.6 1|mmol/mol 20 38 0|Hemoglobin A1c|HbA1c|HbA1c|HbA1c|HbA1c|B-HbA1c
bilirubin_total|1975-2|mg/dL 0.2 1.2 1|µmol/L 3 21 0|Bilirubin, Total|Bilirubin gesamt|Bilirubine totale|Bilirrubina total|Bilirubine totaal|P-Bilirubin
`

const analytes: readonly Analyte[] = table
  .trim()
  .split('\n')
  .map((row) => {
    const [id = '', loinc = '', mass = '', si = '', en = '', de = '', fr = '', es = '', nl = '', sv = ''] =
      row.split('|')
    return {
      ...{ id, loinc, mass: printing(mass), si: printing(si || mass) },
      names: { en, de, fr, es, nl, sv },
    }
  })

/** An analyte with the value that a made-up person has of it. */
export interface Taken {
  id: string
  loinc: string
  name: string
  unit: string
  value: number
  /** The value as it is printed, with a point. */
  text: string
  low: string
  high: string
  flag: '' | 'H' | 'L'
}

/** `count` analytes of the table from a place that `index` decides, with values from a little below to a little above the interval. */
export function take(
  index: number,
  count: number,
  { tongue = 'en', si = false, not = [] }: { tongue?: Tongue; si?: boolean; not?: readonly string[] } = {},
): Taken[] {
  const allowed = analytes.filter(({ id }) => !not.includes(id))
  return Array.from({ length: count }, (_, place) => {
    const one = allowed[(index * 5 + place) % allowed.length]
    if (!one) throw new Error('no such analyte')
    const { unit, low, high, decimals } = si ? one.si : one.mass
    const share = ((index * 13 + place * 7) % 16) / 10 - 0.2
    // Half of the lower bound is still a value that people have.
    const raw = Math.max(low / 2, low + Math.max(low === 0 ? 0.1 : -0.2, share) * (high - low))
    const text = raw.toFixed(decimals)
    const value = Number(text)
    return {
      ...{ id: one.id, loinc: one.loinc, name: one.names[tongue], unit, value, text },
      ...{ low: low.toFixed(decimals), high: high.toFixed(decimals) },
      flag: value < low ? 'L' : value > high ? 'H' : '',
    }
  })
}

/** The same analyte with another value, as of an earlier day. */
export const earlier = ({ text, value }: Taken, share = 1.13): string => {
  const decimals = text.split('.')[1]?.length ?? 0
  return (value * share + 10 ** -decimals).toFixed(decimals)
}

type Result = Expected & { as: 'result' }

export const is = (one: Taken, more: Partial<Result> = {}): Expected => ({
  as: 'result',
  biomarkerId: one.id,
  text: one.text,
  value: one.value,
  unit: one.unit,
  isCertain: true,
  ...more,
})

export const waits = (name: string, text: string): Expected => ({ as: 'wait', name, text })

export const finds = (biomarkerId: string, name: string, text: string, value: string): Expected => ({
  ...{ as: 'finding', biomarkerId, name, text, value, isCertain: true },
})

/** A kind of file: what is hard about it, and how many of it there are. */
export interface Fresh {
  name: string
  count: number
  make(index: number): Promise<import('../truth.ts').Made> | import('../truth.ts').Made
}

export const at = <T>(list: readonly T[], index: number): T => {
  const one = list[index % list.length]
  if (one === undefined) throw new Error('an empty list')
  return one
}
