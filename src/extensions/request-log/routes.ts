import { defineRoute } from '../../platform/http/route.ts'
import { RequestLogPage, RequestLogQuery } from './schema.ts'
import { readLog } from './service.ts'

export const listRequests = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/request-log',
  tag: 'Requests',
  summary: 'List the requests that your tokens made',
  description:
    'Oldest first, within two seconds of their answer. To follow it, send `latest` once, and then `after` as each answer says it. It has the route, IDs of Kitlane, status, error code and time; never query, body or the rest of the path. Requests by session, with an unknown token, and of this list are left out, and some after an outage.',
  scope: 'requests:read',
  query: RequestLogQuery,
  answers: { 200: RequestLogPage },
  unlogged: true,
  handler: async ({ tx, query }) => ({ status: 200, body: await readLog(tx, query) }),
})
