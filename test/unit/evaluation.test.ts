import { describe, expect, it } from 'vitest'
import { classes } from '../../packages/lab-reader/evaluate/classes.ts'
import { fresh } from '../../packages/lab-reader/evaluate/fresh.ts'
import { scoreDocument } from '../../packages/lab-reader/evaluate/score.ts'
import { randomOf } from '../../prove/random.ts'
import { openSample } from '../harness/sample.ts'

const SEED = 4711
const DOCUMENTS = 3
const numbered = ({ name, count = DOCUMENTS }: { name: string; count?: number }) =>
  Array.from({ length: count }, (_, index) => ({ name, index }))
/** Of each format one document of so many, whatever its class. */
const ONE_OF = 15
const formatOf = ({ name }: { name: string }) => name.slice(0, name.indexOf(','))
const sample = openSample('laboratory documents').draw(classes.flatMap(numbered), formatOf, ONE_OF)
const freshSample = openSample('fresh files').draw(fresh.flatMap(numbered), formatOf, ONE_OF)
const formats = [...new Set(classes.map(formatOf))]

async function expectNoFault(name: string, index: number, document: Parameters<typeof scoreDocument>[0]) {
  const { wrong, lost, faults } = await scoreDocument(document)
  const found = { name, index, wrong, lost, faults: wrong + lost > 0 ? faults : [] }
  expect(found).toEqual({ name, index, wrong: 0, lost: 0, faults: [] })
}

describe('of made-up laboratory documents', () => {
  it.each(formats)('in %s, no line is wrong or lost', async (format) => {
    const drawn = sample.filter((one) => formatOf(one) === format)
    expect(drawn).not.toEqual([])
    for (const { name, index } of drawn) {
      const { make } = classes.find((one) => one.name === name) ?? expect.fail(name)
      await expectNoFault(name, index, await make(randomOf(SEED + index)))
    }
  })

  it('a result that is not printed counts as wrong, and one that is not kept as lost', async () => {
    const bytes = Buffer.from('Test,Result,Units\nGlucose,91,mg/dL\n')
    const says = {
      as: 'result',
      biomarkerId: 'glucose',
      text: '92',
      value: 92,
      unit: 'mg/dL',
      isCertain: true,
    } as const
    const other = { as: 'wait', text: '5.1', name: 'Potassium' } as const
    const score = await scoreDocument({ format: 'csv', bytes, expected: [says, other] })
    expect(score).toMatchObject({ right: 0, wrong: 1, lost: 1 })
  })
})

describe('of files that nobody tuned to', () => {
  it.each(formats)('in %s, no line is wrong or lost', async (format) => {
    const drawn = freshSample.filter((one) => formatOf(one) === format)
    expect(drawn).not.toEqual([])
    for (const { name, index } of drawn) {
      const { make } = fresh.find((one) => one.name === name) ?? expect.fail(name)
      await expectNoFault(name, index, await make(index))
    }
  })
})
