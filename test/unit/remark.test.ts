import { readFileSync } from 'node:fs'
import { remarkOf } from '@kitlane/lab-reader/parse/remark'
import { describe, expect, test } from 'vitest'

/** Remarks as laboratories of nine countries write them, a line each, behind the country. */
const remarks = (name: string): string[] =>
  readFileSync(new URL(`../../packages/lab-reader/evaluate/remarks/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice('de: '.length))

describe('a remark of a laboratory', () => {
  test('that doubts or takes back is never passed over', () => {
    expect(remarks('annulling').filter((one) => remarkOf(one) === 'ordinary')).toEqual([])
  })

  test('that is ordinary holds nothing', () => {
    expect(remarks('ordinary').filter((one) => remarkOf(one) !== 'ordinary')).toEqual([])
  })

  test.each([
    'Performed by ECLIA. The tube was found on the floor.',
    'Fasting\nThe two racks were put in by hand',
    'Reference range for adults; somebody will ring',
    'Xyzzy',
  ])('is known only if each of its sentences is: %s', (remark) => {
    expect(remarkOf(remark)).toBe('unknown')
  })
})
