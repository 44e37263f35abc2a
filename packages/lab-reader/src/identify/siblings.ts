import type { Biomarker, Interval } from '../facts/schema.ts'

interface Sibling {
  of: string
  name: string
  isOf: (low: number, high: number) => boolean
}

const none = Number.NaN

/**
 * Ranges that laboratories print for a biomarker's sibling of the same name and unit, in the biomarker's own unit; NaN stands
 * for a bound that is not printed. Between the usual intervals of both there is room.
 */
const siblings: readonly Sibling[] = [
  // Ionized 1.15-1.30 mmol/L is 4.6-5.2 mg/dL; total begins at 8.4 mg/dL.
  { of: 'calcium', name: 'ionized calcium', isOf: (low, high) => low >= 3.6 && low <= 5.4 && !(high > 6) },
  { of: 'calcium_ionized', name: 'total calcium', isOf: (low) => low >= 1.9 },
  // Direct ends at 0.2 to 0.4 mg/dL, total at 1.0 to 1.3.
  { of: 'bilirubin_total', name: 'direct bilirubin', isOf: (low, high) => high <= 0.45 && !(low > 0.15) },
  { of: 'bilirubin_direct', name: 'total bilirubin', isOf: (_, high) => high >= 0.9 },
  // Active 25-70 to 190 pmol/L, total from 145 pmol/L; 1 pmol/L is 1.355 pg/mL.
  {
    of: 'vitamin_b12',
    name: 'active vitamin B12 (holotranscobalamin)',
    isOf: (low, high) => low >= 25 && low <= 95 && !(high > 270),
  },
  // 20-42 mmol/mol and 4.0-6.0 %: 4 to 6 mmol/mol are 2.5 to 2.7 %.
  { of: 'hba1c', name: 'HbA1c in mmol/mol', isOf: (low, high) => low >= 18 || high >= 30 },
  { of: 'hba1c', name: 'HbA1c in percent', isOf: (_, high) => high <= 3.5 },
  // Urea weighs 2.14 times its nitrogen: 17-43 and 8-20 mg/dL.
  { of: 'bun', name: 'urea', isOf: (low, high) => low >= 12 && high >= 38 },
  { of: 'urea', name: 'urea nitrogen', isOf: (low, high) => low <= 9 && high <= 26 },
]

/** The other biomarker whose range is printed beside a value, where it can be none of its own. */
export function siblingOf(biomarker: Biomarker, printed: Interval): string | undefined {
  const [low, high] = [printed.low ?? none, printed.high ?? none]
  return siblings.find(({ of, isOf }) => of === biomarker.id && isOf(low, high))?.name
}
