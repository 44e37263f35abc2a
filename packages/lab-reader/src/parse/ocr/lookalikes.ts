/** What recognition makes of names and units that laboratories print. Numbers are never mended. */
const names: [RegExp, string][] = [
  [/\b(Hb|Hgb)?A[lI|]c\b/g, '$1A1c'],
  [/\bB[lI|]2\b/g, 'B12'],
  [/\bT[lI|]bc\b/gi, 'TIBC'],
  [/\b25\s?-?\s?[O0]H\b/g, '25-OH'],
  [/\bl\s?DL\b/g, 'LDL'],
]

const units: [RegExp, string][] = [
  [/^[uµ][lI1|][UuO]\//, 'uIU/'],
  [/^m[lI1|][UuO]\//, 'mIU/'],
  [/^[lI1|]U\//, 'IU/'],
  [/\/d[iI1|]$/, '/dL'],
  [/\/m[iI1|]$/, '/mL'],
  [/\/u[lL]{2,}$/, '/uL'],
  [/^(m|u|n|p)?g[iIl|]d[lL]$/, '$1g/dL'],
  [/^x[1lI]0E/i, 'x10E'],
  [/^[Xx]?10[*^]3/, 'x10E3'],
]

const mend = (rules: readonly [RegExp, string][], text: string) =>
  rules.reduce((mended, [pattern, right]) => mended.replace(pattern, right), text)

export const mendedName = (name: string): string => mend(names, name)
export const mendedUnit = (unit: string): string => mend(units, unit.replace(/[.,;:]+$/, ''))
