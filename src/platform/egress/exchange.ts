import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isForbidden, isLinkLocal } from './addresses.ts'
import { EgressError, toEgressError } from './errors.ts'
import { type Resolver, vettedLookup } from './lookup.ts'
import { hostnameOf } from './url.ts'

/** Bytes for a port that the settings name, such as one that speaks MLLP. */
export interface Exchange<T> {
  /** `mllp://<host>:<port>`, or `mllps://…` over TLS. */
  url: string
  /** `<host>:<port>` of each that may be called. */
  hosts: readonly string[]
  message: Buffer
  /** For all of it. */
  timeoutMs: number
  /** What the bytes answer; undefined while more are to come. */
  read(bytes: Buffer): T | undefined
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
 * Sends a message, and reads until it is answered. Without TLS only addresses of private networks are called, since health data
 * would cross the internet in clear. @throws EgressError
 */
export async function exchange<T>({ url: text, hosts, ...asked }: Exchange<T>, resolve: Resolver): Promise<T> {
  if (checkExchangeUrl(text, hosts)) throw new EgressError('REFUSED_URL')
  const url = new URL(text)
  const host = hostnameOf(url)
  const isTls = url.protocol === 'mllps:'
  const may = (_: string, address: string) => !isLinkLocal(address) && (isTls || isForbidden(address))
  if (isIP(host) !== 0 && !may(host, host)) throw new EgressError('REFUSED_ADDRESS')
  const lookup: LookupFunction = vettedLookup(resolve, may)
  const to = { host, port: Number(url.port || PORTS[url.protocol]), lookup }
  const socket = isTls ? connectTls({ ...to, servername: isIP(host) === 0 ? host : '' }) : connectPlain(to)
  try {
    return await answered(socket, asked, isTls ? 'secureConnect' : 'connect')
  } catch (err) {
    throw toEgressError(err)
  } finally {
    socket.destroy()
  }
}

function answered<T>(
  socket: Socket,
  { message, timeoutMs, read }: Pick<Exchange<T>, 'message' | 'timeoutMs' | 'read'>,
  ready: 'connect' | 'secureConnect',
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = setTimeout(() => reject(new EgressError('TIMEOUT')), timeoutMs)
    socket
      .on('error', reject)
      .on('close', () => {
        clearTimeout(late)
        reject(new EgressError('RESET'))
      })
      .on(ready, () => socket.write(message))
      .on('data', (bytes: Buffer) => {
        const answer = read(bytes)
        if (answer !== undefined) resolve(answer)
      })
  })
}
