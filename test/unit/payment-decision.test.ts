import { describe, expect, it } from 'vitest'
import { decidePayment, type PaymentQuestion } from '../../src/modules/payments/rules.ts'

const booleans = [true, false]
const flags = [true, false, undefined]
const methods = ['credits', 'card', 'pm_123', undefined]
const policies = ['charge', 'pending', 'reject'] as const

const questions: PaymentQuestion[] = methods.flatMap((paymentMethod) =>
  flags.flatMap((flag) =>
    booleans.flatMap((covered) =>
      booleans.flatMap((hasMethod) =>
        booleans.flatMap((purchasingEnabled) =>
          policies.map((insufficientCredits) => ({
            paymentMethod,
            flag,
            covered,
            hasMethod,
            settings: { insufficientCredits, purchasingEnabled },
          })),
        ),
      ),
    ),
  ),
)

/** Section 4 of the contract as a list: the first matching line gives the answer. */
const lines: [string, (q: PaymentQuestion) => boolean, unknown][] = [
  ['credits asked for and there', (q) => asksCredits(q) && q.covered, { kind: 'credits' }],
  ['credits asked for and not there', asksCredits, { kind: 'refuse', code: 'NOT_ENOUGH_CREDITS', status: 400 }],
  ['no choice, and credits cover it', (q) => !asksCard(q) && q.covered, { kind: 'credits' }],
  [
    'buying is closed',
    (q) => !q.settings.purchasingEnabled,
    { kind: 'refuse', code: 'PURCHASING_DISABLED', status: 409 },
  ],
  [
    'a saved method by its ID',
    (q) => q.paymentMethod === 'pm_123',
    { kind: 'charge', methodId: 'pm_123', onDecline: 'refuse' },
  ],
  [
    'a card, none attached',
    (q) => asksCard(q) && !q.hasMethod,
    { kind: 'refuse', code: 'PAYMENT_METHOD_MISSING', status: 409 },
  ],
  ['a card', asksCard, { kind: 'charge', methodId: undefined, onDecline: 'refuse' }],
  [
    'no choice, settings reject',
    (q) => policy(q) === 'reject',
    { kind: 'refuse', code: 'NOT_ENOUGH_CREDITS', status: 409 },
  ],
  ['no choice, settings pending', (q) => policy(q) === 'pending', { kind: 'pending' }],
  ['no choice, settings charge, none attached', (q) => !q.hasMethod, { kind: 'pending' }],
  ['no choice, settings charge', () => true, { kind: 'charge', onDecline: 'pending' }],
]

const policy = (q: PaymentQuestion) => q.settings.insufficientCredits

function asksCredits(q: PaymentQuestion): boolean {
  return q.paymentMethod === 'credits' || (q.paymentMethod === undefined && q.flag === false)
}

function asksCard(q: PaymentQuestion): boolean {
  return (
    (q.paymentMethod !== undefined && q.paymentMethod !== 'credits') ||
    (q.paymentMethod === undefined && q.flag === true)
  )
}

describe('how an order is paid', () => {
  it(`is decided as the contract says in all ${questions.length} cases, and every line of it decides some`, () => {
    const used = new Set<string>()
    for (const question of questions) {
      const [name, , expected] = lines.find(([, fits]) => fits(question)) ?? ['no line', () => false, undefined]
      used.add(name)
      expect(decidePayment(question), `${name}: ${JSON.stringify(question)}`).toEqual(expected)
    }
    expect(used.size).toBe(lines.length)
  })
})
