import type { Random } from '../../../../prove/random.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { result } from './result.ts'

const unitOf = ({ fact }: Measured) => fact.ucum ?? fact.unit
const rangeOf = ({ fact }: Measured) => `${print(fact.low, fact.decimals)}-${print(fact.high, fact.decimals)}`
const codeOf = ({ fact, name }: Measured) => `${fact.loinc}^${name}^LN`

/** Text as it stands in a field: what would separate is escaped. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\E\\')
    .replaceAll('|', '\\F\\')
    .replaceAll('^', '\\S\\')
    .replaceAll('&', '\\T\\')
    .replaceAll('~', '\\R\\')

const head = (pid = 'PID|1||A-100||Doe^Jamie||19800213|F') => [
  'MSH|^~\\&|LAB|NORTH|KITS|OPS|20250322101500||ORU^R01|4711|P|2.5.1',
  pid,
  'OBR|1||ACC-1|CMP^Panel|||20250321083000|||||||||||||||20250322||CH|F',
]
const obx = (
  index: number,
  type: string,
  code: string,
  value: string,
  unit: string,
  more: { sub?: string; range?: string; flag?: string; status?: string } = {},
) =>
  `OBX|${index}|${type}|${code}|${more.sub ?? ''}|${value}|${unit}|${more.range ?? ''}|${more.flag ?? ''}|||${more.status ?? 'F'}|||20250321`

/** The same message with other separators, line ends and frames. */
function sent(random: Random, segments: readonly string[], expected: Expected[], day?: string): Made {
  const [field, component, repetition, escaping, sub] = random.pick([
    ['|', '^', '~', '\\', '&'],
    ['#', '@', '!', '$', '='],
    ['|', '!', '~', '\\', '&'],
  ] as const)
  const map: Record<string, string> = { '|': field, '^': component, '~': repetition, '\\': escaping, '&': sub }
  const end = random.pick(['\r', '\n', '\r\n'])
  const text = segments.join(end).replace(/[|^~\\&]/g, (mark) => map[mark] ?? mark)
  const [open, close] = random.pick([
    ['', ''],
    ['\x0b', '\x1c\r'],
    ['\uFEFF', ''],
  ] as const)
  return { format: 'hl7v2', bytes: Buffer.from(`${open}${text}${end}${close}`), expected, ...(day && { day }) }
}

/** Other separators, line ends, escapes, missing fields of the person. */
function encodings(random: Random): Made {
  const pid = random.pick([
    'PID|1||A-100||Doe^Jamie||19800213|F',
    'PID|1',
    'PID|1||||Doe',
    'PID|||^^^||Doe^Jamie^^^Ms||1980|U',
  ])
  const segments = head(pid)
  const expected: Expected[] = []
  measure(random, random.between(5, 10)).forEach((one, index) => {
    const text = print(one.value, one.fact.decimals)
    const unit = unitOf(one)
    segments.push(
      obx(index + 1, random.pick(['NM', 'ST']), codeOf(one), text, escaped(unit), {
        range: escaped(rangeOf(one)),
        flag: one.flag,
      }),
    )
    expected.push(result(one, text, { unit }))
    if (random.between(0, 3) === 0)
      segments.push(
        `NTE|1|L|${escaped(random.pick(['Was 5.6 mg/dL | 4.1 before', 'A & B ^ C', 'Repeated ~ 99 times']))}`,
      )
  })
  return sent(random, segments, expected, '2025-03-21')
}

/** Numbers in text: with a star, a flag or a unit behind them. */
function numbersInText(random: Random): Made {
  const segments = head()
  const expected: Expected[] = []
  const hasLegend = random.between(0, 1) === 0
  measure(random, random.between(6, 12)).forEach((one, index) => {
    const text = print(one.value, one.fact.decimals)
    const unit = unitOf(one)
    const range = rangeOf(one)
    const type = random.pick(['ST', 'TX', 'FT'])
    const push = (value: string, more: { range?: string; flag?: string; unit?: string }, says: Expected) => {
      segments.push(obx(index + 1, type, codeOf(one), value, more.unit ?? unit, { range, ...more }))
      expected.push(says)
    }
    const flag = one.flag || 'N'
    const cases: (() => void)[] = [
      () => push(`${text}*`, { flag: one.flag }, result(one, text, { unit, isCertain: one.flag !== '' || hasLegend })),
      () => push(`${text} ${flag}`, { flag }, result(one, text, { unit })),
      () => push(`${text} ${flag}`, {}, result(one, text, { unit })),
      // The flag behind the number says one thing, that of the field another.
      () => push(`${text} H`, { flag: 'L' }, { as: 'wait', text, name: one.name }),
      () => push(`${text} ${unit}`, {}, result(one, text, { unit })),
      () => push(`${text} ${unit}`, { unit: '' }, result(one, text, { unit })),
      // Only where other numbers of the message prove its points.
      () => push(`1.250 ${unit}`, {}, result(one, '1.250', { unit, value: 1.25, isCertain: false })),
      () => push(`${text} furlong`, {}, { as: 'wait', text, name: one.name }),
      () => push(`< ${text}`, {}, result(one, text, { unit, comparator: '<' })),
      () => push(`${text}\\.br\\`, {}, result(one, text, { unit })),
      () => push(`${text}\\.br\\Repeated 2 times`, {}, { as: 'wait', text, name: one.name }),
      () => push(`${text} (was ${print(one.fact.high, one.fact.decimals)})`, {}, { as: 'wait', text, name: one.name }),
      () => push(`\\H\\${text}\\N\\`, {}, result(one, text, { unit })),
    ]
    random.pick(cases)()
  })
  if (hasLegend) segments.push('NTE|1|L|* = outside the reference range')
  return { format: 'hl7v2', bytes: Buffer.from(segments.join('\r')), expected }
}

/** Several requests of several days, notes with numbers, the same code under several sub-IDs, attached documents. */
function requests(random: Random): Made {
  const segments = head().slice(0, 2)
  const expected: Expected[] = []
  const all = measure(random, 12)
  for (const [number, day] of ['20250321083000', '20250321', '202503210830-0500'].entries()) {
    segments.push(
      `ORC|RE||ACC-${number}`,
      `OBR|${number + 1}||ACC-${number}|P${number}^Panel|||${day}|||||||||||||||20250322||CH|F`,
    )
    let index = 0
    for (const one of all.splice(0, 4)) {
      const text = print(one.value, one.fact.decimals)
      const unit = unitOf(one)
      const other = print(one.value + 3 * 10 ** -one.fact.decimals, one.fact.decimals)
      switch (random.between(0, 5)) {
        case 0:
          segments.push(
            obx(++index, 'NM', codeOf(one), text, unit, { sub: '1' }),
            obx(++index, 'NM', codeOf(one), other, unit, { sub: '2' }),
          )
          expected.push({ as: 'wait', text, name: one.name }, { as: 'wait', text: other, name: one.name })
          break
        case 1:
          segments.push(obx(++index, 'NM', codeOf(one), text, unit, { flag: one.flag }))
          segments.push(`NTE|1|L|${one.name}: ${other} ${unit} (12/03/2024)`, `NTE|2|L|Goal < ${other}`)
          expected.push(result(one, text, { unit }))
          break
        case 2:
          segments.push(obx(++index, 'ED', 'PDF^Report^L', '^application^pdf^Base64^JVBERi0xLjQK', ''))
          segments.push(obx(++index, 'NM', codeOf(one), text, unit))
          expected.push({ as: 'wait', text: '', name: 'Report' }, result(one, text, { unit }))
          break
        case 3:
          // The code of its own and the name of another analyte.
          segments.push(
            obx(++index, 'NM', `${one.fact.loinc}^${one.fact.id === 'sodium' ? 'Potassium' : 'Sodium'}^LN`, text, unit),
          )
          expected.push({ as: 'wait', text, name: one.fact.id === 'sodium' ? 'Potassium' : 'Sodium' })
          break
        case 4:
          segments.push(obx(++index, 'CE', `${one.fact.loinc}^${one.name}^LN`, `${text}^${text}^L`, unit))
          expected.push(result(one, text, { unit, isCertain: false }))
          break
        default:
          segments.push(obx(++index, 'NM', codeOf(one), text, unit))
          expected.push(result(one, text, { unit }))
      }
    }
  }
  return sent(random, segments, expected, '2025-03-21')
}

/** Messages in one file of which a later one corrects or withdraws results of an earlier one. */
function corrections(random: Random): Made {
  const expected: Expected[] = []
  const first = head()
  const second = head().map((segment) => segment.replace('4711', '4712'))
  measure(random, random.between(4, 8)).forEach((one, index) => {
    const text = print(one.value, one.fact.decimals)
    const unit = unitOf(one)
    const other = print(one.value + 2 * 10 ** -one.fact.decimals, one.fact.decimals)
    const kind = random.between(0, 2)
    first.push(obx(index + 1, 'NM', codeOf(one), kind === 0 ? text : other, unit))
    const replaced = { as: 'wait', text: other, name: one.name } as const
    if (kind === 0) expected.push(result(one, text, { unit }))
    else if (kind === 1) {
      second.push(obx(index + 1, 'NM', codeOf(one), text, unit, { status: 'C' }))
      expected.push(result(one, text, { unit }), replaced)
    } else {
      second.push(obx(index + 1, 'NM', codeOf(one), other, unit, { status: 'D' }))
      expected.push(replaced, replaced)
    }
  })
  return { format: 'hl7v2', bytes: Buffer.from([...first, ...second].join('\r')), expected }
}

export const hl7MessageClasses: readonly DocumentClass[] = [
  { name: 'hl7, separators and escapes', make: encodings },
  { name: 'hl7, numbers in text', make: numbersInText },
  { name: 'hl7, several requests', make: requests },
  { name: 'hl7, corrections', make: corrections },
]
