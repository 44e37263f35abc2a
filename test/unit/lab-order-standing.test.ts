import { describe, expect, it } from 'vitest'
import { answered, answeredLater, type Standing, withdrawn } from '../../src/modules/lab-orders/decision.ts'

const accepted: Standing = { state: 'accepted', attention: null, pending: null }
const refused: Standing = { state: 'refused', attention: 'refused', pending: null }
const sent: Standing = { state: 'sent', attention: null, pending: null }

describe('how an order to a laboratory stands', () => {
  it('keeps what a person must look at until its cancellation is said', () => {
    const changed: Standing = { ...accepted, attention: 'changeRefused' }
    expect(withdrawn(changed, true)).toEqual({ ...changed, pending: 'cancel' })
    expect(withdrawn(refused, true)).toEqual({ state: 'canceled', attention: null, pending: null })
  })

  it('is refused still where a change of it is only received, or refused, and canceled where its cancellation is', () => {
    expect(answered(refused, 'change', 'received')).toEqual(refused)
    expect(answered(refused, 'change', 'refused')).toEqual(refused)
    expect(answered(refused, 'cancel', 'refused')).toEqual({ state: 'canceled', attention: null, pending: null })
  })

  it('goes by the last change, in whatever order the answers come', () => {
    const later = { outcome: 'refused', since: ['change'], isWanted: true } as const
    expect(answeredLater(accepted, 'change', later)).toEqual(accepted)
    expect(answeredLater(accepted, 'change', { ...later, since: [] })).toMatchObject({ attention: 'changeRefused' })
  })

  it('is accepted or refused by the answer to itself, also where a change was answered first', () => {
    const changed: Standing = { ...sent, attention: 'changeRefused' }
    const of = (outcome: 'accepted' | 'refused') =>
      answeredLater(changed, 'new', { outcome, since: ['change'], isWanted: true })
    expect(of('accepted')).toEqual({ ...changed, state: 'accepted' })
    expect(of('refused')).toEqual(refused)
  })

  it('is placed anew where the laboratory refused it, and the person agreed again while it was being canceled', () => {
    const wanted: Standing = { ...sent, pending: 'new' }
    const later = { outcome: 'refused', since: ['cancel'] } as const
    const anew = answeredLater(wanted, 'new', { ...later, isWanted: true })
    expect(anew).toEqual({ state: 'canceled', attention: null, pending: 'new' })
    const kept: Standing = { ...sent, attention: 'cancelRefused' }
    expect(answeredLater(kept, 'new', { ...later, isWanted: true })).toEqual(refused)
    expect(answeredLater(kept, 'new', { ...later, isWanted: false })).toEqual({ ...anew, pending: null })
  })
})
