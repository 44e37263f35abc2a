import { expect, test } from 'vitest'
import { read, trackedFiles } from '../harness/sources.ts'

// A world of a test's own costs 1.7 s of CPU. A new one needs a reason that the shared world does not serve, and then a place here.
const MOST = 133

test('tests share a service, or say in a sentence why they need one of their own', () => {
  const files = read(trackedFiles().filter((path) => /^test\/.*\.test\.ts$/.test(path)))
  const own = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bownWorld\((?:\s*'([^']*)')?/g)].map(([, why]) => ({ path, why })),
  )
  expect(own.filter(({ why = '' }) => !/^[a-z]+ .*[a-z]/.test(why))).toEqual([])
  expect(own.length).toBeLessThanOrEqual(MOST)
  expect(files.filter(({ text }) => /\bsharedWorld\(/.test(text)).length).toBeGreaterThan(50)
})

test('no test gives up waiting sooner than the others: a slow machine passes', () => {
  const tests = read(trackedFiles().filter((path) => /^test\/.*\.test\.ts$/.test(path)))
  const own = (text: string) => text.match(/\.poll\([^;]*?timeout: [\d_]+|interval: \d+, timeout: [\d_]+/s)
  expect(own(`expect${'.poll'}(done, { timeout: 8000 })`), 'the check finds one').not.toBeNull()
  expect(tests.flatMap(({ path, text }) => (own(text) ? [path] : []))).toEqual([])
})
