import type { Clock } from '../clock.ts'

// Beyond this many addresses the oldest window is forgotten.
const MAX_KEYS = 50_000

/** Counts failed attempts by network, in this process. A window of time allows only so many. */
export class Attempts {
  readonly #windows = new Map<string, { count: number; endsAt: number }>()
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock

  constructor(options: { limit: number; windowMs: number; clock: Clock }) {
    this.#limit = options.limit
    this.#windowMs = options.windowMs
    this.#clock = options.clock
  }

  isSpent(ip: string): boolean {
    const window = this.#windows.get(networkOf(ip))
    return window !== undefined && window.endsAt > this.#now() && window.count >= this.#limit
  }

  count(ip: string): void {
    const key = networkOf(ip)
    const window = this.#windows.get(key)
    if (window && window.endsAt > this.#now()) {
      window.count++
      return
    }
    this.#windows.delete(key)
    this.#windows.set(key, { count: 1, endsAt: this.#now() + this.#windowMs })
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > MAX_KEYS && oldest !== undefined) this.#windows.delete(oldest)
  }

  #now(): number {
    return this.#clock.now().getTime()
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
