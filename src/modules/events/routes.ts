import { z } from 'zod'
import { anyText, commaList, timestamp } from '../../platform/http/fields.ts'
import { route } from '../../platform/http/route.ts'
import { refuse } from '../../platform/http/validate.ts'
import { isKnown, readFeed } from './feed.ts'

const Event = z.object({ id: z.string(), type: z.string(), timestamp, data: z.looseObject({}) }).meta({ id: 'Event' })

export const listEvents = route({
  method: 'GET',
  path: '/events',
  id: 'listEvents',
  reads: 'kit',
  tag: 'Events',
  summary: 'List events',
  description:
    'Oldest first, to catch up on what webhooks missed: ask again with `after` set to the last ID that you have. Nothing is skipped and nothing comes twice.',
  scope: 'webhooks:read',
  query: z.object({
    after: anyText(64).optional().describe('The ID of the last event that you have.'),
    type: commaList(20).optional().describe('Only these types, joined by a comma.'),
    size: z.coerce.number().int().min(1).max(250).default(50),
  }),
  responses: { 200: z.object({ data: z.array(Event), hasMore: z.boolean() }) },
  handler: async ({ tx, query: { after, type, size } }) => {
    if (after && !(await isKnown(tx, after))) {
      refuse([{ message: 'There is no such event; leave it out to begin with the oldest', path: 'after' }])
    }
    const { events, hasMore } = await readFeed(tx, { after, types: type, size })
    const data = events.map((event) => ({
      id: event.id,
      type: event.type,
      timestamp: event.timestamp.toISOString(),
      data: event.data as Record<string, unknown>,
    }))
    return { status: 200, body: { data, hasMore } }
  },
})
