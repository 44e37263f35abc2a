import { z } from 'zod'
import { access, appended, defineModule, defineTables, happened, made, moves, worker } from '../define-module.ts'
import { finishCard, refundOrder, tellOfPayments, topUpCredits, watchCardExpiry } from './jobs.ts'
import * as purchases from './purchases/routes.ts'
import { sealedRequests } from './queries.ts'
import * as receipts from './receipts/routes.ts'
import * as reversals from './reversals/operator-routes.ts'
import * as routes from './routes.ts'
import { removePayments } from './service.ts'
import { advanceClock } from './top-ups/queries.ts'

export const payments = defineModule({
  name: 'payments',
  tags: {
    Credits: 'Prepaid rights to one kit of one type: balances and the ledger.',
    'Payment methods': 'Saved cards.',
    Payments: 'Charges by card, with their receipts.',
  },
  routes: [purchases, routes, receipts, reversals],
  jobs: [refundOrder, topUpCredits, tellOfPayments, watchCardExpiry, finishCard],
  events: {
    'credits.topped_up': {
      summary: 'Credits were bought',
      description: 'By somebody, or because a balance topped itself up.',
      data: z.object({
        type: z.string().describe('The kit type.'),
        amount: z.int().describe('Credits that were bought.'),
        credits: z.int().describe('The balance after it.'),
        paymentID: z.string(),
        automatic: z.boolean().describe('Whether the balance topped itself up; false: somebody bought them.'),
      }),
    },
  },
  tables: defineTables({
    payment_methods: {
      written: 'payment methods are attached by methods.ts',
      staysInReset: 'cards are settings, like the shops and endpoints of a sandbox',
      people: {
        in: 'staff',
        what: "brand, last four digits and expiry of a business's card",
        sealed: 'clear',
        kept: 'until removed',
        readBy: '`payments:read`',
      },
      times: { attached_at: happened },
    },
    payments: {
      written: 'payments are started and settled by service.ts',
      people: {
        in: 'passing',
        what: 'the order that waits for a card',
        sealed: 'yes',
        clear: 'amount, state, reference at the payment provider',
        kept: 'request emptied when settled',
        readBy: 'nobody',
        erasure: 'request: as the order',
      },
      sealed: [sealedRequests],
      times: { checked_at: worker, created_at: made },
    },
    refunds: {
      written: 'refunds are made by refunds.ts',
      times: { created_at: worker, done_at: happened, failed_at: happened },
    },
    payment_reversals: {
      written: 'what the payment provider gave back is recorded by reversals/record.ts',
      times: { created_at: happened, changed_at: happened, settled_at: happened },
    },
    receipts: {
      written: 'receipts are issued by receipts/issue.ts',
      people: {
        in: 'passing',
        what: "business and operator with address and tax number, panels, amounts, card's brand and last digits, order IDs; nothing of the person tested",
        sealed: 'no',
        clear: 'all',
        kept: 'no term',
        readBy: '`payments:read`',
        erasure: 'stays',
      },
      times: { issued_at: appended },
    },
    receipt_counters: {
      written: 'numbers of receipts are drawn by receipts/issue.ts',
    },
    card_sessions: {
      written: 'cards are added by cards/sessions.ts',
      staysInReset: 'they end by themselves, and cards stay',
      people: {
        in: 'staff',
        what: 'that a card is being added; reference at the payment provider',
        sealed: 'clear; secret of the page SHA-256',
        kept: 'a day after its half hour, until another card is added',
        readBy: 'nobody',
      },
      times: { created_at: access, expires_at: access },
    },
    top_ups: {
      written: 'top-ups are set, started and ended by top-ups/start.ts',
      staysInReset: 'a setting; what was being bought is forgotten',
      times: { retry_at: moves('a purchase that failed is tried again then') },
    },
    top_up_terms: {
      written: 'the ceiling of top-ups is set by top-ups/start.ts',
      staysInReset: 'a setting',
    },
    payment_notices: {
      written: 'administrators are told once by notices.ts',
      people: {
        in: 'staff',
        what: "what administrators were told of cards and credits: card's last digits, order ID, amounts",
        sealed: 'clear',
        kept: 'no term',
        readBy: 'nobody',
      },
      times: { created_at: happened, told_at: happened },
    },
    simulated_setups: {
      written: 'test cards are added by gateways/simulated.ts',
      times: { created_at: happened },
    },
    simulated_charges: {
      written: 'test cards are charged by gateways/simulated.ts',
      times: { created_at: happened },
    },
  }),
  readsBelow: [
    {
      file: 'receipts/list-queries.ts',
      tables: ['orders'],
      why: 'the list of payments is filtered by the orders that they paid',
    },
  ],
  sandbox: { reset: removePayments, advanceClock },
})
