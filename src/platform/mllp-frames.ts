/** Begins and ends a message, in MLLP (HL7 v2 transport, release 1). The carriage return after the end is not waited for. */
const START = 0x0b
const END = 0x1c

/** What reading cuts off counts as too long where it is performed. */
export interface Frames {
  /** The messages that end in these bytes. What stands between messages is ignored, as MLLP says. */
  read(bytes: Buffer): Buffer[]
  /** Whether a message has begun that has not ended yet. */
  isInside(): boolean
}

/** Cuts what arrives into messages. Of one that is longer than `maxBytes`, one byte more is kept, and no more memory. */
export function framesUpTo(maxBytes: number): Frames {
  let parts: Buffer[] | undefined
  let size = 0
  const keep = (bytes: Buffer) => {
    const kept = bytes.subarray(0, Math.max(0, maxBytes + 1 - size))
    if (kept.length > 0) parts?.push(kept)
    size += kept.length
  }
  return {
    isInside: () => parts !== undefined,
    read(bytes) {
      const whole: Buffer[] = []
      let rest = bytes
      for (;;) {
        const start = rest.indexOf(START)
        const end = parts ? rest.indexOf(END) : -1
        // A second beginning: the sender broke off and sends again what nobody acknowledged.
        if (start >= 0 && (end < 0 || start < end)) {
          parts = []
          size = 0
          rest = rest.subarray(start + 1)
        } else if (parts && end >= 0) {
          keep(rest.subarray(0, end))
          whole.push(Buffer.concat(parts))
          parts = undefined
          rest = rest.subarray(end + 1)
        } else {
          keep(rest)
          return whole
        }
      }
    },
  }
}

/** An acknowledgement as it is sent back. */
export const framed = (text: string): Buffer =>
  Buffer.concat([Buffer.from([START]), Buffer.from(text), Buffer.from([END, 0x0d])])
