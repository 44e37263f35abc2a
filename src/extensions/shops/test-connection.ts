import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { openAccess } from './secrets.ts'
import { lookUp } from './service.ts'
import { tryShopify } from './update-shopify.ts'
import { tryWooCommerce } from './update-woocommerce.ts'

/** Asks a shop something harmless, as writing tracking back would. */
export async function testConnection(ports: RealmPorts, id: string): Promise<{ reached: boolean; code?: string }> {
  const shop = await ports.open(async (tx) => {
    const { kind, url, access } = await lookUp(tx, id)
    return { kind, url, access: access && openAccess(tx.context, tx.realm.id, id, access) }
  })
  if (!shop.access) return { reached: false, code: 'NO_ACCESS' }
  const { kind, url, access } = shop
  const outcome = await (kind === 'shopify' ? tryShopify : tryWooCommerce)(ports.callShop, { url, access })
  return outcome.kind === 'told' ? { reached: true } : { reached: false, code: outcome.code }
}
