import type { Random } from '../../../../prove/random.ts'
import type { Page, Printed } from '../../../../test/samples/make-pdf.ts'
import { type Language, languages, type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { aLayout, documentOf, head, line, localHead, rangeText } from './pdf-lines.ts'
import { below, result } from './result.ts'
import { headings, odd, oddRow, titles } from './words.ts'

const flagText = (random: Random, { flag }: Measured) =>
  flag === '' ? '' : random.pick(flag === 'H' ? ['H', 'High', 'HIGH'] : ['L', 'Low', 'LOW'])

/** Name, value, flag, unit and range in columns of their own. */
async function plain(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const lines = [...head(random), [[36, random.pick(titles)]] as Printed, line(layout, headings(random))]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(6, 18))) {
    const text = print(one.value, one.fact.decimals, { grouped: true })
    lines.push(
      line(layout, {
        name: one.name,
        value: text,
        flag: flagText(random, one),
        unit: one.fact.unit,
        range: rangeText(random, one),
      }),
    )
    expected.push(result(one, text))
    if (random.between(0, 6) === 0)
      lines.push([
        [
          42,
          random.pick([
            'This test was developed by the laboratory.',
            'Fasting reference interval',
            'Verified by repeat analysis.',
          ]),
        ],
      ])
  }
  return documentOf([{ lines }], expected)
}

/** Values in or out of range stand in different columns; the unit follows the range. */
async function split(random: Random): Promise<Made> {
  const at = { name: 36, value: 230, flag: 310, range: 400, more: 520 }
  const lines = [
    ...head(random),
    line({ at }, { name: 'Test Name', value: 'In Range', flag: 'Out Of Range', range: 'Reference Range', more: 'Lab' }),
    [[36, random.pick(titles)]] as Printed,
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(6, 16))) {
    const text = print(one.value, one.fact.decimals)
    const isOut = one.flag !== ''
    const sign = random.between(0, 3)
    const range =
      sign === 0
        ? `<${print(one.fact.high, one.fact.decimals)} ${one.fact.unit}`
        : `${rangeText(random, one)} ${one.fact.unit}`
    lines.push(
      line(
        { at },
        {
          name: one.name,
          value: isOut ? '' : text,
          flag: isOut ? `${text} ${one.flag}` : '',
          range,
          more: random.pick(['EN', 'AMD', '01']),
        },
      ),
    )
    expected.push(result(one, text))
  }
  return documentOf([{ lines }], expected)
}

/** A column of the result before, of a goal or of an average stands beside the value. */
async function beside(random: Random): Promise<Made> {
  const other = random.pick([
    'Previous Result',
    'Previous',
    'Goal',
    'Optimal Range',
    'Target',
    'Average',
    'Prior',
    'Population Average',
    'Last Result',
  ])
  const first = random.between(0, 2) === 0
  const at = first
    ? { name: 36, other: 190, value: 300, flag: 375, unit: 410, range: 480 }
    : { name: 36, value: 190, flag: 265, other: 300, unit: 410, range: 480 }
  const lines = [
    ...head(random),
    line(
      { at },
      {
        name: 'Test',
        value: random.pick(['Result', 'Current Result']),
        flag: 'Flag',
        other,
        unit: 'Units',
        range: 'Reference Range',
      },
    ),
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 12))) {
    const { fact } = one
    const text = print(one.value, fact.decimals)
    const before =
      random.between(0, 3) === 0 ? '' : print(fact.low + (fact.high - fact.low) * random.fraction(), fact.decimals)
    lines.push(
      line(
        { at },
        {
          name: one.name,
          value: text,
          flag: flagText(random, one),
          other: before,
          unit: fact.unit,
          range: rangeText(random, one),
        },
      ),
    )
    expected.push(result(one, text))
  }
  return documentOf([{ lines }], expected)
}

/** Another specimen, a legend and a table under an unknown heading follow the results. */
async function foreign(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const lines = [...head(random), line(layout, headings(random))]
  const expected: Expected[] = []
  const push = (one: Measured, title?: string) => {
    const text = print(one.value, one.fact.decimals)
    lines.push(line(layout, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one) }))
    expected.push(title === undefined ? result(one, text) : below(title, one, text))
  }
  const all = measure(random, 12)
  for (const one of all.slice(0, 6)) push(one)
  const other = random.pick([
    'URINALYSIS',
    'Urine chemistry',
    'URINE',
    'SALIVA',
    'Stool analysis',
    'Cerebrospinal fluid',
  ])
  lines.push([], [[36, other]])
  for (const one of all.slice(6, 9)) push(one, other)
  const title = random.pick(['Explanation of flags', 'Interpretation guide', 'Risk categories', 'Reference population'])
  lines.push(
    [],
    [[36, title]],
    [
      [36, 'Category'],
      [210, random.pick(['Lower limit', 'Cutoff', 'Percentile'])],
      [310, 'Upper limit'],
    ],
  )
  for (const one of all.slice(9, 12)) {
    lines.push([
      [36, one.name],
      [210, print(one.fact.low, one.fact.decimals)],
      [310, print(one.fact.high, one.fact.decimals)],
    ])
  }
  return documentOf([{ lines }], expected)
}

/** What is printed for a number is no plain number. */
async function oddities(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const lines = [...head(random), line(layout, headings(random))]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(8, 14))) {
    const { cells, says } = oddRow(random, one)
    lines.push(line(layout, { name: one.name, unit: one.fact.unit, range: rangeText(random, one), ...cells }))
    expected.push(says)
  }
  for (const { name, text, unit, says } of odd(random)) {
    lines.push(line(layout, { name, value: text, unit }))
    expected.push(says)
  }
  return documentOf([{ lines }], expected)
}

/** A report in another language, with its names, headings and commas. */
const inLanguage = (language: Exclude<Language, 'en'>) =>
  async function localised(random: Random): Promise<Made> {
    const layout = aLayout(random)
    const lines = [...localHead[language](random), line(layout, headings(random, language))]
    const expected: Expected[] = []
    for (const one of measure(random, random.between(8, 16), language)) {
      const text = print(one.value, one.fact.decimals, { comma: true, grouped: true })
      const flag = one.flag === '' ? '' : random.pick(one.flag === 'H' ? ['+', 'H', '↑'] : ['-', 'L', '↓'])
      const unit = one.fact.unit.replace(/L$/, random.pick(['l', 'L']))
      lines.push(line(layout, { name: one.name, value: text, flag, unit, range: rangeText(random, one, true) }))
      expected.push(result(one, text, { unit }))
    }
    return documentOf([{ lines }], expected)
  }

/** Results over several dates; the newest stands first or last. */
async function cumulative(random: Random): Promise<Made> {
  const days = ['01/14/2024', '07/15/2024', '01/16/2025'].slice(random.between(0, 1))
  if (random.between(0, 1)) days.reverse()
  const at = { name: 36, a: 180, b: 250, c: 320, unit: 400, range: 470 }
  const keys = ['a', 'b', 'c'] as const
  const lines = [
    ...head(random),
    line(
      { at },
      {
        name: 'Test',
        ...Object.fromEntries(days.map((day, n) => [keys[n], day])),
        unit: 'Units',
        range: 'Reference Range',
      },
    ),
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(4, 9))) {
    const values = days.map(() =>
      print(one.fact.low + (one.fact.high - one.fact.low) * random.fraction(), one.fact.decimals),
    )
    lines.push(
      line(
        { at },
        {
          name: one.name,
          ...Object.fromEntries(values.map((text, n) => [keys[n], text])),
          unit: one.fact.unit,
          range: rangeText(random, one),
        },
      ),
    )
    for (const text of values) expected.push(result(one, text, { value: Number(text), isCertain: false }))
  }
  return documentOf([{ lines }], expected)
}

/** One analyte a card: its name, below it the value in large type, then the range in words. */
async function cards(random: Random): Promise<Made> {
  const lines = [...head(random)]
  const expected: Expected[] = []
  const before = random.between(0, 1)
  for (const one of measure(random, random.between(4, 8))) {
    const text = print(one.value, one.fact.decimals)
    lines.push(
      [[36, one.name, 11]],
      [
        [36, text, 16],
        [36 + text.length * 10 + 10, one.fact.unit, 9],
      ],
    )
    const range = `${print(one.fact.low, one.fact.decimals)} - ${print(one.fact.high, one.fact.decimals)}`
    lines.push(
      [
        [
          36,
          `${random.pick(['Normal range', 'Reference range', 'Standard range'])}: ${range}${before ? ` ${one.fact.unit}` : ''}`,
        ],
      ],
      [],
    )
    expected.push(result(one, text))
  }
  return documentOf([{ lines, fontSize: 10, leading: 1.6 }], expected)
}

/** The second page is of somebody else. */
async function twoPeople(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const expected: Expected[] = []
  const page = (name: string, born: string): Page => {
    const lines: Printed[] = [
      [
        [36, `Patient: ${name}`],
        [250, `DOB: ${born}`],
      ],
      [],
      line(layout, headings(random)),
    ]
    for (const one of measure(random, 4)) {
      const text = print(one.value, one.fact.decimals)
      lines.push(line(layout, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one) }))
      expected.push({ as: 'wait', text, name: one.name })
    }
    return { lines }
  }
  const other = random.pick([
    ['Roe, Alex', '02/13/1980'],
    ['Doe, Jamie', '05/17/1991'],
    ['Roe, Alex', '05/17/1991'],
  ] as const)
  return documentOf([page('Doe, Jamie', '02/13/1980'), page(other[0], other[1])], expected, true)
}

export const pdfClasses: readonly DocumentClass[] = [
  { name: 'pdf, plain table', make: plain },
  { name: 'pdf, in and out of range', make: split },
  { name: 'pdf, another column beside', make: beside },
  { name: 'pdf, other specimens and tables', make: foreign },
  { name: 'pdf, odd values', make: oddities },
  { name: 'pdf, several dates', make: cumulative },
  { name: 'pdf, cards', make: cards },
  { name: 'pdf, two people', make: twoPeople },
  ...languages.flatMap((language) =>
    language === 'en' ? [] : [{ name: `pdf, ${language}`, make: inLanguage(language) }],
  ),
]
