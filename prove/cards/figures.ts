import type { Client } from 'pg'
import type { StripeStandIn } from '../../test/harness/stripe-stand-in.ts'
import type { OrderAnswer } from '../crash/client.ts'
import type { Figure } from '../record.ts'

interface Seen {
  stripe: StripeStandIn
  answers: readonly OrderAnswer[]
  requests: number
  /** Payments and refunds that are not settled. */
  left: number
  kills: number
}

interface PaidOrder {
  id: string
  externalId: string
  paymentId: string
  amount: number
}

const PAID = `
  select id, external_id as "externalId", payment_id as "paymentId", amount_minor as amount from orders
  where payment_method = 'card' and payment_status = 'paid'`

/** Compares the gateway's charges with the orders and with the answers to callers. */
export async function figuresOf(
  db: Client,
  { stripe, answers, requests: asked, left, kills }: Seen,
): Promise<Figure[]> {
  const { charges, intents, events, calls } = stripe.state()
  const orders = (await db.query<PaidOrder>(PAID)).rows
  const byPayment = Map.groupBy(orders, ({ paymentId }) => paymentId)
  // What was given back is no charge.
  const captured = charges.filter(({ amount, refunded }) => amount > refunded)
  const perPayment = Map.groupBy(captured, ({ metadata }) => metadata.payment ?? '')
  const placed = new Set(answers.filter(({ status }) => status === 201).map(({ key }) => key))
  const of = (isWrong: (order: PaidOrder) => boolean) => orders.filter(isWrong).length
  const netOf = (paymentId: string) =>
    (perPayment.get(paymentId) ?? []).reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
  const count = async (text: string) => Number((await db.query(text)).rows[0].n)
  const faults = Object.entries(Object.groupBy(calls, ({ status }) => String(status)))
  console.log(
    `calls of the gateway by status: ${faults.map(([status, all]) => `${all?.length} × ${status}`).join(', ')}`,
  )
  return [
    { name: 'charges', actual: captured.length, expected: orders.length },
    {
      name: 'payments charged twice',
      actual: [...perPayment.values()].filter((all) => all.length > 1).length,
      expected: 0,
    },
    {
      name: 'charges without an order',
      actual: captured.filter(({ metadata }) => !byPayment.has(metadata.payment ?? '')).length,
      expected: 0,
    },
    {
      name: 'paid orders without a charge of their amount',
      actual: of(({ paymentId, amount }) => netOf(paymentId) !== Number(amount)),
      expected: 0,
    },
    {
      name: 'payments of more than one order',
      actual: [...byPayment.values()].filter((all) => all.length > 1).length,
      expected: 0,
    },
    {
      name: 'requests with more than one order',
      actual: await count('select count(*) n from (select from orders group by external_id having count(*) > 1) d'),
      expected: 0,
    },
    {
      name: 'orders told as placed that are not paid',
      actual: [...placed].filter((key) => !orders.some(({ externalId }) => externalId === key)).length,
      expected: 0,
    },
    {
      name: 'orders paid though their card was told as declined',
      actual: of(({ externalId }) => !placed.has(externalId)),
      expected: 0,
    },
    { name: 'requests with a final answer', actual: answers.length, expected: asked },
    {
      name: 'other final answers than 201 and 402',
      actual: answers.filter(({ status }) => status !== 201 && status !== 402).length,
      expected: 0,
    },
    { name: 'payments and refunds that are not settled', actual: left, expected: 0 },
    {
      name: 'authorisations that could still be charged',
      actual: intents.filter(({ status }) => status === 'requires_capture' || status === 'requires_action').length,
      expected: 0,
    },
    { name: 'webhooks of the gateway', actual: 3 * events.length },
    { name: 'kills', actual: kills },
  ]
}
