import type { Random } from '../../../../prove/random.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { csvOf } from './csv.ts'
import { result } from './result.ts'

const rangeOf = ({ fact }: Measured) => `${print(fact.low, fact.decimals)} - ${print(fact.high, fact.decimals)}`
const made = (bytes: Uint8Array, expected: Expected[], day?: string | null): Made => ({
  format: 'csv',
  bytes,
  expected,
  ...(day !== undefined && { day }),
})

/** Encodings, marks of the order of bytes, line ends, quoted line breaks, lines before and behind the table. */
function encodings(random: Random): Made {
  const mark = random.pick([',', ';', '\t', '|'])
  const rows = [['Collected', 'Test', 'Result', 'Units', 'Reference Range', 'Comment']]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 12))) {
    const text = print(one.value, one.fact.decimals)
    const unit = one.fact.unit.replace(/^u/, random.pick(['u', 'µ']))
    const comment = random.pick([
      '',
      'Fasting',
      'Repeated,\nsame result 5.5',
      'Limits of "adults"; 12 | 13',
      'Previous result\r\nFerritin,99,ng/mL',
    ])
    rows.push(['2025-03-21', one.name, text, unit, rangeOf(one), comment])
    expected.push(result(one, text, { unit }))
  }
  const before = random.pick([[], [['Laboratory', 'Northside']], [['Patient', 'Jamie Doe'], ['']]])
  const behind = random.pick([[], [['']], [['End of report']], [['', '', '', '', '', 'Page 1 of 1']]])
  const end = random.pick(['\r\n', '\n', '\r'])
  const text = csvOf([...before, ...rows, ...behind], mark).replaceAll('\r\n', end)
  const separated = random.between(0, 3) === 0 ? `sep=${mark}${end}${text}` : text
  const utf16 = Buffer.from(`\uFEFF${separated}`, 'utf16le')
  const bytes = random.pick([
    Buffer.from(separated),
    Buffer.from(`\uFEFF${separated}`),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(separated, 'latin1'),
  ])
  return made(bytes, expected, '2025-03-21')
}

/** What a spreadsheet makes of values, and what it writes instead of them. */
function spreadsheet(random: Random): Made {
  const rows = [['Test', 'Result', 'Units', 'Reference Range']]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(8, 14))) {
    const text = print(one.value, one.fact.decimals)
    const row = (value: string, says: Expected, unit = one.fact.unit) => {
      rows.push([one.name, value, unit, rangeOf(one)])
      expected.push(says)
    }
    const waits = (text: string): Expected => ({ as: 'wait', text, name: one.name })
    const cases: (() => void)[] = [
      () => row(` ${text} `, result(one, text)),
      () => row(`${text} ${one.fact.unit}`, result(one, text)),
      () => row(`${text} ${one.fact.unit}`, result(one, text), ''),
      () => row(`${text} furlong`, waits(text)),
      () => row('5-Mar', waits('5-Mar')),
      () => row('45352-01', waits('45352-01')),
      () => row('#N/A', waits('#N/A')),
      () => row('#REF!', waits('#REF!')),
      () => row(`=${text}`, waits(text)),
      () => row(`'${text}`, result(one, text, { isCertain: false })),
      () =>
        row(
          `${one.value.toExponential(3).toUpperCase()}`,
          result(one, one.value.toExponential(3).toUpperCase(), { isCertain: false }),
        ),
      () => row('-', waits('-')),
      () => row(`-${text}`, waits(text)),
      () => row(`${text}%`, one.fact.unit === '%' ? result(one, text, { isCertain: false }) : waits(text)),
      () => row(`${text};${text}`, waits(text)),
      () => row(`${text} H`, result(one, text, { isCertain: one.flag === 'H' })),
    ]
    random.pick(cases)()
  }
  return made(Buffer.from(csvOf(rows, ',')), expected)
}

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (number: number) => String(number).padStart(2, '0')

/** The day of collection in many writings. */
function dates(random: Random): Made {
  const [month, number] = [random.between(1, 12), random.between(13, 28)]
  const name = names[month - 1] ?? ''
  const iso = `2025-${two(month)}-${number}`
  const [text, day] = random.pick<[string, string | null]>([
    [`${two(month)}/${number}/2025`, iso],
    [`${number}/${two(month)}/2025`, iso],
    [`${two(month)}/${number}/25`, iso],
    [`${number}.${two(month)}.25`, iso],
    [`${number}-${name}-25`, iso],
    [`${number} ${name} 2025`, iso],
    [`${name} ${number}, 2025`, iso],
    [`${iso}T08:00:00+02:00`, iso],
    [`${iso} 08:00`, iso],
    [`${name} 2025`, null],
    ['03/04/2025', null],
    ['2025', null],
    ['45737', null],
  ])
  const rows = [['Collection Date', 'Test', 'Result', 'Units']]
  const expected: Expected[] = []
  for (const one of measure(random, 4)) {
    const printed = print(one.value, one.fact.decimals)
    rows.push([text, one.name, printed, one.fact.unit])
    expected.push(result(one, printed))
  }
  return made(Buffer.from(csvOf(rows, ',')), expected, day)
}

/** One analyte a column, with columns beside each that hold no result. */
function wideBeside(random: Random): Made {
  const all = measure(random, random.between(4, 7))
  const kind = random.between(0, 3)
  const heading = ({ name, fact }: Measured) => `${name} (${fact.unit})`
  const besides = [
    ({ name }: Measured) => `${name} Flag`,
    ({ name, fact }: Measured) => `${name} previous (${fact.unit})`,
    ({ name, fact }: Measured) => `${name} goal (${fact.unit})`,
    ({ name, fact }: Measured) => `${name} average (${fact.unit})`,
  ] as const
  const beside = besides[kind] ?? besides[0]
  const expected: Expected[] = []
  const cells = all.flatMap((one) => {
    const text = print(one.value, one.fact.decimals)
    expected.push(result(one, text))
    const other = print((one.fact.low + one.fact.high) / 2, one.fact.decimals)
    return [text, kind === 0 ? one.flag : other]
  })
  const rows = [
    ['Sample ID', 'Collected', ...all.flatMap((one) => [heading(one), beside(one)])],
    ['S-1', '2025-03-21', ...cells],
  ]
  return made(Buffer.from(csvOf(rows, random.pick([',', ';', '\t']))), expected, '2025-03-21')
}

/** Columns by month: no day of collection can be told. */
function byMonth(random: Random): Made {
  const rows = [['Biomarker', 'Unit', 'Reference Range', 'Jan 2024', 'Jul 2024']]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(4, 7))) {
    const texts = [0, 1].map(() =>
      print(one.fact.low + (one.fact.high - one.fact.low) * random.fraction(), one.fact.decimals),
    )
    rows.push([one.name, one.fact.unit, rangeOf(one), ...texts])
    expected.push(...texts.map((text) => ({ as: 'wait' as const, text, name: one.name })))
  }
  return made(Buffer.from(csvOf(rows, ',')), expected)
}

export const csvFileClasses: readonly DocumentClass[] = [
  { name: 'csv, encodings', make: encodings },
  { name: 'csv, spreadsheets', make: spreadsheet },
  { name: 'csv, days of collection', make: dates },
  { name: 'csv, one analyte a column, beside', make: wideBeside },
  { name: 'csv, one month a column', make: byMonth },
]
