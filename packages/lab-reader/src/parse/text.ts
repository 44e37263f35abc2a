/** Text of unknown encoding: by its byte order mark, else UTF-8, else Windows-1252, which reads any byte. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Characters of a result in words: a narrative of a pathologist is kept whole. */
export const LONGEST_TEXT = 20_000

/** One line without control characters and double spaces, short enough for a reviewer. */
export function clean(text: string, maxLength = 500): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain
}

export const cleaned = (text: string | undefined, maxLength?: number): string | undefined =>
  text === undefined ? undefined : clean(text, maxLength) || undefined

/**
 * Compatibility forms as plain letters, but never a raised or circled digit as a plain one: it may be a footnote, and
 * "5.8¹" must not become 5.81. Lowered digits ("B₁₂") are part of a name.
 */
export function plain(text: string): string {
  return text.replace(/[^\P{No}₀-₉]+/gu, (marks) => `^${marks.normalize('NFKC')}`).normalize('NFKC')
}
