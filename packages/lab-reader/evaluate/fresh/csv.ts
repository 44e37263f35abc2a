import type { Expected, Made } from '../truth.ts'
import { at, earlier, type Fresh, finds, is, type Taken, take, waits } from './analytes.ts'

// Headings are of the kind of mieweb/docs (lab-result-csv-api.md) and dan-antonelli/lab-test-results (types.ts).

const quoted = (cell: string, mark: string) =>
  cell.includes(mark) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
const sheet = (rows: readonly (readonly string[])[], mark = ',', end = '\r\n') =>
  `${rows.map((row) => row.map((cell) => quoted(cell, mark)).join(mark)).join(end)}${end}`
const file = (text: string | Uint8Array, expected: Expected[], more: Partial<Made> = {}): Made => ({
  ...{ format: 'csv', bytes: typeof text === 'string' ? Buffer.from(text) : text, expected },
  ...more,
})
const comma = (text: string) => text.replace('.', ',')
const withComma = (one: Taken, more: Partial<Expected & { as: 'result' }> = {}) =>
  is(one, { text: comma(one.text), ...more })

/** Headings in capitals without spaces, bounds in columns of their own. */
function interfaceColumns(index: number): Made {
  const all = take(index + 2, 6)
  const rows = [
    [
      'CLINIC_NO',
      'BARCODE',
      'PATIENT_NAME',
      'DOB',
      'GENDER',
      'COLLECTIONDATE',
      'COLLECTIONTIME',
      'TESTCODE',
      'TESTNAME',
      'RESULT',
      'UNIT',
      'REFRANGELOW',
      'REFRANGEHIGH',
      'NOTE',
    ],
    ...all.map((one, n) => [
      '17',
      `B${index}88`,
      'EXAMPLE, ROBIN',
      '1978-09-14',
      'F',
      '2026-03-11',
      '08:15',
      `T${n}`,
      one.name,
      one.text,
      one.unit,
      one.low,
      one.high,
      n === 1 ? 'REPEATED 2 TIMES' : '',
    ]),
  ]
  return file(
    sheet(rows, at([',', '\t', ';'], index)),
    all.map((one) => is(one)),
    { day: '2026-03-11' },
  )
}

/** As electronic health records export it: request, code, LOINC, low, high, flag, status. */
function healthRecord(index: number): Made {
  const all = take(index + 4, 6)
  const states = at(
    [
      ['Final', 'Corrected', 'Preliminary', 'Cancelled'],
      ['F', 'C', 'P', 'X'],
    ],
    index,
  )
  const rows = [
    [
      'Patient ID',
      'Order Number',
      'Panel',
      'Observation Date',
      'LOINC',
      'Observation Name',
      'Observation Value',
      'Units',
      'Range',
      'Abnormal Flag',
      'Status',
    ],
    ...all.map((one, n) => [
      '9001',
      'A-1',
      'Chemistry',
      '03/11/2026 08:15',
      one.loinc,
      one.name,
      one.text,
      one.unit,
      `${one.low}-${one.high}`,
      one.flag,
      at(states, n),
    ]),
  ]
  return file(
    sheet(rows),
    all.map((one, n) => (n % 4 === 3 ? waits(one.name, one.text) : is(one, { isCertain: n % 4 !== 2 }))),
  )
}

/** Semicolons and decimal commas, in German, French, Spanish and Dutch. */
function european(index: number): Made {
  const tongue = at(['de', 'fr', 'es', 'nl'] as const, index)
  const words = {
    de: ['Auftrag', 'Abnahmedatum', 'Parameter', 'Ergebnis', 'Einheit', 'Norm von', 'Norm bis', 'Kommentar'],
    fr: [
      'Dossier',
      'Date de prélèvement',
      'Analyse',
      'Résultat',
      'Unité',
      'Borne inférieure',
      'Borne supérieure',
      'Commentaire',
    ],
    es: [
      'Petición',
      'Fecha de extracción',
      'Prueba',
      'Resultado',
      'Unidades',
      'Límite inferior',
      'Límite superior',
      'Comentario',
    ],
    nl: ['Order', 'Afnamedatum', 'Bepaling', 'Uitslag', 'Eenheid', 'Ondergrens', 'Bovengrens', 'Opmerking'],
  }[tongue]
  const all = take(index + 6, 7, { tongue, si: true })
  const rows = [
    words,
    ...all.map((one, n) => [
      '4711',
      '11.03.2026',
      one.name,
      comma(one.text),
      one.unit,
      comma(one.low),
      comma(one.high),
      n === 0 ? '1,5 ml' : '',
    ]),
  ]
  const text = sheet(rows, ';')
  return file(
    at([Buffer.from(`\uFEFF${text}`), Buffer.from(text, 'latin1'), Buffer.from(text)], index),
    all.map((one) => withComma(one)),
    { day: '2026-03-11' },
  )
}

/** Numbers of thousands, which other numbers of the file explain. */
function thousands(index: number): Made {
  const isEuropean = index % 2 === 0
  const [mark, decimal, group] = isEuropean ? [';', ',', at(['.', ' ', '\u202f'], index)] : [',', '.', ',']
  const rows: [id: string, name: string, text: string, value: number, unit: string, low: string, high: string][] = [
    ['platelets', 'Platelets', `243${group}000`, 243000, '/uL', `150${group}000`, `400${group}000`],
    ['vitamin_b12', 'Vitamin B12', `1${group}104`, 1104, 'pg/mL', '200', '900'],
    ['potassium', 'Potassium', `4${decimal}4`, 4.4, 'mmol/L', `3${decimal}5`, `5${decimal}1`],
    ['ferritin', 'Ferritin', `1${group}250`, 1250, 'ng/mL', '30', '300'],
    ['creatinine', 'Creatinine', `0${decimal}91`, 0.91, 'mg/dL', `0${decimal}60`, `1${decimal}20`],
  ]
  return file(
    sheet(
      [
        ['Test', 'Result', 'Unit', 'Low', 'High'],
        ...rows.map(([, name, text, , unit, low, high]) => [name, text, unit, low, high]),
      ],
      mark,
    ),
    rows.map(([id, , text, value, unit]) => ({
      as: 'result',
      biomarkerId: id,
      text,
      value,
      unit,
      isCertain: text.length < 5 || group !== ' ',
    })),
  )
}

/** One row a person and day, with units in the headings or in a second line of headings. */
function wide(index: number): Made {
  const all = take(index + 8, 6)
  const isTwoLines = index % 2 === 1
  const head = all.map((one) =>
    isTwoLines ? one.name : at([`${one.name} (${one.unit})`, `${one.name} [${one.unit}]`], index),
  )
  const rows = [
    ['Sample', 'Collected', ...head],
    ...(isTwoLines ? [['', '', ...all.map(({ unit }) => unit)]] : []),
    ['S-1', '2026-03-11', ...all.map((one, n) => (n === 3 ? `<${one.text}` : one.text))],
  ]
  return file(
    sheet(rows, at([',', ';', '\t'], index)),
    all.map((one, n) => is(one, n === 3 ? { comparator: '<' } : {})),
    { day: '2026-03-11' },
  )
}

/** One row an analyte and one column a visit, oldest or newest first: each visit is a report of its own. */
function visits(index: number): Made {
  const all = take(index + 10, 5)
  const days = index % 2 ? ['2026-03-11', '2025-09-02', '2025-01-20'] : ['20.01.2025', '02.09.2025', '11.03.2026']
  const rows = [
    ['Analyte', 'Unit', 'Reference', ...days],
    ...all.map((one) => {
      const values = [one.text, earlier(one), earlier(one, 0.93)]
      return [one.name, one.unit, `${one.low} - ${one.high}`, ...(index % 2 ? values : values.reverse())]
    }),
  ]
  return file(
    sheet(rows),
    all.flatMap((one) =>
      [one.text, earlier(one), earlier(one, 0.93)].map((text) => is(one, { text, value: Number(text) })),
    ),
  )
}

/** A column of the earlier result, of the change, of the laboratory's mean. */
function columnsBeside(index: number): Made {
  const all = take(index + 12, 6)
  const other = at(
    ['Previous Value', 'Last result (2025-09-02)', 'Lab mean', 'Delta %', 'Z-score', 'Multiples of median'],
    index,
  )
  const rows = [
    index % 2
      ? ['Assay', other, 'Measured value', 'Unit', 'Normal']
      : ['Assay', 'Measured value', other, 'Unit', 'Normal'],
    ...all.map((one) => {
      const pair = [one.text, earlier(one)]
      return [one.name, ...(index % 2 ? pair.reverse() : pair), one.unit, `${one.low} to ${one.high}`]
    }),
  ]
  return file(
    sheet(rows),
    all.map((one) => is(one)),
  )
}

/** Line breaks in cells, footnotes, marks behind values, sections, totals. */
function footnotes(index: number): Made {
  const [a, b, c, d, e] = take(index + 14, 5) as [Taken, Taken, Taken, Taken, Taken]
  const mark = at(['a)', '¹', '†', '(1)'], index)
  const rows = [
    ['Harbour Laboratory', '', '', ''],
    ['Report 4711 of 12 March 2026', '', '', ''],
    ['Test', 'Result', 'Units', 'Reference interval'],
    ['CLINICAL CHEMISTRY', '', '', ''],
    [a.name, a.text, a.unit, `${a.low}-${a.high}`],
    [`${b.name}\n(enzymatic)`, b.text, b.unit, `${b.low}-${b.high}`],
    [c.name, `${c.text} ${mark}`, c.unit, `${c.low}-${c.high}`],
    ['URINE', '', '', ''],
    ['Sodium', '88', 'mmol/L', ''],
    ['Comment', `${d.name} was ${earlier(d)} in\r\nJanuary`, '', ''],
    ['BLOOD', '', '', ''],
    [d.name, d.text, d.unit, `${d.low}-${d.high}`],
    [e.name, 'see footnote', e.unit, ''],
    [`${mark} Haemolytic sample, 5.5 mmol/L possible`, '', '', ''],
    ['Number of tests', '6', '', ''],
  ]
  return file(sheet(rows, at([',', ';'], index)), [
    is(a),
    is(b, { isCertain: false }),
    is(c, { isCertain: false }),
    { as: 'result', biomarkerId: 'sodium_urine', text: '88', value: 88, unit: 'mmol/L', isCertain: false },
    is(d),
    waits(e.name, 'see footnote'),
  ])
}

/** Answers in words beside numbers, in a column of their own or in the same. */
function answers(index: number): Made {
  const [a] = take(index + 16, 1) as [Taken]
  const rows: [name: string, value: string, numeric: string, says: Expected][] = [
    ['HBsAg', 'Negative', '', finds('hbsag', 'HBsAg', 'Negative', 'negative')],
    ['HIV 1+2 Ab+HIV1 p24 Ag', 'Non-Reactive', '', finds('hiv_ag_ab', 'HIV 1+2 Ab', 'Non-Reactive', 'negative')],
    [
      'Hepatitis C virus Ab',
      'Equivocal',
      '',
      finds('hepatitis_c_antibody', 'Hepatitis C', 'Equivocal', 'indeterminate'),
    ],
    ['Rubella IgG', 'POSITIVE', '', finds('rubella_igg', 'Rubella IgG', 'POSITIVE', 'positive')],
    [a.name, '', a.text, is(a)],
  ]
  const isOne = index % 2 === 0
  return file(
    sheet([
      isOne ? ['Test', 'Result', 'Unit'] : ['Test', 'Text Result', 'Numeric Result', 'Unit'],
      ...rows.map(([name, word, number], n) => [
        name,
        ...(isOne ? [word || number] : [word, number]),
        n === 4 ? a.unit : '',
      ]),
    ]),
    rows.map(([, , , says]) => says),
  )
}

/** Days as Europe and America write them, said for certain by one of them. */
function europeanDays(index: number): Made {
  const all = take(index + 18, 3)
  const [text, day] = at<[string, string | null]>(
    [
      ['25/03/2026', '2026-03-25'],
      ['03/25/2026', '2026-03-25'],
      ['25.3.2026 07:40', '2026-03-25'],
      ['25-MAR-2026', '2026-03-25'],
      ['2026/03/25', '2026-03-25'],
      ['20260325', '2026-03-25'],
      ['25 mars 2026', '2026-03-25'],
      ['04/03/2026', null],
    ],
    index,
  )
  return file(
    sheet([
      ['Sampling date', 'Parameter', 'Result', 'Unit'],
      ...all.map((one) => [text, one.name, one.text, one.unit]),
    ]),
    all.map((one) => is(one)),
    { day },
  )
}

/** Materials in a column, or as letters before the names. */
function materials(index: number): Made {
  const [a, b] = take(index + 20, 2) as [Taken, Taken]
  const rows = [
    ['Material', 'Analysis', 'Result', 'Unit', 'Reference'],
    [at(['Serum', 'S', 'Plasma', 'Li-Heparin plasma'], index), a.name, a.text, a.unit, `${a.low}-${a.high}`],
    [at(['Urine', 'U', 'Spot urine', '24h urine'], index), 'Potassium', '48', 'mmol/L', ''],
    [at(['CSF', 'Liquor', 'Saliva', 'Pleural fluid'], index), 'Glucose', '61', 'mg/dL', ''],
    [at(['Blood', 'EDTA blood', 'B', 'Whole blood'], index), b.name, b.text, b.unit, `${b.low}-${b.high}`],
    [at(['QC level 1', 'Control', 'Calibrator', 'Blank'], index), 'Sodium', '120', 'mmol/L', ''],
  ]
  return file(sheet(rows), [
    is(a, { isCertain: index % 4 !== 1 }),
    { as: 'result', biomarkerId: 'potassium_urine', text: '48', value: 48, unit: 'mmol/L', isCertain: false },
    waits('Glucose', '61'),
    is(b, { isCertain: index % 4 !== 2 }),
    waits('Sodium', '120'),
  ])
}

/** Several people in one sheet. */
function people(index: number): Made {
  const all = take(index + 22, 4)
  return file(
    sheet([
      ['Name', 'Date of birth', 'Test', 'Result', 'Unit'],
      ...all.map((one, n) => [
        n < 2 ? 'Robin Example' : 'Chris Sample',
        n < 2 ? '1978-09-14' : '1991-02-03',
        one.name,
        one.text,
        one.unit,
      ]),
    ]),
    all.map((one) => waits(one.name, one.text)),
    { waits: true },
  )
}

export const freshCsv: readonly Fresh[] = [
  { name: 'csv, columns of an interface', count: 4, make: interfaceColumns },
  { name: 'csv, health record', count: 4, make: healthRecord },
  { name: 'csv, decimal commas', count: 8, make: european },
  { name: 'csv, marks of thousands', count: 4, make: thousands },
  { name: 'csv, wide', count: 6, make: wide },
  { name: 'csv, visits', count: 4, make: visits },
  { name: 'csv, columns beside', count: 6, make: columnsBeside },
  { name: 'csv, footnotes', count: 4, make: footnotes },
  { name: 'csv, answers', count: 2, make: answers },
  { name: 'csv, forms of days', count: 8, make: europeanDays },
  { name: 'csv, materials', count: 4, make: materials },
  { name: 'csv, people', count: 2, make: people },
]
