import { told } from '../../test/harness/disorder.ts'
import type { Random } from '../random.ts'

/** What a laboratory says once of its tests of one sample. */
export interface Written {
  id: string
  text: string
  /** By the laboratory's code. */
  statements: { test: TestName; status: Status; value: number }[]
}

const tests = {
  glucose: { code: '2345-7^Glucose^LN', unit: 'mg/dL', low: 75, high: 95 },
  sodium: { code: '2951-2^Sodium^LN', unit: 'mmol/L', low: 137, high: 143 },
  tsh: { code: '3016-3^TSH^LN', unit: 'mIU/L', low: 1, high: 3 },
} as const
export type TestName = keyof typeof tests
export const testNames = Object.keys(tests) as TestName[]

/** OBX-11: preliminary, final, corrected, withdrawn. */
const statuses = ['P', 'F', 'F', 'C', 'W'] as const
type Status = (typeof statuses)[number]

/** The messages about a kit in the order in which they are written, a minute or more apart. */
export function writeMessages(kitId: string, count: number, random: Random): Written[] {
  return Array.from({ length: count }, (_, index): Written => {
    const given = testNames
      .filter(() => random.fraction() < 0.6)
      .map((test) => {
        const { low, high } = tests[test]
        return { test, status: random.pick(statuses), value: random.between(low, high) }
      })
    const rows = given.map(({ test, status, value }) => {
      const { code, unit } = tests[test]
      return { code, unit, status, value: status === 'W' ? '' : String(value) }
    })
    const at = new Date(Date.UTC(2026, 3, 2, 6, index)).toISOString().replaceAll(/\D/g, '').slice(0, 14)
    const id = `${kitId}-${index}`
    return { id, statements: given, text: told({ kitId, rows, id, sent: at, reported: at }) }
  }).filter(({ statements: said }) => said.length > 0)
}

export interface Shown {
  value: number
  isPreliminary: boolean
}

const weights = { P: 1, F: 2, C: 3 } as const

/** What stands of a test: the messages are read in the order in which they were written. */
export function inOrder(written: readonly Written[], test: TestName): Shown | undefined {
  let stands: (Shown & { weight: number }) | undefined
  for (const one of written.flatMap(({ statements: said }) => said.filter((of) => of.test === test))) {
    if (one.status === 'W') stands = undefined
    else if (weights[one.status] >= (stands?.weight ?? 0))
      stands = { value: one.value, isPreliminary: one.status === 'P', weight: weights[one.status] }
  }
  return stands && { value: stands.value, isPreliminary: stands.isPreliminary }
}
