import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { convert, normaliseUnit } from '@kitlane/lab-reader/facts/convert'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { SEVERAL_PEOPLE } from '@kitlane/lab-reader/parse/person'
import { describe, expect, it } from 'vitest'
import { newKitId } from '../../src/domain/ids.ts'

const read = (text: string) => parseBytes(Buffer.from(text), { maxPages: 1 })
const header = 'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1'
const person = 'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F'
const request = 'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000|||||||||||||||20260301110000|||F'
const message = (...lines: string[]) => [header, person, request, ...lines].join('\r')
const glucose = 'OBX|1|NM|2345-7^Glucose^LN||131|mg/dL|70-99|H|||F'
const sodium = 'OBX|2|NM|2951-2^Sodium^LN||141|mmol/L|136-145|N|||F'

/** The results of a message whose day, person and order are as above. */
const observed = async (...lines: string[]) => (await read(message(...lines))).reports[0]?.observations ?? []
const obx = (value: string, { unit = 'mmol/L', range = '3.5-5.1', flag = 'N', status = 'F', type = 'NM' } = {}) =>
  `OBX|1|${type}|2823-3^Potassium^LN||${value}|${unit}|${range}|${flag}|||${status}`
const one = async (line: string): Promise<Observation | undefined> => (await observed(line))[0]

describe('a message whose text was broken into lines', () => {
  it('keeps every line of a text with its result', async () => {
    const [text, next] = await observed(
      'OBX|1|TX|X1^Comment^L||No growth',
      'NOT seen: yeast',
      'OBX none||||||F',
      sodium,
    )
    expect(text).toMatchObject({ valueText: 'No growth NOT seen: yeast OBX none', status: 'final' })
    expect(next).toMatchObject({ name: 'Sodium', value: 141 })
  })

  it('keeps the flag that stands on the next line', async () => {
    const [first] = await observed('OBX|1|NM|2345-7^Glucose^LN||131|mg/dL|70-99', '|H|||F', sodium)
    expect(first).toMatchObject({ value: 131, flag: 'H', range: { low: 70, high: 99 } })
  })

  it('has no number where the line breaks within one', async () => {
    expect(await one('OBX|1|NM|2951-2^Sodium^LN||14\r1|mmol/L|136-145|N|||F')).toMatchObject({ valueText: '14 1' })
  })

  it('takes a line behind a whole result as a comment on it', async () => {
    const [first, second] = await observed(glucose, 'Confirmed by a second run', sodium)
    expect(first).toMatchObject({ value: 131, flag: 'H', comment: 'Confirmed by a second run' })
    expect(second).toMatchObject({ value: 141 })
  })
})

describe('segments are found', () => {
  it('where they are indented', async () => {
    const indented = message(glucose, sodium).replaceAll('\r', '\n    ')
    expect((await read(indented)).reports[0]?.observations).toHaveLength(2)
  })

  it('in small letters among large ones', async () => {
    expect(await observed(glucose, sodium.replace('OBX', 'obx'))).toHaveLength(2)
  })
})

describe('two quotes, which say that there is nothing,', () => {
  it('are no flag, range, unit, value or person', async () => {
    expect(await one(obx('4.2', { flag: '""', range: '""' }))).toMatchObject({ value: 4.2 })
    expect(await one(obx('4.2', { flag: '""', range: '""' }))).not.toHaveProperty('flag')
    expect(await one(obx('4.2', { unit: '""' }))).not.toHaveProperty('unit')
    expect(await one(obx('""'))).toMatchObject({ valueText: '' })
    const nobody = message(glucose).replace(person, 'PID|1||""||""^""||""|""')
    expect((await read(nobody)).reports[0]?.patient).toEqual({})
  })
})

describe('a flag, a unit or a range in components', () => {
  it('is read where the code is missing: the flag of the laboratory counts', async () => {
    expect(await one(obx('4.2', { flag: '^High^L' }))).toMatchObject({ flag: 'H' })
    expect(await one(obx('4.2', { flag: 'L^Low^HL70078' }))).toMatchObject({ flag: 'L' })
  })

  it('is read whole where a power was not escaped', async () => {
    expect(await one(obx('210', { unit: '10^3/uL' }))).toMatchObject({ unit: '10^3/uL' })
    expect(await one(obx('210', { unit: 'x10^9/L' }))).toMatchObject({ unit: 'x10^9/L' })
    expect(await one(obx('210', { unit: 'mmol/L^millimole per litre^UCUM' }))).toMatchObject({ unit: 'mmol/L' })
  })

  it.each(['3.5^5.1', '3.5&5.1'])('is a range from its first to its last part: %s', async (range) => {
    expect(await one(obx('4.2', { range }))).toMatchObject({ range: { low: 3.5, high: 5.1 } })
  })
})

describe('a range', () => {
  it.each([
    ['[3.5-5.1]', { low: 3.5, high: 5.1 }],
    ['3.5 \u2212 5.1', { low: 3.5, high: 5.1 }],
    ['3.5\u20115.1', { low: 3.5, high: 5.1 }],
    ['3.5 bis 5.1', { low: 3.5, high: 5.1 }],
    ['3.5 a 5.1', { low: 3.5, high: 5.1 }],
    ['=<5.1', { low: null, high: 5.1 }],
    ['upto 5.1', { low: null, high: 5.1 }],
    ['bis 5.1', { low: null, high: 5.1 }],
    ["jusqu'à 5.1", { low: null, high: 5.1 }],
    ['unter 5.1', { low: null, high: 5.1, highExclusive: true }],
    ['above 3.5', { low: 3.5, high: null, lowExclusive: true }],
  ])('is read as it is printed: %s', async (range, bounds) => {
    expect(await one(obx('4.2', { range }))).toMatchObject({ range: bounds })
  })

  it.each(['-5.1', '3.5-', 'M: 3.5-5.1 F: 3.4-5.0', '5.1-3.5', '3.5-5.1 (fasting)', 'Negative', '3.5 5.1'])(
    'that has no certain meaning is text: %s',
    async (range) => {
      const read = await one(obx('4.2', { range }))
      expect(read).toMatchObject({ rangeText: range })
      expect(read).not.toHaveProperty('range')
    },
  )
})

describe('a unit in another spelling', () => {
  it.each([
    ['alt', 'UI/L'],
    ['alt', 'Units/L'],
    ['tsh', 'mUI/L'],
    ['tsh', 'µUI/mL'],
    ['wbc', 'Tsd./µl'],
    ['wbc', 'Gpt/l'],
    ['rbc', 'Mio/µl'],
    ['rbc', 'Tpt/l'],
    ['ferritin', 'microg/L'],
  ])('is that of the catalogue: %s in %s', (id, unit) => {
    const biomarker = biomarkers.find((one) => one.id === id)
    expect(biomarker && convert(biomarker, 5, unit)).toMatchObject({ factor: 1 })
  })
})

describe('escapes', () => {
  it('of bytes are read in either encoding, and what is no escape stays as it was sent', async () => {
    const text = async (sent: string) => (await one(obx(sent, { type: 'TX' })))?.valueText
    expect(await text('\\XB5\\g')).toBe('µg')
    expect(await text('\\XC2B5\\g')).toBe('µg')
    expect(await text('a\\H\\b\\N\\c\\.br\\d')).toBe('abc d')
    expect(await text('path a\\b\\c')).toBe('path a\\b\\c')
  })
})

describe('a status', () => {
  it.each(['Z', 'A', 'reviewed by QA'])('that is not known keeps the result for a person: %s', async (status) => {
    const read = await one(obx('4.2', { status }))
    expect(read).toMatchObject({ valueText: '4.2', doubt: 'unknownStatus' })
    expect(read).not.toHaveProperty('value')
  })

  it('in words is read', async () => {
    expect(await one(obx('4.2', { status: 'FINAL' }))).toMatchObject({ value: 4.2, status: 'final' })
    expect(await one(obx('4.2', { status: 'Corrected' }))).toMatchObject({ value: 4.2, status: 'corrected' })
  })

  it('of a cancelled request contradicts a final result in it, which waits', async () => {
    const cancelled = message(glucose).replace('|||F\rOBX', '|||X\rOBX')
    const [first] = (await read(cancelled)).reports[0]?.observations ?? []
    expect(first).toMatchObject({ valueText: '131', doubt: 'contradicted' })
    expect(first).not.toHaveProperty('value')
  })
})

describe('results of one message', () => {
  const dayless = 'OBR|1|A1|F1|24323-8^Panel^LN'

  it('that only say their own days are reports of those days', async () => {
    const lines = [`${glucose}|||20260105`, `${sodium}|||20260206`]
    const { reports } = await read([header, person, dayless, ...lines].join('\r'))
    expect(reports.map(({ collectedDate, observations }) => [collectedDate, observations[0]?.name])).toEqual([
      ['2026-01-05', 'Glucose'],
      ['2026-02-06', 'Sodium'],
    ])
  })

  it('for two kits of one person and day do not go to the first of them', async () => {
    const [a, b] = [newKitId(), newKitId()]
    const order = (kit: string) => request.replace('|A1|', `|${kit}|`)
    const text = [header, person, order(a), glucose, order(b), sodium].join('\r')
    const { reports } = await read(text)
    expect(reports.map(({ kitId, observations }) => [kitId, observations.length])).toEqual([
      [a, 1],
      [b, 1],
    ])
    const [only] = (await read([header, person, order(a), glucose, request, sodium].join('\r'))).reports
    expect([only?.kitId, only?.observations.length]).toEqual([a, 2])
  })
})

describe('notes', () => {
  it('on the person, the order and the specimen are kept, and are of no result', async () => {
    const note = (text: string) => `NTE|1|L|${text}`
    const lines = [header, person, note('Fasting not known'), 'ORC|RE', note('Asked for twice'), request, glucose]
    const { reports } = await read([...lines, 'SPM|1|S1||SER^Serum^HL70487', note('Tube half full')].join('\r'))
    expect(reports[0]?.origin?.notes).toEqual(['Fasting not known Asked for twice Tube half full'])
    expect(reports[0]?.observations[0]).not.toHaveProperty('comment')
  })
})

describe('a character set', () => {
  it('that the message names is read', async () => {
    const text = message('OBX|1|NM|X1^\xb3\xdb\xee\xda\xde\xd7\xd0^L||5.4|\xdc\xdc\xde\xdb\xec/\xdb|||||F')
    const cyrillic = Buffer.from(text.replace('|2.5.1', '|2.5.1||||||8859/5'), 'latin1')
    const [glucose] = (await parseBytes(cyrillic, { maxPages: 1 })).reports[0]?.observations ?? []
    expect(glucose).toMatchObject({ name: 'Глюкоза', unit: 'ммоль/л' })
    const western = Buffer.from(message('OBX|1|NM|X1^Ferritin^L||55|\xb5g/L|||||F'), 'latin1')
    expect((await parseBytes(western, { maxPages: 1 })).reports[0]?.observations).toMatchObject([{ unit: 'µg/L' }])
  })
})

describe('a structured number', () => {
  it('with the mark of repetitions in it keeps its text', async () => {
    expect(await one(obx('~^60', { type: 'SN' }))).toMatchObject({ valueText: '60' })
  })
})

describe('a text of several thousand letters', () => {
  it('is kept to its end', async () => {
    const text = `${'A finding in words. '.repeat(400)}The last word`
    expect((await one(obx(text, { type: 'FT' })))?.valueText).toBe(text)
  })
})

describe('a unit of several codes and texts', () => {
  const unitOf = async (unit: string) => (await one(obx('4.4', { unit })))?.unit

  it('is shown whole where they differ, and once where they mean the same', async () => {
    expect(await unitOf('mg/dL^mmol/L^UCUM')).toBe('mg/dL or mmol/L')
    expect(await unitOf('mg/dL^^UCUM^mmol/L^^L')).toBe('mg/dL or mmol/L')
    expect(await unitOf('mmol/L^millimole per liter^UCUM^MMOL/L^^L')).toBe('mmol/L')
    expect(await unitOf('10^9/L')).toBe('10^9/L')
    expect(await unitOf('10*3/uL^K/uL^UCUM^10*9/L^^L')).toBe('10*3/uL')
    expect(await unitOf('U/L^IU/L^L')).toBe('U/L')
  })
})

describe('people of one name and birth', () => {
  const notesOf = async (first: string, second: string) => {
    const of = (id: string) => person.replace('W12^^^WL^MR', id)
    const of2 = [header, of(first), request, glucose, header.replace('|77|', '|78|'), of(second), request, sodium]
    return (await read(of2.join('\r'))).notes.includes(SEVERAL_PEOPLE)
  }

  it('are two where one giver of numbers knows them by two, and one where two givers do', async () => {
    expect(await notesOf('W12^^^WL^MR', 'W13^^^WL^MR')).toBe(true)
    expect(await notesOf('W12^^^WL^MR', 'w12^^^wl^MR')).toBe(false)
    expect(await notesOf('W12^^^WL^MR', '77^^^OTHER^MR')).toBe(false)
    expect(await notesOf('W12^^^WL^MR', '991^^^WL^AN')).toBe(false)
    expect(await notesOf('W12', 'W13')).toBe(false)
  })
})

describe('a test whose control failed', () => {
  const chlamydia = 'OBX|1|ST|43304-5^Chlamydia trachomatis rRNA^LN||Not detected||||||F'
  const beside = async (control: string) =>
    (await observed(chlamydia, `OBX|2|ST|IC^${control}||||||F`)).map(({ doubt, because }) => because ?? doubt)

  it.each([
    'Internal Control^L||Failed',
    'Internal control^L||Not detected',
    'Sample adequacy control^L||Invalid',
    'Interne Kontrolle^L||ungültig',
  ])('waits: %s', async (control) => {
    const [name = '', value = ''] = control.split('^L||')
    expect(await beside(control)).toEqual(Array(2).fill(`${name}: ${value}`))
  })

  it.each(['Internal control^L||Passed', 'Negative control^L||Negative', 'Internal control Ct^L||27.1'])(
    'counts where it did not: %s',
    async (control) => expect(await beside(control)).toEqual([undefined, undefined]),
  )
})

it('a number behind an empty repetition is about that much, and no result', async () => {
  expect(await one(obx('~4.2'))).toMatchObject({ valueText: '4.2' })
  expect(await one(obx('~4.2'))).not.toHaveProperty('value')
  expect(await one(obx('4.2~'))).toMatchObject({ value: 4.2 })
})

it('a name without a specimen is of urine where code and specimen say so', async () => {
  const of = async (code: string, name: string, value: string) => {
    const line = `OBX|1|ST|${code}^${name}^LN||${value}||||||F`
    const { reports } = await read(message(line, 'SPM|1|S1||UR^Urine^HL70487'))
    return identifyReport(reports[0] as (typeof reports)[number], biomarkers).results.map(
      ({ biomarkerId }) => biomarkerId,
    )
  }
  expect(await of('5803-2', 'pH', '6.0')).toEqual(['ph_urine'])
  expect(await of('5792-7', 'Glucose', 'Negative')).toEqual(['glucose_strip'])
  expect(await of('2756-5', 'pH', '6.0')).toEqual(['ph_urine'])
  expect(await of('2345-7', 'Glucose', '92')).toEqual([])
  expect(await of('X1', 'pH', '6.0')).toEqual([])
})

it.each(['T', 'D', 'X', 'N'])('a message that is not marked as one of production waits: MSH-11 %s', async (mark) => {
  const { reports } = await read(message(sodium).replace('|P|', `|${mark}|`))
  expect(reports[0]?.message?.isTest).toBe(true)
})

describe('what an HL7 message says beside a result', () => {
  it.each([
    ['flags that point both ways', obx('4.2', { flag: 'L~H' }), 'contradicted'],
    ['a note that the person measured it', `${obx('4.2')}\rNTE|1||Self-reported by patient`, 'contradicted'],
    ['a use for research alone', `${obx('4.2')}\rNTE|1||Research use only. Not for diagnostic procedures.`, 'annulled'],
  ])('holds it: %s', async (_, line, doubt) => {
    const [first] = (await read(message(line))).reports.flatMap(
      (report) => identifyReport(report, biomarkers).unmatched,
    )
    expect(first?.code === doubt || first?.code === 'annulled').toBe(true)
  })

  it.each([
    [
      'a draw through a running infusion',
      'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000||||||||BLDV^^Drawn from arm with running IV||||||||||F',
      'annulled',
    ],
    [
      'a sample whose collector calls it invalid',
      'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000||||||||SER^Serum^Fist clenched, potassium invalid||||||||||F',
      'annulled',
    ],
    ['no order on record', request.replace(/F$/, 'Y'), 'contradicted'],
  ])('holds all results of its request: %s', async (_, line, doubt) => {
    const { reports } = await read([header, person, line, obx('4.2')].join('\r'))
    expect(reports[0]?.observations[0]).toMatchObject({ doubt })
  })

  it('holds a result that stands before the first request, which may be of another specimen', async () => {
    const { reports } = await read([header, person, obx('4.2'), request, sodium].join('\r'))
    const [early, late] = reports.flatMap(({ observations }) => observations)
    expect([early?.doubt, late?.value]).toEqual(['contradicted', 141])
  })

  it('takes the status of a request that has no results yet for results without one', async () => {
    const waiting = request.replace(/F$/, 'I')
    const { reports } = await read([header, person, waiting, obx('4.2', { status: '' })].join('\r'))
    expect(reports[0]?.observations[0]?.status).toBe('pending')
  })

  it('holds a bound on the other side of its range than its flag says', async () => {
    const { reports } = await read(message(obx('>300', { range: '<5', flag: 'L' })))
    expect(reports.flatMap((report) => identifyReport(report, biomarkers).results)).toEqual([])
  })

  it.each([
    ['GREATER THAN 6', 6, '>'],
    ['less than 1.5', 1.5, '<'],
    ['.74', 0.74, undefined],
  ])('reads a sign in words and a number without its zero: %s', async (text, value, comparator) => {
    const found = await one(obx(text, { type: 'ST', flag: '' }))
    expect([found?.value, found?.comparator]).toEqual([value, comparator])
  })

  it.each([
    ['millimoles per litre', 'mmol/L'],
    ['grams/dL', 'g/dL'],
    ['lakhs/cu.mm', '10*5/uL'],
    ['gm%', 'g/dL'],
  ])('knows a unit in words: %s', (said, unit) => {
    expect(normaliseUnit(said)).toBe(unit)
  })
})
