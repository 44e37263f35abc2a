export interface Size {
  width: number
  height: number
}

/** Width and height in the header of a picture, before it is decoded; undefined if they are unknown. */
export function sizeOf(bytes: Uint8Array): Size | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < 30) return undefined
  if (buffer.readUInt32BE(0) === 0x89504e47) return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) }
  if (buffer.toString('latin1', 0, 4) === 'GIF8')
    return { width: buffer.readUInt16LE(6), height: buffer.readUInt16LE(8) }
  if (buffer.readUInt16BE(0) === 0xffd8) return jpegSize(buffer)
  return buffer.toString('latin1', 8, 12) === 'WEBP' ? webpSize(buffer) : undefined
}

/** In the first frame header; the segments before it are skipped by their lengths. */
function jpegSize(buffer: Buffer): Size | undefined {
  let at = 2
  while (at + 9 < buffer.length) {
    const marker = buffer[at + 1] ?? 0
    if (buffer[at] !== 0xff) return undefined
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (isFrame(marker)) return { height: buffer.readUInt16BE(at + 5), width: buffer.readUInt16BE(at + 7) }
    else at += 2 + buffer.readUInt16BE(at + 2)
  }
  return undefined
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function webpSize(buffer: Buffer): Size | undefined {
  const kind = buffer.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: 1 + buffer.readUIntLE(24, 3), height: 1 + buffer.readUIntLE(27, 3) }
  if (kind === 'VP8 ') return { width: buffer.readUInt16LE(26) & 0x3fff, height: buffer.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = buffer.readUInt32LE(21)
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}
