import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { PaymentPurpose, PaymentState } from '../queries.ts'
import { type ReversalRow, selectReversals } from '../reversals/queries.ts'
import { sumBack } from '../reversals/rules.ts'
import { numberOf } from './issue.ts'
import { type PaymentRow, selectPaymentPage } from './list-queries.ts'
import { type ReceiptRow, selectReceipts } from './queries.ts'
import type { Party } from './rules.ts'
import type { ListedPayment, ReceiptDocument, ReceiptReference } from './schema.ts'

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
