import type { Biomarker, Interval } from '../facts/schema.ts'

interface Sibling {
  of: string
  name: string
  /** The interval of adults of each of both, from which the limits follow. */
  source: string
  isOf: (low: number, high: number) => boolean
}

const none = Number.NaN
/** The upper limit of CRP in Japan, in mg/L. */
const JAPAN = 1.4

/**
 * Ranges that laboratories print for a biomarker's sibling of the same name and unit, in the biomarker's own unit; NaN stands
 * for a bound that is not printed. Each limit lies between the intervals of both in its source, nearer to the sibling's.
 */
export const siblings: readonly Sibling[] = [
  {
    of: 'calcium',
    name: 'ionized calcium',
    source:
      'UNC McLendon Clinical Laboratories, Calcium, Ionized: 4.4-5.4 mg/dL; total of the catalogue from 8.7 mg/dL on',
    isOf: (low, high) => low >= 3.6 && low <= 5.4 && !(high > 6),
  },
  {
    of: 'calcium_ionized',
    name: 'total calcium',
    source:
      'UNC McLendon Clinical Laboratories, Calcium, Ionized: 1.10-1.35 mmol/L; total of the catalogue 8.7-10.2 mg/dL, 2.17-2.54 mmol/L',
    isOf: (low) => low >= 1.9,
  },
  {
    of: 'bilirubin_total',
    name: 'direct bilirubin',
    source: "Brigham and Women's Hospital, Crohn's and Colitis Center: direct 0-0.4, total 0-1.0 mg/dL",
    isOf: (low, high) => high <= 0.45 && !(low > 0.15),
  },
  {
    of: 'bilirubin_direct',
    name: 'total bilirubin',
    source: "Brigham and Women's Hospital, Crohn's and Colitis Center: direct 0-0.4, total 0-1.0 mg/dL",
    isOf: (_, high) => high >= 0.9,
  },
  {
    of: 'vitamin_b12',
    name: 'active vitamin B12 (holotranscobalamin)',
    source:
      'Package insert of Abbott ARCHITECT Active-B12: 25.1-165.0 pmol/L, 34-224 as pg/mL; total begins at 232 pg/mL',
    isOf: (low, high) => low >= 25 && low <= 95 && !(high > 270),
  },
  {
    of: 'hba1c',
    name: 'HbA1c in mmol/mol',
    source: 'NGSP/IFCC master equation (Hoelzel W et al., Clin Chem 2004;50:166-174): 4.0-6.0 % are 20-42 mmol/mol',
    isOf: (low, high) => low >= 18 || high >= 30,
  },
  {
    of: 'hba1c',
    name: 'HbA1c in percent',
    source:
      'NGSP/IFCC master equation (Hoelzel W et al., Clin Chem 2004;50:166-174): 4.0-6.0 read as mmol/mol are 2.5-2.7 %',
    isOf: (_, high) => high <= 3.5,
  },
  {
    of: 'bun',
    name: 'urea',
    source: 'Tietz, as in the catalogue: urea nitrogen 6-20 mg/dL; urea weighs 2.144 times that (60.06/28.01), 13-43',
    isOf: (low, high) => low >= 12 && high >= 38,
  },
  {
    of: 'urea',
    name: 'urea nitrogen',
    source: 'Tietz, as in the catalogue: urea nitrogen 6-20 mg/dL; urea weighs 2.144 times that (60.06/28.01), 13-43',
    isOf: (low, high) => low <= 9 && high <= 26,
  },
  {
    of: 'total_testosterone',
    name: 'free testosterone',
    source:
      'Mayo Clinic Laboratories, tests TTST and FRTST: total 240-950 and 8-60, free of men from 3.3-12.2 to 5.3-20.7 ng/dL',
    isOf: (low, high) => low >= 3 && low <= 6 && high >= 12 && high <= 25,
  },
  {
    of: 'free_testosterone',
    name: 'total testosterone',
    source: 'Mayo Clinic Laboratories, tests TTST and FRTST: total 240-950 and 8-60 ng/dL, free of men up to 207 pg/mL',
    isOf: (_, high) => high >= 400,
  },
  {
    of: 'psa',
    name: 'free PSA, or PSA after surgery',
    source: 'Oesterling JE et al., JAMA 1993;270:860-864: total up to 2.5 ng/mL at 40-49 years',
    isOf: (_, high) => high <= 1,
  },
  {
    of: 'psa_free',
    name: 'total PSA',
    source: 'Oesterling JE et al., JAMA 1993;270:860-864: total up to 2.5 ng/mL at 40-49 years, 6.5 at 70-79',
    isOf: (_, high) => high >= 2.5,
  },
  {
    of: 'crp',
    name: 'CRP as a risk of the heart (hs-CRP)',
    source:
      'Pearson TA et al., Circulation 2003;107:499-511: low risk of the heart below 1.0, average up to 3.0 mg/L; JCCLS, common reference intervals of Japan: CRP 0.00-0.14 mg/dL',
    isOf: (low, high) => high <= 1.5 && !(low === 0 && Math.abs(high - JAPAN) < 0.01),
  },
]

/** The other biomarker whose range is printed beside a value, where it can be none of its own. */
export function siblingOf(biomarker: Biomarker, printed: Interval): string | undefined {
  const [low, high] = [printed.low ?? none, printed.high ?? none]
  return siblings.find(({ of, isOf }) => of === biomarker.id && isOf(low, high))?.name
}
