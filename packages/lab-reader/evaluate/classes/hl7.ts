import type { Random } from '../../../../prove/random.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { result } from './result.ts'
import { odd } from './words.ts'

interface Obx {
  type: string
  code: string
  value: string
  unit?: string
  range?: string
  flag?: string
  status?: string
}

const obx = (index: number, { type, code, value, unit = '', range = '', flag = '', status = 'F' }: Obx) =>
  `OBX|${index}|${type}|${code}||${value}|${unit}|${range}|${flag}|||${status}|||20250321`

const codeOf = ({ fact, name }: Measured) => `${fact.loinc}^${name}^LN`
const rangeOf = ({ fact }: Measured) => `${print(fact.low, fact.decimals)}-${print(fact.high, fact.decimals)}`

const head = (name = 'Doe^Jamie', born = '19800213') => [
  'MSH|^~\\&|LAB|NORTH|KITS|OPS|20250322101500||ORU^R01|4711|P|2.5.1',
  `PID|1||A-100||${name}||${born}|F`,
  'OBR|1||ACC-1|CMP^Panel|||20250321083000|||||||||||||||20250322||CH|F',
]

const madeOf = (segments: readonly string[], expected: Expected[], waits = false): Made => ({
  format: 'hl7v2',
  bytes: Buffer.from(`${segments.join('\r')}\r`),
  expected,
  ...(waits && { waits }),
})

/** Numbers as NM, SN or ST. */
function plain(random: Random): Made {
  const segments = head()
  const expected: Expected[] = []
  measure(random, random.between(6, 18)).forEach((one, index) => {
    const text = print(one.value, one.fact.decimals)
    const kind = random.between(0, 5)
    const common = { code: codeOf(one), unit: one.fact.ucum ?? one.fact.unit, range: rangeOf(one), flag: one.flag }
    const unit = common.unit
    if (kind === 0) {
      segments.push(obx(index + 1, { ...common, type: 'SN', value: `<^${text}` }))
      expected.push(result(one, text, { comparator: '<', unit }))
    } else if (kind === 1) {
      segments.push(obx(index + 1, { ...common, type: 'SN', value: `^${text}` }))
      expected.push(result(one, text, { unit }))
    } else if (kind === 2) {
      segments.push(obx(index + 1, { ...common, type: 'ST', value: `>${text}` }))
      expected.push(result(one, text, { comparator: '>', unit }))
    } else {
      segments.push(obx(index + 1, { ...common, type: kind === 3 ? 'ST' : 'NM', value: text }))
      expected.push(result(one, text, { unit }))
    }
    if (random.between(0, 4) === 0) segments.push('NTE|1|L|Reference ranges are for adults.')
  })
  return madeOf(segments, expected)
}

/** Results that are withdrawn, cancelled, deleted, pending, preliminary or corrected. */
function states(random: Random): Made {
  const segments = head()
  const expected: Expected[] = []
  measure(random, random.between(6, 14)).forEach((one, index) => {
    const text = print(one.value, one.fact.decimals)
    const status = random.pick(['F', 'F', 'C', 'P', 'X', 'W', 'D', 'I', 'O', 'N', 'U', 'R', 'S', 'B'])
    segments.push(
      obx(index + 1, { type: 'NM', code: codeOf(one), value: text, unit: one.fact.ucum ?? one.fact.unit, status }),
    )
    const unit = one.fact.ucum ?? one.fact.unit
    if (status === 'F' || status === 'C') expected.push(result(one, text, { unit }))
    // Preliminary and status-only results may be shown as such, or wait.
    else if ('PUSB'.includes(status)) expected.push(result(one, text, { unit, isCertain: false }))
    else expected.push({ as: 'wait', text, name: one.name })
  })
  return madeOf(segments, expected)
}

/** Texts, titres, coded findings, ranges as values. */
function oddities(random: Random): Made {
  const segments = head()
  const expected: Expected[] = []
  let index = 0
  for (const one of measure(random, random.between(4, 9))) {
    const text = print(one.value, one.fact.decimals)
    const unit = one.fact.ucum ?? one.fact.unit
    const common = { code: codeOf(one), unit }
    const cases: [Obx, Expected][] = [
      [{ ...common, type: 'ST', value: `${text}*` }, result(one, text, { unit })],
      [
        { ...common, type: 'ST', value: text.replace('.', ',') },
        text.includes('.')
          ? result(one, text.replace('.', ','), { unit, isCertain: false })
          : result(one, text, { unit }),
      ],
      [
        { ...common, type: 'SN', value: `^${text}^-^${print(one.value * 1.3, one.fact.decimals)}` },
        { as: 'wait', text, name: one.name },
      ],
      [
        { ...common, type: 'ST', value: 'Hemolyzed' },
        { as: 'wait', text: 'Hemolyzed', name: one.name },
      ],
      [
        { ...common, type: 'NM', value: '' },
        { as: 'wait', text: '', name: one.name },
      ],
      [{ ...common, type: 'TX', value: `${text} ${one.fact.unit}` }, result(one, text, { unit, isCertain: false })],
      [
        { ...common, type: 'CE', value: '260385009^Negative^SCT' },
        { as: 'wait', text: 'Negative', name: one.name },
      ],
      [{ ...common, type: 'NM', value: text, flag: '~H' }, result(one, text, { unit })],
      [
        { ...common, type: 'NM', value: `${text}~${text}` },
        { as: 'wait', text, name: one.name },
      ],
    ]
    const [segment, says] = random.pick(cases)
    segments.push(obx(++index, segment))
    expected.push(says)
  }
  for (const { name, text, says } of odd(random)) {
    segments.push(obx(++index, { type: random.pick(['ST', 'TX', 'FT']), code: `X${index}^${name}^L`, value: text }))
    expected.push(says)
  }
  return madeOf(segments, expected)
}

/** Several groups with a specimen each, before or behind the results. */
function specimens(random: Random): Made {
  const segments = head().slice(0, 2)
  const expected: Expected[] = []
  const all = measure(random, 10)
  for (let group = 0; group < 3; group++) {
    const isBlood = random.between(0, 1) === 0
    const specimen = isBlood
      ? random.pick([
          'SER^Serum',
          'PLAS^Plasma',
          'BLD^Whole blood',
          '119364003^Serum specimen^SCT',
          'BLDV^Blood venous',
          'PPP^Platelet poor plasma',
        ])
      : random.pick([
          'UR^Urine',
          'SAL^Saliva',
          'CSF^Cerebral spinal fluid',
          'STL^Stool',
          '122575003^Urine specimen^SCT',
          'SWT^Sweat',
          'HAR^Hair',
        ])
    segments.push(`OBR|${group + 1}||ACC-${group}|P${group}^Panel|||20250321083000|||||||||||||||20250322||CH|F`)
    for (const [index, one] of all.splice(0, 3).entries()) {
      const text = print(one.value, one.fact.decimals)
      segments.push(
        obx(index + 1, { type: 'NM', code: codeOf(one), value: text, unit: one.fact.ucum ?? one.fact.unit }),
      )
      expected.push(
        isBlood ? result(one, text, { unit: one.fact.ucum ?? one.fact.unit }) : { as: 'wait', text, name: one.name },
      )
    }
    segments.push(`SPM|${group + 1}|||${specimen}`)
  }
  return madeOf(segments, expected)
}

/** Codes and names of the laboratory's own beside LOINC, or without it. */
function localCodes(random: Random): Made {
  const segments = head()
  const expected: Expected[] = []
  measure(random, random.between(5, 12)).forEach((one, index) => {
    const text = print(one.value, one.fact.decimals)
    const unit = one.fact.ucum ?? one.fact.unit
    const code = random.pick([
      `${random.between(1000, 9999)}^${one.name}^L^${one.fact.loinc}^${one.name}^LN`,
      `${one.fact.loinc}^${one.name}^LN^${random.between(1000, 9999)}^${one.name.toUpperCase()}^99LAB`,
      `${random.between(1000, 9999)}^${one.name}^L`,
    ])
    segments.push(
      obx(index + 1, {
        type: 'NM',
        code,
        value: text,
        unit: `${unit}^${unit}^UCUM`,
        range: rangeOf(one),
        flag: one.flag,
      }),
    )
    expected.push(result(one, text, { unit }))
  })
  return madeOf(segments, expected)
}

/** A result that comes twice: corrected, repeated or different. */
function twice(random: Random): Made {
  const segments = head()
  const expected: Expected[] = []
  let index = 0
  for (const one of measure(random, random.between(4, 8))) {
    const unit = one.fact.ucum ?? one.fact.unit
    const text = print(one.value, one.fact.decimals)
    const other = print(one.value + 10 ** -one.fact.decimals, one.fact.decimals)
    const send = (value: string, status: string) =>
      segments.push(obx(++index, { type: 'NM', code: codeOf(one), value, unit, status }))
    switch (random.between(0, 3)) {
      case 0:
        send(other, 'F')
        send(text, 'C')
        expected.push(result(one, text, { unit }), { as: 'wait', text: other, name: one.name })
        break
      case 1:
        send(text, 'F')
        send(text, 'F')
        expected.push(result(one, text, { unit }))
        break
      case 2:
        send(text, 'F')
        send(other, 'F')
        expected.push({ as: 'wait', text, name: one.name }, { as: 'wait', text: other, name: one.name })
        break
      default:
        send(text, 'F')
        expected.push(result(one, text, { unit }))
    }
  }
  return madeOf(segments, expected)
}

/** One message with two people. */
function twoPeople(random: Random): Made {
  const expected: Expected[] = []
  const part = (name: string, born: string) => [
    ...head(name, born).slice(1),
    ...measure(random, 3).map((one, index) => {
      const text = print(one.value, one.fact.decimals)
      expected.push({ as: 'wait', text, name: one.name })
      return obx(index + 1, { type: 'NM', code: codeOf(one), value: text, unit: one.fact.ucum ?? one.fact.unit })
    }),
  ]
  return madeOf(
    [...head().slice(0, 1), ...part('Doe^Jamie', '19800213'), ...part('Roe^Alex', '19910517')],
    expected,
    true,
  )
}

export const hl7Classes: readonly DocumentClass[] = [
  { name: 'hl7, numbers', make: plain },
  { name: 'hl7, states', make: states },
  { name: 'hl7, odd values', make: oddities },
  { name: 'hl7, specimens', make: specimens },
  { name: 'hl7, local codes', make: localCodes },
  { name: 'hl7, twice', make: twice },
  { name: 'hl7, two people', make: twoPeople },
]
