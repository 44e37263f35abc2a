import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

const becameOf = async (text: string) => {
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  return reports.flatMap(({ observations }) => {
    const { results, unmatched } = identifyObservations(observations, biomarkers)
    return [...results.map((one) => ('value' in one ? one.value : undefined)), ...unmatched.map(({ code }) => code)]
  })
}
const row = (name: string, value: string, unit: string, range: string) =>
  becameOf(`Test,Result,Unit,Reference range\n${name},${value},${unit},${range}`)

describe('a value whose printed range has another unit', () => {
  it.each([
    ['Hemoglobin', '13.1', 'mmol/L', '12.0-15.5 g/dL'],
    ['Glucose', '5.4', 'mg/dL', '3.9-6.1 mmol/L'],
    ['Sodium', '139', 'mmol/L', '136-145 U/L'],
    ['Platelets', '241', '10*6/uL', '150-400 10*3/uL'],
    // Both numbers lie in the range: as it stands, and once it is converted.
    ['25-OH Vitamin D', '71', 'ng/mL', '50-250 nmol/L'],
    // As it stands it lies close to a limit.
    ['25-OH Vitamin D', '71', 'ng/mL', '75-250 nmol/L'],
    ['Vitamin B12', '560', 'pmol/L', '180-550 pg/mL'],
  ])('waits: %s %s %s beside %s', async (...cells) => {
    expect((await row(...cells)).every((one) => typeof one === 'string')).toBe(true)
  })

  it.each([
    ['Sodium', '139', 'mmol/L', '136-145 mEq/L', 139],
    ['TSH', '2.1', 'mIU/L', '0.4-4.0 uIU/mL', 2.1],
    ['Platelets', '241', '10*9/L', '150-400 10*3/uL', 241],
    ['Glucose', '92', 'mg/dL', '3.9-5.5 mmol/L', 92],
    ['Hemoglobin', '8.1', 'mmol/L', '12.0-15.5 g/dL', 8.1],
    ['Calcium', '9.4', 'mg/dL', '8.6-10.2 mg/dL', 9.4],
  ])('is read if both units mean the same, or it lies in the range: %s %s %s beside %s', async (...cells) => {
    const [name, value, unit, range, found] = cells
    expect(await row(name, value, unit, range)).toEqual([found])
  })

  it('waits in a message and in FHIR too', async () => {
    const head = 'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1'
    const message = [head, 'PID|1||X||Tester^Bo||19800229|F', 'OBR|1||A1']
    const obx = 'OBX|1|NM|718-7^Hemoglobin^LN||13.1|mmol/L|12.0-15.5 g/dL||||F'
    expect(await becameOf([...message, obx].join('\r'))).toEqual(['otherScale'])
    const bound = (value: number) => ({ value, unit: 'g/dL' })
    const observation = {
      ...{ resourceType: 'Observation', status: 'final', code: { text: 'Hemoglobin' } },
      valueQuantity: { value: 13.1, unit: 'mmol/L' },
      referenceRange: [{ low: bound(12), high: bound(15.5) }],
    }
    expect(await becameOf(JSON.stringify(observation))).toEqual(['otherScale'])
  })
})

describe('a range without a unit that is the one of another unit', () => {
  const judged = (
    name: string,
    [value, unit]: readonly [number, string],
    [low, high]: readonly [number, number],
    sex?: 'M' | 'F',
  ) => {
    const printed = { valueText: String(value), rangeText: `${low}-${high}`, raw: '', position: 'row 2' }
    const one = { name, value, unit, range: { low, high }, status: 'final' as const, ...printed }
    const { results, unmatched } = identifyObservations([one], biomarkers, { ...(sex && { sex }) })
    return [...results.map(() => 'read'), ...unmatched.map(({ code }) => code)]
  }

  it('lets the value wait: hemoglobin beside what neighbours print in mmol/L', () => {
    expect(judged('Hemoglobin', [8.3, 'g/dL'], [7.4, 9.6])).toEqual(['otherScale'])
    expect(judged('Hemoglobin', [8.3, 'mmol/L'], [7.4, 9.6])).toEqual(['read'])
  })

  it('lets the value wait where a single limit can be compared: bilirubin below 21 is in µmol/L', async () => {
    expect(await row('Total bilirubin', '12', 'mg/dL', '<21')).toEqual(['otherScale'])
    expect(await row('Total bilirubin', '11', 'mg/dL', '3-21')).toEqual(['otherScale'])
    expect(await row('Total bilirubin', '12', 'µmol/L', '<21')).toEqual([12])
    expect(await row('Total bilirubin', '0.7', 'mg/dL', '0-1.2')).toEqual([0.7])
    // What is little vitamin D in one unit is enough in the other: no sign of either.
    expect(await row('25-OH Vitamin D', '41', 'nmol/L', '>30')).toEqual([41])
  })

  it('is compared for the sex of the person, where the file says it', () => {
    const testosterone = (sex?: 'M' | 'F') => judged('Testosterone', [18.2, 'ng/dL'], [9, 30], sex)
    expect([testosterone('M'), testosterone('F'), testosterone()]).toEqual([['otherScale'], ['read'], ['otherScale']])
  })
})

describe('a range that stands beside the wrong row', () => {
  const table = (...rows: string[]) => becameOf(['Test,Result,Unit,Reference range', ...rows].join('\n'))

  it('waits where it can be none of the test in any laboratory', async () => {
    expect(await row('Potassium', '4.1', 'mmol/L', '0.27 - 4.20')).toEqual(['otherScale'])
    expect(await row('Hemoglobin', '13.1', 'g/dL', '3.5 - 15.5')).toEqual(['otherScale'])
    expect(await row('Potassium', '4.1', 'mmol/L', '3.5 - 5.1')).toEqual([4.1])
    expect(await row('Fasting glucose', '92', 'mg/dL', '<200')).toEqual([92])
  })

  it('waits where it is that of the row above or below', async () => {
    expect(await table('Sodium,140,mmol/L,136-145', 'Ferritin,61,ng/mL,136-145')).toEqual([140, 'otherRange'])
    expect(await table('Ferritin,61,ng/mL,136-145', 'Sodium,140,mmol/L,')).toEqual([140, 'otherRange'])
  })

  it('makes all ranges of a report wait where two rows have that of the row above', async () => {
    const slid = ['Sodium,140,mmol/L,', 'Ferritin,61,ng/mL,136-145', 'TSH,1.7,mIU/L,15-150', 'ALT,22,U/L,<41']
    expect(await table(...slid)).toEqual([140, 'otherScale', 'otherRange', 'otherRange'])
  })

  it('is that of its own row where two tests have similar ones', async () => {
    expect(await table('AST,22,U/L,10-40', 'ALT,24,U/L,7-55', 'GGT,20,U/L,8-61')).toEqual([22, 24, 20])
    expect(await table('Ferritin,61,ng/mL,10-120', 'Iron,88,ug/dL,35-145')).toEqual([61, 88])
  })
})
