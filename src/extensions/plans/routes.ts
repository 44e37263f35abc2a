import { z } from 'zod'
import { quote } from '../../modules/orders/quote.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as fields from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { change, end, pause, resume, skip } from './place.ts'
import { upcoming } from './rules.ts'
import { ChangePlan, CreatePlan, Plan, PlanDetail, PlanQuote, planStatuses } from './schema.ts'
import { create, find, list, orderOf, planOf } from './service.ts'

const tag = 'Recurring plans'

const idsOfPersonalPlans = (plans: readonly { planID: string; recipientEmail?: string | undefined }[]): string[] =>
  plans.filter(({ recipientEmail }) => recipientEmail !== undefined).map(({ planID }) => planID)

export const createPlan = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/plans',
  tag,
  summary: 'Create a recurring plan',
  effects: ['spends'],
  grants: ['plan'],
  description:
    'Places an order for the same recipient on `firstDate` and then every so many weeks or months, until it ends or has placed `times` orders. Each is priced and paid at its date, as by `POST /create-order`. One that fails is retried daily for seven days, then skipped.',
  scope: 'orders:write',
  query: z.object({
    dryRun: fields.isTrueOrBare.optional().describe('true: the dates and the price only, create nothing.'),
  }),
  body: CreatePlan,
  answers: { 200: PlanQuote, 201: PlanDetail },
  errors: ['KIT_TYPE_NOT_PROVISIONED', 'ORDER_NOT_ALLOWED', 'PAYMENT_METHOD_NOT_FOUND'],
  handler: async ({ tx, query, body }) => {
    if (!query.dryRun) return { status: 201, body: await create(tx, body) }
    const plan = planOf(tx, body)
    return { status: 200, body: { upcomingDates: upcoming(plan), order: await quote(tx, orderOf(plan)) } }
  },
})

export const listPlans = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/plans',
  tag,
  summary: 'List recurring plans',
  description: 'Newest first, unless `sort` says otherwise.',
  scope: 'orders:read',
  query: z.object({
    ...fields.paging(50, 250),
    status: fields.anyOf(planStatuses),
    externalID: fields.externalIdFilter.optional(),
    email: fields.emailFilter.optional().describe("The recipient's; several by comma."),
    sort: fields.byCreation,
  }),
  answers: { 200: z.object({ data: z.array(Plan), pagination: fields.Pagination }) },
  accesses: { lists: 'plan', ids: ({ data }) => idsOfPersonalPlans(data) },
  handler: async ({ tx, query: { page, size, status, externalID, email, sort } }) => {
    const place = { page, size, isOldestFirst: sort === 'createdDate' }
    const { total, plans } = await list(
      tx,
      { statuses: status, externalIds: externalID && fields.identifiersIn(externalID), emails: email },
      place,
    )
    return { status: 200, body: { data: plans, pagination: fields.pagination(page, size, total) } }
  },
})

const params = z.object({ planID: fields.text(64).describe('Plan ID.') })
const one = {
  audience: 'business',
  tag,
  params,
  answers: { 200: PlanDetail },
  accesses: { reads: 'plan', ids: (plan: z.input<typeof PlanDetail>) => idsOfPersonalPlans([plan]) },
} as const

export const getPlan = defineRoute({
  ...one,
  method: 'GET',
  path: '/plans/:planID',
  summary: 'Get a recurring plan',
  description: 'With its dates: which orders they made, and why others were skipped.',
  scope: 'orders:read',
  errors: ['PLAN_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await find(tx, params.planID) }),
})

export const changePlan = defineRoute({
  ...one,
  method: 'PATCH',
  path: '/plans/:planID',
  summary: 'Change a recurring plan',
  effects: ['spends'],
  grants: ['plan'],
  description: 'What its next orders are, where they go, and when. Orders that it has placed stay as they are.',
  scope: 'orders:write',
  body: ChangePlan,
  errors: ['PLAN_NOT_FOUND', 'ILLEGAL_TRANSITION', 'KIT_TYPE_NOT_PROVISIONED', 'ORDER_NOT_ALLOWED'],
  handler: async ({ tx, params, body }) => {
    await change(tx, params.planID, body)
    return { status: 200, body: await find(tx, params.planID) }
  },
})

const step = {
  ...one,
  method: 'POST',
  scope: 'orders:write',
  errors: ['PLAN_NOT_FOUND', 'ILLEGAL_TRANSITION'],
} as const

/** A change without a body. */
const taking =
  (verb: (tx: Tx, id: string) => Promise<void>) =>
  async ({ tx, params }: { tx: Tx; params: z.infer<typeof one.params> }) => {
    await verb(tx, params.planID)
    return { status: 200 as const, body: await find(tx, params.planID) }
  }

export const pausePlan = defineRoute({
  ...step,
  path: '/plans/:planID/pause',
  summary: 'Pause a recurring plan',
  effects: [],
  description: 'Nothing is placed until it is resumed.',
  handler: taking(pause),
})

export const resumePlan = defineRoute({
  ...step,
  path: '/plans/:planID/resume',
  summary: 'Resume a recurring plan',
  effects: ['spends'],
  grants: ['plan'],
  description: 'It goes on with its first date from today on; those that passed meanwhile are skipped.',
  handler: taking(resume),
})

export const skipPlanOrder = defineRoute({
  ...step,
  path: '/plans/:planID/skip',
  summary: 'Skip the next order of a recurring plan',
  effects: [],
  description: 'The plan goes on with the date after it. A date that is skipped does not count as one of `times`.',
  handler: taking(skip),
})

export const endPlan = defineRoute({
  ...step,
  path: '/plans/:planID/end',
  summary: 'End a recurring plan',
  effects: [],
  description: 'For good. Orders that it has placed stay as they are; cancel them on their own.',
  handler: taking(end),
})
