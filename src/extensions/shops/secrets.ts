import { createHmac } from 'node:crypto'
import type { ProcessContext } from '../../platform/database/process-context.ts'

/** What writes tracking back to a shop. */
export type ShopAccess = { accessToken: string } | { consumerKey: string; consumerSecret: string }

const secretPlace = (realmId: number, shopId: string) => `shops.secret/${realmId}/${shopId}`
const accessPlace = (realmId: number, shopId: string) => `shops.access/${realmId}/${shopId}`

export const sealSecret = (context: ProcessContext, realmId: number, shopId: string, secret: string): Buffer =>
  context.seal(secret, secretPlace(realmId, shopId))

export const sealAccess = (context: ProcessContext, realmId: number, shopId: string, access: ShopAccess): Buffer =>
  context.seal(JSON.stringify(access), accessPlace(realmId, shopId))

export const openAccess = (context: ProcessContext, realmId: number, shopId: string, sealed: Buffer): ShopAccess =>
  JSON.parse(context.open(sealed, accessPlace(realmId, shopId))) as ShopAccess

/** As Shopify and WooCommerce sign: base64 of the HMAC-SHA256 of the bytes as sent. */
export const signatureOf = (rawBody: Buffer, secret: string): string =>
  createHmac('sha256', secret).update(rawBody).digest('base64')

export const openSecret = (context: ProcessContext, realmId: number, shopId: string, sealed: Buffer): string =>
  context.open(sealed, secretPlace(realmId, shopId))
