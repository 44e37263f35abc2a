import UTIF from 'utif2'
import { Refusal } from '../refusal.ts'
import type { Size } from './size.ts'

/** The pages of a TIFF, of which none is decoded yet. */
export interface Tiff {
  sizes: Size[]
  /** One page as RGBA. */
  decode(page: number): Size & { data: Uint8ClampedArray }
}

const [SUBFILE, WIDTH, HEIGHT] = ['t254', 't256', 't257']
const isTiffMark = (text: string) => text === 'II*\0' || text === 'MM\0*'

export const isTiff = (bytes: Uint8Array): boolean => isTiffMark(Buffer.from(bytes.subarray(0, 4)).toString('latin1'))

/** Opens a TIFF: pages of a scanner or a fax, small previews left out. @throws Refusal PARSE_FAILED */
export function openTiff(bytes: Uint8Array): Tiff {
  const buffer = new Uint8Array(bytes).buffer
  const pages = directoriesOf(buffer).filter((one) => ((numberOf(one[SUBFILE]) ?? 0) & 1) === 0)
  const sizes = pages.map((one) => ({ width: numberOf(one[WIDTH]) ?? 0, height: numberOf(one[HEIGHT]) ?? 0 }))
  return {
    sizes,
    decode(page) {
      const one = pages[page]
      if (!one) throw new Refusal('PARSE_FAILED')
      UTIF.decodeImage(buffer, one)
      const { width, height } = one
      const data = new Uint8ClampedArray(UTIF.toRGBA8(one))
      if (data.length !== width * height * 4) throw new Refusal('PARSE_FAILED')
      return { width, height, data }
    },
  }
}

function directoriesOf(buffer: ArrayBuffer) {
  try {
    return UTIF.decode(buffer)
  } catch {
    throw new Refusal('PARSE_FAILED')
  }
}

const numberOf = (tag: unknown): number | undefined =>
  Array.isArray(tag) || ArrayBuffer.isView(tag) ? Number((tag as ArrayLike<unknown>)[0]) : undefined
