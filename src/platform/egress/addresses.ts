import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import { EgressError, reasonOf } from './errors.ts'

// Two lists: in one, node compares an IPv4 address with the IPv6 networks too, as ::ffff:a.b.c.d.
const forbiddenV4 = new BlockList()
const forbiddenV6 = new BlockList()
const loopbackV4 = new BlockList()

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and the metadata addresses of clouds. */
const networksV4: [string, number][] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by a carrier's customers
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's platform
  ['169.254.0.0', 16], // link-local, metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // IETF protocols
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/** https://www.iana.org/assignments/iana-ipv6-special-registry. Only 2000::/3 is allocated to the public internet. */
const networksV6: [string, number][] = [
  ['::', 3], // unspecified, loopback, mapped and embedded IPv4, NAT64, discard
  ['4000::', 2], // not given out, segment routing (5f00::/16)
  ['8000::', 1], // not given out, unique local, link-local, site-local, multicast
  ['2001::', 23], // IETF protocols: Teredo, benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which carries any IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // 6bone
  ['3fff::', 20], // documentation
]

for (const [network, prefix] of networksV4) forbiddenV4.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of networksV6) forbiddenV6.addSubnet(network, prefix, 'ipv6')
loopbackV4.addSubnet('127.0.0.0', 8, 'ipv4')

/** Whether an address is not an ordinary public one. Text that is not an address is forbidden too. */
export function isForbidden(address: string): boolean {
  if (isIPv4(address)) return forbiddenV4.check(address, 'ipv4')
  // A zone ID names a network interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return true
  return forbiddenV6.check(address, 'ipv6')
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && loopbackV4.check(address, 'ipv4'))
}

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addAddress('168.63.129.16', 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

/** Where clouds answer with the machine's own credentials. */
export const isLinkLocal = (address: string): boolean =>
  linkLocal.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') || /^::ffff:169\.254\./i.test(address)

export interface Answer {
  address: string
  family: 4 | 6
}

export type Resolver = (hostname: string) => Promise<Answer[]>

/** A lookup function for sockets: one forbidden address refuses the name, and the socket connects only to checked addresses. */
export function vettedLookup(resolve: Resolver, may: (hostname: string, address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const find = async () => {
      const answers = await resolve(hostname)
      if (answers.length === 0) throw new EgressError('DNS', { reason: 'ENODATA' })
      if (!answers.every(({ address }) => may(hostname, address))) throw new EgressError('REFUSED_ADDRESS')
      return answers
    }
    find().then(
      (answers) => {
        const [first] = answers
        if (options.all || !first) callback(null, answers)
        else callback(null, first.address, first.family)
      },
      (err: unknown) => {
        const refusal = err instanceof EgressError ? err : new EgressError('DNS', { reason: reasonOf(err) })
        callback(refusal, [])
      },
    )
  }
}
