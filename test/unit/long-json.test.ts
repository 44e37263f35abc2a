import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLongJson } from '../../src/platform/http/body.ts'
import { readShape } from '../../src/platform/http/json-shape.ts'

const parse = (text: string): unknown => JSON.parse(text)
const long = (text: string) => parseLongJson(Buffer.from(text), parse)
const pad = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: 'x'.repeat(100), tags: ['a', 'ü'] }))

/** The outcome of parsing, at once or in pieces. */
async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return { value: await work() }
  } catch {
    return 'refused'
  }
}

describe('a long JSON body', () => {
  it('means what it means when it is parsed at once', async () => {
    const values: unknown[] = [
      { rows: pad(2000) },
      { before: 1, rows: pad(900), after: { rows: pad(3) }, more: pad(900), short: [1] },
      pad(1500),
      { text: '[{"\\,]'.repeat(60_000), rows: pad(700) },
      { rows: Array(30_000).fill(12), nested: { rows: pad(200) } },
      [],
      'text',
      12,
    ]
    for (const value of values) {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 3)]) {
        expect(await long(text)).toEqual(JSON.parse(text))
      }
    }
  })

  it('with a name twice keeps the last one, as JSON does', async () => {
    const rows = JSON.stringify(pad(900))
    for (const text of [`{"a":${rows},"a":[1]}`, `{"a":[1],"a":${rows}}`, `{"a":${rows},"a":${rows}}`]) {
      expect(await long(text)).toEqual(JSON.parse(text))
    }
  })

  it('that is not well-formed is refused, wherever the fault is', async () => {
    const entries = JSON.stringify(pad(1200)).slice(1, -1)
    const faulty = [
      `{"a":[${entries},]}`,
      `{"a":[,${entries}]}`,
      `{"a":[${entries},,${entries}]}`,
      `{"a":[${entries}}}`,
      `{"a":[${entries}]`,
      `{"a":[${entries}],}`,
      `[${entries}]]`,
      `[${entries}],[${entries}]`,
      `{"a":[${entries} ${entries}]}`,
      `{"a":[${entries}, {"b":[1}]}`,
      `{"a":[${entries},"open]}`,
      `{"a":[${' '.repeat(40_000)},${entries}]}`,
      `{"a":[${entries},${' '.repeat(40_000)},1]}`,
    ]
    for (const text of faulty) {
      expect(() => JSON.parse(text), text.slice(-50)).toThrow()
      await expect(long(text), text.slice(-50)).rejects.toThrow()
    }
  })

  it('with any bytes changed is taken or refused as if it were parsed at once', async () => {
    const text = JSON.stringify({ rows: pad(450), z: [1, { a: [2] }] })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(text.length - 1), fc.constantFrom(...'"\\[]{},: 1a'.split(''))), {
          minLength: 1,
          maxLength: 3,
        }),
        async (changes) => {
          const changed = changes.reduce((all, [at, by]) => all.slice(0, at) + by + all.slice(at + 1), text)
          expect(await outcome(() => long(changed))).toEqual(await outcome(() => JSON.parse(changed)))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is never parsed in one piece that takes long', async () => {
    const lengths: number[] = []
    const text = JSON.stringify({ rows: pad(5000) })
    await parseLongJson(Buffer.from(text), (piece) => {
      lengths.push(piece.length)
      return JSON.parse(piece)
    })
    expect(Math.max(...lengths)).toBeLessThan(34_000)
    const many = Array.from({ length: 30_000 }, (_, n) => `"f${n}":1`).join()
    for (const body of [
      `{${many}}`,
      `{"rows":[{${many}}]}`,
      `{"rows":[${JSON.stringify(pad(900)).slice(1, -1)},{${many}}]}`,
    ]) {
      await expect(long(body)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    }
  })

  it('is read in steps, with texts across them', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(200_000), b: 'x'.repeat(300_000) })
    const steps = [...readShape(Buffer.from(text))].length
    expect(steps).toBeGreaterThanOrEqual(Math.floor(text.length / (128 * 1024)))
  })
})
