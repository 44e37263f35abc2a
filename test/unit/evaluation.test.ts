import { describe, expect, it } from 'vitest'
import { classes } from '../../packages/lab-reader/evaluate/classes.ts'
import { fresh } from '../../packages/lab-reader/evaluate/fresh.ts'
import { scoreDocument } from '../../packages/lab-reader/evaluate/score.ts'
import { randomOf } from '../../prove/random.ts'
import { openSample } from '../harness/sample.ts'

const SEED = 4711
const DOCUMENTS = 3
const documents = classes.flatMap(({ name }) => Array.from({ length: DOCUMENTS }, (_, index) => ({ name, index })))
const sample = openSample('laboratory documents').draw(documents, ({ name }) => name)
const freshFiles = fresh.flatMap(({ name, count }) => Array.from({ length: count }, (_, index) => ({ name, index })))
const freshSample = openSample('fresh files').draw(freshFiles, ({ name }) => name, 4)

describe('of made-up laboratory documents', () => {
  it.each(classes)('$name: no line is wrong or lost', async ({ name, make }) => {
    for (const { index } of sample.filter((one) => one.name === name)) {
      const { wrong, lost, faults } = await scoreDocument(await make(randomOf(SEED + index)))
      expect({ index, wrong, lost, faults: wrong + lost > 0 ? faults : [] }).toEqual({
        index,
        wrong: 0,
        lost: 0,
        faults: [],
      })
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
  it.each(fresh)('$name: no line is wrong or lost', async ({ name, make }) => {
    for (const { index } of freshSample.filter((one) => one.name === name)) {
      const { wrong, lost, faults } = await scoreDocument(await make(index))
      expect({ index, wrong, lost, faults: wrong + lost > 0 ? faults : [] }).toMatchObject({ wrong: 0, lost: 0 })
    }
  })
})
