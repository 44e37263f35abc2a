import { convert } from '@kitlane/lab-reader/facts/convert'
import { isPlausible } from '@kitlane/lab-reader/facts/rules'
import type { FormulaName } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import { formulas } from '../judge/formulas.ts'
import type { BiomarkerEntry } from '../schema.ts'
import type { ReportCheck } from './schema.ts'
import { Values } from './values.ts'

type Finding = Omit<ReportCheck, 'kind' | 'holds'>

/** Every check of values against each other. None changes a verdict or a flag: each only asks the reviewer to look. */
export function checkPlausibility(entries: readonly BiomarkerEntry[], catalogue: readonly Biomarker[]): ReportCheck[] {
  const values = new Values(entries)
  const found = [
    ...impossible(entries, catalogue),
    ...partsAboveWholes(values),
    ...calculatedOtherwise(values, catalogue),
    ...redCells(values),
    ...differential(values),
    ...tubeAdditive(values),
  ]
  return found.map((one) => ({ kind: 'plausibility', holds: true, ...one }))
}

/**
 * A number that lies outside of what the catalogue holds possible in a living person, in the unit that was sent. Such a
 * result is kept raw and has no verdict; this gives the reason.
 */
function impossible(entries: readonly BiomarkerEntry[], catalogue: readonly Biomarker[]): Finding[] {
  return entries.flatMap(({ id, label, result, rawValue, rawUnit, displayUnit }) => {
    const biomarker = catalogue.find((one) => one.id === id)
    const converted = biomarker && rawValue !== undefined ? convert(biomarker, rawValue, rawUnit) : undefined
    if (result !== null || !biomarker || !converted || isPlausible(biomarker, converted.value)) return []
    const { min, max } = biomarker.plausible
    return [
      {
        code: 'impossible' as const,
        biomarkers: [id],
        message: `${label} of ${rawValue} ${rawUnit} cannot be right in a living person: possible is ${min} to ${max} ${displayUnit}. Is it the unit, the decimal point or the specimen?`,
        source: 'The plausible interval of the catalogue',
      },
    ]
  })
}

interface Parts {
  whole: string
  parts: readonly string[]
  /** By how much the parts may be above the whole for reasons of the methods, as a share. */
  tolerance: number
  source: string
}

const DEFINITION = 'By definition: a part is not above the whole'

/**
 * Parts that together cannot be above their whole. Cholesterol: total = HDL + LDL + VLDL, Friedewald WT et al., Clin Chem
 * 1972;18:499-502; LDL may be measured for itself, so 10 % are left to the methods (the limit of NCEP for total error of
 * total cholesterol is 9 %). The others are definitions, with 5 % for rounding and calibration.
 */
const wholes: readonly Parts[] = [
  {
    whole: 'total_cholesterol',
    parts: ['hdl', 'ldl'],
    tolerance: 0.1,
    source: 'Friedewald WT et al., Clin Chem 1972;18:499-502: total cholesterol is HDL, LDL and VLDL',
  },
  { whole: 'total_cholesterol', parts: ['hdl'], tolerance: 0.05, source: DEFINITION },
  { whole: 'total_cholesterol', parts: ['ldl'], tolerance: 0.1, source: DEFINITION },
  { whole: 'total_cholesterol', parts: ['non_hdl'], tolerance: 0.05, source: DEFINITION },
  { whole: 'total_cholesterol', parts: ['vldl'], tolerance: 0.05, source: DEFINITION },
  { whole: 'bilirubin_total', parts: ['bilirubin_direct'], tolerance: 0.05, source: DEFINITION },
  { whole: 'total_protein', parts: ['albumin'], tolerance: 0.05, source: DEFINITION },
  { whole: 'tibc', parts: ['iron'], tolerance: 0.05, source: DEFINITION },
]

function partsAboveWholes(values: Values): Finding[] {
  const found = wholes.flatMap(({ whole, parts, tolerance, source }) => {
    const all = values.measured(whole)
    const some = parts.map((part) => values.measured(part))
    if (all === undefined || some.some((part) => part === undefined)) return []
    const sum = some.reduce<number>((total, part) => total + (part ?? 0), 0)
    if (sum <= all * (1 + tolerance)) return []
    const named = parts.map((part) => `${values.label(part)} (${values.text(part)})`).join(' and ')
    return [
      {
        code: 'partAboveWhole' as const,
        biomarkers: [whole, ...parts],
        message: `${named} ${parts.length > 1 ? 'together are' : 'is'} above ${values.label(whole)} (${values.text(whole)}), of which ${parts.length > 1 ? 'they are' : 'it is'} a part.`,
        source,
      },
    ]
  })
  // One sentence for one whole.
  return found.filter(
    (one, index) => found.findIndex(({ biomarkers: [whole] }) => whole === one.biomarkers[0]) === index,
  )
}

/** Formulas that have one form only: where a laboratory computes a value it can only be this. */
const exactFormulas: readonly FormulaName[] = ['ratio', 'difference', 'percentOf', 'albuminGlobulin', 'eag']
/** For rounding of the parts and the result. */
const ROUNDING = 0.1

/**
 * Values that laboratories compute and that differ by more than 10 % from the same formula here, which the catalogue names
 * with its source. Formulas of which several are in use (LDL, eGFR, free testosterone) are left out.
 */
function calculatedOtherwise(values: Values, catalogue: readonly Biomarker[]): Finding[] {
  return catalogue.flatMap(({ id, derived, decimals }) => {
    const given = values.measured(id)
    if (given === undefined || !derived || derived.measurable || !exactFormulas.includes(derived.formula)) return []
    const inputs = derived.inputs.map((input) => values.measured(input))
    if (inputs.some((input) => input === undefined)) return []
    const computed = formulas[derived.formula](
      inputs.flatMap((input) => input ?? []),
      {},
    )
    if (computed === undefined || Math.abs(given - computed) <= Math.abs(computed) * ROUNDING + 10 ** -decimals)
      return []
    return [
      {
        code: 'calculatedOtherwise' as const,
        biomarkers: [id, ...derived.inputs],
        message: `${values.label(id)} of ${values.text(id)} does not follow from ${derived.inputs.map((input) => values.label(input)).join(' and ')}: that makes ${Number(computed.toPrecision(3))}.`,
        source: `${derived.expression} (${derived.source})`,
      },
    ]
  })
}

/** g/dL: above it haemoglobin would not stay dissolved in a red cell; cold agglutinins, fat or haemolysis raise it. */
const MOST_MCHC = 36.5

/**
 * Haemoglobin and haematocrit belong together: their ratio, the MCHC, lies near 33 g/dL, whence the rule of three
 * (haematocrit ≈ 3 × haemoglobin ± 3). It holds for cells of normal size only, so it is asked only where MCV is in range.
 * Rodak's Hematology, 6th edition, chapter on examination of the blood film; an MCHC above 36.5: Berda-Haddad Y et al.,
 * Int J Lab Hematol 2017;39:32-41.
 */
function redCells(values: Values): Finding[] {
  const [hb, hct] = [values.measured('hemoglobin'), values.measured('hematocrit')]
  if (hb === undefined || hct === undefined || hct <= 0) return []
  const mchc = (100 * hb) / hct
  const isNormalSize = values.entry('mcv')?.interpretation === 'N'
  if (mchc <= MOST_MCHC && !(isNormalSize && Math.abs(hct - 3 * hb) > 3)) return []
  return [
    {
      code: 'redCells',
      biomarkers: ['hemoglobin', 'hematocrit'],
      message: `Hemoglobin (${values.text('hemoglobin')}) and hematocrit (${values.text('hematocrit')}) do not belong together: that makes an MCHC of ${mchc.toFixed(1)} g/dL. Clumped cells, fat or hemolysis may be the reason.`,
      source: "The rule of three, Rodak's Hematology; MCHC: Berda-Haddad Y et al., Int J Lab Hematol 2017;39:32-41",
    },
  ]
}

const kinds = ['neutrophils_pct', 'lymphocytes_pct', 'monocytes_pct', 'eosinophils_pct', 'basophils_pct']
const otherKinds = [
  ...['bands_pct', 'segs_pct', 'metamyelocytes_pct', 'myelocytes_pct', 'promyelocytes_pct', 'blasts_pct'],
  ...['plasma_cells_pct', 'atypical_lymphocytes_pct', 'luc_pct'],
]
/** For rounding: five numbers, each by up to half a percent. */
const SUM_TOLERANCE = 2.5

/** The five kinds of white cells are all of them. Asked only where no further kind was counted, which might be in one of the five. */
function differential(values: Values): Finding[] {
  if (otherKinds.some((kind) => values.entry(kind) !== undefined)) return []
  const shares = kinds.flatMap((kind) => values.measured(kind) ?? [])
  const sum = shares.reduce((total, share) => total + share, 0)
  if (shares.length < kinds.length || Math.abs(sum - 100) <= SUM_TOLERANCE) return []
  return [
    {
      code: 'differential',
      biomarkers: kinds,
      message: `The kinds of white cells make ${Number(sum.toFixed(1))} % together, not 100 %.`,
      source: 'By definition; 2.5 % are left for the rounding of five numbers',
    },
  ]
}

/**
 * Potassium from the tube of the blood count: the EDTA in it is a salt of potassium and binds calcium, and alkaline
 * phosphatase needs the zinc and magnesium that it binds too. Cornes MP, Ford C, Gama R, Ann Clin Biochem 2008;45:601-603.
 */
function tubeAdditive(values: Values): Finding[] {
  if (!values.is('potassium', 'high') || !values.is('calcium', 'low')) return []
  return [
    {
      code: 'tubeAdditive',
      biomarkers: ['potassium', 'calcium', ...(values.is('alp', 'low') ? ['alp'] : [])],
      message: `Potassium is high (${values.text('potassium')}) and calcium low (${values.text('calcium')}): the additive of another tube (EDTA) may be in the sample.`,
      source: 'Cornes MP, Ford C, Gama R, Ann Clin Biochem 2008;45:601-603',
    },
  ]
}
