import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { selectPanelNames } from '../../catalogue/queries.ts'
import type { Line } from '../../credits/rules.ts'
import type { Payment, PaymentPurpose, PaymentState } from '../queries.ts'
import { type ReversalRow, selectReversals } from '../reversals/queries.ts'
import { sumBack } from '../reversals/rules.ts'
import { type PaymentRow, selectPaymentPage } from './list-queries.ts'
import { drawNumber, insertReceipt, type ReceiptRow, selectBilling, selectReceipts } from './queries.ts'
import type { Party, PricedLine, ReceiptKind, ReceiptLine } from './rules.ts'
import type { ListedPayment, ReceiptDocument, ReceiptReference } from './schema.ts'

interface Issued {
  kind: ReceiptKind
  paymentId: string
  orderIds: readonly string[]
  amountMinor: number
  currency: string
  lines: readonly PricedLine[]
  card: { brand: string; last4: string } | undefined
  of?: string
}

/** Issues the receipt of a charge, or the invoice for credits, in the transaction that records the charge. */
export async function issueReceipt(
  tx: Tx,
  payment: Pick<Payment, 'id' | 'currency' | 'cardBrand' | 'cardLast4'>,
  receipt: Pick<Issued, 'orderIds' | 'amountMinor' | 'lines'> & { kind: 'receipt' | 'invoice' },
): Promise<void> {
  const { id: paymentId, currency, cardBrand: brand, cardLast4: last4 } = payment
  const card = brand !== null && last4 !== null ? { brand, last4 } : undefined
  await issue(tx, { ...receipt, paymentId, currency, card })
}

/** Issues the credit note of an order that was given back, at the prices of its receipt. */
export async function issueCreditNote(
  tx: Tx,
  refund: { paymentId: string; orderId: string; amountMinor: number; currency: string; items: readonly Line[] },
): Promise<void> {
  const { paymentId, orderId, amountMinor, currency, items } = refund
  const receipt = (await selectReceipts(tx, [paymentId])).find(({ kind }) => kind !== 'credit_note')
  const unitOf = new Map(receipt?.content.lines.map(({ kitType, unitMinor }) => [kitType, unitMinor]))
  const lines = items.map((item) => ({ ...item, unitMinor: unitOf.get(item.kitType) ?? 0 }))
  const of = receipt && numberOf(tx, receipt)
  const kind = 'credit_note'
  await issue(tx, {
    kind,
    paymentId,
    orderIds: [orderId],
    amountMinor,
    currency,
    lines,
    card: receipt?.content.card,
    ...(of && { of }),
  })
}

/** Issues the credit note of what was given back at the payment provider, where nobody says for which kits. */
export async function issueReversalNote(
  tx: Tx,
  { id: paymentId, currency }: Pick<Payment, 'id' | 'currency'>,
  amountMinor: number,
): Promise<void> {
  const receipt = (await selectReceipts(tx, [paymentId])).find(({ kind }) => kind !== 'credit_note')
  const of = receipt && numberOf(tx, receipt)
  const lines = (receipt?.content.lines ?? []).flatMap(({ kitType, quantity, unitMinor }) =>
    kitType === undefined ? [] : [{ kitType, quantity, unitMinor }],
  )
  const card = receipt?.content.card
  await issue(tx, {
    kind: 'credit_note',
    paymentId,
    orderIds: [],
    amountMinor,
    currency,
    lines,
    card,
    ...(of && { of }),
  })
}

const letters: Record<ReceiptKind, string> = { receipt: 'R', invoice: 'I', credit_note: 'C' }
const DIGITS = 4

/** `R-2026-0001`: gapless for each business, kind and year. */
function numberText(isTest: boolean, kind: ReceiptKind, year: number, number: number): string {
  const text = `${letters[kind]}-${year}-${String(number).padStart(DIGITS, '0')}`
  return isTest ? `TEST-${text}` : text
}

/**
 * The lines with the names of their panels. Lines that do not add up to what was charged, of an order of a version before
 * that kept no single prices, are replaced by one that does: a receipt must equal its charge.
 */
function receiptLines(
  lines: readonly PricedLine[],
  names: ReadonlyMap<string, string>,
  amountMinor: number,
): ReceiptLine[] {
  const named = lines.map(({ kitType, quantity, unitMinor }) => ({
    kitType,
    name: names.get(kitType) ?? kitType,
    quantity,
    unitMinor,
    totalMinor: quantity * unitMinor,
  }))
  const total = named.reduce((sum, { totalMinor }) => sum + totalMinor, 0)
  if (total === amountMinor && named.length > 0) return named
  return [{ name: 'Test kits', quantity: 1, unitMinor: amountMinor, totalMinor: amountMinor }]
}

/** The number of a receipt, as people write it. */
const numberOf = (tx: Tx, { kind, year, number }: Pick<ReceiptRow, 'kind' | 'year' | 'number'>): string =>
  numberText(tx.realm.mode === 'sandbox', kind, year, number)

async function issue(tx: Tx, { kind, paymentId, orderIds, amountMinor, currency, lines, card, of }: Issued) {
  const names = await selectPanelNames(
    tx,
    lines.map(({ kitType }) => kitType),
  )
  const buyer = await buyerOf(tx)
  const content = { lines: receiptLines(lines, names, amountMinor), seller: sellerOf(tx), buyer, card, of }
  const year = tx.now.getUTCFullYear()
  const number = await drawNumber(tx, kind, year)
  await insertReceipt(tx, { kind, year, number, paymentId, orderIds: [...orderIds], amountMinor, currency, content })
}

const sellerOf = ({ context }: Tx): Party => context.settings.operator ?? { name: 'Kitlane', address: [] }

async function buyerOf(tx: Tx): Promise<Party> {
  const { businessName, name, address, taxId } = await selectBilling(tx)
  return {
    name: name ?? businessName,
    address: (address ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    ...(taxId && { taxId }),
  }
}

const statuses = {
  requested: 'settling',
  charged: 'charged',
  captured: 'charged',
  authorised: 'authorised',
  declined: 'declined',
  released: 'released',
} as const

const orderPurposes: PaymentPurpose[] = ['orders', 'bulk', 'pending_order']

/** All that is charged for kits is for orders. */
export const purposesOf = (purpose: ListedPayment['purpose']): PaymentPurpose[] =>
  purpose === 'orders' ? orderPurposes : [purpose]

/** The states of rows that a status of the list stands for. */
export const statesOf = (status: ListedPayment['status']): PaymentState[] =>
  (Object.keys(statuses) as PaymentState[]).filter((state) => statuses[state] === status)

/** Payments by card, newest first, each with its receipt and its credit notes. */
export async function listPaymentsOf(
  tx: Tx,
  listing: Parameters<typeof selectPaymentPage>[1],
): Promise<{ total: number; payments: ListedPayment[] }> {
  const { total, rows } = await selectPaymentPage(tx, listing)
  const receipts = Map.groupBy(
    await selectReceipts(
      tx,
      rows.map(({ id }) => id),
    ),
    ({ paymentId }) => paymentId,
  )
  const ids = rows.map(({ id }) => id)
  const reversals = Map.groupBy(await selectReversals(tx, ids), ({ paymentId }) => paymentId)
  return {
    total,
    payments: rows.map((row) => listed(tx, row, receipts.get(row.id) ?? [], reversals.get(row.id) ?? [])),
  }
}

function listed(
  tx: Tx,
  row: PaymentRow,
  receipts: readonly ReceiptRow[],
  reversals: readonly ReversalRow[],
): ListedPayment {
  const { id, state, purpose, cardBrand: brand, cardLast4: last4, declineCode } = row
  const receipt = receipts.find(({ kind }) => kind !== 'credit_note')
  return {
    paymentID: id,
    date: row.createdAt.toISOString(),
    status: statuses[state],
    purpose: purpose === 'credits' || purpose === 'top_up' ? purpose : 'orders',
    amount: row.amountMinor,
    charged: row.capturedMinor,
    refunded: row.refundedMinor + sumBack(reversals, row.capturedMinor - row.refundedMinor),
    currency: row.currency,
    ...(brand !== null && last4 !== null && { card: { brand, last4 } }),
    ...(declineCode !== null && { declineCode }),
    ...(receipt && { receipt: referenceTo(tx, receipt) }),
    reversals: reversals.map(shownReversal),
    creditNotes: receipts.filter(({ kind }) => kind === 'credit_note').map((note) => referenceTo(tx, note)),
  }
}

const shownReversal = ({ id, kind, state, amountMinor, reason, createdAt, ...credits }: ReversalRow) => ({
  id,
  kind,
  status: state,
  amount: amountMinor,
  date: createdAt.toISOString(),
  ...(reason && { reason }),
  ...(credits.creditsTaken > 0 && { creditsRevoked: credits.creditsTaken }),
  ...(credits.creditsWaiting > 0 && {
    creditsWaiting: credits.creditsWaiting,
    ...(credits.settledAt
      ? { settledDate: credits.settledAt.toISOString(), settledReason: credits.settledReason ?? '' }
      : {
          waitingReason: sentence('These credits were spent already: the operator decides what becomes of them'),
        }),
  }),
})

const referenceTo = (tx: Tx, receipt: ReceiptRow): ReceiptReference => ({
  number: numberOf(tx, receipt),
  date: receipt.issuedAt.toISOString(),
  amount: receipt.amountMinor,
  orderIDs: receipt.orderIds,
})

/** The receipt of a payment, or its credit note with this number. @throws RECEIPT_NOT_FOUND */
export async function findReceipt(tx: Tx, paymentId: string, number?: string): Promise<ReceiptDocument> {
  const receipts = await selectReceipts(tx, [paymentId])
  const found = receipts.find((receipt) =>
    number === undefined ? receipt.kind !== 'credit_note' : numberOf(tx, receipt) === number,
  )
  if (!found) throw new AppError('RECEIPT_NOT_FOUND', 'There is no such receipt; /payments lists all')
  const { lines, seller, buyer, card, of } = found.content
  return {
    ...referenceTo(tx, found),
    kind: found.kind,
    paymentID: paymentId,
    seller: shownParty(seller),
    buyer: shownParty(buyer),
    currency: found.currency,
    ...(card && { card }),
    lines: lines.map(({ name, quantity, unitMinor, totalMinor }) => ({
      panel: name,
      quantity,
      unitPrice: unitMinor,
      total: totalMinor,
    })),
    ...(of && { of }),
  }
}

const shownParty = ({ name, address, taxId }: Party) => ({ name, address, ...(taxId && { taxNumber: taxId }) })
