import type { SharedCounts } from './shared-counts.ts'

/** Counts failed attempts by network, for all nodes together. A window of time allows only so many. */
export class Attempts {
  readonly #kind: string
  readonly #limit: number
  readonly #windowMs: number
  readonly #shared: SharedCounts

  constructor(options: { kind: string; limit: number; windowMs: number; shared: SharedCounts }) {
    this.#kind = options.kind
    this.#limit = options.limit
    this.#windowMs = options.windowMs
    this.#shared = options.shared
  }

  async isSpent(ip: string): Promise<boolean> {
    return (await this.#post(ip, 0)) >= this.#limit
  }

  async count(ip: string): Promise<void> {
    await this.#post(ip, 1)
  }

  async #post(ip: string, add: number): Promise<number> {
    const key = `${this.#kind} ${networkOf(ip)}`
    const totals = await this.#shared.post([{ key, add, leftMs: this.#windowMs }])
    return totals.get(key)?.count ?? 0
  }
}

/** One household: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
