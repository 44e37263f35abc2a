import { matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { gateProofs } from '../../prove/proofs.ts'
import { randomOf } from '../../prove/random.ts'
import { sampleOf } from '../harness/sample.ts'
import { importsOf, read, trackedFiles } from '../harness/sources.ts'

const scripts: Readonly<Record<string, string>> = manifest.scripts
const cases = Array.from({ length: 1000 }, (_, index) => ({ index, group: index < 3 ? 'small' : `${index % 4}` }))
const drawn = (seed: number, oneOf?: number) => sampleOf(randomOf(seed)).draw(cases, ({ group }) => group, oneOf)

it('a sample of a matrix has each group in its share, at least one case of it, and none twice', () => {
  const sizes = Map.groupBy(drawn(1, 10), ({ group }) => group)
  expect(Object.fromEntries([...sizes].map(([group, { length }]) => [group, length]))).toEqual({
    small: 1,
    0: 25,
    1: 25,
    2: 25,
    3: 25,
  })
  expect(new Set(drawn(1, 10)).size).toBe(101)
  expect(drawn(1)).toHaveLength(5)
})

it('a sample of a matrix is the same by the same seed, another by another, and many reach every case', () => {
  expect(drawn(1, 10)).toEqual(drawn(1, 10))
  expect(drawn(2, 10)).not.toEqual(drawn(1, 10))
  const reached = new Set(Array.from({ length: 200 }, (_, seed) => drawn(seed, 10)).flat())
  expect(reached.size).toBe(cases.length)
})

it('every test that otherwise draws a sample is run whole by prove:matrices, prove:values, prove:scenarios or prove:pages', () => {
  const tests = read(trackedFiles().filter((path) => path.endsWith('.test.ts') && !path.endsWith('/sample.test.ts')))
  const drawing = tests.filter((test) => importsOf(test).some(({ to }) => to === 'test/harness/sample.ts'))
  const whole = gateProofs.filter(({ name }) => scripts[`prove:${name}`]?.startsWith('MATRICES=whole '))
  expect(whole.map(({ name }) => name)).toEqual(['matrices', 'values', 'scenarios', 'pages'])
  expect(whole.flatMap(({ tests = [] }) => tests).toSorted()).toEqual(drawing.map(({ path }) => path))
  for (const { files } of whole)
    expect(
      files.some((glob) => matchesGlob('test/harness/sample.ts', glob)),
      'depends on what draws',
    ).toBe(true)
})
