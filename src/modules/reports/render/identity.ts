import { createHash } from 'node:crypto'

// A name space of this program, drawn once at random: the same thing gets the same UUID in every document.
const NAMESPACE = Buffer.from('8f3c52d1a6f14c0f9a2e6b0d6f6f1b57', 'hex')

/** RFC 9562, version 5: a UUID made of a name. */
export function nameUuid(name: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
