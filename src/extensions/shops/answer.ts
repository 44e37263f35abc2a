import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import type { ProcessContext } from '../../platform/database/process-context.ts'
import type { ShopOrderRow } from './order-queries.ts'
import type { ShopRow } from './queries.ts'
import { judge, type ShopTerms, unknownLines } from './rules.ts'
import type { Shop, ShopOrderRecord } from './schema.ts'

export const HOOK_PATH = '/hooks/shops'

export const toShop = (context: ProcessContext, shop: ShopRow, waiting: number): Shop => ({
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

/** Without the terms of its shop it does not say what it lacks. */
export function toShopOrder(row: ShopOrderRow, terms?: ShopTerms): ShopOrderRecord {
  const { order, corrected } = row
  const verdict = terms && order && row.status === 'waiting' && !row.orderId ? judge(order, row, terms) : undefined
  const unknown = terms && order && row.reason === 'unknown_item' ? unknownLines(order, terms.items) : []
  const name = corrected ?? order?.buyer
  return {
    shopOrderID: row.id,
    shopID: row.shopId,
    externalID: row.externalId,
    number: row.number,
    status: row.status,
    reason: row.reason ?? undefined,
    ...(unknown.length > 0 && {
      unknownItems: unknown.map(({ sku, variantId, productId, title }) => ({
        sku,
        variantID: variantId,
        productID: productId,
        title,
      })),
    }),
    ...(verdict?.kind === 'wait' && verdict.lacks && { lacks: verdict.lacks }),
    orderId: row.orderId ?? undefined,
    recipientEmail: (corrected?.email ?? order?.buyer.email) || undefined,
    recipientName: [name?.firstName, name?.lastName].filter(Boolean).join(' ') || undefined,
    retryDate: row.status === 'retrying' ? row.dueAt?.toISOString() : undefined,
    attempts: row.attempts,
    ...trackingOf(row),
    createdDate: row.createdAt.toISOString(),
    changedDate: row.changedAt.toISOString(),
  }
}

function trackingOf({ told, tellOpen, tellCode }: ShopOrderRow): Pick<ShopOrderRecord, 'tracking'> {
  if (told.length === 0 && tellCode === null) return {}
  const status = tellCode === null ? 'told' : tellOpen ? 'due' : 'failed'
  return { tracking: { status, numbers: told, code: tellCode ?? undefined } }
}
