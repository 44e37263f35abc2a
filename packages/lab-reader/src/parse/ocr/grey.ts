import { crc32, deflateSync } from 'node:zlib'
import type { Size } from './size.ts'

/** One byte for each pixel, 255 is white. */
export interface Grey extends Size {
  data: Uint8Array
}

/** Of RGBA that covers its background. */
export function greyOf({ data, width, height }: Size & { data: Uint8ClampedArray }): Grey {
  const grey = new Uint8Array(width * height)
  for (let index = 0; index < grey.length; index++) {
    const at = index * 4
    const light = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
    grey[index] = Math.round(light)
  }
  return { data: grey, width, height }
}

/** As PGM, which takes no time to write and which Tesseract reads. */
export const pgmOf = ({ data, width, height }: Grey): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data])

/** Turned by 180 degrees. */
export const upsideDown = ({ data, width, height }: Grey): Grey => ({ data: data.toReversed(), width, height })

/** Made smaller by a whole factor: the mean of each square. */
export function shrink(grey: Grey, factor: number): Grey {
  if (factor <= 1) return grey
  const width = Math.floor(grey.width / factor)
  const height = Math.floor(grey.height / factor)
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let dy = 0; dy < factor; dy++) {
        const row = (y * factor + dy) * grey.width + x * factor
        for (let dx = 0; dx < factor; dx++) sum += grey.data[row + dx] ?? 255
      }
      data[y * width + x] = sum / (factor * factor)
    }
  }
  return { data, width, height }
}

/** A part of it, made larger by `scale` between its pixels. */
export function enlarge(grey: Grey, box: { x: number; y: number; w: number; h: number }, scale: number): Grey {
  const width = Math.max(1, Math.round(box.w * scale))
  const height = Math.max(1, Math.round(box.h * scale))
  const data = new Uint8Array(width * height)
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= grey.width || y >= grey.height ? 255 : (grey.data[y * grey.width + x] ?? 255)
  for (let row = 0; row < height; row++) {
    const y = box.y + row / scale
    const top = Math.floor(y)
    for (let column = 0; column < width; column++) {
      const x = box.x + column / scale
      const left = Math.floor(x)
      const above = at(left, top) + (at(left + 1, top) - at(left, top)) * (x - left)
      const below = at(left, top + 1) + (at(left + 1, top + 1) - at(left, top + 1)) * (x - left)
      data[row * width + column] = above + (below - above) * (y - top)
    }
  }
  return { data, width, height }
}

/** As PNG of 16 shades: the noise of a scan would be most of the file otherwise. */
export function pngOf({ data, width, height }: Grey): Buffer {
  const stride = 1 + Math.ceil(width / 2)
  const raw = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = Math.round((data[y * width + x] ?? 255) / 17)
      const at = y * stride + 1 + (x >> 1)
      raw[at] = (raw[at] ?? 0) | (x % 2 === 0 ? shade << 4 : shade)
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const body = deflateSync(raw, { level: 6 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(data.length, 0)
  named.copy(out, 4)
  out.writeUInt32BE(crc32(named), named.length + 4)
  return out
}
