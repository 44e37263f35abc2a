import { describe, expect, it } from 'vitest'
import { readKits } from '../../src/modules/onboarding/takeover/read.ts'
import { planOf, stageOf } from '../../src/modules/onboarding/takeover/stages.ts'

const kit = {
  external_id: 'SN-1',
  kit_type: 'ED1NL4E3L',
  status: 'registered',
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.com',
  street1: '1 Main Street',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  registered_date: '2026-01-08',
  date_of_birth: '1990-04-05',
}
const reading = (row: Record<string, unknown>) => readKits(JSON.stringify({ ...kit, ...row })).rows[0]
const problemOf = (row: Record<string, unknown>) => (reading(row) as { problem?: string }).problem
const sexOf = (sex: string) => (reading({ sex }) as { row?: { sex?: string } }).row?.sex

const csvOf = (row: Record<string, string>, ...more: string[]) =>
  [Object.keys(row).join(','), [...Object.values(row), ...more].join(',')].join('\n')

const NOW = new Date('2026-02-01T12:00:00Z')

describe('the rows of kits that another vendor sent', () => {
  it('take a sex only by a word that means one', () => {
    expect(['m', 'Male', 'MAN', ' f ', 'female', 'Woman'].map(sexOf)).toEqual(['M', 'M', 'M', 'F', 'F', 'F'])
    expect(['mujer', 'Misc', 'fluid', 'X', 'unknown'].map(sexOf)).toEqual(Array(5).fill(undefined))
    expect(problemOf({ sex: 'mujer' })).toBe('sex: Send M or F')
  })

  it('want e-mails by true, as JSON and as CSV write it', () => {
    const wants = (notify_receiver: unknown) =>
      (reading({ notify_receiver, sex: 'F' }) as { row?: { notify_receiver: boolean } }).row?.notify_receiver
    expect([true, 'true', 'TRUE', '1', false, 'False', ''].map(wants)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('name a line of JSON that is no object, and keep the others', () => {
    const { rows } = readKits([JSON.stringify({ ...kit, sex: 'F' }), 'null', '5', '"a"', '[1]'].join('\n'))
    expect(rows[0]).toMatchObject({ line: 1, row: { external_id: 'SN-1' } })
    expect(rows.slice(1)).toEqual(
      [2, 3, 4, 5].map((line) => ({ line, externalId: '', problem: 'This line is no object of JSON' })),
    )
  })

  it('say of a file with an array of JSON that each kit needs a line of its own', () => {
    expect(() => readKits(`\uFEFF[\n${JSON.stringify(kit)}]`)).toThrow(
      'Send one object of JSON on each line, not an array',
    )
  })

  it('are refused where a comma without quotes moved their values', () => {
    const { rows } = readKits(csvOf({ ...kit, sex: 'F' }, 'M'))
    expect(rows[0]).toMatchObject({
      line: 2,
      externalId: 'SN-1',
      problem: 'This line has more values than the first one has names: put quotes around a value with a comma',
    })
    expect(readKits(csvOf({ ...kit, sex: 'F' }, '', '')).rows[0]).toHaveProperty('row')
  })

  it('name the columns that nobody reads, such as a misspelt one', () => {
    expect(readKits(csvOf({ ...kit, acession: 'A-77', Sex: 'F' })).ignored).toEqual(['acession'])
    expect(readKits(JSON.stringify({ ...kit, dob: 1, Street_2: '' })).ignored).toEqual(['dob'])
    expect(readKits(csvOf({ 'Kit ID': 'SN-1', 'Last name': 'A', postal_code: '62701' })).ignored).toEqual([])
  })

  it('are named by external_id, wherever its column stands, and else by a serial number', () => {
    const idOf = (row: Record<string, unknown>) => readKits(JSON.stringify(row)).rows[0]?.externalId
    expect(idOf({ serial: 'S-1', external_id: 'E-1' })).toBe('E-1')
    expect(idOf({ serial: 'S-1', external_id: '' })).toBe('S-1')
  })

  it('may have two times of one day only in their order', () => {
    const dates = (kitInTransit: string, kitDelivered: string) => () =>
      planOf('kitDelivered', { kitInTransit, kitDelivered }, NOW)
    expect(dates('2026-01-03T18:00:00Z', '2026-01-03T09:00:00Z')).toThrow('delivered_date: is before shipped_date')
    expect(dates('2026-01-03T18:00:00Z', '2026-01-03')).not.toThrow()
    expect(dates('2026-01-03T18:00:00+02:00', '2026-01-03T16:30:00Z')).not.toThrow()
  })

  it('compare a day alone with the day that a time names where it happened', () => {
    const dates = (orderPlaced: string, kitInTransit: string) => () =>
      planOf('kitInTransit', { orderPlaced, kitInTransit }, NOW)
    expect(dates('2026-01-02T23:00:00-08:00', '2026-01-02')).not.toThrow()
    expect(dates('2026-01-02', '2026-01-02T00:30:00+09:00')).not.toThrow()
    expect(dates('2026-01-03', '2026-01-02T23:00:00-08:00')).toThrow('shipped_date: is before ordered_date')
  })

  it('take the words of other vendors for what is under way', () => {
    expect(
      ['test.failure', 'order.payment_processing', 'order.payment_complete', 'failed.testkit.sample_error'].map(
        stageOf,
      ),
    ).toEqual(['sampleRejected', 'kitPreparing', 'kitPreparing', 'sampleRejected'])
    expect(['fulfillment_order.failure', 'failed.testkit.lost', 'delivery.failed'].map(stageOf)).toEqual(
      Array(3).fill(undefined),
    )
  })
})
