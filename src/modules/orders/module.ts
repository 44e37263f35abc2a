import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { defineModule, defineTables, happened, made, stays, worker } from '../define-module.ts'
import { sealedApprovals, sealedRecipients } from '../kits/recipient-queries.ts'
import { placeBulk } from './bulk/jobs.ts'
import { sealedRows } from './bulk/queries.ts'
import * as bulk from './bulk/routes.ts'
import { removeAll } from './bulk/service.ts'
import { forgetListCounts, indexOrderTerms } from './jobs.ts'
import { catchUpReversals, reversalsJob, settlePaymentJob, sweepPaymentsJob } from './payment/jobs.ts'
import * as placing from './placing-routes.ts'
import { removeOrders } from './remove.ts'
import * as routes from './routes.ts'

export const orders = defineModule({
  name: 'orders',
  tags: {
    'Bulk orders': 'Jobs that place twenty orders or more.',
    Orders: 'Placing, reading, paying and canceling orders.',
  },
  routes: [placing, routes, bulk],
  jobs: [
    forgetListCounts,
    indexOrderTerms,
    placeBulk,
    settlePaymentJob,
    sweepPaymentsJob,
    reversalsJob,
    catchUpReversals,
  ],
  events: {
    'order.created': {
      summary: 'An order was placed',
      description: 'Of a pending order it comes twice: when it is placed, and when it is paid.',
      data: z.object({
        orderID: z.string(),
        status: z
          .enum(['created', 'pending'])
          .describe('pending: it is not paid yet, or a provider has to approve it, and there are no kits.'),
        createdDate: timestamp,
        items: z.array(z.object({ kitType: z.string(), quantity: z.int() })),
        externalID: z.string().optional(),
      }),
    },
    'order.canceled': {
      summary: 'An order was canceled',
      description: 'Its credits are back, or its charge is refunded.',
      data: z.object({
        orderID: z.string(),
        status: z.literal('canceled'),
        canceledDate: timestamp,
        reason: z.string().optional().describe('Why a provider refused it.'),
      }),
    },
    'bulk_order.completed': {
      summary: 'A bulk job ended',
      description: 'All rows of a job are done, or it was canceled.',
      data: z.object({
        jobId: z.string(),
        status: z.enum(['completed', 'canceled', 'failed']),
        total: z.int(),
        succeeded: z.int(),
        failed: z.int(),
        pending: z.literal(true).optional().describe('Orders of it wait for their payment.'),
        completedDate: timestamp,
      }),
    },
    'order.updated': {
      summary: 'An order was corrected',
      description: 'Its shipping address changed, or a provider approved it. Names which fields changed.',
      data: z.object({
        orderID: z.string(),
        updatedDate: timestamp,
        changed: z.array(z.string()).describe('The names of the fields that changed; not their values.'),
      }),
    },
  },
  tables: defineTables({
    bulk_jobs: {
      written: 'bulk jobs are accepted by bulk/accept.ts and ended by bulk/service.ts',
      times: { completed_at: happened, created_at: made, started_at: happened, worked_at: worker },
    },
    bulk_rows: {
      written: 'rows of bulk jobs are placed by bulk/place-rows.ts',
      people: {
        in: 'passing',
        what: 'rows of bulk jobs that wait',
        sealed: 'yes',
        clear: 'external ID, state, error',
        kept: 'request emptied when placed or failed',
        readBy: '`orders:read`',
        erasure: 'request: as the order',
      },
      sealed: [sealedRows],
    },
    order_lines: {
      written: 'orders are placed by placement.ts',
    },
    order_items: {
      written: 'orders are placed by placement.ts',
    },
    order_finds: {
      written: 'search terms of orders are written by jobs.ts',
      people: {
        in: 'person',
        what: 'hashes of the beginnings of name and e-mail',
        sealed: 'hashes only',
        kept: 'as `orders`',
        readBy: 'only the search',
        erasure: 'deleted',
      },
    },
    order_finds_done: {
      written: 'search terms of orders are written by jobs.ts',
    },
    order_terms: {
      written: 'jobs.ts empties it: order_finds took its place',
      staysInReset: 'empty since order_finds took its place',
    },
    order_terms_done: {
      written: 'nothing writes it: order_finds took its place',
      staysInReset: 'empty since order_finds took its place',
    },
    orders: {
      written: 'orders are placed by placement.ts and cancelled by cancel.ts',
      people: {
        in: 'person',
        what: 'recipient: name, e-mail, phone, address; why a provider refused it, or which birth and sex they were shown',
        sealed: 'yes; e-mail hash',
        clear: 'external ID, tags, kit types, amount, states',
        kept: 'no term',
        readBy: '`orders:read`; *op* `fulfilment` for kits to pack',
        erasure: "emptied; external ID only if it is the person's",
      },
      sealed: [sealedRecipients, sealedApprovals],
      times: { created_at: made, updated_at: stays('callers that ask what changed since a time must find it') },
    },
  }),
  sandbox: {
    async reset(tx) {
      // Jobs first: one that is placing orders holds its own lock, and finds nothing left to do after this.
      await removeAll(tx)
      const { orders, webhooks } = await removeOrders(tx, 'all')
      return { orders, webhooks }
    },
  },
})
