import type { EmailContent } from './layout.ts'

// To the administrators of a business, about its card and its credits.

type Facts = Readonly<Record<string, string | number>>

const textOf = (facts: Facts, name: string): string => String(facts[name] ?? '')
const billingButton = (path: string) => ({ label: 'Open Billing', path })

export const cardExpires = (facts: Facts, billing: string): EmailContent => ({
  kind: 'card_expires',
  subject: 'The card for your orders expires soon',
  title: 'The card for your orders expires soon',
  paragraphs: [
    'Add its successor under Billing. Orders by card are declined once it has expired, and wait for their payment.',
  ],
  facts: [
    ['Card', textOf(facts, 'card')],
    ['Good until the end of', textOf(facts, 'month')],
  ],
  button: billingButton(billing),
})

export const cardDeclined = (facts: Facts, billing: string): EmailContent => ({
  kind: 'card_declined',
  subject: 'Your card was declined, and an order waits',
  title: 'Your card was declined',
  paragraphs: [
    'The order waits for its payment and nothing is posted before. Add another card under Billing, then pay the order, or pay it with credits.',
  ],
  facts: [
    ['Card', textOf(facts, 'card')],
    ['What waits', textOf(facts, 'waiting')],
  ],
  button: billingButton(billing),
})

export const topUpCeiling = (facts: Facts, billing: string): EmailContent => ({
  kind: 'top_up_ceiling',
  subject: 'Automatic top-up has reached its monthly ceiling',
  title: 'Automatic top-up has reached its ceiling',
  paragraphs: [
    'No more credits are bought by themselves this month. Raise the ceiling or buy credits under Billing if you need them before.',
  ],
  facts: [
    ['Month', textOf(facts, 'month')],
    ['Ceiling', textOf(facts, 'ceiling')],
    ['Spent so far', textOf(facts, 'spent')],
  ],
  button: billingButton(billing),
})

export const topUpOff = (facts: Facts, billing: string): EmailContent => ({
  kind: 'top_up_off',
  subject: 'Automatic top-up was switched off',
  title: 'Automatic top-up was switched off',
  paragraphs: [
    'The purchase did not succeed three times, so it is not tried again. Check the card under Billing, then switch the top-up on.',
  ],
  facts: [
    ['Kit type', textOf(facts, 'kitType')],
    ['Reason', textOf(facts, 'reason')],
  ],
  button: billingButton(billing),
})

const reversals: Readonly<Record<string, string>> = {
  'refund done': 'A payment was refunded at the payment provider',
  'refund failed': 'A refund at the payment provider did not succeed',
  'dispute inquiry': 'The bank asks about a payment',
  'dispute open': 'A payment is disputed',
  'dispute won': 'A dispute was decided for you',
  'dispute lost': 'A dispute was lost',
}

export function paymentReversed(facts: Facts, billing: string): EmailContent {
  const title = reversals[`${textOf(facts, 'kind')} ${textOf(facts, 'state')}`] ?? 'A payment changed'
  const waiting = Number(facts.creditsWaiting ?? 0)
  const reason = textOf(facts, 'reason')
  return {
    kind: 'payment_reversed',
    subject: title,
    title,
    paragraphs: [
      'Kits of its orders that are not posted yet are still posted: cancel an order that is not wanted. Automatic top-up of what was refunded is off, and after a dispute all of it: switch it on under Billing.',
      ...(waiting > 0
        ? [
            'Some of its credits were spent already, so they could not be revoked: they wait for a decision of the operator.',
          ]
        : []),
    ],
    facts: [
      ['Payment', textOf(facts, 'payment')],
      ['Amount', textOf(facts, 'amount')],
      ...(reason ? [['Reason', reason] as const] : []),
      ['Credits revoked', textOf(facts, 'creditsTaken')],
      ['Credits that wait', textOf(facts, 'creditsWaiting')],
    ],
    button: billingButton(billing),
  }
}
