import type { Route } from '../../platform/http/route.ts'

const text = { type: 'string' }

/** Every header that answers have, in the words of `components.headers`. */
export const headers = {
  RequestId: {
    description: "The request's ID, to be named when asking for help: the one that the caller sent, or else ours.",
    schema: text,
    example: 'req_4XnPzBqJ7vT2mKcW9sLd5h',
  },
  RateLimit: {
    description: 'How many requests may still be made (`r`), and in how many seconds the count begins anew (`t`).',
    schema: text,
    example: '"default";r=5999;t=42',
  },
  RateLimitPolicy: {
    description: 'How many requests (`q`) may be made in how many seconds (`w`).',
    schema: text,
    example: '"default";q=6000;w=60',
  },
  RetryAfter: { description: 'After how many seconds to try again.', schema: { type: 'integer' }, example: 1 },
  TotalCount: { description: 'How many there are on all pages.', schema: { type: 'integer' }, example: 128 },
  Link: {
    description: 'The addresses of the other pages, or of the route that takes the place of this one (RFC 8288).',
    schema: text,
    example: '</api/v1/kits?page=1&size=50>; rel="next"',
  },
  Deprecation: {
    description: 'Since when the route is deprecated (RFC 9745).',
    schema: text,
    example: '@1767225600',
  },
  Sunset: {
    description: 'Until when at least it works (RFC 8594).',
    schema: text,
    example: 'Fri, 01 Jan 2027 00:00:00 GMT',
  },
} as const

const ref = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

// Every answer has them. The description of the API says so once: in each answer they took 46 kB.
const usual = {
  'x-request-id': ref('RequestId'),
  ratelimit: ref('RateLimit'),
  'ratelimit-policy': ref('RateLimitPolicy'),
}

/** The headers of an answer that is no refusal, but for those of every answer. */
export function answerHeaders({ deprecated, counted }: Pick<Route, 'deprecated' | 'counted'>) {
  const headers = {
    ...(counted && { 'x-total-count': ref('TotalCount'), link: ref('Link') }),
    ...(deprecated && { deprecation: ref('Deprecation'), sunset: ref('Sunset'), link: ref('Link') }),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** Those of a refusal, but for those of every answer, which the refusal for too many requests has for all. */
export function refusalHeaders({ retry, counts }: { retry: boolean; counts: boolean }) {
  const headers = { ...(counts && usual), ...(retry && { 'retry-after': ref('RetryAfter') }) }
  return Object.keys(headers).length > 0 ? { headers } : {}
}
