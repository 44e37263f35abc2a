import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sinceWritten } from '../harness/days.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { type Reporting, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
let lab: Awaited<ReturnType<typeof operatorWith>>
let reviewer: typeof lab
beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
  lab = await operatorWith(world, ['lab', 'fulfilment'])
  reviewer = await operatorWith(world, ['review'])
})
afterAll(() => world.stop())

async function newKit(email?: string) {
  const { body } = await at.clinic.live.post('/create-order', anOrder())
  const [{ kitID }] = (await at.clinic.live.get(`/kits?orderID=${body.orderId}`)).body
  const who = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F' }
  const registered = await at.clinic.live.post(`/kits/${kitID}/register`, { ...who, email: email ?? `${kitID}@x.test` })
  return { kitID: String(kitID), customerId: Number(registered.body.customerId) }
}

interface Sample {
  collected?: string
  received?: string
  /** NTE behind the request. */
  note?: string
  /** OBR-22 */
  reported?: string
}
let count = 0
async function send(
  kitID: string,
  results: readonly string[],
  { collected = '20261101083000', received = '', note, reported = '20261102110000' }: Sample = {},
) {
  const message = [
    `MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|${++count}|P|2.5.1`,
    'PID|1||X||Tester^Bo||19800229|F',
    `OBR|1|${kitID}|A${kitID}|24331-1^Panel^LN|||${collected}|||||||${received}||||||||${reported}|||F`,
    ...(note ? [`NTE|1||${note}`] : []),
    ...results,
  ].join('\r')
  const { body } = await lab('POST', '/lab/results', sinceWritten(message), { 'content-type': 'application/hl7-v2' })
  return body.reports[0]
}

const hb = (value: number, status = 'F') => `OBX|1|NM|718-7^Hemoglobin^LN||${value}|g/dL|11.1-15.9||||${status}`
const creatinine = (value: number, status = 'F') =>
  `OBX|2|NM|2160-0^Creatinine^LN||${value}|mg/dL|0.57-1.00||||${status}`

const statusOf = async (customerId: number, reportID: string) =>
  (await at.clinic.live.get(`/customers/${customerId}`)).body.reports.find(({ id }: { id: string }) => id === reportID)
    .status
const criticalOf = async (kitID: string) =>
  (await at.clinic.live.get(`/critical-results?kitID=${kitID}`)).body.data.map(({ value }: { value: string }) => value)
const checksOf = async (reportID: string) =>
  (await reviewer('GET', `/reports/${reportID}`)).body.checks.map(
    ({ code, holds }: { code: string; holds: boolean }) => (holds ? code : `(${code})`),
  )

describe('a business that publishes at once has a person read first', () => {
  test('a value of the same sample that changes without a correction; a correction is published', async () => {
    const { kitID, customerId } = await newKit()
    const first = await send(kitID, [hb(15), creatinine(0.9)])
    expect(await statusOf(customerId, first.reportID)).toBe('published')
    await send(kitID, [hb(8), creatinine(3.9)])
    expect(await statusOf(customerId, first.reportID)).toBe('inReview')

    const other = await newKit()
    const made = await send(other.kitID, [hb(15), creatinine(0.9)])
    await send(other.kitID, [hb(12, 'C'), creatinine(0.8)])
    expect(await statusOf(other.customerId, made.reportID)).toBe('published')
    await send(other.kitID, [hb(13.9, 'C'), creatinine(1.6)])
    expect(await statusOf(other.customerId, made.reportID)).toBe('inReview')
  })

  test('a value that a person does not reach since the last report', async () => {
    const email = `again-${Date.now()}@x.test`
    const before = await newKit(email)
    const first = await send(before.kitID, [hb(15)], { collected: '20260601083000' })
    expect(await statusOf(before.customerId, first.reportID)).toBe('published')
    const now = await newKit(email)
    expect(now.customerId).toBe(before.customerId)
    const next = await send(now.kitID, [hb(9.2)])
    expect(await statusOf(now.customerId, next.reportID)).toBe('inReview')
    const third = await newKit(email)
    const small = await send(third.kitID, [hb(14.1)])
    expect(await statusOf(third.customerId, small.reportID)).toBe('published')
  })

  test('values that contradict each other or cannot be', async () => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, [
      'OBX|1|NM|2093-3^Cholesterol^LN||140|mg/dL|100-199||||F',
      'OBX|2|NM|2085-9^HDL Cholesterol^LN||170|mg/dL|>39||||F',
    ])
    expect(await statusOf(customerId, sent.reportID)).toBe('inReview')
    const other = await newKit()
    const impossible = await send(other.kitID, [hb(14), 'OBX|2|NM|2823-3^Potassium^LN||45|mmol/L|3.5-5.2||||F'])
    expect(impossible.unmatched).toMatchObject([{ code: 'implausible' }])
    expect(await statusOf(other.customerId, impossible.reportID)).toBe('inReview')
  })

  test('values that contradict each other, or those before, by what comes after a version was published', async () => {
    const { kitID, customerId } = await newKit()
    const first = await send(kitID, ['OBX|1|NM|2093-3^Cholesterol^LN||140|mg/dL|100-199||||F'])
    expect(await statusOf(customerId, first.reportID)).toBe('published')
    await send(kitID, ['OBX|1|NM|2085-9^HDL Cholesterol^LN||170|mg/dL|>39||||F'])
    expect(await statusOf(customerId, first.reportID)).toBe('inReview')
    expect(await checksOf(first.reportID)).toContain('partAboveWhole')
    const read = (await at.clinic.live.get(`/customers/${customerId}/reports/${first.reportID}`)).body
    expect([read.details.version, read.labParamsError]).toEqual([1, ['Later Version In Review']])
  })

  test.each<[string, Sample]>([
    ['years before the kit', { collected: '20200301083000' }],
    ['after it was received', { collected: '20261102083000', received: '20261101100000' }],
    ['after it was resulted', { collected: '20261103083000' }],
  ])('a sample that is said to be collected %s', async (_, sample) => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, [hb(14)], sample)
    expect(await statusOf(customerId, sent.reportID)).toBe('inReview')
    expect(await checksOf(sent.reportID)).toContain('dates')
  })

  test('values whose times are further apart wait, with both times', async () => {
    const { kitID } = await newKit()
    const sent = await send(kitID, [hb(14)], { collected: '20261106083000' })
    expect(sent.unmatched).toMatchObject([{ code: 'impossibleTimes' }])
    expect(sent.unmatched[0].reason).toContain(sinceWritten('collected 2026-11-06T08:30:00, reported 2026-11-02'))
  })

  test('results that are added with a day still to come are not even taken', async () => {
    const { customerId } = await newKit()
    const add = (date: string) =>
      at.clinic.live.post('/customer/add-data', {
        userId: customerId,
        type: 'test',
        date,
        biomarkerData: [{ name: 'Hemoglobin', result: 14, unit_of_measure: 'g/dL' }],
      })
    const future = await add('2099-01-01T00:00:00Z')
    expect([future.status, future.body.details?.[0].path]).toEqual([400, 'date'])
    const now = await add(sinceWritten('2026-11-01T00:00:00Z'))
    expect(await statusOf(customerId, now.body.reportId)).toBe('published')
  })

  test.each([
    'Result cancelled: specimen mislabeled, do not use',
    'SPECIMEN MISLABELED',
    'Wrong blood in tube suspected',
    'Please disregard this result',
    'Probe verwechselt, nicht verwenden',
    'Échantillon mal étiqueté, ne pas utiliser',
    'Reported in error. See corrected report.',
    'Clotted',
  ])('what a note annuls: %s', async (note) => {
    const { kitID, customerId } = await newKit()
    const beside = await send(kitID, [hb(14), `NTE|1||${note}`, creatinine(0.8)])
    expect(beside.unmatched).toMatchObject([{ name: 'Hemoglobin', code: 'annulled' }])
    expect(await statusOf(customerId, beside.reportID)).toBe('inReview')
    const other = await newKit()
    const sent = await send(other.kitID, [hb(14)])
    expect(await statusOf(other.customerId, sent.reportID)).toBe('published')
    const whole = await send(other.kitID, [hb(14)], { note })
    expect(whole.unmatched).toMatchObject([{ name: 'Hemoglobin', code: 'annulled' }])
    expect(await statusOf(other.customerId, sent.reportID)).toBe('inReview')
    expect(await checksOf(sent.reportID)).toContain('annulled')
  })

  test('and nothing that only sounds so', async () => {
    for (const note of [
      'Previous sample haemolysed',
      'Repeat in 3 months',
      'No clots seen',
      'Do not use for diagnosis of anemia in pregnancy',
      'Result confirmed by repeat testing',
      'Specimen was not mislabeled',
      'Hemoglobin may be invalid if the specimen is lipemic',
    ]) {
      const { kitID, customerId } = await newKit()
      const sent = await send(kitID, [hb(14), `NTE|1||${note}`])
      expect(await statusOf(customerId, sent.reportID), note).toBe('published')
    }
  })

  test('a value of the same sample that differs by more than its method, and the reviewer sees why', async () => {
    const sodium = (value: number) => `OBX|3|NM|2951-2^Sodium^LN||${value}|mmol/L|135-145||||F`
    const { kitID, customerId } = await newKit()
    const { reportID } = await send(kitID, [sodium(141)])
    await send(kitID, [sodium(140)])
    expect(await statusOf(customerId, reportID)).toBe('published')
    await send(kitID, [sodium(127)], { reported: '20261102120000' })
    expect(await statusOf(customerId, reportID)).toBe('inReview')
    expect(await checksOf(reportID)).toContain('replaced')
    await send(kitID, [hb(14)], { reported: '20261102120000' })
    expect(await checksOf(reportID)).toContain('replaced')
  })

  test('cholesterol of which a part is more than the whole', async () => {
    const total = 'OBX|1|NM|2093-3^Cholesterol^LN||150|mg/dL|100-199||||F'
    for (const part of [
      ...['13457-7', '18262-6', '2089-1'].map((code) => `OBX|2|NM|${code}^LDL Cholesterol^LN||180|mg/dL|0-99|H|||F`),
      'OBX|2|NM|43396-1^Non-HDL Cholesterol^LN||170|mg/dL|0-129|H|||F',
    ]) {
      const { kitID, customerId } = await newKit()
      const sent = await send(kitID, [total, part])
      expect(await statusOf(customerId, sent.reportID), part).toBe('inReview')
      expect(await checksOf(sent.reportID)).toContain('partAboveWhole')
    }
  })

  test('a sample that is said to be collected later on the day on which it was resulted', async () => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, [hb(14)], { collected: '20261102200000', reported: '20261102090000' })
    expect(await statusOf(customerId, sent.reportID)).toBe('inReview')
    expect(await checksOf(sent.reportID)).toContain('dates')
  })
})

describe('a message waits for a person', () => {
  test('with a day of collection that there is not, or two of them', async () => {
    const { kitID } = await newKit()
    const none = await send(kitID, [hb(14)], { collected: '20260230083000' })
    expect(none).toMatchObject({ status: 'waiting', reason: expect.stringContaining('none that there is') })
    const specimen = `SPM|1|||SER^Serum^HL70487${'|'.repeat(13)}20261001083000`
    const two = await send(kitID, [hb(14), specimen], { collected: '20261025083000' })
    expect(two).toMatchObject({ status: 'waiting', reason: expect.stringContaining('different days') })
  })
})

describe('a laboratory that contradicts itself is not judged', () => {
  test.each([
    '718-7^Hemoglobin^LN||8.4|g/dL|12.0-16.0',
    '2823-3^Potassium^LN||3.1|mmol/L|3.5-5.1',
    '2345-7^Glucose^LN||180|mg/dL|70-99',
  ])('by a flag of normal beside an interval that the value is beyond: %s', async (line) => {
    const { kitID } = await newKit()
    expect(await send(kitID, [`OBX|1|NM|${line}|N|||F`])).toMatchObject({
      matched: 0,
      unmatched: [{ code: 'flagContradictsRange' }],
    })
  })
})

describe('a value that a laboratory took back', () => {
  test.each(['D', 'X', 'W'])('beside others (%s) returns by a correction or a newer time only', async (status) => {
    const sodium = (as: string) => `OBX|3|NM|2951-2^Sodium^LN||144|mmol/L|135-145||||${as}`
    const { kitID, customerId } = await newKit()
    const { reportID } = await send(kitID, [hb(14), sodium(status)])
    const shown = async () =>
      (await at.clinic.live.get(`/customers/${customerId}/reports/${reportID}`)).body.biomarker.map(
        ({ id }: { id: string }) => id,
      )
    expect(await shown()).not.toContain('sodium')
    const again = await send(kitID, [sodium('F')])
    expect(again.unmatched).toMatchObject([{ code: 'afterWithdrawal' }])
    expect(await shown()).not.toContain('sodium')
    await send(kitID, [sodium('F')], { reported: '20261102113000' })
    expect(await shown()).toContain('sodium')
  })
})

describe('what is said beside a result', () => {
  const shownOf = async (results: readonly string[], sample: Sample = {}) => {
    const { kitID, customerId } = await newKit()
    const { reportID } = await send(kitID, results, sample)
    return (await at.clinic.live.get(`/customers/${customerId}/reports/${reportID}`)).body.biomarker[0]
  }

  test('that it is preliminary marks it so', async () => {
    for (const note of ['', 'NTE|1||Fasting state not verified'])
      expect(await shownOf([hb(14), ...(note ? [note] : [])])).not.toHaveProperty('preliminary')
    for (const [result, note] of [
      [[hb(14, 'S')], undefined],
      [[hb(14), 'NTE|1||PRELIMINARY RESULT - not verified'], undefined],
      [[hb(14)], 'PRELIMINARY RESULT - not verified'],
    ] as const)
      expect(await shownOf(result, note ? { note } : {})).toMatchObject({ preliminary: true })
  })

  test.each<[string, string[], string?]>([
    ['the answer no', ['OBX|2|CWE|49541-6^Fasting status^LN||N^No^HL70136||||||F']],
    ['two hours', ['OBX|2|NM|HF^Hours fasting^L||2|h|||||F']],
    ['a meal before', ['NTE|1||Drawn 1 hour after breakfast']],
    ['a meal before, of the whole sample', [], 'Drawn 1 hour after breakfast'],
  ])('that the person had eaten counts before the name of fasting glucose: %s', async (_, more, note) => {
    const glucose = 'OBX|1|NM|1558-6^Fasting glucose^LN||110|mg/dL|70-99|H|||F'
    expect(await shownOf([glucose, ...more], note ? { note } : {})).toMatchObject({ fasting: 'no' })
  })

  test('that only gives limits after a meal does not', async () => {
    const glucose = 'OBX|1|NM|1558-6^Fasting glucose^LN||110|mg/dL|70-99|H|||F'
    expect(await shownOf([glucose, 'NTE|1||Fasting 70-99; 2 h after a meal below 140'])).toMatchObject({
      fasting: 'yes',
    })
  })
})

describe('a person hears at once', () => {
  test.each<[string, string[]]>([
    ['HIV Ag/Ab', ['OBX|2|ST|56888-1^HIV Ag/Ab^LN||Negative||||||F', 'NTE|1|L|HIV-1 RNA NAT: DETECTED']],
    ['HCV Ab', ['OBX|2|ST|13955-0^HCV Ab^LN||Non-reactive||||||F', 'NTE|1|L|HCV RNA detected 1200 IU/mL']],
    ['MTB DNA', ['OBX|2|CWE|38379-4^MTB DNA^LN||260405006^Trace^SCT||||||F']],
    ['Hemoglobin', ['OBX|2|ST|718-7^Hemoglobin^LN||5,8 g/dL||||||F']],
  ])('of %s, which could not be judged beside a glucose', async (_, results) => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, ['OBX|1|NM|2345-7^Glucose^LN||88|mg/dL|70-99||||F', ...results])
    expect(await statusOf(customerId, sent.reportID)).toBe('inReview')
    expect(await criticalOf(kitID)).toHaveLength(1)
  })

  test('of a critical value that came after a correction, while the corrected one stays published', async () => {
    const { kitID, customerId } = await newKit()
    const sodium = (value: number, status: string) => `OBX|1|NM|2951-2^Sodium^LN||${value}|mmol/L|136-145||||${status}`
    await send(kitID, [sodium(140, 'F')])
    const corrected = await send(kitID, [sodium(141, 'C')])
    await send(kitID, [sodium(115, 'F')])
    expect(await statusOf(customerId, corrected.reportID)).toBe('published')
    expect(await criticalOf(kitID)).toEqual(['115'])
  })
})

describe('words on hemolysis hold a report and change no value', () => {
  const potassium = (value: number, flag = '') => `OBX|1|NM|2823-3^Potassium^LN||${value}|mmol/L|3.5-5.2|${flag}|||F`
  const shown = async (reportID: string) => {
    const { body } = await reviewer('GET', `/reports/${reportID}`)
    return body.biomarker.find(({ id }: { id: string }) => id === 'potassium')?.result
  }

  test.each<[string, number, string[], string[]]>([
    ['a note', 7.6, [potassium(7.6, 'HH'), 'NTE|1|L|Slight hemolysis, potassium confirmed on repeat'], ['7.6']],
    ['the state of the specimen', 7.2, [potassium(7.2, 'HH'), 'SPM|1|||BLD|||||||||||||||||||HEM^Hemolyzed'], ['7.2']],
    ['a note without a flag', 7.2, [potassium(7.2), 'NTE|1|L|Sample slightly haemolysed'], ['7.2']],
    ['a note in German', 7.2, [potassium(7.2), 'NTE|1|L|Probe leicht hämolytisch'], ['7.2']],
    ['a sample that came late', 7.2, [potassium(7.2, 'HH'), 'NTE|1|L|Specimen received late'], ['7.2']],
    ['a note beside a low value', 2.4, [potassium(2.4, 'LL'), 'NTE|1|L|Hemolyzed'], ['2.4']],
    ['a note beside a value in range', 4.4, [potassium(4.4), 'NTE|1|L|Hemolysis 1+'], []],
    ['an index in steps', 5.6, [potassium(5.6, 'H'), 'OBX|2|ST|HI^Hemolysis index^L||3+||||||F'], []],
    ['an index as a number', 5.6, [potassium(5.6, 'H'), 'OBX|2|NM|HI^Hemolysis index^L||250|mg/dL|||||F'], []],
    ['an index in German', 5.6, [potassium(5.6, 'H'), 'OBX|2|ST|HI^Hämolyseindex^L||++||||||F'], []],
  ])('%s', async (_, value, results, critical) => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, results)
    expect(await statusOf(customerId, sent.reportID)).toBe('inReview')
    expect(await shown(sent.reportID)).toBe(value)
    expect(await criticalOf(kitID)).toEqual(critical)
  })

  test.each([
    'NTE|1|L|Hemolysis: none',
    'NTE|1|L|No haemolysis',
    'NTE|1|L|Sample not haemolysed',
    'NTE|1|L|Hämolyse: keine',
    'NTE|1|L|Previous sample was haemolysed; recollected, normal appearance',
    'OBX|2|ST|HI^Hemolysis index^L||None||||||F',
    'OBX|2|NM|HI^Hemolysis index^L||0||||||F',
    'OBX|2|NM|HI^Hemolysis index^L||12|mg/dL|||||F',
  ])('and none where it is denied: %s', async (said) => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, [potassium(4.4), said])
    expect(await statusOf(customerId, sent.reportID)).toBe('published')
    const { body } = await at.clinic.live.get(`/customers/${customerId}/reports/${sent.reportID}`)
    expect(body.labParamsError).toEqual([])
    expect(body.biomarker).toMatchObject([{ id: 'potassium', result: 4.4 }])
    expect(body.biomarker[0]).not.toHaveProperty('note')
  })
})
