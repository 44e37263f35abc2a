import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isForbidden, isLoopback, type Resolver, vettedLookup } from './addresses.ts'
import { EgressError } from './errors.ts'

export interface EgressAgentOptions {
  resolve: Resolver
  /** Whether this host may resolve to this machine. */
  mayBeHere: (hostname: string) => boolean
  connectionsPerOrigin: number
}

// Longer than a lost packet and its retransmission (3 s), shorter than the limit of any request.
const CONNECT_TIMEOUT_MS = 8_000

/** Creates a separate connection pool: a connection opened under one policy must not serve another. */
export function createEgressAgent({ resolve, mayBeHere, connectionsPerOrigin }: EgressAgentOptions): Agent {
  const may = (hostname: string, address: string) =>
    !isForbidden(address) || (isLoopback(address) && mayBeHere(hostname))
  const connect = buildConnector({
    lookup: vettedLookup(resolve, may),
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    maxCachedSessions: 0,
  })
  return new Agent({
    connections: connectionsPerOrigin,
    pipelining: 1,
    allowH2: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // The timer of the whole request decides; these timers would fire independently.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Shorter than the idle limit of common servers (5 s); otherwise requests meet closing connections.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 10_000,
    connect(options, callback) {
      const hostname = options.hostname.replace(/^\[|\]$/g, '')
      // An IP literal is not resolved.
      if (isIP(hostname) !== 0 && !may(hostname, hostname)) {
        callback(new EgressError('REFUSED_ADDRESS'), null)
        return
      }
      connect({ ...options, hostname }, (err, socket) => {
        if (err) return callback(err, null)
        if (socket && !may(hostname, socket.remoteAddress ?? '')) {
          socket.destroy()
          return callback(new EgressError('REFUSED_ADDRESS', { reason: 'PEER' }), null)
        }
        callback(null, socket)
      })
    },
  })
}
