import { t } from '../language/t.ts'
/** Encodings that spreadsheets write: the name for TextDecoder and the label for people. */
export const encodings = [
  { value: 'utf-8', label: t('Unicode (UTF-8)') },
  { value: 'windows-1252', label: t('Western Europe (Windows-1252)') },
  { value: 'windows-1250', label: t('Central Europe (Windows-1250)') },
  { value: 'windows-1251', label: t('Cyrillic (Windows-1251)') },
  { value: 'macintosh', label: t('Western Europe (Macintosh)') },
  { value: 'utf-16le', label: t('Unicode (UTF-16)') },
  { value: 'utf-16be', label: t('Unicode (UTF-16, big endian)') },
] as const

export type Encoding = (typeof encodings)[number]['value']

export interface DecodedText {
  text: string
  encoding: Encoding
  /** False: the encoding is a guess, and a person must check the accents. */
  isCertain: boolean
}

/** The encoding of a file: its byte order mark, valid UTF-8, or Windows-1252, which older spreadsheets write. */
function sniffEncoding(bytes: Uint8Array): { encoding: Encoding; isCertain: boolean } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', isCertain: true }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', isCertain: true }
  const zeros = [0, 0]
  for (const [at, byte] of bytes.subarray(0, 1000).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd > 0) return { encoding: odd >= even ? 'utf-16le' : 'utf-16be', isCertain: true }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { encoding: 'utf-8', isCertain: true }
  } catch {
    return { encoding: 'windows-1252', isCertain: false }
  }
}

/** The text of a file; `encoding` where a person chose one. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array, encoding?: Encoding): DecodedText {
  const sniffed = encoding ? { encoding, isCertain: true } : sniffEncoding(bytes)
  return { ...sniffed, text: new TextDecoder(sniffed.encoding).decode(bytes) }
}
