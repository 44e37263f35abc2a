import { statement } from '../../platform/database/statement.ts'
import type { Queries } from '../../platform/database/tx.ts'
import type { PanelRules } from '../catalogue/eligibility.ts'
import type { UnitPrice } from '../catalogue/queries.ts'

export interface PaymentSettings {
  insufficientCredits: 'charge' | 'pending' | 'reject'
  purchasingEnabled: boolean
}

interface PaymentTermsRow extends PaymentSettings {
  realmId: number
  hasMethod: boolean
}

const paymentTerms = statement<PaymentTermsRow, [number[]]>(
  'placement_terms_select',
  `select r.id as "realmId", r.insufficient_credits as "insufficientCredits", r.purchasing_enabled as "purchasingEnabled",
     exists (select from payment_methods m where m.realm_id = r.id and m.is_default) as "hasMethod"
   from realms r where r.id = any($1::int[])`,
)

/** How realms pay: their settings, and whether a card is attached. */
export function selectPaymentTerms(tx: Queries, realmIds: readonly number[]): Promise<PaymentTermsRow[]> {
  return tx.rows(paymentTerms([...realmIds]))
}

type Orderable = UnitPrice & PanelRules & { realmId: number }

const prices = statement<Orderable, [number[], string[]]>(
  'placement_prices_select',
  `select r.realm_id as "realmId", kit_type as "kitType", r.price_minor as "priceMinor", r.currency,
     p.offered_in as "offeredIn", p.not_offered_in as "notOfferedIn", p.max_per_order as "maxPerOrder", p.min_age as "minAge",
     p.max_age as "maxAge", p.sex, p.provider_needed as "providerNeeded"
   from realm_panels r join panels p using (kit_type)
   where (r.realm_id, kit_type) in (select * from unnest($1::int[], $2::text[]))`,
)

/** What kit types cost in their realms, and who may order them; those that a realm may not order are left out. */
export function selectPrices(
  tx: Queries,
  kitTypes: readonly { realmId: number; kitType: string }[],
): Promise<Orderable[]> {
  return tx.rows(
    prices(
      kitTypes.map(({ realmId }) => realmId),
      kitTypes.map(({ kitType }) => kitType),
    ),
  )
}
