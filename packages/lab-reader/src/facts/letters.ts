/** Letters that no normalisation takes apart. */
const others: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  ı: 'i',
  đ: 'd',
  '’': "'",
}
const another = new RegExp(`[${Object.keys(others).join('')}]`, 'g')

/** Small letters without accents, as the word lists of the reader are written: "Häm’" is "ham'", "prøve" is "prove". */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(another, (letter) => others[letter] ?? letter)
