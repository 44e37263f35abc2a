import type { Command } from 'commander'
import { z } from 'zod'
import type { AnswerOf, BodyOf } from '../../../client/src/index.ts'
import { StartError } from '../../domain/errors.ts'
import { orderId } from '../../domain/id-fields.ts'
import { readOrder } from '../bulk-job.ts'
import { type Answer, addGroup, listOf, table, wholeNumber } from '../command.ts'
import { addRemote } from './command.ts'

type Order = AnswerOf<'getOrder'>
type Quote = AnswerOf<'createQuote'>

const text = z.string().min(1).optional()

/** Flags of one order, by where they stand in the body of POST /create-order. */
const recipientFlags = {
  '--first-name <name>': 'first name of the recipient',
  '--last-name <name>': 'last name of the recipient',
  '--email <address>': 'e-mail address of the recipient',
  '--phone <number>': 'phone number of the recipient',
  '--street1 <street>': 'street and number',
  '--street2 <text>': 'flat, floor or company',
  '--city <city>': 'city',
  '--state <state>': 'state, province or region',
  '--zip <code>': 'postal code',
  '--country <code>': 'two letters (default: US)',
}

export function addOrdersCommands(root: Command): void {
  const group = addGroup(root, 'orders', 'Place and read orders of your business, through the API.')

  addRemote(group, {
    name: 'create',
    summary: 'Place an order, or several from a file.',
    options: {
      '--kit-type <types>': 'what to order; several types are separated by commas',
      '--quantity <number>': 'how many of each (default: 1)',
      ...recipientFlags,
      '--external-id <id>': 'your own identifier of the order',
      '--payment-method <method>': 'credits, card, later or a saved card (pm_…)',
      '--file <file>': 'the body of POST /create-order, instead of the flags; - reads standard input',
      '--dry-run': 'say what the order would cost and do, and place nothing',
      '--idempotency-key <key>': 'the same key places the order once, however often you run this, for 24 hours',
      '--live': 'place it on live data, where it costs money and kits are shipped',
    },
    input: z.object({
      kitType: listOf.optional(),
      quantity: wholeNumber.optional(),
      firstName: text,
      lastName: text,
      email: text,
      phone: text,
      street1: text,
      street2: text,
      city: text,
      state: text,
      zip: text,
      country: text,
      externalId: text,
      paymentMethod: text,
      file: text,
      idempotencyKey: text,
      dryRun: z.boolean().default(false),
      live: z.boolean().default(false),
    }),
    example:
      'kitlane orders create --kit-type ED1NL4E3L --first-name Ada --last-name Example --email ada@example.com --street1 "1 Main Street" --city Springfield --state IL --zip 62701',
    async run({ kitlane, mode, business }, { file, dryRun, live, idempotencyKey, ...flags }) {
      const body = file === undefined ? bodyOf(flags) : await bodyFrom(file, flags)
      if (dryRun) return quoted(await kitlane.quotes.create(body))
      if (mode === 'live' && !live) {
        throw new StartError(
          `This token is for live data of ${business.name}: the order costs money, and kits are shipped. Add --live to place it, or --dry-run to see what it costs.`,
        )
      }
      const made = await kitlane.orders.create(body, { ...(idempotencyKey && { idempotencyKey }) })
      return { json: made, text: placed(made) }
    },
  })

  addRemote(group, {
    name: 'list',
    summary: 'List orders, newest first.',
    options: {
      '--status <status>': 'only created, pending or canceled ones',
      '--search <text>': 'an ID, an e-mail address or a name, or how it begins',
      '--page <number>': 'the page, counted from 0 (default: 0)',
      '--size <number>': 'how many on a page (default: 20)',
    },
    input: z.object({
      status: z.enum(['created', 'pending', 'canceled'], 'must be created, pending or canceled').optional(),
      search: text,
      page: wholeNumber.default(0),
      size: wholeNumber.pipe(z.number().min(1).max(250, 'must be 250 at most')).default(20),
    }),
    example: 'kitlane orders list --status pending',
    async run({ kitlane }, { search, ...query }) {
      return listed(await kitlane.orders.list({ ...query, ...(search && { q: search }) }))
    },
  })

  addRemote(group, {
    name: 'show',
    summary: 'Show an order with its kits.',
    rest: { name: 'order', words: 'the ID of the order', single: true },
    options: {},
    input: z.object({ order: orderId }),
    example: 'kitlane orders show O5R8CWT41X',
    async run({ kitlane }, { order }) {
      const found = await kitlane.orders.get(order)
      return { json: found, text: shown(found) }
    },
  })
}

type Flags = Partial<Record<'firstName' | 'lastName' | 'email' | 'phone', string>> &
  Partial<Record<'street1' | 'street2' | 'city' | 'state' | 'zip' | 'country', string>> &
  Partial<Record<'externalId' | 'paymentMethod', string>> & { kitType?: string[]; quantity?: number }

// What an order cannot do without.
const needed = ['kitType', 'firstName', 'lastName', 'email', 'street1', 'city', 'state', 'zip'] as const

function bodyOf(flags: Flags): BodyOf<'createOrder'> {
  const missing = needed.filter((name) => flags[name] === undefined).map(flagOf)
  if (missing.length > 0) {
    const words = missing.length === 1 ? `${missing[0]} is` : `${missing.join(', ')} are`
    throw new StartError(`${words} missing. Give the whole order in flags, or in a file: --file order.json`)
  }
  const { kitType = [], quantity, externalId, paymentMethod, firstName, lastName, email, phone, ...address } = flags
  return {
    recipient: {
      first_name: firstName ?? '',
      last_name: lastName ?? '',
      email: email ?? '',
      ...(phone && { phone }),
      address,
    },
    kit_types: kitType.map((kitType) => ({ kitType, ...(quantity && { quantity }) })),
    ...(externalId && { externalID: externalId }),
    ...(paymentMethod && { paymentMethod }),
  } as BodyOf<'createOrder'>
}

async function bodyFrom(file: string, flags: Flags): Promise<BodyOf<'createOrder'>> {
  const [given] = Object.keys(flags)
  if (given) throw new StartError(`The file says what is ordered. Leave out ${flagOf(given)}, or --file.`)
  return (await readOrder(file)) as BodyOf<'createOrder'>
}

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function quoted(quote: Quote): Answer {
  const { valid, kits, outcome, credits, charge, refusal, rows = [] } = quote
  const count = kits === 1 ? '1 kit' : `${kits} kits`
  const head = {
    placed: `Would place an order of ${count}`,
    job: `Would start a job that places ${count}`,
    pending: `Would place an order of ${count} that waits to be paid`,
    refused: `Would be refused${refusal ? `: ${refusal.message} (${refusal.code})` : ''}`,
  }[outcome]
  const price = charge ? [`By card it costs ${inMoney(charge)}.`] : []
  const balances = credits.map(
    ({ type, needed, available, remaining }) =>
      `${type}: ${needed} needed, ${available} there, ${remaining} left after it.`,
  )
  const problems = rows.flatMap(({ row, errors }) =>
    errors.map(({ message }) => (rows.length === 1 ? message : `Row ${row + 1}: ${message}`)),
  )
  const text = [`${head.replace(/\.?$/, '.')} Nothing was placed.`, ...price, ...balances, ...problems].join('\n')
  return { json: quote, text, failed: !valid }
}

const inMoney = ({ amount, currency }: { amount: number; currency: string }) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

function placed({ orderId, orderIds, pending, jobId }: AnswerOf<'createOrder'>): string {
  if (jobId) return `A job places the orders: ${jobId}`
  const ids = orderIds ?? [orderId]
  const wait = pending ? ' Nothing ships until it is paid.' : ''
  if (ids.length === 1) return `Placed the order ${ids[0]}.${wait}\nTo follow it: kitlane orders show ${ids[0]}`
  return `Placed ${ids.length} orders.${wait}\n${ids.join('\n')}`
}

function listed({ data, pagination }: AnswerOf<'listOrders'>): Answer {
  if (data.length === 0) return { json: data, text: 'There are no such orders.' }
  const rows = data.map(({ orderID, createdDate, orderStatus, sku, quantity, externalID = '' }) => [
    ...[orderID, createdDate.slice(0, 16).replace('T', ' '), orderStatus, sku, String(quantity), externalID],
  ])
  const more = pagination.hasNext ? [`More orders: --page ${pagination.page + 1}`] : []
  const head = ['ORDER', 'PLACED (UTC)', 'STATUS', 'KIT TYPE', 'KITS', 'YOUR ID']
  return { json: data, text: [table([head, ...rows]), ...more].join('\n') }
}

function shown({ orderID, createdDate, orderStatus, payment, externalID, kits }: Order): string {
  const paid = payment.method === 'none' ? payment.status : `${payment.status}, by ${payment.method}`
  return [
    `Order ${orderID}${externalID ? ` (${externalID})` : ''}: ${orderStatus}, ${paid}, placed ${createdDate}.`,
    ...(kits.length > 0
      ? [
          table([
            ['KIT', 'TYPE', 'KIT STATUS', 'SAMPLE', 'REPORT'],
            ...kits.map(({ kitID, kitType, kitStatus, sampleStatus, status }) => [
              ...[kitID, kitType, kitStatus, sampleStatus, status],
            ]),
          ]),
        ]
      : ['It has no kits until it is paid.']),
  ].join('\n')
}
