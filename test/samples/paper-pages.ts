import type { Page, Printed } from './make-pdf.ts'

export interface PaperPage {
  what: string
  pages: Page[]
  /** Biomarker and value, with the comparator before it: what a person reads on the page. */
  right: Record<string, number | string>
  /** The beginning of the name and the value of each line that a person has to look at. */
  waits: [name: string, value: string][]
  /** No reader could be sure of any of it: a person reads the whole document. */
  isRefused: boolean
}

/** Cells of a line are parted by `|`; an empty one prints nothing. */
const printed = (places: readonly number[], line: string): Printed =>
  line.split('|').flatMap((cell, at): Printed => (cell.trim() === '' ? [] : [[places[at] ?? 36, cell.trim()]]))

type Line = string | Printed

const pageOf = (places: readonly number[], head: readonly Line[], lines: readonly Line[]): Page => ({
  // It has signs that the fonts of PDF itself lack.
  font: 'regular',
  fontSize: 8,
  lines: [...head, ...lines].map((line) => (typeof line === 'string' ? printed(places, line) : line)),
})

const english = ['Patient: Doe, Jamie', 'DOB: 1980-02-14', 'Collected: 2025-03-21', '']
export const german = ['Patient: Muster, Kim', 'geb.: 14.02.1980', 'Entnahme: 21.03.2025', '']
export const french = ['Patient : Durand, Camille', 'Date de naissance : 14/02/1980', 'Prélevé le : 21/03/2025', '']
export const spanish = ['Paciente: Prueba, Alex', 'Fecha de nacimiento: 14/02/1980', 'Fecha de toma: 21/03/2025', '']

const five = [36, 200, 280, 350, 480]
export const six = [36, 170, 240, 310, 390, 480]

interface Content {
  head?: readonly string[]
  places?: readonly number[]
  lines: readonly Line[]
  /** Further pages, with the same columns. */
  next?: readonly (readonly Line[])[]
  right?: PaperPage['right']
  waits?: PaperPage['waits']
  isRefused?: boolean
}

export const paper = (
  what: string,
  { head = english, places = five, lines, next = [], right = {}, waits = [], isRefused = false }: Content,
): PaperPage => ({
  what,
  pages: [pageOf(places, head, lines), ...next.map((one) => pageOf(places, [], one))],
  right,
  waits,
  isRefused,
})

export const heading = 'Test|Result|Units|Reference Range|Flag'
export const sodium = 'Sodium|140|mmol/L|135-145'
export const untersuchung = 'Untersuchung|Ergebnis|Einheit|Referenzbereich'
export const natrium = 'Natrium|140|mmol/L|135-145'

/** Pages as laboratories of several countries print them, each with one difficulty. All are made up. */
export const paperPages: readonly PaperPage[] = [
  // Thousands and decimals.
  paper('German thousands that a range and a decimal comma prove', {
    head: german,
    lines: [untersuchung, 'Ferritin|1.234|ng/mL|1.000–5.000', 'CRP|3,5|mg/L|< 5,0', natrium],
    right: { ferritin: 1234, crp: 3.5, sodium: 140 },
  }),
  paper('a German thousand beside decimal commas, whose range is whole', {
    head: german,
    lines: [untersuchung, 'NT-proBNP|1.420|pg/mL|< 125', 'HbA1c|5,8|%|4,0-5,6', 'TSH|2,31|mU/L|0,40-4,00'],
    right: { hba1c: 5.8, tsh: 2.31 },
    waits: [['NT-proBNP', '1.420']],
  }),
  paper('a German value with three decimals beside a range with three decimals', {
    head: german,
    lines: [untersuchung, 'PSA|1,234|ng/mL|0,000-4,000', 'Ferritin|1.250|ng/mL|15-150', natrium],
    right: { psa: 1.234, sodium: 140 },
    waits: [['Ferritin', '1.250']],
  }),
  paper('a point of three decimals in a page of commas that no range explains', {
    head: german,
    lines: [untersuchung, 'Vitamin B12|1.234|pg/mL|', 'Kalium|4,2|mmol/L|3,5-5,1'],
    right: { potassium: 4.2 },
    waits: [['Vitamin B12', '1.234']],
  }),
  paper('Swiss apostrophes', {
    head: german,
    lines: [untersuchung, "Ferritin|1'234|ng/mL|15-150", 'Kalium|4.2|mmol/L|3.5-5.1'],
    right: { ferritin: 1234, potassium: 4.2 },
  }),
  paper('French thousands with a space, in value and range', {
    head: french,
    lines: [
      'Examen|Résultat|Unité|Valeurs de référence',
      'Ferritine|1 234|ng/mL|15 - 150',
      'Vitamine B12|1 050|pg/mL|200 - 1 100',
      'Potassium|4,2|mmol/L|3,5 - 5,1',
    ],
    right: { ferritin: 1234, vitamin_b12: 1050, potassium: 4.2 },
  }),
  paper('a space in a number that may be a footnote', {
    lines: [heading, 'Glucose|9 123|mg/dL|70-99', sodium],
    right: { sodium: 140 },
    waits: [['Glucose', '9 123']],
  }),
  paper('thousands and decimals in one number, in English and in German', {
    lines: [heading, 'Ferritin|1,234.5|ng/mL|15-150', 'Potassium|4.2|mmol/L|3.5-5.1'],
    right: { ferritin: 1234.5, potassium: 4.2 },
  }),
  paper('thousands and decimals in one number, in German', {
    head: german,
    lines: [untersuchung, 'Ferritin|1.234,5|ng/mL|15-150', 'Kalium|4,2|mmol/L|3,5-5,1'],
    right: { ferritin: 1234.5, potassium: 4.2 },
  }),
  paper('a comma that nothing explains', {
    lines: [heading, 'Vitamin B12|1,234|pg/mL|', sodium],
    right: { sodium: 140 },
    waits: [['Vitamin B12', '1,234']],
  }),
  paper('a decimal comma without any other number', {
    head: spanish,
    lines: [
      'Prueba|Resultado|Unidades|Valores de referencia',
      'Creatinina|0,90|mg/dL|0,50 - 1,10',
      'Plaquetas|250|10^3/uL|150 - 400',
      'Ferritina|1.105|ng/mL|15 - 150',
    ],
    right: { creatinine: 0.9, platelets: 250 },
    waits: [['Ferritina', '1.105']],
  }),
  paper('a range in whole thousands as the only witness of a value of three decimals', {
    lines: [heading, 'NT-proBNP|1.420|pg/mL|<125', 'Sodium|140|mmol/L|135-145', 'Calcium|9.2|mg/dL|8.6-10.2'],
    right: { sodium: 140, calcium: 9.2 },
    waits: [['NT-proBNP', '1.420']],
  }),
  paper('points that are decimal in one column and thousands by the range in another line', {
    head: german,
    lines: [
      untersuchung,
      'Leukozyten|6.250|/uL|4.000-10.000',
      'Thrombozyten|250.000|/uL|150.000-400.000',
      'Hämoglobin|14,1|g/dL|12,0-16,0',
    ],
    right: { wbc: 6250, platelets: 250000, hemoglobin: 14.1 },
  }),
  // Columns of earlier results.
  paper('two earlier columns with days, the newest first', {
    places: six,
    lines: [
      'Test|2025-03-21|2024-09-02|2024-01-10|Units|Range',
      'Glucose|91|140|133|mg/dL|70-99',
      'Sodium|140|151|150|mmol/L|135-145',
    ],
    right: { glucose: 91, sodium: 140 },
  }),
  paper('columns with days, the newest last', {
    places: six,
    lines: [
      'Test|2024-01-10|2024-09-02|2025-03-21|Units|Range',
      'Glucose|133|140|91|mg/dL|70-99',
      'Sodium|150||140|mmol/L|135-145',
    ],
    right: { glucose: 91, sodium: 140 },
  }),
  paper('columns of days, one of them empty in the newest', {
    places: six,
    lines: [
      'Test|2024-01-10|2024-09-02|2025-03-21|Units|Range',
      'Glucose|133|140||mg/dL|70-99',
      'Sodium|150||140|mmol/L|135-145',
    ],
    right: { sodium: 140 },
  }),
  paper('an earlier column with its day below the heading', {
    places: six,
    lines: [
      'Test|Result|Previous|Units|Reference Range',
      '||2024-01-03',
      'Glucose|91|140|mg/dL|70-99',
      'Potassium||6.9|mmol/L|3.5-5.1',
      'Sodium|140|151|mmol/L|135-145',
    ],
    right: { glucose: 91, sodium: 140 },
  }),
  paper('an earlier value behind the result, in its own words', {
    lines: [
      heading,
      'Potassium|4.3|mmol/L|3.5-5.1',
      '|Previous: 6.1 (2024-01-03)',
      sodium,
      'Previous: 151 (2024-01-03)',
    ],
    right: { potassium: 4.3, sodium: 140 },
  }),
  paper('a row named as the previous value', {
    lines: [heading, 'Potassium|4.3|mmol/L|3.5-5.1', 'Previous potassium|6.1|mmol/L|3.5-5.1', sodium],
    right: { potassium: 4.3, sodium: 140 },
    waits: [['Previous potassium', '6.1']],
  }),
  paper('a German column of earlier values before the result', {
    head: german,
    places: six,
    lines: [
      'Untersuchung|Vorwert|Ergebnis|Einheit|Referenzbereich',
      'Kalium|6,1|4,2|mmol/L|3,5-5,1',
      'Natrium||140|mmol/L|135-145',
    ],
    right: { potassium: 4.2, sodium: 140 },
  }),
  paper('a month of history as a title of its own', {
    lines: [
      heading,
      'LDL Cholesterol|121|mg/dL|0-130',
      sodium,
      'Your history',
      'Jan 2024',
      'HDL Cholesterol|39|mg/dL|40-90',
      'Triglycerides|171|mg/dL|35-149',
    ],
    right: { ldl: 121, sodium: 140 },
    waits: [
      ['HDL', '39'],
      ['Triglycerides', '171'],
    ],
  }),
  paper('a second table of earlier results with headings of its own', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'Previous results (2024-01-10)',
      heading,
      'Potassium|6.9|mmol/L|3.5-5.1',
      'Calcium|9.9|mg/dL|8.6-10.2',
    ],
    right: { glucose: 91, sodium: 140 },
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '9.9'],
    ],
  }),
  paper('results under the day of another visit', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'Results of your last visit on 2024-01-10',
      'Potassium|6.9|mmol/L|3.5-5.1',
    ],
    right: { glucose: 91, sodium: 140 },
    waits: [['Potassium', '6.9']],
  }),
  paper('a trend section that prints each earlier value in a line', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'Trend',
      '2024-01-10|Potassium|6.9|mmol/L',
      '2023-07-01|Potassium|4.9|mmol/L',
    ],
    right: { glucose: 91, sodium: 140 },
  }),
  // Averages, goals, categories.
  paper('a mean of the last three in a row of its own', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      'Mean of last 3|133|mg/dL',
      'Potassium|4.1|mmol/L|3.5-5.1',
      'Average potassium (12 months)|6.5|mmol/L|3.5-5.1',
    ],
    right: { glucose: 91, potassium: 4.1 },
    waits: [
      ['Mean of last 3', '133'],
      ['Average potassium', '6.5'],
    ],
  }),
  paper('a target below the result', {
    lines: [
      heading,
      'HbA1c|6.1|%|4.0-5.6|H',
      'Target < 5.0',
      '|Target < 5.0',
      'LDL Cholesterol|121|mg/dL|0-130',
      'Target|<70|mg/dL',
    ],
    right: { hba1c: 6.1, ldl: 121 },
    waits: [['Target', '<70']],
  }),
  paper('a column of averages beside the result', {
    places: six,
    lines: [
      'Test|Result|Average|Units|Reference Range',
      'Potassium|4.1|6.5|mmol/L|3.5-5.1',
      'Sodium||139|mmol/L|135-145',
      'Glucose|91|99|mg/dL|70-99',
    ],
    right: { potassium: 4.1, glucose: 91 },
  }),
  paper('a column of the mean of the laboratory in German', {
    head: german,
    places: six,
    lines: [
      'Untersuchung|Ergebnis|Mittelwert|Einheit|Referenzbereich',
      'Kalium|4,2|6,5|mmol/L|3,5-5,1',
      'Natrium|140|139|mmol/L|135-145',
    ],
    right: { potassium: 4.2, sodium: 140 },
  }),
  paper('risk categories under a value', {
    lines: [
      heading,
      sodium,
      'LDL Cholesterol|121|mg/dL|0-130',
      'Risk category',
      'Optimal|<100|mg/dL',
      'Near optimal|100-129|mg/dL',
      'High|160-189|mg/dL',
      'Very high|190|mg/dL',
    ],
    right: { ldl: 121, sodium: 140 },
    waits: [['Very high', '190']],
  }),
  paper('a legend of vitamin D that names it again', {
    lines: [
      heading,
      'Vitamin D, 25-OH, Total|22|ng/mL|30-100|L',
      'Deficient|<20|ng/mL',
      'Insufficient|20-29|ng/mL',
      'Vitamin D toxicity|150|ng/mL',
      sodium,
    ],
    right: { vitamin_d: 22, sodium: 140 },
    waits: [['Vitamin D toxicity', '150']],
  }),
  // Notes and legends.
  paper('a note of a value given by phone', {
    lines: [
      heading,
      'Potassium|4.1|mmol/L|3.5-5.1',
      'Note: potassium value 7.2 was reported by phone to Dr. Roe',
      'Potassium value 7.2 reported by phone',
      sodium,
    ],
    right: { potassium: 4.1, sodium: 140 },
  }),
  paper('notes in columns that look like results', {
    lines: [
      heading,
      'Potassium|4.1|mmol/L|3.5-5.1',
      sodium,
      'Comments',
      'Creatinine above|1.3|mg/dL|needs a repeat',
      'Glucose was|250|mg/dL|at the first draw.',
    ],
    right: { potassium: 4.1, sodium: 140 },
    waits: [
      ['Creatinine above', '1.3'],
      ['Glucose was', '250'],
    ],
  }),
  paper('a legend of critical values below the table', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'Critical values',
      'Potassium|> 6.5|mmol/L',
      'Calcium|> 13|mg/dL',
      'Hemoglobin|< 7|g/dL',
    ],
    right: { glucose: 91, sodium: 140 },
    waits: [
      ['Potassium', '> 6.5'],
      ['Calcium', '> 13'],
      ['Hemoglobin', '< 7'],
    ],
  }),
  paper('a footer with a table of detection limits', {
    lines: [heading, 'Glucose|91|mg/dL|70-99', sodium, 'Limit of detection', 'TSH|0.01|mIU/L', 'Ferritin|2|ng/mL'],
    right: { glucose: 91, sodium: 140 },
    waits: [
      ['TSH', '0.01'],
      ['Ferritin', '2'],
    ],
  }),
  paper('a title of conversion factors', {
    lines: [heading, 'Glucose|91|mg/dL|70-99', sodium, 'Conversion to SI units', 'Calcium|9.2|mg/dL|= 2.3 mmol/L'],
    right: { glucose: 91, sodium: 140 },
    waits: [['Calcium', '9.2']],
  }),
  // Footnotes and signs.
  paper('raised footnotes behind values', {
    lines: [
      heading,
      [
        [36, 'Potassium'],
        [200, '4.1'],
        [212.5, '1', 5],
        [280, 'mmol/L'],
        [350, '3.5-5.1'],
      ],
      [
        [36, 'Glucose'],
        [200, '91¹'],
        [280, 'mg/dL'],
        [350, '70-99'],
      ],
      sodium,
    ],
    right: { sodium: 140 },
    waits: [
      ['Potassium', '4.1'],
      ['Glucose', '91'],
    ],
  }),
  paper('footnotes in brackets and with stars', {
    lines: [
      heading,
      'Potassium|4.1 (1)|mmol/L|3.5-5.1',
      'Glucose|91 a)|mg/dL|70-99',
      'Calcium|9.2*|mg/dL|8.6-10.2',
      sodium,
    ],
    right: { glucose: 91, calcium: 9.2, sodium: 140 },
    waits: [['Potassium', '4.1']],
  }),
  paper('comparators of many kinds', {
    lines: [
      heading,
      'TSH|≤ 0.01|mIU/L|0.40-4.50',
      'Ferritin|≥ 1500|ng/mL|15-150',
      'CRP|< 0.3|mg/L|< 5',
      'Troponin T|‹ 0.01|ng/mL|<0.01',
      'PSA|< = 0.1|ng/mL|0-4',
      'Vitamin B12|more than 2000|pg/mL|200-1100',
      'Estradiol|under 5|pg/mL|',
    ],
    right: {
      tsh: '<=0.01',
      ferritin: '>=1500',
      crp: '<0.3',
      psa: '<=0.1',
      estradiol: '<5',
      troponin_t: '<0.01',
      vitamin_b12: '>2000',
    },
  }),
  paper('a comparator in a cell of its own', {
    places: six,
    lines: [
      [
        [36, 'Test'],
        [190, 'Result'],
        [300, 'Units'],
        [380, 'Reference Range'],
      ],
      [
        [36, 'CRP'],
        [180, '<'],
        [192, '0.3'],
        [300, 'mg/L'],
        [380, '< 5'],
      ],
      [
        [36, 'Sodium'],
        [190, '140'],
        [300, 'mmol/L'],
        [380, '135-145'],
      ],
    ],
    right: { crp: '<0.3', sodium: 140 },
  }),
  paper('negative numbers and ranges with them', {
    lines: [heading, 'Base excess|-3.2|mmol/L|-2 - 2', 'Base excess, venous|−3,2|mmol/L|−2 – +2', sodium],
    right: { sodium: 140 },
    waits: [
      ['Base excess', '-3.2'],
      ['Base excess, venous', '3,2'],
    ],
  }),
  // Order of columns and lines.
  paper('ranges before values', {
    places: six,
    lines: [
      'Test|Reference Range|Units|Result',
      'Potassium|3.5-5.1|mmol/L|4.1',
      'TSH|0.4-4.5|mIU/L|2.1',
      'CRP|<5|mg/L|0.8',
    ],
    right: { potassium: 4.1, tsh: 2.1, crp: 0.8 },
  }),
  paper('the unit on the line below', {
    lines: [
      'Test|Result||Reference Range',
      'Potassium|4.1||3.5-5.1',
      '|mmol/L',
      'Glucose|91||70-99',
      '|mg/dL',
      'Calcium|9.2||8.6-10.2',
      '|mg/dL',
    ],
    waits: [
      ['Potassium', '4.1'],
      ['Glucose', '91'],
      ['Calcium', '9.2'],
    ],
  }),
  paper('value and range in each other’s columns', {
    lines: [heading, 'Potassium|3.5-5.1|mmol/L|4.1', 'Glucose|91|mg/dL|70-99', sodium],
    right: { glucose: 91, sodium: 140 },
    waits: [['Potassium', '3.5-5.1']],
  }),
  paper('a value that slipped into the column of units', {
    lines: [heading, 'Potassium||4.1 mmol/L|3.5-5.1', 'Glucose|91|mg/dL|70-99', sodium],
    right: { glucose: 91, sodium: 140 },
    waits: [['Potassium', '4.1']],
  }),
  paper('codes and methods in columns of numbers', {
    places: [36, 140, 200, 270, 340, 440],
    lines: [
      'Test|LOINC|Result|Units|Reference Range|Method',
      'Potassium|2823-3|4.1|mmol/L|3.5-5.1|ISE 900',
      'Sodium|2951-2|140|mmol/L|135-145|ISE 900',
      'Glucose|2345-7||mg/dL|70-99|HK 340',
    ],
    right: { potassium: 4.1, sodium: 140 },
  }),
  paper('a code of the laboratory before the name', {
    places: [36, 90, 220, 290, 360],
    lines: [
      'Code|Test|Result|Units|Reference Range',
      '1001|Potassium|4.1|mmol/L|3.5-5.1',
      '1002|Sodium|140|mmol/L|135-145',
      '1003|Glucose|91|mg/dL|70-99',
    ],
    right: { potassium: 4.1, sodium: 140, glucose: 91 },
  }),
  // Sections and specimens.
  paper('a urinalysis with a remark in it, below blood', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'URINALYSIS',
      'Trace blood may follow exercise',
      'Creatinine|38|mg/dL|20-300',
      'Potassium|6.1|mmol/L|',
    ],
    right: { glucose: 91, sodium: 140, creatinine_urine: 38, potassium_urine: 6.1 },
    waits: [],
  }),
  paper('a title of two quantities above the rows of urine', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'ALBUMIN/CREATININE',
      'Random urine',
      'Creatinine|36|mg/dL|20-300',
      'Albumin|1.2|g/dL|',
      'Blood count',
      'Hemoglobin|14.1|g/dL|12.0-16.0',
    ],
    right: { glucose: 91, sodium: 140, hemoglobin: 14.1, creatinine_urine: 36 },
    waits: [['Albumin', '1.2']],
  }),
  paper('a title of urine behind its results, on the same line as the time', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'Specimen: Urine 24h|Volume 1800 mL',
      'Creatinine|0.9|g/dL|',
      'Specimen: Serum',
      'Calcium|9.2|mg/dL|8.6-10.2',
    ],
    right: { glucose: 91, sodium: 140, calcium: 9.2 },
    waits: [['Creatinine', '0.9']],
  }),
  paper('blood and urine in groups with times of their own', {
    lines: [
      heading,
      'SERUM collected 08:10',
      'Potassium|4.1|mmol/L|3.5-5.1',
      'SPOT URINE collected 08:20',
      'Potassium|38|mmol/L|25-125',
      'Sodium|90|mmol/L|',
      'WHOLE BLOOD collected 08:10',
      'Hemoglobin|14.1|g/dL|12.0-16.0',
    ],
    right: { potassium: 4.1, hemoglobin: 14.1, potassium_urine: 38, sodium_urine: 90 },
    waits: [],
  }),
  paper('a section of urine that goes on over the page', {
    lines: [heading, 'Glucose|91|mg/dL|70-99', sodium, 'Urine chemistry', heading, 'Creatinine|38|mg/dL|20-300'],
    next: [['Page 2 of 2', heading, 'Potassium|38|mmol/L|25-125', 'Calcium|9.2|mg/dL|']],
    right: { glucose: 91, sodium: 140 },
    waits: [
      ['Creatinine', '38'],
      ['Potassium', '38'],
      ['Calcium', '9.2'],
    ],
  }),
  paper('a page break in a table with headings again', {
    lines: ['Chemistry', heading, 'Glucose|91|mg/dL|70-99', sodium, 'Page 1 of 2'],
    next: [
      [
        'NORTHSIDE LABORATORY|Order 88123',
        'Chemistry (continued)',
        heading,
        'Potassium|4.1|mmol/L|3.5-5.1',
        'Calcium|9.2|mg/dL|8.6-10.2',
        'Page 2 of 2',
      ],
    ],
    right: { glucose: 91, sodium: 140, potassium: 4.1, calcium: 9.2 },
  }),
  paper('a page break in a table without headings again', {
    lines: [heading, 'Glucose|91|mg/dL|70-99', sodium, 'Page 1 of 2'],
    next: [['NORTHSIDE LABORATORY|Order 88123', '', 'Potassium|4.1|mmol/L|3.5-5.1', 'Calcium|9.2|mg/dL|8.6-10.2']],
    right: { glucose: 91, sodium: 140, potassium: 4.1, calcium: 9.2 },
  }),
  paper('a tolerance test with times', {
    lines: [
      heading,
      sodium,
      'Glucose, fasting|91|mg/dL|70-99',
      'Glucose 60 min|170|mg/dL|',
      'Glucose 120 min|131|mg/dL|',
      'Oral glucose tolerance',
      '0 min|90|mg/dL',
      'Insulin|61|uIU/mL|',
    ],
    right: { sodium: 140, glucose: 91 },
    waits: [
      ['Glucose 60 min', '170'],
      ['Glucose 120 min', '131'],
      ['0 min', '90'],
      ['Insulin', '61'],
    ],
  }),
  // Control material, copies, formulas.
  paper('a page of control material', {
    lines: [heading, 'Glucose|91|mg/dL|70-99', sodium],
    next: [
      [
        'Quality control',
        'Control level 2, lot 7741',
        heading,
        'Potassium|6.9|mmol/L|6.5-7.3',
        'Calcium|13.1|mg/dL|12.5-13.5',
      ],
    ],
    right: { glucose: 91, sodium: 140 },
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13.1'],
    ],
  }),
  paper('calibrators below the table', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'Calibrator values',
      'Potassium|6.9|mmol/L|',
      'Calcium|13.1|mg/dL|',
    ],
    right: { glucose: 91, sodium: 140 },
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13.1'],
    ],
  }),
  paper('the same page once more as a copy', {
    lines: [heading, 'Glucose|91|mg/dL|70-99', sodium],
    next: [['Copy to: Dr. Roe', ...english, heading, 'Glucose|91|mg/dL|70-99', sodium]],
    right: { glucose: 91, sodium: 140 },
  }),
  paper('formulas below a calculated value', {
    lines: [
      heading,
      'LDL Cholesterol|121|mg/dL|0-130',
      'LDL = TC - HDL - TG/5',
      'eGFR|88|mL/min/1.73m2|>60',
      'eGFR = 142 x (Scr/0.9)^-0.302 x 0.9938^age',
      'HDL Cholesterol (calc.) = 41 mg/dL',
      sodium,
    ],
    right: { ldl: 121, egfr: 88, sodium: 140 },
  }),
  paper('ranges by age, sex and phase on lines of their own', {
    lines: [
      heading,
      'Estradiol|142|pg/mL|Follicular: 12.5-166',
      '|||Ovulation: 85.8-498',
      '|||Postmenopausal: <54.7',
      'Progesterone|0.9|ng/mL|',
      'Follicular phase|0.1-0.9|ng/mL',
      'Luteal phase|1.8-23.9|ng/mL',
      'Men 18-60 years|0.2|ng/mL',
      sodium,
    ],
    right: { estradiol: 142, progesterone: 0.9, sodium: 140 },
    waits: [['Men 18-60 years', '0.2']],
  }),
  // Two columns on a page.
  paper('two tables side by side with headings', {
    places: [36, 130, 180, 230, 310, 400, 450, 500],
    lines: [
      'Test|Result|Units|Range|Test|Result|Units|Range',
      'Glucose|91|mg/dL|70-99|Sodium|140|mmol/L|135-145',
      'Calcium|9.2|mg/dL|8.6-10.2|Potassium|4.1|mmol/L|3.5-5.1',
    ],
    right: { glucose: 91, sodium: 140, calcium: 9.2, potassium: 4.1 },
  }),
  paper('urine beside blood, each under a title', {
    places: [36, 130, 180, 230, 310, 400, 450, 500],
    lines: [
      'Blood||||Urine',
      'Test|Result|Units|Range|Test|Result|Units|Range',
      'Glucose|91|mg/dL|70-99|Sodium|90|mmol/L|',
      'Calcium|9.2|mg/dL|8.6-10.2|Potassium|38|mmol/L|25-125',
    ],
    right: { glucose: 91, calcium: 9.2, sodium_urine: 90, potassium_urine: 38 },
    waits: [],
  }),
  paper('a list of earlier results beside the table', {
    places: [36, 150, 200, 260, 400, 480, 520],
    lines: [
      '||||Earlier results',
      'Test|Result|Units|Range|Test|Result|Units',
      'Glucose|91|mg/dL|70-99|Sodium|151|mmol/L',
      'Calcium|9.2|mg/dL|8.6-10.2|Potassium|6.9|mmol/L',
    ],
    right: { glucose: 91, calcium: 9.2 },
    waits: [
      ['Sodium', '151'],
      ['Potassium', '6.9'],
    ],
  }),
]
