import { crc32, deflateSync } from 'node:zlib'

/** A PDF of these objects with a correct cross-reference table. */
function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  objects.forEach((object, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    offsets.push(at)
    at += part.length
    parts.push(part)
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`
  return Buffer.concat([...parts, Buffer.from(end)])
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'

export function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'
  return pdfOf([
    catalog,
    `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
    ...Array.from({ length: count }, () => page),
  ])
}

/** One page, but a false page count. */
export function lyingCount(): Buffer {
  return pdfOf([catalog, '<< /Type /Pages /Count 2000000000 /Kids [3 0 R] >>', '<< /Type /Page /Parent 2 0 R >>'])
}

/** Pages that are their own parents. */
export function pageLoop(): Buffer {
  return pdfOf([catalog, '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>'])
}

/** A cross-reference stream whose entries are 0 bytes long, a billion of them. */
export function zeroWidthTable(): Buffer {
  const stream =
    '<< /Type /XRef /W [0 0 0] /Index [0 1000000000] /Size 1000000000 /Root 2 0 R /Length 0 >>\nstream\n\nendstream'
  const head = '%PDF-1.7\n'
  return Buffer.from(`${head}1 0 obj\n${stream}\nendobj\nstartxref\n${head.length}\n%%EOF`)
}

function onePage(content: Buffer, filter: string): Buffer {
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${content.length} /Filter ${filter} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ])
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>'
  return pdfOf([catalog, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>', page, stream])
}

/** 300 MB of blanks in about 300 kB. */
export const bomb = (): Buffer => onePage(deflateSync(Buffer.alloc(300 * 1024 * 1024, 0x20)), '/FlateDecode')

/** The same packed twice: about 1 kB. */
export const doubleBomb = (): Buffer =>
  onePage(deflateSync(deflateSync(Buffer.alloc(300 * 1024 * 1024, 0x20))), '[/FlateDecode /FlateDecode]')

/** Four million words on one page. */
export const wordBomb = (): Buffer =>
  onePage(deflateSync(Buffer.from(`BT /F1 9 Tf ${'1 0 0 1 9 9 Tm (A) Tj '.repeat(4_000_000)} ET`)), '/FlateDecode')

/** A PNG that claims this size but holds one empty row. */
export function pngClaiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(Buffer.alloc(100)))])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** One page whose picture has 400 million pixels, in 400 kB. */
export function pictureBomb(side = 20_000): Buffer {
  const content = Buffer.from('q 600 0 0 800 0 0 cm /I Do Q')
  const picture = deflateSync(Buffer.alloc(side * side))
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>'
  const stream = (dictionary: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(`<< ${dictionary} /Length ${body.length} >>\nstream\n`),
      body,
      Buffer.from('\nendstream'),
    ])
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`
  return pdfOf([
    catalog,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    page,
    stream('', content),
    stream(image, picture),
  ])
}

/** One page a kilometre long. */
export function longPage(): Buffer {
  return pdfOf([
    catalog,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1 3000000] >>',
  ])
}

/** A TIFF whose only page claims so many pixels; its directory follows the header. */
export function tiffClaiming(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('II*\0\x08', 'latin1')
  bytes.writeUInt16LE(2, 8)
  for (const [index, [tag, value]] of [[256, width] as const, [257, height] as const].entries()) {
    bytes.writeUInt16LE(tag, 10 + index * 12)
    bytes.writeUInt16LE(4, 12 + index * 12)
    bytes.writeUInt32LE(1, 14 + index * 12)
    bytes.writeUInt32LE(value, 18 + index * 12)
  }
  return bytes
}

/** A TIFF whose page is followed by itself. */
export function tiffInALoop(): Buffer {
  const bytes = tiffClaiming(10, 10)
  bytes.writeUInt32LE(8, 34)
  return bytes
}
