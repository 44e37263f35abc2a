import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import type { ReceiptContent, ReceiptKind } from './rules.ts'

export interface ReceiptRow {
  kind: ReceiptKind
  year: number
  number: number
  paymentId: string
  orderIds: string[]
  amountMinor: number
  currency: string
  content: ReceiptContent
  issuedAt: Date
}

/** The next number of a series. No other transaction draws one until this one ends: none is left out. */
export async function drawNumber(tx: Tx, kind: ReceiptKind, year: number): Promise<number> {
  const { last } = await tx.row(sql<{ last: number }>`
    insert into receipt_counters as c (realm_id, kind, year, last) values (${tx.realm.id}, ${kind}, ${year}, 1)
    on conflict (realm_id, kind, year) do update set last = c.last + 1 returning last`)
  return last
}

export async function insertReceipt(tx: Tx, row: Omit<ReceiptRow, 'issuedAt'>): Promise<void> {
  const { kind, year, number, paymentId, orderIds, amountMinor, currency, content } = row
  await tx.run(sql`
    insert into receipts (realm_id, kind, year, number, payment_id, order_ids, amount_minor, currency, content, issued_at)
    values (${tx.realm.id}, ${kind}, ${year}, ${number}, ${paymentId}, ${orderIds}, ${amountMinor}, ${currency},
      ${JSON.stringify(content)}::jsonb, ${tx.now})`)
}

/** Receipts and credit notes of payments, in the order in which they were issued. */
export function selectReceipts(tx: Tx, paymentIds: readonly string[]): Promise<ReceiptRow[]> {
  return tx.rows(sql<ReceiptRow>`
    select kind, year, number, payment_id as "paymentId", order_ids as "orderIds", amount_minor as "amountMinor", currency,
           content, issued_at as "issuedAt"
    from receipts where realm_id = ${tx.realm.id} and payment_id = any(${[...paymentIds]}::text[])
    order by issued_at, kind, year, number`)
}

export interface BillingDetails {
  businessName: string
  name: string | null
  address: string | null
  taxId: string | null
}

export function selectBilling(tx: Tx): Promise<BillingDetails> {
  return tx.row(sql<BillingDetails>`
    select b.name as "businessName", r.billing_name as name, r.billing_address as address, r.billing_tax_number as "taxId"
    from realms r join businesses b on b.id = r.business_id where r.id = ${tx.realm.id}`)
}

/** In a sandbox that is emptied: its receipts go with their payments. */
export async function deleteCounters(tx: Tx): Promise<void> {
  await tx.run(sql`delete from receipt_counters where realm_id = ${tx.realm.id}`)
}
