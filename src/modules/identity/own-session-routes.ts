import { z } from 'zod'
import { stored } from '../../domain/translations/stored-sentences.ts'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { OwnSession } from './account-schema.ts'
import * as sessions from './own-sessions.ts'
import { type ListedSession, selectSessions } from './session-queries.ts'

const tag = 'Account'

const shown = ({ id, browser, network, createdAt, seenAt }: ListedSession, current: string) => ({
  id,
  isCurrent: id === current,
  createdDate: createdAt.toISOString(),
  lastSeenDate: seenAt.toISOString(),
  ...(browser !== null && { browser: stored(browser) }),
  ...(network !== null && { network }),
})

export const listOwnSessions = defineRoute({
  audience: 'account',
  method: 'GET',
  path: '/sessions',
  tag,
  summary: "List one's sessions",
  answers: { 200: z.array(OwnSession) },
  handler: async ({ open, session: { userId, sessionId } }) => {
    const all = await open((tx) => selectSessions(tx, userId))
    return { status: 200, body: all.map((one) => shown(one, sessionId)) }
  },
})

export const endOwnSession = defineRoute({
  audience: 'account',
  method: 'DELETE',
  path: '/sessions/:sessionID',
  tag,
  summary: "End one of one's sessions",
  effects: [],
  description: 'Counts at once.',
  params: z.object({ sessionID: anyText(64) }),
  answers: { 204: z.undefined() },
  errors: ['SESSION_NOT_FOUND'],
  handler: async ({ open, session, params: { sessionID } }) => {
    await open((tx) => sessions.endOwnSession(tx, session, sessionID))
    return { status: 204, body: undefined, ...(sessionID === session.sessionId && { cookie: null }) }
  },
})

export const endOtherSessions = defineRoute({
  audience: 'account',
  method: 'DELETE',
  path: '/sessions',
  tag,
  summary: "End one's other sessions",
  effects: [],
  answers: { 200: z.object({ ended: z.int() }) },
  handler: async ({ open, session }) => ({
    status: 200,
    body: { ended: await open((tx) => sessions.endOtherSessions(tx, session)) },
  }),
})
