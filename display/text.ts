/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0')
export const NOT_STORABLE = 'Holds characters that cannot be stored'

/** Empty, or with a character that can be seen: not one of no width, a filler or a space alone. U+2800 is an empty Braille cell. */
export const isVisible = (value: string) =>
  value === '' || /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\p{Cf}\u2800]/u.test(value)
export const NOT_VISIBLE = 'Holds no character that can be seen: send text'

/** Without control characters, line breaks and those that turn the direction of what follows, which show another text than was sent. */
export const isPlainLine = (value: string) => !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(value)
export const NOT_PLAIN_LINE =
  'Holds a control character, a line break or a character that turns the direction of text: remove it'

/** What stands where a character was lost. */
export const hasLostCharacter = (value: string) => value.includes('\uFFFD')
export const LOST_CHARACTER = 'A character of it was lost on the way (U+FFFD): send the text again, as UTF-8'

/** Digits of any script as 0 to 9: Unicode has those of each one behind another, in tens. */
export const latinDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const written = digit.normalize('NFKC')
    if (/^[0-9]$/.test(written)) return written
    let before = digit.codePointAt(0) ?? 0
    const last = before
    while (/^\p{Nd}$/u.test(String.fromCodePoint(before - 1))) before--
    return String((last - before) % 10)
  })

/** Whether a text can be a phone number: 7 to 18 digits, not all of them zeros, as they are written, with an extension or without. */
export function isPhone(value: string): boolean {
  const digits = value.replace(/\D/g, '')
  const isWritten = /^\+?[\d\s().\-/]+(\s*(x|ext\.?)\s*\d+)?$/i.test(value)
  return isWritten && digits.length >= 7 && digits.length <= 18 && /[1-9]/.test(digits)
}
export const NOT_PHONE = 'A phone number has 7 to 15 digits: send all of it, or leave it out'

/** Whether a text names a street or a place: with a letter or a digit in it. */
export const hasLetterOrDigit = (value: string): boolean => value === '' || /[\p{L}\p{N}]/u.test(value)
export const NO_LETTER = 'Holds neither a letter nor a digit: send the text as it stands on letters'
