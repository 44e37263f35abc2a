import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import * as credits from '../../modules/credits/service.ts'
import type { Playing } from '../../modules/define-module.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { shopHeaders, shopHook } from './hooks.ts'
import { type ConnectedShop, selectConnected, selectOutcome, selectSandbox } from './play-queries.ts'
import { orderOf, PLAYED_SKU, type Shape, shapes } from './play-shapes.ts'
import { receive } from './receive.ts'
import { NewShop } from './schema.ts'
import { openSecret, signatureOf } from './secrets.ts'
import { connect } from './service.ts'

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
