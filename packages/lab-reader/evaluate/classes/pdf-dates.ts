import type { Random } from '../../../../prove/random.ts'
import type { Page, Printed } from '../../../../test/samples/make-pdf.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { aLayout, documentOf, head, line, rangeText } from './pdf-lines.ts'
import { result } from './result.ts'
import { headings } from './words.ts'

const between = ({ fact }: Measured, random: Random) =>
  print(fact.low + (fact.high - fact.low) * random.fraction(), fact.decimals)

const two = (number: number) => String(number).padStart(2, '0')
const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
type Day = [year: number, month: number, day: number]

const writings: ((day: Day) => string)[] = [
  ([year, month, day]) => `${two(day)}/${two(month)}/${year}`,
  ([year, month, day]) => `${two(day)}/${two(month)}/${year % 100}`,
  ([year, month, day]) => `${two(day)}-${names[month - 1]}-${year}`,
  ([year, month, day]) => `${two(day)}.${two(month)}.${year}`,
  ([year, month, day]) => `${year}-${two(month)}-${two(day)}`,
]

/**
 * Results of several days, the newest first or last. `isNamed`: the document says when this sample was collected, and one
 * column is of that day; otherwise two columns are of that day, or none is.
 */
const cumulative = (isNamed: boolean) =>
  async function severalDays(random: Random): Promise<Made> {
    const days: Day[] = [
      [2024, 1, random.between(13, 28)],
      [2024, 7, random.between(13, 28)],
      [2025, 1, random.between(13, 28)],
    ]
    const current = days[2] ?? [2025, 1, 13]
    if (random.between(0, 1)) days.reverse()
    const write = random.pick(writings)
    const collected = random.pick([write, writings[0] ?? write])
    const isTwice = !isNamed && random.between(0, 1) === 0
    if (isTwice) days.splice(1, 1, current)
    const keys = ['a', 'b', 'c'] as const
    const at = { name: 36, a: 170, b: 240, c: 310, unit: 390, range: 460 }
    const cellsOf = (texts: readonly string[]) => Object.fromEntries(texts.map((text, n) => [keys[n], text]))
    const rows = random.between(0, 1) === 0
    const lines: Printed[] = [
      [[36, 'Southern Pathology']],
      [
        [36, 'Patient: Doe, Jamie'],
        [250, 'DOB: 13/02/1980'],
      ],
      ...(isNamed || isTwice ? [[[36, `Collected: ${collected(current)}`] as [number, string]] satisfies Printed] : []),
      [],
      line({ at }, { name: rows ? 'Date' : 'Test', ...cellsOf(days.map(write)), unit: 'Units', range: 'Reference' }),
    ]
    if (rows) {
      lines.push(line({ at }, { name: 'Time', ...cellsOf(days.map(() => `0${random.between(7, 9)}:15`)) }))
      lines.push(
        line({ at }, { name: 'Lab No.', ...cellsOf(days.map(() => String(random.between(10000000, 99999999)))) }),
      )
    }
    const expected: Expected[] = []
    for (const one of measure(random, random.between(4, 9))) {
      const text = print(one.value, one.fact.decimals)
      const texts = days.map((day) => (day === current ? text : between(one, random)))
      const missing = random.between(0, 5) === 0 ? days.indexOf(current) : -1
      if (missing >= 0) texts[missing] = ''
      const range = random.between(0, 1) ? `(${rangeText(random, one)})` : rangeText(random, one)
      lines.push(line({ at }, { name: one.name, ...cellsOf(texts), unit: one.fact.unit, range }))
      if (isNamed && missing < 0) expected.push(result(one, text))
      if (!isNamed)
        expected.push(...texts.filter(Boolean).map((text) => ({ as: 'wait' as const, text, name: one.name })))
    }
    lines.push([[36, 'Comments: the trend of the last 12 months is stable.']])
    return { ...(await documentOf([{ lines }], expected)), ...(isNamed && { day: iso(current) }) }
  }

const iso = ([year, month, day]: Day) => `${year}-${two(month)}-${two(day)}`

/** The day of collection in many writings; one that could be two days is none. */
async function dates(random: Random): Promise<Made> {
  const day: Day = [2025, random.between(1, 12), random.between(13, 28)]
  const [year, month, number] = day
  const name = names[month - 1] ?? ''
  const low: Day = [2025, 3, 4]
  const [text, says] = random.pick<[string, Day | undefined]>([
    [`${two(month)}/${number}/${year}`, day],
    [`${number}/${two(month)}/${year}`, day],
    [`${two(month)}/${number}/${year % 100}`, day],
    [`${number}.${two(month)}.${year % 100}`, day],
    [`${number}. ${two(month)}. ${year}`, day],
    [`${name} ${number}, ${year}`, day],
    [`${number}-${name}-${year}`, day],
    [`${number}-${name}-${year % 100}`, day],
    [`${number} ${name} ${year} 08:15`, day],
    [`${year}-${two(month)}-${number}T08:15:00Z`, day],
    [`${year}/${two(month)}/${number}`, day],
    [`${name} ${year}`, undefined],
    ['03/04/2025', undefined],
    ['03/04/25', undefined],
    [`03.04.2025`, [2025, 4, 3]],
    [`03-04-2025`, undefined],
    [`${String(low[0])}0304`, low],
  ])
  const layout = aLayout(random)
  const label = random.pick([
    'Collected:',
    'Collection Date:',
    'Date Collected',
    'Specimen collected:',
    'Date of collection:',
  ])
  const lines: Printed[] = [
    [[36, 'Westbrook Diagnostics']],
    [[36, 'Patient: Doe, Jamie']],
    [[36, `${label} ${text}`]],
    [],
    line(layout, headings(random)),
  ]
  const expected: Expected[] = []
  for (const one of measure(random, 4)) {
    const printed = print(one.value, one.fact.decimals)
    lines.push(line(layout, { name: one.name, value: printed, unit: one.fact.unit, range: rangeText(random, one) }))
    expected.push(result(one, printed))
  }
  return { ...(await documentOf([{ lines }], expected)), day: says ? iso(says) : null }
}

/** Every page repeats the person and the address; footers and remarks are full of numbers and names. */
async function furniture(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const words = headings(random)
  const expected: Expected[] = []
  const all = measure(random, 15)
  const top = head(random)
  const made: Page[] = [1, 2, 3].map((number) => {
    const lines: Printed[] = [...top, line(layout, words)]
    for (const one of all.splice(0, 5)) {
      const text = print(one.value, one.fact.decimals)
      lines.push(line(layout, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one) }))
      expected.push(result(one, text))
      if (random.between(0, 3) === 0) {
        lines.push([
          [
            42,
            random.pick([
              'Fasting glucose of 126 mg/dL or more on two days suggests diabetes.',
              'Ferritin below 30 ng/mL: iron deficiency is likely',
              'Sodium 140 mmol/L was measured on 12/03/2024',
              '* repeated, 2 of 2',
            ]),
          ],
        ])
      }
    }
    lines.push(
      [],
      [
        [36, `Page ${number} of 3`],
        [210, `CLIA 05D${random.between(1000000, 9999999)}`],
        [420, 'Director: K. Poe, MD'],
      ],
      [
        [36, `Ref ${random.between(100, 999)}.45`],
        [210, `${random.between(100, 999)}`],
        [330, 'v2.1'],
        [420, '2025-04-01'],
      ],
      [
        [36, '12 Main Street'],
        [210, '90210'],
        [330, 'Tel. 555-0134'],
      ],
    )
    return { lines }
  })
  return documentOf(made, expected)
}

/** Names of several words on two lines, above, around or below the line of the value. */
async function brokenNames(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const lines = [...head(random), line(layout, headings(random))]
  const expected: Expected[] = []
  const where = random.between(0, 2)
  for (const one of measure(random, random.between(6, 10))) {
    const text = print(one.value, one.fact.decimals)
    const parts = one.name.split(' ')
    const cells = { value: text, unit: one.fact.unit, range: rangeText(random, one) }
    if (parts.length < 2) lines.push(line(layout, { name: one.name, ...cells }))
    else {
      const cut = random.between(1, parts.length - 1)
      const [first, second] = [parts.slice(0, cut).join(' '), parts.slice(cut).join(' ')]
      if (where === 0) lines.push(line(layout, { name: first, ...cells }), [[36, second]])
      else if (where === 1) lines.push([[36, first]], line(layout, { name: second, ...cells }))
      else lines.push([[36, first]], line(layout, cells), [[36, second]])
    }
    expected.push(result(one, text, { isCertain: parts.length < 2 }))
  }
  return documentOf([{ lines }], expected)
}

/** What a comma, a point, an apostrophe or a space is, as the document or the line says. */
async function separators(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const style = random.pick(['point', 'comma', 'apostrophe', 'space', 'alone'] as const)
  const comma = style === 'comma' || style === 'space'
  const lines = [...head(random), line(layout, headings(random))]
  const expected: Expected[] = []
  const platelets = random.between(1001, 1400)
  const [first, rest] = [String(Math.floor(platelets / 1000)), String(platelets % 1000).padStart(3, '0')]
  const mark = { point: ',', comma: '.', apostrophe: "'", space: ' ', alone: random.pick([',', '.']) }[style]
  const text = `${first}${mark}${rest}`
  if (style !== 'alone') {
    for (const one of measure(random, 5)) {
      if (one.fact.id === 'ferritin') continue
      const printed = print(one.value, one.fact.decimals, { comma })
      lines.push(
        line(layout, { name: one.name, value: printed, unit: one.fact.unit, range: rangeText(random, one, comma) }),
      )
      expected.push(result(one, printed, { isCertain: false }))
    }
  }
  lines.push(line(layout, { name: 'Ferritin', value: text, unit: 'ng/mL' }))
  expected.push(
    style === 'alone'
      ? { as: 'wait', text, name: 'Ferritin' }
      : {
          as: 'result',
          biomarkerId: 'ferritin',
          text,
          value: platelets,
          unit: 'ng/mL',
          isCertain: style === 'point' || style === 'apostrophe',
        },
  )
  return documentOf([{ lines }], expected)
}

export const pdfDateClasses: readonly DocumentClass[] = [
  { name: 'pdf, several dates, one named', make: cumulative(true) },
  { name: 'pdf, several dates, none named', make: cumulative(false) },
  { name: 'pdf, days of collection', make: dates },
  { name: 'pdf, headers and footers', make: furniture },
  { name: 'pdf, broken names', make: brokenNames },
  { name: 'pdf, separators', make: separators },
]
