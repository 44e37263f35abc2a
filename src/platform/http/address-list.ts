import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from '../log.ts'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
const bitsOf = { ipv4: 32, ipv6: 128 } as const

interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

/** An address, or a network in CIDR notation; undefined for any other text. */
function networkOf(text: string): Network | undefined {
  const [, address = '', bits] = /^([\da-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (isIP(address) === 0) return undefined
  // An IPv4 address in IPv6 notation is compared as IPv4: see plain.
  if (/^::ffff:/i.test(address) && address.includes('.')) return undefined
  const family = familyOf(address)
  const length = bits === undefined ? bitsOf[family] : Number(bits)
  return length <= bitsOf[family] ? { address, bits: length, family } : undefined
}

export const isAddressOrNetwork = (text: string): boolean => networkOf(text) !== undefined

/** An IPv4 address also where the socket speaks IPv6; without a zone. */
function plain(ip: string): string {
  const [address = ''] = ip.split('%')
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
}

/** Addresses and networks, IPv4 and IPv6, from which something may be used. */
export class AddressList {
  /** As they were given. */
  readonly entries: readonly string[]
  // One for each family: a single list would find IPv4 addresses in ::/0.
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() }

  constructor(entries: readonly string[]) {
    this.entries = entries
    for (const entry of entries) {
      const network = networkOf(entry)
      if (!network) throw new Error('not an address or a network')
      this.#lists[network.family].addSubnet(network.address, network.bits, network.family)
    }
  }

  includes(ip: string): boolean {
    const address = plain(ip)
    if (isIP(address) === 0) return false
    const family = familyOf(address)
    return this.#lists[family].check(address, family)
  }
}

/** `untrusted`: forwarded headers come from a sender that is not trusted. `single`: all callers have one address. */
type CallerProblem = 'untrusted' | 'single'

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
