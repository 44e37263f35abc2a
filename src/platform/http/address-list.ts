import { BlockList, isIP } from 'node:net'

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
