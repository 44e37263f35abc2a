import { foreignNames } from './foreign-names.ts'
import { plainLetters } from './letters.ts'
import type { Biomarker } from './schema.ts'

interface Index {
  names: Map<string, Biomarker | undefined>
  loincs: Map<string, Biomarker>
}

const indexes = new WeakMap<readonly Biomarker[], Index>()

/**
 * The biomarker that a laboratory's name or LOINC code means, or undefined. Only exact matches count, after normalising: id,
 * label, short label, alias or a name in another language; preferred, alternate or whole-blood LOINC. A name and a code must agree where both are
 * given, because codes in the source can be wrong. A name that two biomarkers share matches neither.
 */
export function matchBiomarker(
  catalogue: readonly Biomarker[],
  { name, loinc }: { name?: string; loinc?: string },
): Biomarker | undefined {
  const index = indexes.get(catalogue) ?? buildIndex(catalogue)
  const key = normaliseName(name ?? '')
  const code = (loinc ?? '').trim()
  const byName = index.names.get(key)
  const byLoinc = index.loincs.get(code)
  if (key === '') return byLoinc
  if (code === '') return byName
  return byName === byLoinc ? byName : undefined
}

/** By one exact name, after normalising. */
export function exactName(catalogue: readonly Biomarker[], name: string): Biomarker | undefined {
  return (indexes.get(catalogue) ?? buildIndex(catalogue)).names.get(normaliseName(name))
}

/** By LOINC code alone, which never decides by itself. */
export function exactLoinc(catalogue: readonly Biomarker[], code: string): Biomarker | undefined {
  return (indexes.get(catalogue) ?? buildIndex(catalogue)).loincs.get(code.trim())
}

/** Lower case without accents; everything but letters, digits, % and + is one space. */
export function normaliseName(name: string): string {
  return plainLetters(name)
    .replace(/[^\p{L}\p{N}%+]+/gu, ' ')
    .trim()
}

function buildIndex(catalogue: readonly Biomarker[]): Index {
  const index: Index = { names: new Map(), loincs: new Map() }
  for (const biomarker of catalogue) {
    const { id, label, shortLabel, aliases, loinc, loincAlternates, loincWholeBlood } = biomarker
    const names = [id, label, shortLabel, ...aliases, ...(foreignNames[id] ?? [])]
    for (const key of new Set(names.map(normaliseName))) {
      index.names.set(key, index.names.has(key) ? undefined : biomarker)
    }
    for (const code of [loinc, ...loincAlternates, ...loincWholeBlood]) if (code) index.loincs.set(code, biomarker)
  }
  indexes.set(catalogue, index)
  return index
}
