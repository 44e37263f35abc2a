import type { Layout } from './layout.ts'

const lengthBytes = 4

/** A file for the child process: the length of a JSON text in 4 bytes, that text with the layouts, then the file. */
export function frame(bytes: Uint8Array, layouts: readonly Layout[]): Buffer {
  const json = Buffer.from(JSON.stringify(layouts))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, bytes])
}

export function unframe(input: Uint8Array): { bytes: Uint8Array; layouts: Layout[] } {
  const buffer = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
  const end = lengthBytes + buffer.readUInt32BE(0)
  // The parent has checked them.
  const layouts = JSON.parse(buffer.toString('utf8', lengthBytes, end)) as Layout[]
  return { bytes: input.subarray(end), layouts }
}
