import { columnsOf, isLong } from './headings.ts'
import type { Format } from './parsed.ts'
import { type Instead, Refusal } from './refusal.ts'

export type Sniffed = Format | 'image' | 'zip' | 'unknown'

/** Other bytes may precede the header; PDF readers look this far. */
const pdfReachBytes = 1024
const textReachBytes = 64 * 1024

const magics: [Sniffed, number[]][] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['zip', [0x1f, 0x8b]],
  ['image', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image', [0xff, 0xd8, 0xff]],
  ['image', [0x47, 0x49, 0x46, 0x38]],
  ['image', [0x49, 0x49, 0x2a, 0x00]],
  ['image', [0x4d, 0x4d, 0x00, 0x2a]],
]

/** The type of a file, sniffed from its content and never from its name. */
export function sniff(given: Uint8Array): Sniffed {
  const bytes = withoutEndMark(given)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = magics.find(([, signature]) => signature.every((byte, index) => buffer[index] === byte))
  if (magic) return magic[0]
  if (isHeicOrWebp(buffer)) return 'image'
  if (buffer.subarray(0, pdfReachBytes).includes('%PDF-')) return 'pdf'
  const text = textStart(buffer)
  if (text === undefined) return 'unknown'
  if (/^\s*(?:FHS|BHS|MSH)[^\w\s]/i.test(text)) return 'hl7v2'
  if (/^\s*[{[]/.test(text)) return buffer.includes('"resourceType"') ? 'fhir' : 'unknown'
  if (/^\s*</.test(text)) return 'unknown'
  return isTable(text) ? 'csv' : 'unknown'
}

const END_MARK = 0x1a

/** Programs of DOS and their heirs end a text file with Ctrl-Z. */
export function withoutEndMark(bytes: Uint8Array): Uint8Array {
  const last = bytes.findLastIndex((byte) => byte !== END_MARK)
  return last === bytes.length - 1 ? bytes : bytes.subarray(0, last + 1)
}

const isHeicBrand = (buffer: Buffer) => /^ftyp(heic|heix|mif1|msf1|avif|hevc)/.test(buffer.toString('latin1', 4, 12))

/** A picture format of telephones that cannot be decoded here. */
export const isHeic = (bytes: Uint8Array): boolean => isHeicBrand(Buffer.from(bytes.subarray(0, 12)))

function isHeicOrWebp(buffer: Buffer): boolean {
  if (isHeicBrand(buffer)) return true
  return buffer.toString('latin1', 0, 4) === 'RIFF' && buffer.toString('latin1', 8, 12) === 'WEBP'
}

/** The beginning as text without byte order mark, or undefined for binary data. */
function textStart(buffer: Buffer): string | undefined {
  const start = buffer.subarray(0, textReachBytes)
  if (start[0] === 0xff && start[1] === 0xfe) return start.subarray(2).toString('utf16le')
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be').decode(start.subarray(2))
  const text = start.toString('utf8').replace(/^\uFEFF/, '')
  return isBinary(text) ? undefined : text
}

/** Control characters other than tab, line ends and the byte that begins an MLLP message. */
function isBinary(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 9 || (code > 13 && code < 27)) return true
  }
  return false
}

/** At least two lines with the same separator, a heading and a row, or the heading of results alone. */
function isTable(text: string): boolean {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const [only = '', ...others] = lines
  return [',', ';', '\t', '|'].some(
    (mark) =>
      lines.filter((line) => line.includes(mark)).length >= 2 ||
      (others.length === 0 && isLong(columnsOf(only.slice(0, 2000).split(mark)))),
  )
}

/** Why a file of no known type is refused: what it is instead, where that is certain. */
export function unsupported(bytes: Uint8Array): Refusal {
  return new Refusal('UNSUPPORTED_FORMAT', undefined, undefined, insteadOf(bytes))
}

function insteadOf(bytes: Uint8Array): Instead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The names of a workbook's parts stand in its directory, at the end; the older kind is OLE2.
  const isOle = buffer.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))
  if (isOle || (sniff(bytes) === 'zip' && buffer.includes('xl/workbook')))
    return isOle && !isExcel(buffer) ? undefined : 'workbook'
  if (sniff(bytes) === 'zip') return 'archive'
  const text = textStart(buffer)
  if (text === undefined) return undefined
  if (text.trim() === '') return 'empty'
  if (!/^\s*</.test(text)) return undefined
  return text.includes('http://hl7.org/fhir') ? 'fhirXml' : /^\s*<\?xml/.test(text) ? 'xml' : undefined
}

const isExcel = (buffer: Buffer): boolean => buffer.includes(Buffer.from('Workbook', 'utf16le'))
