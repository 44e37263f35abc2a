import type { Answer } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { moneyOf } from '../../components/money.tsx'
import { t } from '../../language/t.ts'

type Payment = Answer<'get', '/api/v1/payments'>['data'][number]
type Reversal = Payment['reversals'][number]

/** What became of the money, in a sentence. */
function moneySentence({ kind, status, amount }: Reversal, currency: string): string {
  const sum = moneyOf(amount, currency)
  switch (status) {
    case 'done':
      return t('{sum} was refunded at the payment provider', { sum })
    case 'failed':
      return t('A refund of {sum} did not reach the card', { sum })
    case 'inquiry':
      return t('The bank asks about {sum}: no money has moved', { sum })
    case 'won':
      return t('Dispute over {sum} ended: the money is yours', { sum })
    case 'lost':
      return t('Dispute lost: {sum} went back to the card', { sum })
    default:
      return kind === 'dispute' ? t('Disputed: the bank has {sum} until it decides', { sum }) : sum
  }
}

function creditSentences({ creditsRevoked, creditsWaiting, settledReason }: Reversal): string[] {
  return [
    ...(creditsRevoked
      ? [t('{count, plural, one {# credit was} other {# credits were}} revoked', { count: creditsRevoked })]
      : []),
    ...(creditsWaiting && settledReason === undefined
      ? [
          t(
            '{count, plural, one {# credit was} other {# credits were}} spent already: the operator decides what becomes of it',
            { count: creditsWaiting },
          ),
        ]
      : []),
    ...(settledReason === undefined ? [] : [t('Settled by the operator: {reason}', { reason: settledReason })]),
  ]
}

/** Refunds and disputes of a payment, made at the payment provider, and what they did to the credits. */
export function Reversals({ payment: { reversals, currency } }: { payment: Payment }) {
  return (
    <Stack gap={2}>
      {reversals.map((reversal) => (
        <Text
          key={reversal.id}
          size="sm"
          c={reversal.status === 'failed' || reversal.status === 'open' ? 'red' : 'dimmed'}
        >
          {[moneySentence(reversal, currency), ...creditSentences(reversal)].join('. ')}
        </Text>
      ))}
    </Stack>
  )
}
