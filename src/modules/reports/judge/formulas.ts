import type { FormulaName, Sex } from '@kitlane/lab-reader/facts/schema'

export interface Subject {
  sex?: Sex
  ageYears?: number
  /** Whether the sample was taken fasting; absent: not stated. */
  fasting?: boolean
}

/** Inputs in the units and order of the catalogue's `derived.inputs`; undefined where the formula does not hold. */
export type Formula = (inputs: readonly number[], subject: Subject) => number | undefined

/** Those that ask whether the sample was taken fasting. */
export const fastingFormulas: readonly FormulaName[] = ['homaIr', 'friedewaldLdl', 'friedewaldVldl']

/** mg/dL: above it Friedewald's assumption about VLDL fails (Friedewald 1972). */
const friedewaldMaxTriglycerides = 400
/** ng/dL of testosterone in 1 nmol/L (288.42 g/mol); 1 mol/L is 1e10 times as many pg/mL. */
const testosterone = 28.842
/** nmol/L of cortisol in 1 ug/dL (362.46 g/mol). */
const cortisol = 27.5893

/** The formulas that the catalogue names. Sources are in the catalogue, beside each biomarker. */
export const formulas: Record<FormulaName, Formula> = {
  ratio: ([a, b]) => quotient(a, b),
  difference: ([a, b]) => (a === undefined || b === undefined ? undefined : a - b),
  percentOf: ([part, whole]) => times(100, quotient(part, whole)),
  eag: ([hba1c]) => (hba1c === undefined ? undefined : 28.7 * hba1c - 46.7),
  homaIr: ([glucose, insulin], { fasting }) =>
    glucose === undefined || insulin === undefined || fasting !== true ? undefined : (glucose * insulin) / 405,
  friedewaldLdl: ([total, hdl, triglycerides], { fasting }) => {
    const vldl = fasting === false ? undefined : fifth(triglycerides)
    return total === undefined || hdl === undefined || vldl === undefined ? undefined : total - hdl - vldl
  },
  friedewaldVldl: ([triglycerides], { fasting }) => (fasting === false ? undefined : fifth(triglycerides)),
  vermeulen: ([total, shbg, albumin]) => vermeulen(total, shbg, albumin),
  freeTestosteronePercent: ([free, total]) => times(10, quotient(free, total)),
  freeAndrogenIndex: ([total, shbg], { sex }) =>
    sex === 'F' ? times(100 / testosterone, quotient(total, shbg)) : undefined,
  testosteroneCortisol: ([total, cortisolUgDl]) => times(1 / (testosterone * cortisol), quotient(total, cortisolUgDl)),
  albuminGlobulin: ([albumin, protein]) =>
    albumin === undefined || protein === undefined ? undefined : quotient(albumin, protein - albumin),
  ckdEpi2021: ([creatinine], subject) => ckdEpi2021(creatinine, subject),
}

function quotient(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || b <= 0 ? undefined : a / b
}

function times(factor: number, x: number | undefined): number | undefined {
  return x === undefined ? undefined : factor * x
}

function fifth(triglycerides: number | undefined): number | undefined {
  return triglycerides === undefined || triglycerides >= friedewaldMaxTriglycerides ? undefined : triglycerides / 5
}

/**
 * Free testosterone in pg/mL from total (ng/dL), SHBG (nmol/L) and albumin (g/dL), Vermeulen 1999: the positive root
 * of T = FT * N + SHBG * Kt * FT / (1 + Kt * FT), N = 1 + Ka * albumin. Holds for SHBG of 10 to 200 nmol/L.
 */
function vermeulen(total?: number, shbg?: number, albumin = 4.3): number | undefined {
  if (total === undefined || shbg === undefined || shbg < 10 || shbg > 200) return undefined
  const kt = 1e9
  const n = 1 + (3.6e4 * albumin * 10) / 69_000
  const t = (total / testosterone) * 1e-9
  const s = shbg * 1e-9
  const b = n + kt * (s - t)
  const free = (-b + Math.sqrt(b * b + 4 * n * kt * t)) / (2 * n * kt)
  return free * testosterone * 1e10
}

/** eGFR in mL/min/1.73 m2 from creatinine in mg/dL: CKD-EPI 2021, adults only. */
function ckdEpi2021(creatinine: number | undefined, { sex, ageYears }: Subject): number | undefined {
  if (creatinine === undefined || creatinine <= 0 || !sex || ageYears === undefined || ageYears < 18) return undefined
  const k = sex === 'F' ? 0.7 : 0.9
  const exponent = sex === 'F' ? -0.241 : -0.302
  const ratio = creatinine / k
  const curve = Math.min(ratio, 1) ** exponent * Math.max(ratio, 1) ** -1.2
  return 142 * curve * 0.9938 ** Math.floor(ageYears) * (sex === 'F' ? 1.012 : 1)
}
