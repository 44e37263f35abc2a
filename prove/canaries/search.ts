import type { Canary } from './marks.ts'

/** Looks for canaries in bytes: as text in any case, as UTF-16, base64, hexadecimal and as numbers of PostgreSQL. */
export interface Search {
  /** The places of bytes in which a canary stands. */
  in(bytes: Buffer): Set<Canary>
}

interface Needle {
  canary: Canary
  bytes: Buffer
}

export function searchFor(canaries: readonly Canary[]): Search {
  const inAnyCase = new Index()
  const asIs = new Index()
  for (const canary of canaries) {
    for (const text of writings(canary.text)) {
      const plain = Buffer.from(text)
      const low = Buffer.from(text.toLowerCase())
      const wide = Buffer.from(text.toLowerCase(), 'utf16le')
      const hex = new Set([plain, low, Buffer.from(text.toUpperCase())].map((bytes) => bytes.toString('hex')))
      for (const bytes of [low, wide, Buffer.from(wide).swap16(), ...[...hex].map((one) => Buffer.from(one))])
        inAnyCase.add({ canary, bytes })
      for (const form of new Set([text, text.toLowerCase(), text.toUpperCase()]))
        for (const bytes of inBase64(form)) asIs.add({ canary, bytes })
    }
    if (/^\d+\.\d+$/.test(canary.text)) for (const bytes of asNumbers(Number(canary.text))) asIs.add({ canary, bytes })
  }
  return {
    in(bytes) {
      const found = new Set<Canary>()
      asIs.find(bytes, found)
      inAnyCase.find(lowered(bytes), found)
      return found
    },
  }
}

/** A birth date and a telephone number are also written in other ways. */
function writings(text: string): string[] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year) return [text, `${year}${month}${day}`, `${month}/${day}/${year}`, `${day}.${month}.${year}`]
  return text.startsWith('+') ? [text, text.replace(/\D/g, '')] : [text]
}

/** The characters that depend on the text alone, whatever comes before and after it. */
const inBase64 = (text: string): Buffer[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const first = Math.ceil((before * 8) / 6)
    return Buffer.from(bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6)))
  })

/** float8 on disk and on the wire, and the digits of numeric and jsonb: groups of four. */
function asNumbers(value: number): Buffer[] {
  const [little, big, digits] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(6)]
  little.writeDoubleLE(value)
  big.writeDoubleBE(value)
  const fraction = (value % 1).toFixed(8)
  digits.writeUInt16LE(Math.floor(value), 0)
  digits.writeUInt16LE(Number(fraction.slice(2, 6)), 2)
  digits.writeUInt16LE(Number(fraction.slice(6, 10)), 4)
  return [little, big, digits]
}

function lowered(bytes: Buffer): Buffer {
  const low = Buffer.from(bytes)
  for (let at = 0; at < low.length; at++) {
    const byte = low[at] as number
    if (byte >= 65 && byte <= 90) low[at] = byte + 32
  }
  return low
}

/** Finds thousands of needles in one pass: by three bytes of each that are seldom elsewhere. */
class Index {
  readonly #marks = new Uint8Array(2 ** 24)
  readonly #needles = new Map<number, { canary: Canary; bytes: Buffer; from: number }[]>()

  add({ canary, bytes }: Needle): void {
    const from = rarest(bytes)
    const mark = bytes.readUIntBE(from, 3)
    this.#marks[mark] = 1
    this.#needles.set(mark, [...(this.#needles.get(mark) ?? []), { canary, bytes, from }])
  }

  find(bytes: Buffer, found: Set<Canary>): void {
    let mark = 0
    for (let at = 0; at < bytes.length; at++) {
      mark = ((mark << 8) | (bytes[at] as number)) & 0xffffff
      if (this.#marks[mark] === 0) continue
      for (const { canary, bytes: needle, from } of this.#needles.get(mark) ?? []) {
        const start = at - 2 - from
        if (start >= 0 && bytes.subarray(start, start + needle.length).equals(needle)) found.add(canary)
      }
    }
  }
}

/** Where the three bytes begin that differ most from each other and from the zeros of an empty page. */
function rarest(bytes: Buffer): number {
  const differ = (at: number) => new Set([0, ...bytes.subarray(at, at + 3)]).size
  let best = 0
  for (let at = 1; at <= bytes.length - 3; at++) if (differ(at) > differ(best)) best = at
  return best
}
