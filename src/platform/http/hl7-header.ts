/** An MSH segment. */
export interface MessageHeader {
  separator: string
  /** MSH-2. */
  delimiters: string
  /** Still escaped. `field(10)` is MSH-10. */
  field(number: number): string
}

// The beginning of a message, after a byte order mark, or spaces, of which the byte of MLLP (VT) is one.
const HEADER = /(?:^|[\r\n])[\s\uFEFF]*MSH([^\w\s])([^\r\n]*)/gi
const FIRST_HEADER = new RegExp(HEADER.source, 'i')
const LONGEST_FIELD = 227
const MAX_MESSAGES = 1000

/** The headers of the messages in a body. */
export function headersOf(raw: Buffer): MessageHeader[] {
  const found = [...textOf(raw).matchAll(HEADER)].slice(0, MAX_MESSAGES)
  return found.map(([, separator = '|', rest = '']) => {
    const [delimiters = '', ...fields] = rest.split(separator)
    const isUsual = /^[^\w\s]{3,5}$/.test(delimiters)
    return {
      separator,
      delimiters: isUsual ? delimiters : '^~\\&',
      field: (number) =>
        (fields[number - 3] ?? '')
          .replaceAll(/[\p{Cc}]/gu, '')
          .trim()
          .slice(0, LONGEST_FIELD),
    }
  })
}

/** Enough to read a header that is echoed. */
function textOf(raw: Buffer): string {
  const named = utf16Of(raw) ?? 'utf-8'
  try {
    return new TextDecoder(named, { fatal: true }).decode(raw)
  } catch {
    return new TextDecoder(charsetOf(raw) ?? 'windows-1252').decode(raw)
  }
}

/** UTF-16, by its byte order mark or because every other byte of its first letters is 0. */
export function utf16Of(raw: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [a, b, c, d, e, f] = raw
  if ((a === 0xff && b === 0xfe) || (a && c && e && b === 0 && d === 0 && f === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (b && d && f && a === 0 && c === 0 && e === 0)) return 'utf-16be'
  return undefined
}

// HL7 table 0211, as TextDecoder calls them. It knows many others by the names that senders use: windows-1252, Big5.
const charsets: Readonly<Record<string, string>> = {
  UNICODE: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
  'ISO IR6': 'ascii',
  'ISO IR14': 'shift_jis',
  'ISO IR87': 'iso-2022-jp',
  'ISO IR159': 'iso-2022-jp',
  'GB 18030-2000': 'gb18030',
  'KS X 1001': 'euc-kr',
  'BIG-5': 'big5',
}

/** The character set that MSH-18 of the first message names, for TextDecoder; undefined for none, or one that is not known. */
export function charsetOf(raw: Buffer): string | undefined {
  const [, separator, rest = ''] = FIRST_HEADER.exec(raw.subarray(0, 8192).toString('latin1')) ?? []
  if (separator === undefined) return undefined
  const [, repetition = '~'] = rest
  const named = (rest.split(separator)[16] ?? '').split(repetition)[0]?.trim().toUpperCase() ?? ''
  if (named === '') return undefined
  const label = charsets[named] ?? named.replace(/^(?:ISO[ -]?)?8859[/-]/, 'ISO-8859-')
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
