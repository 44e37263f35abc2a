import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Choice,
  choices,
  choicesOf,
  type Happening,
  next,
  openStates,
  outcomes,
  type ParcelOutcome,
  states,
  type Undelivered,
  type UndeliveredState,
} from '../../src/modules/undelivered/decision.ts'
import { todoOf } from '../../src/modules/undelivered/words.ts'

const box = (state: UndeliveredState, { isHere = false, outcome = 'returnedToSender' as ParcelOutcome } = {}) => ({
  state,
  isHere,
  outcome,
})

// What happens, by its name in the table.
const words = {
  waits: { is: 'carrier', outcome: 'waitingForPickup' },
  returns: { is: 'carrier', outcome: 'returnedToSender' },
  loses: { is: 'carrier', outcome: 'lost' },
  found: { is: 'reported', outcome: 'returnedToSender' },
  broken: { is: 'reported', outcome: 'damaged' },
  missing: { is: 'reported', outcome: 'lost' },
  moving: { is: 'moving' },
  delivered: { is: 'delivered' },
  registered: { is: 'registered' },
  sample: { is: 'sampleTaken' },
  sendAgain: { is: 'sendAgain' },
  replace: { is: 'replace' },
  close: { is: 'close' },
  sent: { is: 'sent' },
} as const satisfies Record<string, Happening>

const columns = Object.keys(words) as (keyof typeof words)[]

// A state with * is that of a box in the operator's hands; '.' changes nothing, '-' is refused, or is about no box.
const table = `
              waits     returns     loses        found         broken        missing      moving    delivered registered sample   sendAgain     replace    close    sent
none          waiting   undecided   needsNewKit  undecided*    needsNewKit*  needsNewKit  -         -         -          -        -             -          -        -
waiting       .         undecided   needsNewKit  undecided*    needsNewKit*  needsNewKit  underWay  arrived   arrived    arrived  awaitingBox   replaced   closed   .
undecided     waiting   .           needsNewKit  undecided*    needsNewKit*  needsNewKit  underWay  arrived   arrived    arrived  awaitingBox   replaced   closed   .
undecided*    .         .           .            .             needsNewKit*  needsNewKit  .         arrived   .          arrived  readyToSend*  replaced*  closed*  sentAgain
awaitingBox   .         .           needsNewKit  readyToSend*  needsNewKit*  needsNewKit  underWay  arrived   arrived    arrived  .             replaced   closed   .
readyToSend*  .         .           .            .             needsNewKit*  needsNewKit  .         arrived   .          arrived  .             replaced*  closed*  sentAgain
needsNewKit   waiting   undecided   .            undecided*    needsNewKit*  .            underWay  arrived   arrived    arrived  -             replaced   closed   .
needsNewKit*  .         .           .            undecided*    .             needsNewKit  .         arrived   .          arrived  -             replaced*  closed*  sentAgain
underWay      waiting   undecided   needsNewKit  undecided*    needsNewKit*  needsNewKit  .         arrived   arrived    arrived  -             -          -        .
sentAgain     waiting   undecided   needsNewKit  undecided*    needsNewKit*  needsNewKit  .         arrived   arrived    arrived  -             -          -        .
arrived       waiting   undecided   needsNewKit  undecided*    needsNewKit*  needsNewKit  .         .         .          .        -             -          -        .
replaced      .         .           .            replaced*     replaced*     .            .         .         .          arrived  -             .          -        .
closed        .         .           .            closed*       closed*       .            .         .         .          arrived  -             -          .        .
`
const rows = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/))

// Which outcome a box in the table has: one that fits its state.
const outcomeOf = (state: string): ParcelOutcome =>
  state === 'waiting' ? 'waitingForPickup' : state === 'needsNewKit' ? 'lost' : 'returnedToSender'

function boxOf(word: string): Undelivered | undefined {
  if (word === 'none') return undefined
  const state = word.replace('*', '') as UndeliveredState
  return box(state, { isHere: word.endsWith('*'), outcome: word === 'needsNewKit*' ? 'damaged' : outcomeOf(state) })
}

const nameOf = (found: Undelivered | undefined) => (found ? `${found.state}${found.isHere ? '*' : ''}` : '-')

describe('a box that did not reach its recipient', () => {
  it.each(rows)('%s', (from = '', ...expected) => {
    const before = boxOf(from)
    const seen = columns.map((column) => {
      const after = next(before, words[column])
      return before && after && nameOf(after) === nameOf(before) ? '.' : nameOf(after)
    })
    expect(Object.fromEntries(columns.map((column, index) => [column, seen[index]]))).toEqual(
      Object.fromEntries(columns.map((column, index) => [column, expected[index]])),
    )
  })

  const anyBox = fc.record({
    state: fc.constantFrom(...states),
    isHere: fc.boolean(),
    outcome: fc.constantFrom(...outcomes),
  })
  const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
    fc.record({ is: fc.constantFrom('carrier' as const, 'reported' as const), outcome: fc.constantFrom(...outcomes) }),
    fc.constantFrom<Happening>(...Object.values(words)),
  )

  it('offers exactly the choices that it takes, and only while somebody has to act', () => {
    fc.assert(
      fc.property(anyBox, (given) => {
        const taken = choices.filter((is) => next(given, { is }) !== undefined)
        const isOpen = openStates.some((state) => state === given.state)
        expect(choicesOf(given)).toEqual(isOpen ? taken : [])
      }),
    )
  })

  it('takes the same word twice as once', () => {
    fc.assert(
      fc.property(fc.option(anyBox, { nil: undefined }), anyHappening, (given, happening) => {
        const once = next(given, happening)
        if (once) expect(next(once, happening) ?? once).toEqual(once)
      }),
    )
  })

  it('is never sent again once another kit was sent in its place, and the other way round', () => {
    fc.assert(
      fc.property(fc.array(anyHappening, { maxLength: 30 }), (happenings) => {
        let now: Undelivered | undefined = box('undecided')
        let replaced = false
        for (const happening of happenings) {
          now = next(now, happening) ?? now
          if (now.state === 'replaced') replaced = true
          if (replaced) expect(['sentAgain', 'readyToSend', 'awaitingBox']).not.toContain(now.state)
          // A sample that was taken in after a replacement ends its part.
          if (now.state === 'arrived') replaced = false
        }
      }),
    )
  })

  it('says for each state what to do', () => {
    for (const state of states) {
      for (const isHere of [true, false]) expect(String(todoOf(box(state, { isHere })))).toMatch(/^[A-Z].*\.$/)
    }
    expect(String(todoOf(box('awaitingBox', { outcome: 'labelCanceled' })))).toContain('Look for it')
  })

  it('with a choice that is not offered is refused', () => {
    const choose = (state: UndeliveredState, is: Choice) => next(box(state), { is })
    expect(choose('needsNewKit', 'sendAgain')).toBeUndefined()
    expect(choose('sentAgain', 'replace')).toBeUndefined()
    expect(choose('arrived', 'close')).toBeUndefined()
  })
})
