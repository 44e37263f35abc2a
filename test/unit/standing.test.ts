import { isBefore } from '@kitlane/lab-reader/standing/laboratory-time'
import { decideStanding, type Statement } from '@kitlane/lab-reader/standing/standing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

interface Message {
  status: Statement['status']
  value: number
  /** Of the day that its laboratory writes on it. */
  hour: number
}

type Decide = (statements: readonly (Statement & Message)[]) => { stands?: (Statement & Message) | undefined }

const two = (n: number) => String(n).padStart(2, '0')
const asStatement = ({ hour, ...message }: Message, document: number): Statement & Message => ({
  ...message,
  hour,
  document,
  sequence: 0,
  isOrdered: true,
  times: { sentDate: `2026-04-02T${two(hour)}:00:00` },
})

/**
 * An independent model: the messages are read in the order in which their laboratory wrote them, and each does to a slip of
 * paper what it says. No two are written at the same time.
 */
function slipOfPaper(messages: readonly Message[]): number | undefined {
  const weight = { preliminary: 1, final: 2, corrected: 3 } as const
  let slip: { value: number; weight: number } | undefined
  for (const { status, value } of messages.toSorted((a, b) => a.hour - b.hour)) {
    if (status === 'withdrawn') slip = undefined
    else if (weight[status] >= (slip?.weight ?? 0)) slip = { value, weight: weight[status] }
  }
  return slip?.value
}

const standing = (decide: Decide, sent: readonly Message[]): number | undefined => {
  const { stands } = decide(sent.map(asStatement))
  return stands?.status === 'withdrawn' ? undefined : stands?.value
}

const message = fc.record({
  status: fc.constantFrom<Statement['status'][]>('preliminary', 'final', 'corrected', 'withdrawn'),
  value: fc.integer({ min: 50, max: 99 }),
  hour: fc.integer({ min: 1, max: 23 }),
})
const messages = fc.uniqueArray(message, { minLength: 1, maxLength: 6, selector: ({ hour }) => hour })
/** The messages in any order, some of them several times. */
const disordered = messages.chain((written) =>
  fc
    .array(fc.constantFrom(...written), { maxLength: 6 })
    .chain((again) => fc.shuffledSubarray([...written, ...again], { minLength: written.length + again.length }))
    .map((sent) => ({ written, sent })),
)

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const check = (decide: Decide) =>
  fc.check(
    fc.property(disordered, ({ written, sent }) => standing(decide, sent) === slipOfPaper(written)),
    { seed, numRuns: 3000 },
  )

/** Every order of some items. */
function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries()) {
    for (const rest of orders(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

describe('what stands of all that laboratories sent', () => {
  it('is what stands in the order in which they wrote it, in whatever order and however often it comes', () => {
    process.stdout.write(`seed ${seed}\n`)
    const { failed, counterexample } = check(decideStanding)
    expect(failed, JSON.stringify(counterexample)).toBe(false)
  })

  it('is the same in all 720 orders of six messages of every kind', () => {
    const kinds: Statement['status'][] = ['preliminary', 'final', 'withdrawn', 'final', 'corrected', 'preliminary']
    const written = kinds.map((status, index) => ({ status, value: 50 + index, hour: index + 1 }))
    const found = new Set([...orders(written)].map((sent) => standing(decideStanding, sent)))
    expect([...found]).toEqual([slipOfPaper(written)])
  })

  it('keeps a value where another resource of the same bundle was entered in error with another value', () => {
    const bundled = (status: Statement['status'], valueText: string): Statement => ({
      status,
      valueText,
      document: 1,
      sequence: 0,
      isOrdered: false,
      times: {},
    })
    const stands = (withdrawn: string) =>
      decideStanding([bundled('final', '4.8'), bundled('withdrawn', withdrawn)]).stands
    expect(stands('4.9')?.status).toBe('final')
    expect(stands('4.8')?.status).toBe('withdrawn')
    expect(stands('')?.status).toBe('withdrawn')
  })

  const last: Decide = (statements) => ({ stands: statements.at(-1) })
  const newest: Decide = (statements) => ({ stands: statements.toSorted((a, b) => b.hour - a.hour)[0] })
  const returning: Decide = (statements) =>
    decideStanding(statements.filter(({ status }, index) => status !== 'withdrawn' || index === statements.length - 1))
  const rankless: Decide = (statements) =>
    decideStanding(statements.map((one) => (one.status === 'withdrawn' ? one : { ...one, status: 'final' })))
  it.each([
    ['takes the last that came', last],
    ['takes the newest, whatever its status', newest],
    ['lets a withdrawn value return with the next message', returning],
    ['does not know preliminary from corrected', rankless],
  ])('and a decider that %s is found out', (_, decide) => {
    expect(check(decide).failed).toBe(true)
  })
})

describe('a time of a laboratory', () => {
  it.each([
    ['2026-04-02T10:00:00', '2026-04-02T10:00:01', true],
    ['2026-04-02T10:00', '2026-04-02T10:00:30', false],
    ['2026-04-02', '2026-04-02T10:00:00', false],
    ['2026-04-01', '2026-04-02T00:00:00', true],
    ['2026-03', '2026-04-02', true],
    ['2025', '2026', true],
    ['2026-04-02T12:00:00-05:00', '2026-04-02T16:59:59Z', false],
    ['2026-04-02T11:00:00-05:00', '2026-04-02T16:00:01Z', true],
    ['2026-04-02T10:00:00', '2026-04-02T20:00:00Z', false],
    ['2026-04-02T10:00:00', '2026-04-02T23:00:00Z', true],
    ['2026-04-02T10:00:00Z', '2026-04-02T23:00:00', false],
    ['2026-04-02T10:00:00Z', '2026-04-03T00:00:01', true],
    ['2026-02-30', '2026-04-02', false],
    ['2026-04-02T25:00', '2026-04-03', false],
    ['yesterday', '2026-04-03', false],
  ])('%s is before %s: %s', (one, other, expected) => {
    expect([isBefore(one, other), isBefore(other, one) && expected]).toEqual([expected, false])
  })
})
