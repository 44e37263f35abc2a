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
    'Oldest first, within a second or two of their answer. To follow it, ask with `latest` once, and then with `after` as each answer says it. Kept are the route, IDs of Kitlane, status, error code and time; never the query, the body or what else stood in the path. Requests of people who are signed in, with an unknown token, and of this list are left out. It is a convenience: when the database is away for long, requests are missing. The audit is never without an entry.',
  scope: 'requests:read',
  query: RequestLogQuery,
  answers: { 200: RequestLogPage },
  unlogged: true,
  handler: async ({ tx, query }) => ({ status: 200, body: await readLog(tx, query) }),
})
