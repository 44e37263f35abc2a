import { z } from 'zod'
import { defineModule, definePart, defineTables, happened, made, moves } from '../../modules/define-module.ts'
import { timestamp } from '../../platform/http/fields.ts'
import { placePlans } from './jobs.ts'
import { PLACE_PLANS_JOB } from './place.ts'
import { advanceClock, deletePlans, sealedPlans } from './queries.ts'
import * as routes from './routes.ts'
import { endings, Plan } from './schema.ts'
import { erasePlans, plansFor } from './service.ts'

export const plans = defineModule({
  name: 'plans',
  tags: {
    'Recurring plans': 'Orders that are placed by themselves, every so many weeks or months.',
  },
  routes: [routes],
  jobs: [placePlans],
  events: {
    'plan.created': {
      summary: 'A recurring plan was created',
      description: 'Its orders come as `order.created` when they are placed.',
      data: z.object({
        planID: z.string(),
        createdDate: timestamp,
        nextDate: z.iso.date().describe('When its first order is placed.'),
        items: z.array(z.object({ kitType: z.string(), quantity: z.int() })),
      }),
    },
    'plan.order_failed': {
      summary: 'An order of a recurring plan could not be placed',
      description: 'Each time that it was tried: daily for seven days, then its date is skipped.',
      data: z.object({
        planID: z.string(),
        date: z.iso.date().describe('The date of the order that could not be placed.'),
        code: z.string().describe('Why, as `POST /create-order` would refuse it.'),
        attempts: z.int().describe('How often placing it was tried.'),
        retryDate: timestamp.optional().describe('When it is tried again; absent where the date is skipped now.'),
      }),
    },
    'plan.ended': {
      summary: 'A recurring plan ended',
      description: 'It places no more orders.',
      data: z.object({
        planID: z.string(),
        endedBy: z.enum(endings).describe('Whether it placed all its orders, was ended, or its recipient was erased.'),
        endedDate: timestamp,
      }),
    },
  },
  tables: defineTables({
    plans: {
      written: 'plans are made and ended by service.ts, changed by place.ts',
      people: {
        in: 'passing',
        what: 'recipient of recurring plans: name, e-mail, phone, address',
        sealed: 'yes; e-mail hash',
        clear: 'external ID, tags, kit types, dates, payment method, state',
        kept: 'no term',
        readBy: '`orders:read`',
        erasure: "emptied, and the plan ends; external ID only if it is the person's",
      },
      sealed: [sealedPlans],
      times: { created_at: made, due_at: moves('the next order is placed then') },
    },
    plan_occurrences: {
      written: 'the dates of plans are placed by place.ts',
      people: {
        in: 'passing',
        what: 'what became of the dates of plans',
        sealed: 'nothing of people',
        clear: 'plan, order, date, error code',
        kept: 'as `plans`',
        readBy: '`orders:read`',
        erasure: 'stays',
      },
      times: { at: happened },
    },
  }),
  person: {
    exports: {
      plans: definePart({
        scope: 'orders:read',
        shape: z.array(Plan).describe('Recurring plans that send kits to the person.'),
        of: (tx, { email }) => plansFor(tx, email),
      }),
    },
    audited: async (tx, { email }) => ({ plan: (await plansFor(tx, email)).map(({ planID }) => planID) }),
    erase: erasePlans,
  },
  sandbox: {
    reset: deletePlans,
    async advanceClock(tx, ms) {
      const due = await advanceClock(tx, ms)
      await tx.enqueue(PLACE_PLANS_JOB, {})
      return due
    },
  },
})
