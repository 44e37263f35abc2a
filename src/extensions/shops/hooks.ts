import { AppError } from '../../domain/errors.ts'
import { constantTimeEqual } from '../../platform/crypto.ts'
import type { ProcessContext } from '../../platform/database/process-context.ts'
import { type Database, within } from '../../platform/database/tx.ts'
import type { Hook } from '../../platform/http/hooks.ts'
import { HOOK_PATH } from './answer.ts'
import { insertDelivery } from './delivery-queries.ts'
import { openSecret, signatureOf } from './lenient.ts'
import { privacyTopics } from './privacy.ts'
import { type ShopRow, selectShopOfHook, updateHeard } from './queries.ts'
import type { ShopOrder } from './rules.ts'
import type { ShopKind } from './schema.ts'
import { fromShopify, shopifyTopics } from './shopify.ts'
import { fromWooCommerce, isPing, wooTopics } from './woocommerce.ts'

/** The job that works on one delivery. */
export const RECEIVE_JOB = 'shops.receive'

// An order of some hundred lines; Shopify ends at 500.
const BODY_LIMIT_BYTES = 1024 * 1024

type Headers = Parameters<Hook['receive']>[1]

export const shopHeaders: Readonly<Record<ShopKind, Record<'signature' | 'topic' | 'delivery', string>>> = {
  shopify: { signature: 'x-shopify-hmac-sha256', topic: 'x-shopify-topic', delivery: 'x-shopify-webhook-id' },
  woocommerce: {
    signature: 'x-wc-webhook-signature',
    topic: 'x-wc-webhook-topic',
    delivery: 'x-wc-webhook-delivery-id',
  },
}

const headerOf = (headers: Headers, name: string): string => String(headers[name] ?? '')

/** Where shops send what happens to their orders. It is kept, and worked on by a job. */
export const shopHook = (database: Pick<Database, 'asSystem'>): Hook => ({
  path: `${HOOK_PATH}/:connection`,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  isSecretStored: true,
  async receive(rawBody, headers, { connection = '' }) {
    await database.asSystem({ name: 'hook:shops' }, async (tx) => {
      const found = await selectShopOfHook(tx, connection)
      if (!found?.secret) throw new AppError('ROUTE_NOT_FOUND', 'No shop is connected here')
      const { realm, ...shop } = found
      const { signature, topic, delivery } = shopHeaders[shop.kind]
      const signed = { rawBody, signature: headerOf(headers, signature) }
      if (shop.kind === 'woocommerce' && signed.signature === '' && isPing(rawBody)) return
      const isOldValid = shop.oldSecretUntil !== null && shop.oldSecretUntil > tx.now
      const secrets = [shop.secret, isOldValid ? shop.oldSecret : null].filter((one) => one !== null)
      if (!isSignedBy(tx.context, realm.id, shop.id, secrets, signed)) throw unsigned()
      checkShop(shop, headers)
      const topicHeader = headerOf(headers, topic)
      const isAboutPeople = shop.kind === 'shopify' && privacyTopics.has(topicHeader)
      if (!isAboutPeople && !(shop.kind === 'shopify' ? shopifyTopics : wooTopics).has(topicHeader)) return
      const about = isAboutPeople
        ? topicOf(topicHeader, rawBody)
        : orderIn(shop, topicHeader, rawBody, tx.now).externalId
      const id = deliveryOf(headerOf(headers, delivery).slice(0, 200), about)
      const inRealm = within(tx, realm)
      await updateHeard(inRealm, shop.id)
      if (!(await insertDelivery(inRealm, { shopId: shop.id, id, topic: topicHeader }, rawBody))) return
      await tx.enqueue(RECEIVE_JOB, { realm, shopId: shop.id, deliveryId: id })
    })
  },
})

/** Whether one of the secrets of a shop signed a body. */
function isSignedBy(
  context: ProcessContext,
  realmId: number,
  shopId: string,
  sealed: readonly Buffer[],
  { rawBody, signature }: { rawBody: Buffer; signature: string },
): boolean {
  return sealed
    .map((one) => signatureOf(rawBody, openSecret(context, realmId, shopId, one)))
    .some((expected) => constantTimeEqual(signature, expected))
}

// Shopify's review of apps demands 401.
const unsigned = () => new AppError('UNAUTHORIZED', 'The webhook is not signed with the secret of this shop')

/** One app of Shopify's may be in several shops, and signs for all with one secret. */
function checkShop({ kind, url }: ShopRow, headers: Headers): void {
  if (kind !== 'shopify' || headerOf(headers, 'x-shopify-shop-domain').toLowerCase() === new URL(url).host) return
  throw new AppError('VALIDATION_FAILED', 'The webhook is of another shop')
}

function orderIn({ kind }: ShopRow, topic: string, rawBody: Buffer, now: Date): ShopOrder {
  const body = json(rawBody)
  const order = kind === 'shopify' ? fromShopify(body, now) : fromWooCommerce(body, topic, now)
  if (!order) throw new AppError('VALIDATION_FAILED', 'The body is no order')
  return order
}

function topicOf(topic: string, rawBody: Buffer): string {
  json(rawBody)
  return topic
}

/** Another order under the number of a delivery that came is no repetition of it. */
function deliveryOf(id: string, about: string): string {
  if (id === '') throw new AppError('VALIDATION_FAILED', 'The webhook has no ID of its delivery')
  return `${id}/${about}`
}

function json(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString())
  } catch {
    throw new AppError('VALIDATION_FAILED', 'The body is not well-formed JSON')
  }
}
