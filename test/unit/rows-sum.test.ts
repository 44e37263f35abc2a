import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RowsSum } from '../../src/platform/backup/copy.ts'

function sumOf(rows: readonly string[], partBytes = 4096): string {
  const text = Buffer.from(rows.map((row) => `${row}\n`).join(''))
  const sum = new RowsSum()
  for (let at = 0; at < text.length; at += partBytes) sum.add(text.subarray(at, at + partBytes))
  return sum.digest()
}

const row = fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', '\\n'))
const rows = fc.array(row, { minLength: 1, maxLength: 30 })

it('the sum of rows is the same in any order, and however the text is cut', () => {
  fc.assert(
    fc.property(rows, fc.infiniteStream(fc.nat()), fc.integer({ min: 1, max: 70 }), (given, places, partBytes) => {
      const shuffled = given.map((one) => ({ one, place: places.next().value as number }))
      shuffled.sort((a, b) => a.place - b.place)
      expect(
        sumOf(
          shuffled.map(({ one }) => one),
          partBytes,
        ),
      ).toBe(sumOf(given))
    }),
  )
})

it('the sum is another where a row is changed, lost or doubled', () => {
  fc.assert(
    fc.property(rows, fc.nat(), (given, chosen) => {
      const at = chosen % given.length
      const changed = given.with(at, `${given[at]}.`)
      const doubled = [...given, given[at] as string]
      for (const other of [changed, given.toSpliced(at, 1), doubled]) expect(sumOf(other)).not.toBe(sumOf(given))
    }),
  )
})
