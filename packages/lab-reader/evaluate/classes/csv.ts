import type { Random } from '../../../../prove/random.ts'
import { type Language, languages, type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { below, result } from './result.ts'
import { headings, odd, oddRow } from './words.ts'

export const csvOf = (rows: readonly (readonly string[])[], mark: string): string =>
  rows
    .map((cells) =>
      cells
        .map((cell) => (/["\n]/.test(cell) || cell.includes(mark) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(mark),
    )
    .join('\r\n')

const madeOf = (rows: readonly (readonly string[])[], expected: Expected[], mark = ',', waits = false): Made => ({
  format: 'csv',
  bytes: Buffer.from(csvOf(rows, mark)),
  expected,
  ...(waits && { waits }),
})

const rangeOf = ({ fact }: Measured, comma = false) =>
  `${print(fact.low, fact.decimals, { comma })} - ${print(fact.high, fact.decimals, { comma })}`

/** One result a row. */
function long(random: Random): Made {
  const { name, value, unit, range, flag } = headings(random)
  const mark = random.pick([',', ';', '\t', '|'])
  const rows = [['Collected', name, value, unit, range, flag]]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 20))) {
    const text = print(one.value, one.fact.decimals, { grouped: mark !== ',' && random.between(0, 1) === 0 })
    rows.push(['2025-03-21', one.name, text, one.fact.unit, rangeOf(one), one.flag])
    expected.push(result(one, text))
  }
  return madeOf(rows, expected, mark)
}

/** The same in another language, separated by semicolons, with decimal commas. */
const inLanguage = (language: Exclude<Language, 'en'>) =>
  function localised(random: Random): Made {
    const { name, value, unit, range, flag } = headings(random, language)
    const rows = [[name, value, unit, range, flag]]
    const expected: Expected[] = []
    for (const one of measure(random, random.between(6, 18), language)) {
      const text = print(one.value, one.fact.decimals, { comma: true })
      rows.push([
        one.name,
        text,
        one.fact.unit,
        rangeOf(one, true),
        one.flag === 'H' ? '+' : one.flag === 'L' ? '-' : '',
      ])
      expected.push(result(one, text))
    }
    return madeOf(rows, expected, ';')
  }

/** One sample a row, one analyte a column. */
function wide(random: Random): Made {
  const all = measure(random, random.between(4, 10))
  const heading = ({ name, fact }: Measured) => random.pick([`${name} (${fact.unit})`, `${name} [${fact.unit}]`])
  const rows = [['Sample ID', 'Collected', ...all.map(heading)]]
  const expected: Expected[] = []
  const texts = all.map((one) => print(one.value, one.fact.decimals))
  rows.push([`S-${random.between(1000, 9999)}`, '2025-03-21', ...texts])
  expected.push(...all.map((one, index) => result(one, texts[index] ?? '')))
  return madeOf(rows, expected)
}

const sampleHeadings: Record<Exclude<Language, 'en'>, [string, string]> = {
  de: ['Probennummer', 'Abnahmedatum'],
  fr: ['Numéro', 'Date de prélèvement'],
  es: ['Número', 'Fecha de extracción'],
  it: ['Numero', 'Data prelievo'],
  da: ['Prøvenummer', 'Prøvedato'],
}

/** The same in another language. */
const wideIn = (language: Exclude<Language, 'en'>) =>
  function localised(random: Random): Made {
    const all = measure(random, random.between(4, 9), language)
    const texts = all.map((one) => print(one.value, one.fact.decimals, { comma: true }))
    const rows = [
      [...sampleHeadings[language], ...all.map(({ name, fact }) => `${name} (${fact.unit})`)],
      [`P-${random.between(1000, 9999)}`, '21.03.2025', ...texts],
    ]
    return madeOf(
      rows,
      all.map((one, index) => result(one, texts[index] ?? '')),
      ';',
    )
  }

/** One day a column. */
function byDate(random: Random): Made {
  const days = ['2024-01-14', '2024-07-15', '2025-01-16'].slice(random.between(0, 2))
  const rows = [['Biomarker', 'Unit', 'Reference Range', ...days]]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(4, 9))) {
    const values = days.map(() =>
      print(one.fact.low + (one.fact.high - one.fact.low) * random.fraction(), one.fact.decimals),
    )
    rows.push([one.name, one.fact.unit, rangeOf(one), ...values])
    for (const text of values) expected.push(result(one, text, { value: Number(text) }))
  }
  return madeOf(rows, expected)
}

/** Columns of goals, averages and results before; words for a status; notes. */
function beside(random: Random): Made {
  const other = random.pick([
    'Previous Result',
    'Goal',
    'Target',
    'Optimal',
    'Average',
    'Population Mean',
    'Last Value',
    'Prior',
    'Baseline',
    'Percentile',
  ])
  const before = random.between(0, 1) === 0
  const rows = [before ? ['Test', other, 'Result', 'Units', 'Status'] : ['Test', 'Result', other, 'Units', 'Status']]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 12))) {
    const text = print(one.value, one.fact.decimals)
    const second = print(one.fact.low + (one.fact.high - one.fact.low) * random.fraction(), one.fact.decimals)
    const status = random.pick([
      'Final',
      'Final',
      'F',
      'Corrected',
      'Preliminary',
      'Canceled',
      'Revoked',
      'Entered in error',
      'Pending',
    ])
    rows.push(
      before ? [one.name, second, text, one.fact.unit, status] : [one.name, text, second, one.fact.unit, status],
    )
    const isUsable = ['Final', 'F', 'Corrected'].includes(status)
    expected.push(
      isUsable || status === 'Preliminary'
        ? result(one, text, { isCertain: isUsable })
        : { as: 'wait', text, name: one.name },
    )
  }
  return madeOf(rows, expected)
}

/** Printed values that are no plain numbers. */
function oddities(random: Random): Made {
  const rows = [['Test', 'Result', 'Units', 'Reference Range']]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(8, 14))) {
    const { cells, says } = oddRow(random, one)
    rows.push([one.name, cells.value, one.fact.unit, rangeOf(one)])
    expected.push(says)
  }
  for (const { name, text, unit, says } of odd(random)) {
    rows.push([name, text, unit, ''])
    expected.push(says)
  }
  return madeOf(rows, expected)
}

/** The specimen is named for each row. */
function specimens(random: Random): Made {
  const rows = [['Test', 'Specimen', 'Result', 'Units']]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(6, 12))) {
    const isBlood = random.between(0, 1) === 0
    const specimen = isBlood
      ? random.pick([
          'Serum',
          'Plasma',
          'EDTA plasma',
          'Venous blood',
          'Blood',
          'SST',
          'Li-Heparin plasma',
          'Sérum',
          'Siero',
          'Plasma (EDTA)',
        ])
      : random.pick([
          'Urine',
          'Saliva',
          'CSF',
          'Stool',
          'Hair',
          '24h urine',
          'Sweat',
          'Pleural fluid',
          'Semen',
          'Harn',
          'Orina',
          'Urin',
          'Liquor',
          'Amniotic fluid',
        ])
    const text = print(one.value, one.fact.decimals)
    rows.push([one.name, specimen, text, one.fact.unit])
    expected.push(isBlood ? result(one, text) : below(specimen, one, text))
  }
  return madeOf(rows, expected)
}

/** Rows of two people. */
function twoPeople(random: Random): Made {
  const rows = [['Patient Name', 'DOB', 'Test', 'Result', 'Units']]
  const expected: Expected[] = []
  for (const [name, born] of [
    ['Jamie Doe', '1980-02-13'],
    ['Alex Roe', '1991-05-17'],
  ] as const) {
    for (const one of measure(random, 4)) {
      const text = print(one.value, one.fact.decimals)
      rows.push([name, born, one.name, text, one.fact.unit])
      expected.push({ as: 'wait', text, name: one.name })
    }
  }
  return madeOf(rows, expected, ',', true)
}

/** Several decimals say what a comma is; a value that could be a thousand does not say it by itself. */
function thousands(random: Random): Made {
  const comma = random.between(0, 1) === 0
  const proves = random.between(0, 1) === 0
  const rows = [['Test', 'Result', 'Units']]
  const expected: Expected[] = []
  const platelets = random.between(1001, 1400)
  const text = comma
    ? `${Math.floor(platelets / 1000)}.${String(platelets % 1000).padStart(3, '0')}`
    : `${Math.floor(platelets / 1000)},${String(platelets % 1000).padStart(3, '0')}`
  if (proves) {
    rows.push(['Potassium', comma ? '4,2' : '4.2', 'mmol/L'], ['Calcium', comma ? '9,41' : '9.41', 'mg/dL'])
    expected.push(
      {
        as: 'result',
        biomarkerId: 'potassium',
        text: comma ? '4,2' : '4.2',
        value: 4.2,
        unit: 'mmol/L',
        isCertain: true,
      },
      {
        as: 'result',
        biomarkerId: 'calcium',
        text: comma ? '9,41' : '9.41',
        value: 9.41,
        unit: 'mg/dL',
        isCertain: true,
      },
    )
  }
  rows.push(['Ferritin', text, 'ng/mL'])
  expected.push(
    proves
      ? { as: 'result', biomarkerId: 'ferritin', text, value: platelets, unit: 'ng/mL', isCertain: !comma }
      : { as: 'wait', text, name: 'Ferritin' },
  )
  return madeOf(rows, expected, ';')
}

export const csvClasses: readonly DocumentClass[] = [
  { name: 'csv, one result a row', make: long },
  { name: 'csv, one analyte a column', make: wide },
  { name: 'csv, one day a column', make: byDate },
  { name: 'csv, another column beside', make: beside },
  { name: 'csv, odd values', make: oddities },
  { name: 'csv, specimens', make: specimens },
  { name: 'csv, thousands', make: thousands },
  { name: 'csv, two people', make: twoPeople },
  ...languages.flatMap((language) =>
    language === 'en'
      ? []
      : [
          { name: `csv, ${language}`, make: inLanguage(language) },
          { name: `csv, one analyte a column, ${language}`, make: wideIn(language) },
        ],
  ),
]
