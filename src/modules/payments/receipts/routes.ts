import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { preferred } from '../../../platform/http/accept.ts'
import * as fields from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { findReceipt, listPaymentsOf, purposesOf, statesOf } from './issue.ts'
import { receiptPdf } from './pdf.ts'
import { ListedPayment, ReceiptDocument } from './schema.ts'

const tag = 'Payments'
const PDF = 'application/pdf'
// A browser that opens the address gets the document to print.
const offered = [PDF, 'application/json'] as const

export const listPayments = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/payments',
  tag,
  summary: 'List payments by card',
  description: 'Newest first, each with its receipt and its credit notes.',
  scope: 'payments:read',
  query: z.object({
    ...fields.paging(25, 100),
    ...fields.period,
    status: fields.anyOf(ListedPayment.shape.status.options),
    purpose: fields.anyOf(ListedPayment.shape.purpose.options),
    orderID: fields.anyOfTexts(50).describe('Of these orders.'),
  }),
  answers: { 200: z.object({ data: z.array(ListedPayment), pagination: fields.Pagination }) },
  handler: async ({ tx, query: { page, size, ...query } }) => {
    const filter = {
      from: fields.rangeStart(query.startDate),
      to: fields.rangeEnd(query.endDate),
      states: query.status?.flatMap(statesOf),
      purposes: query.purpose?.flatMap(purposesOf),
      orderIds: query.orderID?.map(normalizeId),
    }
    const { total, payments } = await listPaymentsOf(tx, { filter, page, size })
    return { status: 200, body: { data: payments, pagination: fields.pagination(page, size, total) } }
  },
})

export const getReceipt = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/payments/:id/receipt',
  tag,
  summary: 'Get a receipt',
  description:
    'As PDF; `Accept: application/json` gives its data. It stays as it was issued, and names nobody whom a kit is for.',
  scope: 'payments:read',
  params: z.object({ id: fields.text(100) }),
  query: z.object({ number: fields.text(40).optional().describe('Of a credit note of this payment.') }),
  answers: { 200: ReceiptDocument },
  documents: [PDF],
  errors: ['RECEIPT_NOT_FOUND'],
  handler: async ({ tx, params, query, accept }) => {
    const receipt = await findReceipt(tx, params.id, query.number)
    const headers = { vary: 'Accept' }
    if (preferred(accept, offered) !== PDF) return { status: 200, body: receipt, headers }
    const isTest = tx.realm.mode === 'sandbox'
    const body = await receiptPdf({ receipt, isTest })
    const disposition = `attachment; filename="${receipt.number}.pdf"`
    return {
      status: 200,
      document: { contentType: PDF, body },
      headers: { ...headers, 'content-disposition': disposition },
    }
  },
})
