import { describe, expect, it } from 'vitest'
import {
  isFree,
  isHeld,
  type LabOrderAction,
  type LabOrderState,
  type Outcome,
  route,
  type Said,
  standing,
  toCancel,
  WITHDRAWN,
} from '../../src/modules/lab-orders/decision.ts'

const said = (action: LabOrderAction, outcome: Outcome | null, { round = 1, ...more }: Partial<Said> = {}): Said => ({
  round,
  action,
  outcome,
  code: null,
  fillerNumbers: [],
  isNumberTaken: false,
  isSettled: false,
  ...more,
})

const taken = said('new', 'refused', { code: WITHDRAWN })
type Before = Parameters<typeof standing>[0]
const before: Before = { state: 'queued', attention: null, pending: null, round: 1, fillerNumber: null }
const stands = (messages: readonly Said[], more: Partial<Before> & { isWanted?: boolean } = {}) => {
  const { isWanted = true, ...rest } = more
  const { state, attention, pending, round } = standing({ ...before, ...rest }, messages, isWanted)
  return { state, attention, pending, round }
}
const of = (state: LabOrderState, more = {}) => ({ state, attention: null, pending: null, round: 1, ...more })

describe('how an order to a laboratory stands', () => {
  it('goes by the last answer to each message, in whatever order the answers come', () => {
    expect(stands([said('new', null)])).toEqual(of('queued'))
    expect(stands([said('new', 'received')])).toEqual(of('sent'))
    expect(stands([said('new', 'accepted')])).toEqual(of('accepted'))
    expect(stands([said('new', 'refused')])).toEqual(of('refused', { attention: 'refused' }))
    expect(stands([said('new', 'received'), said('change', 'accepted')])).toEqual(of('accepted'))
    expect(stands([said('new', 'refused'), said('change', 'accepted')])).toEqual(
      of('refused', { attention: 'refused' }),
    )
    expect(stands([said('new', 'accepted'), said('change', 'refused')])).toMatchObject({ attention: 'changeRefused' })
    expect(stands([said('new', 'accepted'), said('change', 'refused'), said('change', null)])).toEqual(of('accepted'))
  })

  it('is canceled, whatever is answered to the order itself, once the laboratory canceled it', () => {
    for (const outcome of ['accepted', 'refused', 'received'] as const)
      expect(isHeld([said('new', outcome), said('cancel', 'accepted')], 1)).toBe('no')
    expect(stands([said('new', 'accepted'), said('cancel', 'accepted')], { isWanted: false })).toEqual(of('canceled'))
  })

  it('is to be canceled under each number that a laboratory has or may have, once nobody wants it any more', () => {
    const both = [said('new', 'accepted'), said('new', 'accepted', { round: 2 })]
    expect(stands(both, { isWanted: false, round: 2 })).toMatchObject({ pending: 'cancel' })
    expect(toCancel(both)).toBe(2)
    expect(toCancel([...both, said('cancel', 'accepted', { round: 2 })])).toBe(1)
    expect(toCancel([...both, said('cancel', 'refused', { round: 2 }), said('cancel', null)])).toBeUndefined()
    expect(stands([said('new', 'refused')], { isWanted: false })).toEqual(of('canceled'))
    expect(stands([], { isWanted: false, pending: 'new' })).toEqual(of('canceled'))
    expect(stands([said('new', 'refused'), said('cancel', null)], { isWanted: false })).toEqual(of('canceled'))
    const late = stands([said('new', 'accepted')], { isWanted: false, state: 'canceled' })
    expect(late, 'accepted after all').toMatchObject({ pending: 'cancel' })
  })

  it('that the laboratory would not cancel waits for a person, and nothing is placed beside it', () => {
    const kept = [said('new', 'accepted'), said('cancel', 'refused')]
    expect(stands(kept, { isWanted: false })).toEqual(of('accepted', { attention: 'cancelRefused' }))
    expect(stands(kept, { pending: 'new' })).toEqual(of('accepted', { attention: 'cancelRefused' }))
    expect(stands([taken, said('cancel', 'refused')], { isWanted: false })).toEqual(
      of('sent', { attention: 'cancelRefused' }),
    )
    expect(stands([said('new', 'refused'), said('cancel', 'refused')], { isWanted: false })).toEqual(of('canceled'))
    expect(isFree(kept)).toBe(false)
  })

  it('waits for a person as long as a laboratory has it under another number, too', () => {
    const first = said('new', 'accepted', { code: 'AA OK' })
    const attention = 'answeredOtherwise'
    for (const [outcome, state] of [
      ['accepted', 'accepted'],
      ['refused', 'refused'],
    ] as const) {
      const second = said('new', outcome, { round: 2 })
      expect(stands([first, second], { round: 2 })).toEqual(of(state, { attention, round: 2 }))
      const changed = said('change', 'accepted', { round: 2 })
      expect(stands([first, second, changed], { round: 2 })).toMatchObject({ attention })
    }
    const second = said('new', 'accepted', { round: 2 })
    expect(stands([{ ...first, isSettled: true }, second], { round: 2 })).toEqual(of('accepted', { round: 2 }))
    expect(stands([said('new', 'refused'), second], { round: 2 })).toEqual(of('accepted', { round: 2 }))
    expect(stands([first, second], { round: 2, state: 'completed' })).toMatchObject({ attention })
    expect(stands([said('new', 'accepted')], { state: 'closed' })).toMatchObject({ state: 'closed', attention })
  })

  it('stays with the first laboratory where that one has it after all, and no other one was told', () => {
    const adopted = stands([said('new', 'accepted')], { round: 2, pending: 'new' })
    expect(adopted).toEqual(of('accepted', { pending: 'change' }))
    expect(stands([said('new', 'accepted')], { round: 2, pending: 'new', isWanted: false })).toMatchObject({
      pending: 'cancel',
    })
  })

  it('keeps the reason why nothing could be said until something is, and only while it is open', () => {
    const waits = { attention: 'notTestedHere' as const, pending: 'new' as const }
    expect(stands([], waits)).toEqual(of('unrouted', waits))
    expect(stands([], { ...waits, isWanted: false })).toEqual(of('canceled'))
    expect(stands([said('new', 'refused')], { attention: 'noAnswer' as const })).toMatchObject({ attention: 'refused' })
  })
})

describe('the laboratory of an order', () => {
  it('is not known where the place is not, which is another thing than that none serves it', () => {
    const tests = [{ kitType: 'A' }]
    const served = { countries: ['US'], states: ['CA'], capacityPerDay: null, tests }
    const laboratories = [{ id: 'lab_1', isActive: true, priority: 1, ...served }]
    const to = (country?: string, state?: string) =>
      route(laboratories, { kitType: 'A', country, state, routedToday: new Map() })
    expect(to('US', 'ca')).toMatchObject({ laboratory: { id: 'lab_1' } })
    expect(to('US', 'NV')).toEqual({ problem: 'notTestedThere' })
    expect(to('IT')).toEqual({ problem: 'notTestedThere' })
    expect(to('US')).toEqual({ problem: 'placeUnknown' })
    expect(to()).toEqual({ problem: 'placeUnknown' })
  })
})
