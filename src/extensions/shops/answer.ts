import type { ShopOrderRow } from './order-queries.ts'
import { judge, type ShopTerms, unknownLines } from './rules.ts'
import type { ShopOrderRecord } from './schema.ts'

export const HOOK_PATH = '/hooks/shops'

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
