const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  '’': "'",
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}

/** A text as it is searched: lower case without accents, as `kitlane_plain` of the database writes it. */
export function plain(text: string): string {
  // ASCII has no other form.
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  const base = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return base.replace(/[łøđðħı’ßæœ]/g, (letter) => LETTERS[letter] ?? letter)
}
