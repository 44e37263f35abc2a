import { crc32, deflateSync } from 'node:zlib'
import { accentsOf } from '@kitlane/display/color'

// A box on the business's color, in squares of 32: all of it lies in the circle that systems may cut out.
const SQUARES = 32
type Square = readonly [x: number, y: number, width: number, height: number]
const box: readonly Square[] = [
  [8, 9, 16, 4],
  [9, 14, 14, 9],
]
/** The label of the box, in the color behind it. */
const label: Square = [13, 16, 6, 4]

/** The icon of a business, as a drawing. `color`: rrggbb */
export function icon(color: string): string {
  const { fill, ink } = accentsOf(color).light
  const rect = ([x, y, width, height]: Square, of: string) =>
    `<path d="M${x} ${y}h${width}v${height}h-${width}z" fill="${of}"/>`
  const parts = [rect([0, 0, SQUARES, SQUARES], fill), ...box.map((one) => rect(one, ink)), rect(label, fill)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SQUARES} ${SQUARES}">${parts.join('')}</svg>`
}

const isIn = ([left, top, width, height]: Square, x: number, y: number) =>
  x >= left && x < left + width && y >= top && y < top + height

/** The same as a PNG of two colors. `pixels`: of its width, a multiple of 32 */
export function iconPng(color: string, pixels: number): Buffer {
  const { fill, ink } = accentsOf(color).light
  const scale = pixels / SQUARES
  const isInk = (x: number, y: number) => box.some((one) => isIn(one, x, y)) && !isIn(label, x, y)
  const across = Array.from({ length: SQUARES }, (_, x) => x)
  const rows = across.flatMap((y) => {
    const row = Buffer.concat([Buffer.alloc(1), ...across.map((x) => Buffer.alloc(scale, isInk(x, y) ? 1 : 0))])
    return Array<Buffer>(scale).fill(row)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels, 0)
  header.writeUInt32BE(pixels, 4)
  // 8 bits for each pixel, which names a color of the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const palette = Buffer.from(`${fill.slice(1)}${ink.slice(1)}`, 'hex')
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
