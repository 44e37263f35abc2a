import type { ParseLimits } from './parse-bytes.ts'

const lengthBytes = 4

/** A file for the child process: the length of a JSON text in 4 bytes, that text with the limits, then the file. */
export function frame(bytes: Uint8Array, limits: ParseLimits): Buffer {
  const json = Buffer.from(JSON.stringify(limits))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, bytes])
}

export function unframe(input: Uint8Array): { bytes: Uint8Array; limits: ParseLimits } {
  const buffer = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
  const end = lengthBytes + buffer.readUInt32BE(0)
  // The parent has checked them.
  const limits = JSON.parse(buffer.toString('utf8', lengthBytes, end)) as ParseLimits
  return { bytes: input.subarray(end), limits }
}
