import type { Command } from 'commander'
import { z } from 'zod'
import { AppError, StartError } from '../domain/errors.ts'
import { orderId } from '../domain/id-fields.ts'
import { answerOf, type OrderOutcome } from '../modules/orders/answer.ts'
import { cancel } from '../modules/orders/cancel.ts'
import { createOrders } from '../modules/orders/group.ts'
import { payPendingOrder } from '../modules/orders/payment/pay-pending.ts'
import { settlePayment } from '../modules/orders/payment/settle.ts'
import { placeLater } from '../modules/orders/place-priced.ts'
import { find } from '../modules/orders/read.ts'
import { requestOf } from '../modules/orders/request.ts'
import type { Created, Order } from '../modules/orders/schema.ts'
import type { ChargeStarted } from '../modules/payments/start.ts'
import type { RealmPorts } from '../platform/ports/realm-ports.ts'
import { readOrder } from './bulk-job.ts'
import { addAdministration, addGroup } from './command.ts'
import { findRealm, ofBusiness, whose } from './realm.ts'
import { operator } from './session.ts'

const payWith = z
  .string()
  .regex(/^(credits|card|pm_\w{1,250})$/, 'must be credits, card or the ID of a saved card (pm_…)')

export function addOrderCommands(root: Command): void {
  const group = addGroup(root, 'order', 'Place, pay and cancel orders on behalf of a business.')

  addAdministration(group, {
    name: 'place',
    summary: 'Place orders on behalf of a business, paid like its own orders or later.',
    options: {
      ...whose,
      '--file <file>': 'a file with the body of POST /create-order; - reads standard input',
      '--pay-later': 'place them as pending, even if there are credits: nothing ships until they are paid',
    },
    input: z.object({ ...ofBusiness, file: z.string().min(1), payLater: z.boolean().default(false) }),
    example: 'kitlane order place --business "Acme Clinic" --file order.json --pay-later',
    async run(database, { business, mode, file, payLater }, realmPorts) {
      const body = await readOrder(file)
      const { paymentMethod, purchase_with_attached_payment: flag } = body
      if (payLater && (paymentMethod !== undefined || flag !== undefined)) {
        throw new StartError(
          'The file says how the orders are paid, and --pay-later contradicts it. Leave one of them out.',
        )
      }
      const { found, realm } = await findRealm(database, { business, mode: body.is_test_order ? 'sandbox' : mode })
      const request = requestOf(body)
      const ordering = await database.inRealm(
        realm,
        operator,
        (tx): Promise<OrderOutcome | ChargeStarted> => (payLater ? placeLater(tx, request) : createOrders(tx, request)),
      )
      const answer = answerOf(await conclude(realmPorts(realm), ordering), request.isBulk).body
      const ids = 'jobId' in answer ? [] : 'orderIds' in answer ? answer.orderIds : [answer.orderId]
      const made = await database.inRealm(realm, operator, (tx) => Promise.all(ids.map((id) => find(tx, id))))
      return {
        json: answer,
        text: inWords(answer, made, `--business ${found.id}${realm.mode === 'live' ? '' : ' --mode sandbox'}`),
      }
    },
  })

  addAdministration(group, {
    name: 'pay',
    summary: 'Pay a pending order of a business, so that its kits ship.',
    options: {
      ...whose,
      '--order <id>': 'the ID of the order',
      '--with <method>': 'credits, card or a saved card (pm_…)',
    },
    input: z.object({ ...ofBusiness, order: orderId, with: payWith }),
    example: 'kitlane order pay --business "Acme Clinic" --order O5R8CWT41X --with credits',
    async run(database, { business, mode, order, with: method }, realmPorts) {
      const { realm } = await findRealm(database, { business, mode })
      const paying = await database.inRealm(realm, operator, (tx) => payPendingOrder(tx, order, method))
      if (paying.kind === 'charging') answerOf(await conclude(realmPorts(realm), paying), false)
      const paid = await database.inRealm(realm, operator, (tx) => find(tx, order))
      return { json: paid, text: `Paid the order ${order} ${paidWith(paid)}. Its kits are being prepared.` }
    },
  })

  addAdministration(group, {
    name: 'cancel',
    summary: 'Cancel an order of a business while all its kits are still being prepared, and refund what it cost.',
    options: { ...whose, '--order <id>': 'the ID of the order' },
    input: z.object({ ...ofBusiness, order: orderId }),
    example: 'kitlane order cancel --business "Acme Clinic" --order O5R8CWT41X',
    async run(database, { business, mode, order }) {
      const { realm } = await findRealm(database, { business, mode })
      const canceled = await database.inRealm(realm, operator, async (tx) => {
        await cancel(tx, order)
        return find(tx, order)
      })
      return { json: canceled, text: `Canceled the order ${order}.${givenBack(canceled)}` }
    },
  })
}

/** Waits for the card charge, if there is one. */
async function conclude(ports: RealmPorts, ordering: OrderOutcome | ChargeStarted): Promise<OrderOutcome> {
  if (ordering.kind !== 'charging') return ordering
  try {
    return await settlePayment(ports, ordering.paymentId)
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'OVERLOADED')) throw cause
    throw new StartError(
      'It is not yet known whether the card was charged. Do not order or pay again: the running service asks the payment gateway within two minutes and completes the order.',
      { cause },
    )
  }
}

function inWords(answer: Created | { jobId: string }, orders: readonly Order[], where: string): string {
  if ('jobId' in answer) {
    return `Accepted the bulk job ${answer.jobId}; a running service places its orders.\nTo follow it: kitlane bulk-job show ${where} --job ${answer.jobId}`
  }
  const ids = orders.map(({ orderID }) => orderID)
  const pending = orders.filter(({ status }) => status === 'pending')
  const waiting = pending.filter(({ approval }) => approval)
  const [unpaid] = pending.filter(({ approval }) => !approval)
  const what = `${ids.length === 1 ? 'the' : ids.length}${pending.length > 0 ? ' pending' : ''} ${ids.length === 1 ? 'order' : 'orders'}`
  return [
    ids.length === 1 ? `Placed ${what} ${ids[0]}.` : `Placed ${what}:\n${ids.join('\n')}`,
    ...(waiting.length > 0
      ? [`A provider approves ${waiting.length === 1 ? 'it' : waiting.length} first, and nothing is paid until then.`]
      : []),
    ...(unpaid
      ? [
          `To pay ${ids.length === 1 ? 'it' : 'one'}: kitlane order pay ${where} --order ${unpaid.orderID} --with credits`,
        ]
      : []),
  ].join('\n')
}

function paidWith({ payment: { method, amount, currency } }: Order): string {
  return method === 'credits' ? 'with credits' : `by card: ${amount} ${currency} in minor units`
}

function givenBack({ payment: { method, status } }: Order): string {
  if (status !== 'refunded') return ''
  return method === 'credits' ? ' Its credits were given back.' : ' A running service gives the money back to the card.'
}
