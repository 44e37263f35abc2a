import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { inWords, isRight } from '../../prove/record.ts'
import { results, written } from '../../prove/table.ts'
import { read } from '../harness/sources.ts'

it('docs/proofs.md has the last figures of the proofs (if not: npm run prove:table)', () => {
  expect(read(['docs/proofs.md'])[0]?.text).toBe(written())
})

it('README.md quotes figures that docs/performance.md and the last proofs have', () => {
  const [readme = '', page = ''] = read(['README.md', 'docs/performance.md']).map(({ text }) => text)
  const quoted = /## Figures\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
  const figures = quoted.match(/\d[\d,]*\d{3}\b(?!-)|\d+\.\d+/g) ?? []
  expect(figures.length).toBeGreaterThanOrEqual(7)
  expect(figures.filter((one) => !page.includes(one))).toEqual([])
  const missed = results.filter(({ last }) => !last.right).map(({ name }) => name)
  expect(quoted).toContain(`of ${results.length}, `)
  expect(missed.filter((name) => !quoted.includes(`\`${name}\``))).toEqual([])
})

it('each recorded proof can be run', () => {
  for (const { name } of results) expect(manifest.scripts).toHaveProperty([`prove:${name}`])
})

it('a recorded proof is right if each of its figures is', () => {
  for (const { name, last } of results) expect(last.right, name).toBe(last.figures.every(isRight))
})

it('a figure says what was promised where it is a limit, or was missed', () => {
  const seconds = { name: 'slowest', actual: 2.5, expected: 5, unit: 's' }
  expect(inWords({ ...seconds, atMost: true })).toBe('slowest: 2.5 s, at most 5 s')
  expect(isRight({ ...seconds, atMost: true })).toBe(true)
  expect(isRight({ ...seconds, atLeast: true })).toBe(false)
  expect(inWords({ name: 'orders lost', actual: 1, expected: 0 })).toBe('orders lost: 1, not 0')
  expect(inWords({ name: 'orders lost', actual: 0, expected: 0 })).toBe('orders lost: 0')
  expect(inWords({ name: 'orders', actual: 12000 })).toBe('orders: 12,000')
})
