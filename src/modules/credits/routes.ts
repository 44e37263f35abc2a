import { z } from 'zod'
import { type Columns, CSV, CSV_WORDS, csvFile, wantsCsv } from '../../platform/http/csv.ts'
import { Pagination, pagination, paging, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { selectTransferPage, selectTransfersBefore, type TransferRow } from './queries.ts'
import { signedAmount } from './rules.ts'
import { entries } from './service.ts'

const tag = 'Credits'

const CreditEntry = z
  .object({
    type: z.string().describe('Kit type.'),
    credits: z.int().optional().describe('1 credit = 1 kit. Absent where no balance was set up: read it as zero.'),
  })
  .meta({ id: 'CreditEntry' })

export const getCredits = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/credits',
  tag,
  summary: 'Get credits',
  description:
    'The balance of each provisioned kit type. A type that is missing has to be enabled before it can be ordered.',
  scope: 'credits:read',
  answers: { 200: z.array(CreditEntry) },
  handler: async ({ tx }) => ({ status: 200, body: await entries(tx) }),
})

const CreditTransaction = z
  .object({
    id: z.int().describe('Gapless, from 1.'),
    type: z.string().describe('Kit type.'),
    kind: z.enum(['grant', 'purchase', 'revoke', 'order', 'refund', 'reserve', 'capture', 'release']),
    amount: z.int().describe('Credits moved, > 0.'),
    change: z.int().describe('What it did to the balance.'),
    balance: z.int().describe('The balance after it.'),
    orderID: z.string().optional(),
    paymentID: z.string().optional().describe('The payment that bought the credits.'),
    note: z.string().optional(),
    date: timestamp,
  })
  .meta({ id: 'CreditTransaction' })

type CreditTransaction = z.infer<typeof CreditTransaction>

const toTransaction = (row: TransferRow): CreditTransaction => ({
  id: row.seq,
  type: publicKitType(row.kitType),
  kind: row.kind,
  amount: row.amount,
  change: signedAmount(row.kind, row.amount),
  balance: row.availableAfter,
  ...(row.orderId && { orderID: row.orderId }),
  ...(row.paymentId && { paymentID: row.paymentId }),
  ...(row.note && { note: row.note }),
  date: row.at.toISOString(),
})

const transactionColumns: Columns<CreditTransaction> = {
  id: (entry) => entry.id,
  date: (entry) => entry.date,
  type: (entry) => entry.type,
  kind: (entry) => entry.kind,
  change: (entry) => entry.change,
  balance: (entry) => entry.balance,
  orderID: (entry) => entry.orderID,
  note: (entry) => entry.note,
}

export const listCreditTransactions = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/credits/transactions',
  tag,
  summary: 'List credit transactions',
  description: `The ledger, newest first. Every transaction is a double entry: what leaves one account enters another. ${CSV_WORDS}`,
  scope: 'credits:read',
  query: z.object(paging(50, 250)),
  answers: { 200: z.object({ data: z.array(CreditTransaction), pagination: Pagination }) },
  documents: [CSV],
  handler: async ({ tx, accept, query: { page, size } }) => {
    if (wantsCsv(accept)) {
      return csvFile('credit-transactions', transactionColumns, async (tx, last, rows) =>
        (await selectTransfersBefore(tx, last?.id, rows)).map(toTransaction),
      )
    }
    const { total, rows } = await selectTransferPage(tx, page, size)
    const body = { data: rows.map(toTransaction), pagination: pagination(page, size, total) }
    return { status: 200, body, headers: { vary: 'Accept' } }
  },
})
