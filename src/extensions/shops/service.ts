import { randomBytes } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import * as audit from '../../modules/audit/service.ts'
import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import { priceBook } from '../../modules/catalogue/prices.ts'
import type { ProcessContext } from '../../platform/database/process-context.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { isLoopbackHost } from '../../platform/egress/url.ts'
import { refuse } from '../../platform/http/validate.ts'
import { HOOK_PATH, toShopOrder } from './answer.ts'
import { type ShopAccess, sealAccess, sealSecret } from './lenient.ts'
import { countWaiting, makeDue, selectShopOrders, selectShopOrdersFor } from './order-queries.ts'
import { SHOPS_JOB, termsOf } from './place.ts'
import { type ShopRow, selectShop, selectShopAt, selectShops, takeTurn, upsertShop } from './queries.ts'
import type { ChangeShop, NewShop, Shop, ShopItem, ShopKind, ShopOrderRecord, ShopOrderStatus } from './schema.ts'

const MAX_SHOPS = 50
// After a change Shopify signs with the old secret for up to an hour.
const OLD_SECRET_MS = 24 * 3600 * 1000

const newWebhookSecret = (): string => randomBytes(32).toString('base64url')

/** Connects a shop, or one again that was disconnected. @throws VALIDATION_FAILED, KIT_TYPE_NOT_PROVISIONED */
export async function connect(tx: Tx, body: NewShop): Promise<{ shop: Shop; secret: string | undefined }> {
  const url = urlOf(tx, body.kind, body.url)
  await checkItems(tx, body.items)
  await takeTurn(tx)
  const known = await selectShopAt(tx, body.kind, url)
  if (known?.secret) refuse([{ message: 'This shop is connected already: change its connection', path: 'url' }])
  if (!known && (await selectShops(tx)).length >= MAX_SHOPS)
    refuse([{ message: `There are ${MAX_SHOPS} shops already` }])
  const id = known?.id ?? newOpaqueId('shop')
  const made = body.webhookSecret === undefined && body.kind === 'woocommerce' ? newWebhookSecret() : undefined
  const secret = body.webhookSecret ?? made
  if (secret === undefined) refuse([{ message: 'Send the client secret of the app in Shopify', path: 'webhookSecret' }])
  const access = accessOf(body.kind, body)
  await upsertShop(tx, {
    id,
    kind: body.kind,
    url,
    enabled: body.enabled,
    items: body.items,
    countries: body.countries,
    notify: body.isNotifyReceiver,
    notifyBuyer: body.isNotifyBuyer,
    paymentMethod: body.paymentMethod,
    createdAt: tx.now,
    connectedAt: tx.now,
    heardAt: null,
    oldSecret: null,
    oldSecretUntil: null,
    secret: sealSecret(tx.context, tx.realm.id, id, secret),
    access: access ? sealAccess(tx.context, tx.realm.id, id, access) : null,
  })
  await recordChange(tx, 'shop.connected', id)
  await lookAgain(tx, id)
  return { shop: await find(tx, id), secret: made }
}

/** The base of the shop's address. Only a host of Shopify's is sent an access token of Shopify. */
function urlOf(tx: Tx, kind: ShopKind, address: string): string {
  const problem = tx.context.urlProblem(address)
  if (problem) refuse([{ message: problem, path: 'url' }])
  const { origin, hostname, pathname, search } = new URL(address)
  if (search) refuse([{ message: 'The address of the shop alone, without a query', path: 'url' }])
  if (kind === 'woocommerce') return `${origin}${pathname.replace(/\/+$/, '')}`
  if (hostname.endsWith('.myshopify.com') || isLoopbackHost(hostname)) return origin
  return refuse([{ message: 'The address that ends with .myshopify.com, as Shopify shows it', path: 'url' }])
}

type Access = { accessToken?: string | null; consumerKey?: string | null; consumerSecret?: string }

function accessOf(kind: ShopKind, { accessToken, consumerKey, consumerSecret }: Access): ShopAccess | undefined {
  if (kind === 'shopify') {
    if (consumerKey || consumerSecret) refuse([{ message: 'Shopify takes an accessToken', path: 'consumerKey' }])
    return accessToken ? { accessToken } : undefined
  }
  if (accessToken) refuse([{ message: 'WooCommerce takes consumerKey and consumerSecret', path: 'accessToken' }])
  if (!consumerKey && !consumerSecret) return undefined
  if (!consumerKey || !consumerSecret)
    refuse([{ message: 'Send consumerKey and consumerSecret', path: 'consumerSecret' }])
  return { consumerKey: consumerKey ?? '', consumerSecret: consumerSecret ?? '' }
}

/** @throws KIT_TYPE_NOT_PROVISIONED */
async function checkItems(tx: Tx, items: readonly ShopItem[]): Promise<void> {
  const prices = await priceBook(tx)
  const index = items.findIndex(({ kitType }) => kitType !== undefined && !prices.has(kitType))
  if (index < 0) return
  throw new AppError('KIT_TYPE_NOT_PROVISIONED', 'A kit type is not provisioned for the business', {
    details: [{ message: 'This kit type is not provisioned for the business', path: `items.${index}.kitType` }],
  })
}

/** @throws SHOP_NOT_FOUND */
export async function lookUp(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<ShopRow> {
  const shop = await selectShop(tx, id, lock)
  if (!shop) throw new AppError('SHOP_NOT_FOUND', 'There is no such shop')
  return shop
}

const toShop = (context: ProcessContext, shop: ShopRow, waiting: number): Shop => ({
  shopID: shop.id,
  kind: shop.kind,
  url: shop.url,
  enabled: shop.enabled,
  connected: shop.secret !== null,
  hookUrl: `${context.publicUrl ?? ''}${HOOK_PATH}/${shop.id}`,
  writesBack: shop.access !== null,
  items: shop.items.map((item) => ({ ...item, ...(item.kitType && { kitType: publicKitType(item.kitType) }) })),
  countries: shop.countries,
  isNotifyReceiver: shop.notify,
  isNotifyBuyer: shop.notifyBuyer,
  paymentMethod: shop.paymentMethod,
  createdDate: shop.createdAt.toISOString(),
  heardDate: shop.heardAt?.toISOString(),
  waiting,
})

/** @throws SHOP_NOT_FOUND */
export async function find(tx: Tx, id: string): Promise<Shop> {
  return toShop(tx.context, await lookUp(tx, id), await countWaiting(tx, id))
}

export const list = async (tx: Tx): Promise<Shop[]> =>
  (await selectShops(tx)).map(({ waiting, ...shop }) => toShop(tx.context, shop, waiting))

/** Changes what is sent. What waits for it is looked at again. @throws SHOP_NOT_FOUND, KIT_TYPE_NOT_PROVISIONED, VALIDATION_FAILED */
export async function change(tx: Tx, id: string, body: ChangeShop): Promise<Shop> {
  const shop = await lookUp(tx, id, 'update')
  const { accessToken, consumerKey, consumerSecret, ...terms } = body
  if (terms.items) await checkItems(tx, terms.items)
  const isAccess = accessToken !== undefined || consumerKey !== undefined || consumerSecret !== undefined
  const access = isAccess ? accessOf(shop.kind, { accessToken, consumerKey, consumerSecret }) : undefined
  await upsertShop(tx, {
    ...shop,
    enabled: terms.enabled ?? shop.enabled,
    items: terms.items ?? shop.items,
    countries: terms.countries === undefined ? shop.countries : terms.countries,
    notify: terms.isNotifyReceiver ?? shop.notify,
    notifyBuyer: terms.isNotifyBuyer ?? shop.notifyBuyer,
    paymentMethod: terms.paymentMethod === undefined ? shop.paymentMethod : terms.paymentMethod,
    access: isAccess ? (access ? sealAccess(tx.context, tx.realm.id, id, access) : null) : shop.access,
  })
  const fields = Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  await recordChange(tx, 'shop.changed', id, { fields })
  await lookAgain(tx, id)
  return find(tx, id)
}

/** Says of one more product which kit it is, or that it is none. @throws SHOP_NOT_FOUND, KIT_TYPE_NOT_PROVISIONED */
export async function addItem(tx: Tx, id: string, item: ShopItem): Promise<Shop> {
  const shop = await lookUp(tx, id, 'update')
  const isSame = (one: ShopItem) =>
    one.sku === item.sku &&
    one.variantID === item.variantID &&
    one.productID === item.productID &&
    one.title === item.title
  return change(tx, id, { items: [...shop.items.filter((one) => !isSame(one)), item] })
}

// What a change of the connection may answer.
const REVISITED_REASONS = ['unknown_item', 'shop_off', 'country_not_served']

async function lookAgain(tx: Tx, id: string): Promise<void> {
  if ((await makeDue(tx, id, REVISITED_REASONS)) > 0) await tx.enqueue(SHOPS_JOB, {})
}

/** Gives a shop another secret, and returns it where it was made here; the one before stays valid beside it for 24 h. @throws SHOP_NOT_FOUND, VALIDATION_FAILED */
export async function rotateSecret(tx: Tx, id: string, given?: string): Promise<string | undefined> {
  const shop = await lookUp(tx, id, 'update')
  const made = given === undefined && shop.kind === 'woocommerce' ? newWebhookSecret() : undefined
  const secret = given ?? made
  if (secret === undefined)
    refuse([{ message: 'Send the new client secret of the app in Shopify', path: 'webhookSecret' }])
  const oldSecretUntil = new Date(tx.now.getTime() + OLD_SECRET_MS)
  const sealed = sealSecret(tx.context, tx.realm.id, id, secret)
  await upsertShop(tx, { ...shop, oldSecret: shop.secret, oldSecretUntil, secret: sealed })
  await recordChange(tx, 'shop.secret_rotated', id)
  return made
}

/** Forgets the secrets of a shop. Its orders stay, so that none is placed twice. @throws SHOP_NOT_FOUND */
export async function disconnect(tx: Tx, id: string): Promise<void> {
  const shop = await lookUp(tx, id, 'update')
  await upsertShop(tx, { ...shop, secret: null, oldSecret: null, oldSecretUntil: null, access: null, enabled: false })
  await recordChange(tx, 'shop.disconnected', id)
}

/** @throws SHOP_NOT_FOUND */
export async function listOrders(
  tx: Tx,
  shopId: string,
  filter: { status?: ShopOrderStatus | undefined; page: number; size: number },
): Promise<{ total: number; orders: ShopOrderRecord[] }> {
  const terms = termsOf(tx, await lookUp(tx, shopId))
  const { total, rows } = await selectShopOrders(tx, { shopId, ...filter })
  return { total, orders: rows.map((row) => toShopOrder(row, terms)) }
}

/** Data of shops about orders for an e-mail address. */
export const shopOrdersFor = async (tx: Tx, email: string): Promise<ShopOrderRecord[]> =>
  (await selectShopOrdersFor(tx, email)).map((row) => toShopOrder(row))

const recordChange = (tx: Tx, action: audit.AuditAction, id: string, details?: Record<string, unknown>) =>
  audit.record(tx, [{ action, objectType: 'shop', objectId: id, ...(details && { details }) }])
