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

/** Of a result that is a document: waits for a person to open it. */
export const A_DOCUMENT = 'A document of its own, to be opened'

/** Characters of a result in words: a narrative of a pathologist is kept whole. */
export const LONGEST_TEXT = 20_000

/** One line without control characters and double spaces, short enough for a reviewer. */
export function clean(text: string, maxLength = 500): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain
}

/** A line that is longer was broken because it was full. */
const FULL_LINE = 40

/**
 * Lines of one remark as one text: what goes on stands behind a space, and what begins anew on a line of its own. The laboratory
 * may have broken a sentence anywhere.
 */
export function joinedLines(lines: readonly string[]): string {
  const found = lines.flatMap((line) => line.split(/\r\n?|\n/)).map((line) => clean(line, LONGEST_TEXT))
  return found
    .filter((line) => line !== '')
    .reduce((text, line) => {
      const before = text.slice(text.lastIndexOf('\n') + 1)
      const isNew =
        /^[^\p{Ll}]/u.test(line) && !/[,(–-]$/.test(before) && (/[.:;!?]$/.test(before) || before.length < FULL_LINE)
      return text === '' ? line : `${text}${isNew ? '\n' : ' '}${line}`
    }, '')
    .slice(0, LONGEST_TEXT)
}

export const cleaned = (text: string | undefined, maxLength?: number): string | undefined =>
  text === undefined ? undefined : clean(text, maxLength) || undefined

/** Digits of Arabic, Persian and Hindi as those of the West, with the decimal sign of the first two. */
const digitsOf = (text: string): string =>
  text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[०-९]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6))
    .replace(/(?<=\d)٫(?=\d)/g, '.')

/**
 * Compatibility forms as plain letters, but never a raised or circled digit as a plain one: it may be a footnote, and
 * "5.8¹" must not become 5.81. A raised point in a number is a decimal one. Lowered digits ("B₁₂") are part of a name.
 */
export function plain(text: string): string {
  const western = digitsOf(text).replace(/(?<=^\W*\d{1,4})·(?=\d{1,3}\W*$)/, '.')
  return western.replace(/[^\P{No}₀-₉]+/gu, (marks) => `^${marks.normalize('NFKC')}`).normalize('NFKC')
}
