import type { FastifyRequest } from 'fastify'
import type { Logger } from '../log.ts'

/** `untrusted`: forwarded headers come from a sender that is not trusted. `single`: all callers have one address. */
export type CallerProblem = 'untrusted' | 'single'

const WINDOW_MS = 3_600_000
// Fewer say nothing: a person, or one integration, may be alone in an hour.
const ENOUGH = 100

interface Seen {
  requests: number
  /** With X-Forwarded-For or Forwarded from a sender that TRUSTED_PROXIES does not name. */
  untrusted: number
  first: string
  hasSeveral: boolean
}

const sentences: Readonly<Record<CallerProblem, string>> = {
  untrusted:
    'X-Forwarded-For comes from a sender that TRUSTED_PROXIES does not name: its callers count as one, so that a few wrong sign-ins lock everybody out',
  single:
    'all callers of an hour have one address: does the proxy in front send X-Forwarded-For, and does TRUSTED_PROXIES name it? They count as one, so that a few wrong sign-ins lock everybody out',
}

/** Notices when the addresses of callers are those of a proxy. */
export interface CallerAddresses {
  note(request: Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>): void
  problem(): CallerProblem | undefined
}

/** `isBehindProxy`: TLS ends in front of this service, so that callers never connect by themselves. */
export function callerAddresses({ isBehindProxy, log }: { isBehindProxy: boolean; log: Logger }): CallerAddresses {
  let begunMs = performance.now()
  let seen: Seen | undefined
  let last: CallerProblem | undefined
  const judge = ({ requests, untrusted, hasSeveral, first }: Seen): CallerProblem | undefined => {
    if (requests < ENOUGH) return undefined
    if (untrusted > requests / 2) return 'untrusted'
    return hasSeveral || (!isBehindProxy && isLoopback(first)) ? undefined : 'single'
  }
  return {
    note({ ip, headers, socket }) {
      const nowMs = performance.now()
      if (nowMs - begunMs >= WINDOW_MS) {
        last = seen && judge(seen)
        seen = undefined
        begunMs = nowMs
      }
      seen ??= { requests: 0, untrusted: 0, first: ip, hasSeveral: false }
      seen.requests++
      seen.hasSeveral ||= ip !== seen.first
      const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
      if (isForwarded && ip === socket.remoteAddress) seen.untrusted++
      if (seen.requests !== ENOUGH) return
      const problem = judge(seen)
      if (problem) log.warn({ code: `CALLERS_${problem.toUpperCase()}` }, sentences[problem])
    },
    // Until there are enough requests in this hour, the result of the last one.
    problem: () => (seen && seen.requests >= ENOUGH ? judge(seen) : last),
  }
}

const isLoopback = (ip: string) => ip === '::1' || /^(::ffff:)?127\./.test(ip)
