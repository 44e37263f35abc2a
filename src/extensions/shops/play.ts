import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import * as credits from '../../modules/credits/service.ts'
import type { Playing } from '../../modules/define-module.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { shopHeaders, shopHook } from './hooks.ts'
import { openSecret, signatureOf } from './lenient.ts'
import { type ConnectedShop, selectConnected, selectOutcome, selectSandbox } from './queries.ts'
import { receive } from './receive.ts'
import { NewShop, type ShopKind, type ShopOrderStatus } from './schema.ts'
import { connect } from './service.ts'

/** The product of the played orders. */
const PLAYED_SKU = 'KITLANE-DOCTOR'

/** An order as a shop sends it, and what is right to come of it. */
interface Shape {
  kind: ShopKind
  words: string
  topic: string
  /** What differs from a paid order of one kit. */
  changes: Record<string, unknown>
  /** Sent after it of the same order. */
  later?: { topic: string; changes: Record<string, unknown> }
  becomes: ShopOrderStatus
  reason?: string
}

const line = (id: number, changes: Record<string, unknown> = {}) => ({
  id,
  title: 'Played kit',
  name: 'Played kit',
  sku: PLAYED_SKU,
  quantity: 1,
  ...changes,
})
const shopify = (words: string, becomes: ShopOrderStatus, changes = {}, more: Partial<Shape> = {}): Shape => ({
  kind: 'shopify',
  words,
  topic: 'orders/paid',
  changes,
  becomes,
  ...more,
})
const woo = (words: string, becomes: ShopOrderStatus, changes = {}, more: Partial<Shape> = {}): Shape => ({
  ...shopify(words, becomes, changes, more),
  kind: 'woocommerce',
  topic: 'order.created',
})

/** By the documented lifecycles of both. */
const shapes: readonly Shape[] = [
  shopify('a paid order', 'placed'),
  shopify('an order that is not paid', 'unpaid', { financial_status: 'pending' }, { topic: 'orders/create' }),
  shopify('an order half of which is fulfilled', 'placed', {
    fulfillment_status: 'partial',
    line_items: [line(1, { quantity: 2, current_quantity: 2, fulfillable_quantity: 1, fulfillment_status: 'partial' })],
  }),
  shopify('an order that is fulfilled', 'skipped', { fulfillment_status: 'fulfilled' }, { reason: 'fulfilled' }),
  shopify('an order with a tip', 'placed', {
    line_items: [line(1), { id: 2, title: 'Tip', sku: null, variant_id: null, quantity: 1, gift_card: true }],
  }),
  shopify(
    'an order of an unknown product',
    'waiting',
    { line_items: [line(1, { sku: 'OTHER' })] },
    { reason: 'unknown_item' },
  ),
  shopify('an order without a street', 'waiting', { shipping_address: null }, { reason: 'recipient_incomplete' }),
  shopify(
    'a paid order that is canceled',
    'canceled',
    {},
    {
      later: {
        topic: 'orders/cancelled',
        changes: { cancelled_at: '2026-01-01T00:00:00Z', financial_status: 'refunded' },
      },
    },
  ),
  woo('an order in processing', 'placed'),
  woo('an order that is not paid', 'unpaid', { status: 'pending' }),
  woo('an order that is completed', 'skipped', { status: 'completed' }, { reason: 'fulfilled' }),
  woo(
    'an order in a state of an extension',
    'waiting',
    { status: 'ready-to-pick', date_paid_gmt: '2026-01-01T00:00:00' },
    { reason: 'state_unclear' },
  ),
  woo(
    'an order of half a kit',
    'waiting',
    { line_items: [line(1, { quantity: 0.5 })] },
    { reason: 'quantity_unclear' },
  ),
  woo(
    'an order that is refunded',
    'canceled',
    {},
    { later: { topic: 'order.updated', changes: { status: 'refunded' } } },
  ),
]

const person = { first_name: 'Ada', last_name: 'Example', phone: '', city: 'Springfield' }

/** The body of a paid order of one kit, placed at `at` and changed at `changedAt`. */
function orderOf(
  kind: ShopKind,
  id: number,
  { at, changedAt }: { at: Date; changedAt: Date },
): Record<string, unknown> {
  const email = 'doctor@kitlane.invalid'
  if (kind === 'shopify')
    return {
      id,
      name: `#D${id}`,
      email,
      test: false,
      currency: 'USD',
      financial_status: 'paid',
      fulfillment_status: null,
      cancelled_at: null,
      created_at: at.toISOString(),
      updated_at: changedAt.toISOString(),
      line_items: [line(1)],
      refunds: [],
      shipping_address: { ...person, address1: '1 Main Street', zip: '62701', province_code: 'IL', country_code: 'US' },
    }
  const gmt = (time: Date) => time.toISOString().slice(0, 19)
  return {
    id,
    number: `D${id}`,
    status: 'processing',
    currency: 'USD',
    total: '1.00',
    date_created_gmt: gmt(at),
    date_modified_gmt: gmt(changedAt),
    line_items: [line(1)],
    refunds: [],
    billing: { ...person, email, address_1: '1 Main Street', postcode: '62701', state: 'IL', country: 'US' },
    shipping: {},
  }
}

const MOST_SHOPS = 50
const SECRET = 'the-secret-of-the-played-shop'
const names = { shopify: 'Shopify', woocommerce: 'WooCommerce' } as const

/** Takes back what was played. */
class Played extends Error {}

/** Sends each connected shop's signature over a message that changes nothing, then plays orders in a sandbox and takes them back. */
export async function* playShops(playing: Playing): AsyncGenerator<Finding> {
  yield await playConnected(playing)
  const findings: Finding[] = []
  try {
    await playing.database.asSystem(playing.actor, async (tx) => {
      findings.push(...(await playShapes(tx, playing)))
      throw new Played()
    })
  } catch (error) {
    if (!(error instanceof Played)) throw error
  }
  yield* findings
}

/** A topic that nobody works on is taken where its signature is right. */
async function playConnected({ database, actor, send }: Playing): Promise<Finding> {
  const { found, messages } = await database.asSystem(actor, async (tx) => {
    const found = await selectConnected(tx, MOST_SHOPS)
    return { found, messages: found.map((shop) => messageOf(tx, shop)) }
  })
  if (found.length === 0) return ok('shops', 'No shop is connected.')
  const statuses: (number | undefined)[] = []
  for (const { path, ...message } of messages) statuses.push(await send(path, message))
  const taken = statuses.filter((status) => status === 200).length
  const of = `${found.length} connected ${found.length === 1 ? 'shop' : 'shops'}`
  if (taken < found.length)
    return fail(
      'shops',
      `The service refuses messages of ${found.length - taken} of ${of}.`,
      'Check that the proxy lets POST /hooks/shops through, and passes the body on unchanged.',
    )
  const silent = found.filter(({ isSilent }) => isSilent).length
  if (silent === 0) return ok('shops', `The service takes messages of ${of}, and each has sent something.`)
  return warn(
    'shops',
    `The service takes messages of ${of}; ${silent} of them ${silent === 1 ? 'has' : 'have'} never sent anything.`,
    'Create their webhooks, or send a test from there: docs/shops.md.',
  )
}

function messageOf(tx: SystemTx, { id, kind, url, realm, secret }: ConnectedShop) {
  const body = JSON.stringify({ played: true })
  const signature = signatureOf(Buffer.from(body), openSecret(tx.context, realm.id, id, secret))
  return { path: `/hooks/shops/${id}`, body, headers: headersOf(kind, url, { topic: 'kitlane/doctor', signature, id }) }
}

function headersOf(kind: Shape['kind'], url: string, sent: { topic: string; signature: string; id: string }) {
  const { signature, topic, delivery } = shopHeaders[kind]
  return {
    'content-type': 'application/json',
    [signature]: sent.signature,
    [topic]: sent.topic,
    [delivery]: sent.id,
    ...(kind === 'shopify' && { 'x-shopify-shop-domain': new URL(url).host }),
  }
}

async function playShapes(tx: SystemTx, playing: Playing): Promise<Finding[]> {
  const sandbox = await selectSandbox(tx)
  if (!sandbox)
    return [warn('shops', 'There is no sandbox with a panel to play orders in.', 'Run: kitlane business create')]
  const own = within(tx, sandbox.realm)
  await credits.grant(own, [{ kitType: sandbox.kitType, amount: shapes.length }])
  const connected = new Map<string, { id: string; url: string }>()
  for (const kind of ['shopify', 'woocommerce'] as const) {
    const url = kind === 'shopify' ? 'https://kitlane-doctor.myshopify.com' : 'https://kitlane-doctor.example'
    const items = [{ sku: PLAYED_SKU, kitType: sandbox.kitType }]
    const { shop } = await connect(
      own,
      NewShop.parse({ kind, url, webhookSecret: SECRET, items, paymentMethod: 'credits' }),
    )
    connected.set(kind, { id: shop.shopID, url })
  }
  const findings: Finding[] = []
  for (const [index, shape] of shapes.entries()) {
    const shop = connected.get(shape.kind)
    if (shop) findings.push(await playShape(own, shape, { ...shop, number: index + 1, playing }))
  }
  return findings
}

/** Sends an order as its shop does, works on it as the jobs do, and says what became of it. */
async function playShape(
  tx: Tx,
  { kind, words, topic, changes, later, becomes, reason }: Shape,
  { id, url, number, playing }: { id: string; url: string; number: number; playing: Playing },
): Promise<Finding> {
  const system: SystemTx = { ...tx, system: true }
  const hook = shopHook({ asSystem: (_actor, work) => work(system) })
  const ports = { ...playing.realmPorts(tx.realm), open: <T>(work: (tx: Tx) => Promise<T>) => work(tx) }
  const messages = [{ topic, changes }, ...(later ? [later] : [])]
  for (const [index, message] of messages.entries()) {
    const changedAt = new Date(tx.now.getTime() - (messages.length - index) * 1000)
    const order = { ...orderOf(kind, number, { at: tx.now, changedAt }), ...changes, ...message.changes }
    const rawBody = Buffer.from(JSON.stringify(order))
    const delivery = `doctor-${number}-${index}`
    const sent = { topic: message.topic, signature: signatureOf(rawBody, SECRET), id: delivery }
    await hook.receive(rawBody, headersOf(kind, url, sent), { connection: id }, {})
    await receive(ports, id, `${delivery}/${number}`)
  }
  const found = await selectOutcome(tx, id, String(number))
  const shown = [found?.status ?? 'lost', found?.reason].filter(Boolean).join(', ')
  if (found?.status === becomes && (found.reason ?? undefined) === reason)
    return ok(names[kind], `In the sandbox, ${words}: ${shown}.`)
  return fail(
    names[kind],
    `In the sandbox, ${words}: ${shown}, and should be ${[becomes, reason].filter(Boolean).join(', ')}.`,
    'See whether the sandbox takes an order by API, and report this with the version.',
  )
}
