import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isForbidden, isLinkLocal, type Resolver, vettedLookup } from './addresses.ts'
import { EgressError, toEgressError } from './errors.ts'
import { hostnameOf, type Policy } from './url.ts'

/** Bytes for a port that the settings name, such as one that speaks MLLP. */
export interface Exchange {
  /** `mllp://<host>:<port>`, or `mllps://…` over TLS. */
  url: string
  /** `<host>:<port>` of each that may be called. */
  hosts: readonly string[]
  message: Buffer
  /** To connect. */
  timeoutMs: number
}

/** The connection that a message went out on, until it is closed. */
export interface Line {
  /** What comes next; undefined where nothing more will. @throws EgressError, also where nothing comes in time */
  read(withinMs: number): Promise<Buffer | undefined>
  write(bytes: Buffer): void
  close(): void
}

const PORTS: Readonly<Record<string, string>> = { 'mllp:': '2575', 'mllps:': '2575' }

/** Why a URL may not be called, as a sentence; undefined if it may. */
export function checkExchangeUrl(text: string, hosts: readonly string[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !(url.protocol in PORTS) || !url.hostname) return 'The URL must begin with mllp:// or mllps://'
  if (url.username || url.password || url.pathname.length > 1 || url.search || url.hash)
    return 'The URL must be a host and a port, and nothing more'
  return hosts.includes(hostOf(url)) ? undefined : 'The host is not one that is allowed'
}

const hostOf = (url: URL): string => `${url.hostname}:${url.port || PORTS[url.protocol]}`

/**
 * Sends a message. Without TLS only addresses of private networks are called, since health data would cross the internet in clear.
 * @throws EgressError
 */
export async function exchange({ url: text, hosts, message, timeoutMs }: Exchange, resolve: Resolver): Promise<Line> {
  if (checkExchangeUrl(text, hosts)) throw new EgressError('REFUSED_URL')
  const url = new URL(text)
  const host = hostnameOf(url)
  const isTls = url.protocol === 'mllps:'
  const may = (_: string, address: string) => !isLinkLocal(address) && (isTls || isForbidden(address))
  if (isIP(host) !== 0 && !may(host, host)) throw new EgressError('REFUSED_ADDRESS')
  const lookup: LookupFunction = vettedLookup(resolve, may)
  const to = { host, port: Number(url.port || PORTS[url.protocol]), lookup }
  const socket = isTls ? connectTls({ ...to, servername: isIP(host) === 0 ? host : '' }) : connectPlain(to)
  // Where nobody reads just now, the next reading says it.
  socket.on('error', () => {})
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(timeoutMs) })
  } catch (err) {
    socket.destroy()
    throw toEgressError(err)
  }
  socket.write(message)
  return lineOf(socket)
}

function lineOf(socket: Socket): Line {
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]()
  return {
    async read(withinMs) {
      const late = setTimeout(() => socket.destroy(new EgressError('TIMEOUT')), Math.max(0, withinMs))
      try {
        const { done, value } = await chunks.next()
        return done ? undefined : value
      } catch (err) {
        throw toEgressError(err)
      } finally {
        clearTimeout(late)
      }
    },
    write: (bytes) => void socket.write(bytes),
    close: () => void socket.end().destroySoon(),
  }
}

export interface EgressRequest {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For the whole request: DNS, connection, answer, body. */
  timeoutMs: number
  /** Reading stops here and the connection is closed. */
  maxResponseBytes: number
  policy: Policy
  signal?: AbortSignal
  /** Asked when the connection is there, right before the first byte: if false, nothing is sent, and it fails as NOT_SENT. */
  mayBegin?: (() => boolean) | undefined
}

export interface EgressResponse {
  /** Redirects are not followed: they are answers like any other. */
  status: number
  headers: IncomingHttpHeaders
  /** The body as sent, not decompressed. */
  body: Buffer
  truncated: boolean
  durationMs: number
}
