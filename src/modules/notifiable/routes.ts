import type { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import { decide } from './decide.ts'
import { selectSettings } from './queries.ts'
import { find, listOfAll } from './read.ts'
import {
  Authority,
  AuthorityInput,
  Notice,
  NoticeDecision,
  NoticePage,
  NoticeQuery,
  noticeParam,
  RuleInput,
  SavedRule,
  Sender,
  Settings,
} from './schema.ts'
import * as notifiable from './service.ts'

const ofOperator = { audience: 'operator', tag: 'Operator: notifiable results' } as const
const writes = { ...ofOperator, method: 'POST', scope: 'access', effects: ['sends-out'], needsProof: true } as const

export const getNotifiableSettings = defineRoute({
  ...{ ...ofOperator, method: 'GET', path: '/notifiable-settings', scope: ['review', 'access'] },
  summary: 'Get which results are told to whom',
  description: 'A rule that nobody signed was not reviewed yet, and is off.',
  answers: { 200: Settings },
  handler: async ({ tx }) => ({ status: 200, body: await selectSettings(tx) }),
})

export const saveNotifiableRule = defineRoute({
  ...{ ...writes, path: '/notifiable-settings/rules' },
  summary: 'Save which result is told',
  description: 'Replaces all of it. Results that stand already are told with the next version of their report.',
  body: RuleInput,
  answers: { 200: SavedRule },
  handler: async ({ tx, body }) => ({ status: 200, body: await notifiable.saveRule(tx, body) }),
})

export const saveHealthAuthority = defineRoute({
  ...{ ...writes, path: '/notifiable-settings/authorities' },
  summary: 'Save an authority that wants results told',
  description: 'Replaces all of it. What waits for it is tried again.',
  body: AuthorityInput,
  answers: { 200: Authority },
  handler: async ({ tx, body }) => ({ status: 200, body: await notifiable.saveAuthority(tx, body) }),
})

export const saveNotifiableSender = defineRoute({
  ...{ ...writes, path: '/notifiable-settings/sender' },
  summary: 'Say who sends, and who orders the tests',
  body: Sender,
  answers: { 200: Sender },
  handler: async ({ tx, body }) => ({ status: 200, body: await notifiable.saveSender(tx, body) }),
})

/** What could not be judged may have no report yet: its kit is named. */
const reportsIn = (all: readonly Shown[]) => all.flatMap(({ reportID }) => reportID ?? [])
const kitsIn = (all: readonly Shown[]) => all.flatMap((one) => (one.reportID ? [] : (one.kitID ?? [])))
type Shown = Pick<z.input<typeof Notice>, 'reportID' | 'kitID'>

export const listNotices = defineRoute({
  ...{ ...ofOperator, method: 'GET', path: '/notices', scope: 'review' },
  summary: 'List results that authorities want told',
  description: 'Live ones of every business: those that are not told yet first, by their deadline.',
  query: NoticeQuery,
  answers: { 200: NoticePage },
  accesses: [
    { lists: 'report', ids: ({ data }) => reportsIn(data) },
    { lists: 'kit', ids: ({ data }) => kitsIn(data) },
  ],
  handler: async ({ tx, query: { state, businessID, ...query } }) => ({
    status: 200,
    body: await listOfAll(tx, { ...query, states: state, businessIds: businessID }),
  }),
})

export const getNotice = defineRoute({
  ...{ ...ofOperator, method: 'GET', path: '/notices/:noticeID', scope: 'review' },
  summary: 'Get one, with its message',
  params: noticeParam,
  answers: { 200: Notice },
  errors: ['NOTICE_NOT_FOUND'],
  accesses: [
    { reads: 'report', ids: (one) => reportsIn([one]) },
    { reads: 'kit', ids: (one) => kitsIn([one]) },
  ],
  handler: async ({ tx, params }) => ({ status: 200, body: await find(tx, params.noticeID) }),
})

export const decideNotice = defineRoute({
  ...{ ...ofOperator, method: 'POST', path: '/notices/:noticeID', scope: 'review' },
  summary: 'Send one as it is, or say that it is told by hand or not to be told',
  effects: ['sends-out'],
  params: noticeParam,
  body: NoticeDecision,
  answers: { 200: Notice },
  errors: ['NOTICE_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: [
    { changes: 'report', ids: (one) => reportsIn([one]) },
    { changes: 'kit', ids: (one) => kitsIn([one]) },
  ],
  handler: async ({ tx, params, body }) => ({ status: 200, body: await decide(tx, params.noticeID, body) }),
})
