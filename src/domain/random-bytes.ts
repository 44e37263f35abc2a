import { randomFillSync } from 'node:crypto'

// Filled in advance: asking the system for 30 bytes at a time took 2 % of an order's CPU time. No byte is used twice.
const drawn = Buffer.alloc(8192)
let used = drawn.length

/** Random bytes for an identifier, a nonce or a secret. */
export function randomBytes(count: number): Buffer {
  if (count > drawn.length) return randomFillSync(Buffer.alloc(count))
  if (used + count > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += count
  return Buffer.from(drawn.subarray(used - count, used))
}
