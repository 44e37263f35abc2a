// What copying leaves behind and nobody sees: zero-width spaces, word joiners and byte order marks.
const INVISIBLE = /\u200B|\u2060|\uFEFF/g

/** The text of a cell of a spreadsheet, without what keeps it from being read as a number or a formula: ="00123", '00123. */
export function cellText(cell: string): string {
  const seen = cell
    .replace(INVISIBLE, '')
    .replace(/[\u2028\u2029]/g, ' ')
    .trim()
  return (/^="(.*)"$/s.exec(seen)?.[1] ?? seen.replace(/^'(?=[=+\-@\d])/, '')).trim()
}

// Excel shows errors in the language of its user: #REF!, #BEZUG!, #NOM?, #¡VALOR!; LibreOffice Err:502. A flat may be #5.
const ERROR = /^(#[¡¿]?[\p{Lu}\d_/]+[!?]|#N\/[AD]|#NV|#{3,}|Err:\d+)$/u
const FORMULA = /^=[A-Z$(]/i
// 1.23457E+11, 1,23457E+11: the digits that are left out are nowhere.
const CUT = /^\d+([.,]\d+)?E\+\d+$/i

/** Why a cell does not hold what its author meant, if so. */
export function cellFault(text: string): 'error' | 'formula' | 'cut' | undefined {
  if (ERROR.test(text)) return 'error'
  if (FORMULA.test(text)) return 'formula'
  return CUT.test(text) ? 'cut' : undefined
}
