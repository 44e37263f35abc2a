import { z } from 'zod'
import { anyOf, anyText, isTrue, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { refuse } from '../../platform/http/validate.ts'
import { kitsShown, readableTypes, reportsShown } from './accesses.ts'
import { eventTypes } from './event-types.ts'
import { isEventId, readFeed } from './queries.ts'

const Event = z.object({ id: z.string(), type: z.string(), timestamp, data: z.looseObject({}) }).meta({ id: 'Event' })

/** A test of an endpoint is in the feed, too. */
const feedTypes = [...eventTypes, 'webhook.test'] as const

export const listEvents = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'Oldest first, to catch up on missed webhooks: ask again with `after` set to your last ID. Nothing is skipped or repeated. Events that the caller may not read elsewhere are left out: those of kits need `kits:read`, and so on.',
  scope: 'webhooks:read',
  query: z.object({
    after: anyText(64).optional().describe('The ID of the last event that you have.'),
    latest: isTrue
      .optional()
      .describe('true: the last events instead of the first, oldest first, to begin with what comes from now on.'),
    type: anyOf(feedTypes).describe('Only these types, by comma, or repeated.'),
    size: z.coerce.number().int().min(1).max(250).default(50),
  }),
  answers: { 200: z.object({ data: z.array(Event), hasMore: z.boolean() }) },
  accesses: [
    { lists: 'kit', ids: ({ data }) => kitsShown(data) },
    { lists: 'report', ids: ({ data }) => reportsShown(data) },
  ],
  handler: async ({ tx, query: { after, latest, type, size }, access: { scopes } }) => {
    if (after && !(await isEventId(tx, after))) {
      refuse([{ message: 'There is no such event; leave it out to begin with the oldest', path: 'after' }])
    }
    if (after && latest) {
      refuse([{ message: 'Leave it out where `after` says from where to go on', path: 'latest' }])
    }
    const { events, hasMore } = await readFeed(tx, { after, latest, types: readableTypes(scopes, type), size })
    const data = events.map((event) => ({
      id: event.id,
      type: event.type,
      timestamp: event.timestamp.toISOString(),
      data: event.data as Record<string, unknown>,
    }))
    return { status: 200, body: { data, hasMore } }
  },
})
