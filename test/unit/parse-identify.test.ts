import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { convert } from '@kitlane/lab-reader/facts/convert'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { hasCheckDigit } from '@kitlane/lab-reader/identify/loincs'
import { numberOf, readPrinted, readRange } from '@kitlane/lab-reader/parse/number'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { specimenErrorsIn } from '@kitlane/lab-reader/parse/specimen-words'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownCpuMs } from '../harness/loop.ts'

const observation = (name: string, value: number, unit: string, more: Partial<Observation> = {}): Observation => ({
  name,
  value,
  valueText: String(value),
  unit,
  status: 'final',
  position: 'row 1',
  raw: '',
  ...more,
})
const meant = (...observations: Observation[]) =>
  identifyObservations(observations, biomarkers, { sex: 'F' }).results.map(({ biomarkerId }) => biomarkerId)
const reasons = (...observations: Observation[]) =>
  identifyObservations(observations, biomarkers).unmatched.map(({ reason }) => reason)

/** [name as laboratories write it, value, unit, biomarker] */
const names: [string, number, string, string][] = [
  ['CHOLESTEROL, TOTAL', 182, 'mg/dL', 'total_cholesterol'],
  ['Cholesterol [Mass/volume] in Serum or Plasma', 182, 'mg/dL', 'total_cholesterol'],
  ['Cholest SerPl-mCnc', 182, 'mg/dL', ''],
  ['Cholesterol in HDL [Mass/volume] in Serum or Plasma', 58, 'mg/dL', 'hdl'],
  ['High Density Lipoprotein Cholesterol', 58, 'mg/dL', 'hdl'],
  ['Low Density Lipoprotein Cholesterol', 101, 'mg/dL', 'ldl'],
  ['Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation', 101, 'mg/dL', 'ldl'],
  ['LDLc SerPl Calc-mCnc', 101, 'mg/dL', 'ldl'],
  ['LDL-Cholesterol', 101, 'mg/dL', 'ldl'],
  ['LDL Chol Calc (NIH)', 101, 'mg/dL', 'ldl'],
  ['VLDL Cholesterol Cal', 20, 'mg/dL', 'vldl'],
  ['Non-HDL Cholesterol', 120, 'mg/dL', 'non_hdl'],
  ['T. Chol/HDL Ratio', 3.1, 'ratio', 'total_hdl_ratio'],
  ['CHOL/HDLC RATIO', 3.1, '(calc)', 'total_hdl_ratio'],
  ['LDL/HDL Ratio', 1.8, 'ratio', 'ldl_hdl_ratio'],
  ['Triglyceride [Mass/volume] in Serum or Plasma', 88, 'mg/dL', 'triglycerides'],
  ['Apolipoprotein B', 80, 'mg/dL', 'apo_b'],
  ['Apolipoprotein A-1', 150, 'mg/dL', 'apo_a1'],
  ['Lipoprotein (a)', 60, 'nmol/L', 'lp_a'],
  ['Hemoglobin A1c/Hemoglobin.total in Blood', 5.4, '%', 'hba1c'],
  ['HbA1c MFr Bld', 5.4, '%', 'hba1c'],
  ['HbA1c (IFCC)', 36, 'mmol/mol', 'hba1c'],
  ['Hgb A1c', 5.4, '% of total Hgb', 'hba1c'],
  ['Glucose SerPl-mCnc', 91, 'mg/dL', 'glucose'],
  ['Glucose, Serum', 91, 'mg/dL', 'glucose'],
  ['Glucose, fasting', 91, 'mg/dL', 'glucose'],
  ['Insulin', 7, 'uIU/mL', 'insulin'],
  ['C-Peptide, Serum', 1.9, 'ng/mL', 'c_peptide'],
  ['Uric Acid, Serum', 5.1, 'mg/dL', 'uric_acid'],
  ['Cortisol, A.M.', 12, 'ug/dL', ''],
  ['Cortisol - AM', 12, 'ug/dL', 'cortisol'],
  ['VITAMIN D,25-OH,TOTAL,IA', 32, 'ng/mL', 'vitamin_d'],
  ['Vitamin D, 25-Hydroxy', 32, 'ng/mL', 'vitamin_d'],
  ['25-Hydroxyvitamin D3+25-Hydroxyvitamin D2 [Mass/volume] in Serum or Plasma', 32, 'ng/mL', 'vitamin_d'],
  ['Ferritin, Serum', 45, 'ng/mL', 'ferritin'],
  ['Iron, Serum', 90, 'ug/dL', 'iron'],
  ['Iron Bind.Cap.(TIBC)', 300, 'ug/dL', 'tibc'],
  ['UIBC', 210, 'ug/dL', 'uibc'],
  ['Iron Saturation', 30, '%', 'transferrin_saturation'],
  ['Vitamin B12', 400, 'pg/mL', 'vitamin_b12'],
  ['Folate (Folic Acid), Serum', 12, 'ng/mL', 'folate'],
  ['Magnesium [Mass/volume] in Serum or Plasma', 2, 'mg/dL', 'magnesium'],
  ['Zinc, Plasma or Serum', 80, 'ug/dL', 'zinc'],
  ['hs-CRP', 0.6, 'mg/L', 'hs_crp'],
  ['C-Reactive Protein, Cardiac', 0.6, 'mg/L', 'hs_crp'],
  ['C reactive protein [Mass/volume] in Serum or Plasma by High sensitivity method', 0.6, 'mg/L', 'hs_crp'],
  ['Homocyst(e)ine', 9, 'umol/L', 'homocysteine'],
  ['Sed Rate', 9, 'mm/hr', 'esr'],
  ['TESTOSTERONE, TOTAL, MS', 35, 'ng/dL', 'total_testosterone'],
  ['Testosterone, Serum', 35, 'ng/dL', 'total_testosterone'],
  ['Free Testosterone(Direct)', 1.2, 'pg/mL', 'free_testosterone'],
  ['Testosterone (Free)', 1.2, 'pg/mL', 'free_testosterone'],
  ['Sex Horm Binding Glob, Serum', 60, 'nmol/L', 'shbg'],
  ['Estradiol, Serum', 95, 'pg/mL', 'estradiol'],
  ['Luteinizing Hormone(LH)', 5, 'mIU/mL', 'lh'],
  ['LH', 5, 'mIU/mL', 'lh'],
  ['FSH, Serum', 5, 'mIU/mL', 'fsh'],
  ['Dehydroepiandrosterone Sulfate', 200, 'ug/dL', 'dhea_s'],
  ['DHEA-Sulfate', 200, 'ug/dL', 'dhea_s'],
  ['Prostate Specific Ag, Serum', 0.9, 'ng/mL', 'psa'],
  ['Insulin-Like Growth Factor I', 150, 'ng/mL', ''],
  ['Thyrotropin [Units/volume] in Serum or Plasma', 2.3, 'mIU/L', 'tsh'],
  ['TSH W/REFLEX TO FT4', 2.3, 'mIU/L', 'tsh'],
  ['T4,Free(Direct)', 1.2, 'ng/dL', 'free_t4'],
  ['T4, FREE', 1.2, 'ng/dL', 'free_t4'],
  ['Thyroxine (T4) free [Mass/volume] in Serum or Plasma', 1.2, 'ng/dL', 'free_t4'],
  ['Albumin/Globulin [Mass Ratio] in Serum or Plasma', 1.6, '{ratio}', 'ag_ratio'],
  ['Urea nitrogen/Creatinine [Mass Ratio] in Serum or Plasma', 14, '{ratio}', 'bun_creatinine_ratio'],
  ['Protein [Mass/volume] in Serum or Plasma', 7, 'g/dL', 'total_protein'],
  ['Triiodothyronine (T3), Free', 3.1, 'pg/mL', 'free_t3'],
  ['T4 (THYROXINE), TOTAL', 8, 'ug/dL', 'total_t4'],
  ['T3 REVERSE, LC/MS/MS', 15, 'ng/dL', 'reverse_t3'],
  ['Thyroid Peroxidase (TPO) Ab', 9, 'IU/mL', 'tpo_ab'],
  ['Thyroglobulin Antibody', 1, 'IU/mL', 'tg_ab'],
  ['ALT (SGPT)', 18, 'IU/L', 'alt'],
  ['ALT/SGPT', 18, 'U/L', 'alt'],
  ['Alanine aminotransferase [Enzymatic activity/volume] in Serum or Plasma', 18, 'U/L', 'alt'],
  ['AST', 18, 'U/L', 'ast'],
  ['Alkaline Phosphatase, S', 60, 'IU/L', 'alp'],
  ['Gamma glutamyl transferase', 20, 'U/L', 'ggt'],
  ['Bilirubin, Total', 0.6, 'mg/dL', 'bilirubin_total'],
  ['Bilirubin, Direct', 0.1, 'mg/dL', 'bilirubin_direct'],
  ['PROTEIN, TOTAL', 7, 'g/dL', 'total_protein'],
  ['A/G Ratio', 1.6, '', 'ag_ratio'],
  ['Urea Nitrogen', 14, 'mg/dL', 'bun'],
  ['UREA NITROGEN (BUN)', 14, 'mg/dL', 'bun'],
  ['BUN/Creatinine Ratio', 14, '', 'bun_creatinine_ratio'],
  ['Creatinine, Serum', 0.8, 'mg/dL', 'creatinine'],
  ['Estimated Glomerular Filtration Rate', 98, 'mL/min/{1.73_m2}', 'egfr'],
  ['Carbon Dioxide, Total', 24, 'mmol/L', 'co2'],
  ['Sodium [Moles/volume] in Blood', 140, 'mmol/L', 'sodium'],
  ['Potassium SerPl-sCnc', 4.1, 'mmol/L', 'potassium'],
  ['White blood cell count', 6, 'K/uL', 'wbc'],
  ['WBC # Bld Auto', 6, '10*3/uL', 'wbc'],
  ['Erythrocytes [#/volume] in Blood by Automated count', 4.6, '10*6/uL', 'rbc'],
  ['Hematocrit [Volume Fraction] of Blood by Automated count', 41, '%', 'hematocrit'],
  ['HCT VFr Bld Auto', 41, '%', 'hematocrit'],
  ['MCV [Entitic volume] by Automated count', 91, 'fL', 'mcv'],
  ['MCV RBC Auto', 91, 'fL', 'mcv'],
  ['Erythrocyte distribution width [Ratio] by Automated count', 13, '%', 'rdw'],
  ['Platelets [#/volume] in Blood by Automated count', 220, '10*3/uL', 'platelets'],
  ['Platelet mean volume [Entitic volume] in Blood', 9, 'fL', 'mpv'],
  ['Absolute Neutrophils', 3200, 'cells/uL', 'neutrophils_abs'],
  ['Neutrophils (Absolute)', 3.2, 'x10E3/uL', 'neutrophils_abs'],
  ['Lymphs (Absolute)', 1.9, 'x10E3/uL', 'lymphocytes_abs'],
  ['Eos (Absolute)', 0.2, 'x10E3/uL', 'eosinophils_abs'],
  ['Baso (Absolute)', 0, 'x10E3/uL', 'basophils_abs'],
]

/** Look-alikes that are biomarkers of their own; all others are none of the catalogue. */
const own: Record<string, string> = {
  Neutrophils: 'neutrophils_pct',
  'Glucose, Urine': 'glucose_urine',
  'Calcium, Ionized': 'calcium_ionized',
  'Folate, RBC': 'folate_rbc',
  Dihydrotestosterone: 'dht',
  Estrone: 'estrone',
  'Free PSA': 'psa_free',
  '% Free PSA': 'psa_free_pct',
  'C-Reactive Protein': 'crp',
  'Cortisol, Free': 'cortisol_free',
  'Cortisol, Salivary': 'cortisol_saliva',
  'Vitamin B6': 'vitamin_b6',
  'Bilirubin, Indirect': 'bilirubin_indirect',
  'Lactate Dehydrogenase': 'ldh',
  'Apolipoprotein E': 'apo_e',
  Urea: 'urea',
  'Sodium, Urine': 'sodium_urine',
  'Protein, Urine': 'protein_urine',
}

/** Look-alikes with plausible values and units of common biomarkers, that are none of them. */
const lookAlikes: [string, number, string][] = [
  ['Glucose, Urine', 15, 'mg/dL'],
  ['Glucose, 2 hour', 130, 'mg/dL'],
  ['Glucose [Mass/volume] in Cerebral spinal fluid', 60, 'mg/dL'],
  ['Glucose Tolerance, 1 hr', 150, 'mg/dL'],
  ['Creatinine, Random Urine', 90, 'mg/dL'],
  ['Creatinine Clearance', 98, 'mL/min/1.73m2'],
  ['Albumin, Urine', 1, 'g/dL'],
  ['Microalbumin', 3, 'g/dL'],
  ['Prealbumin', 2.5, 'g/dL'],
  ['Albumin/Creatinine Ratio', 1.2, 'ratio'],
  ['Calcium, Ionized', 4.8, 'mg/dL'],
  ['Calcium, Corrected', 9.2, 'mg/dL'],
  ['Magnesium, RBC', 5, 'mg/dL'],
  ['Zinc, RBC', 90, 'ug/dL'],
  ['Folate, RBC', 150, 'ng/mL'],
  ['Hemoglobin, Fetal', 5, '%'],
  ['Hemoglobin S', 5, 'g/dL'],
  ['Methemoglobin', 5, 'g/dL'],
  ['Free Hemoglobin, Plasma', 5, 'g/dL'],
  ['Testosterone, Free and Total', 35, 'ng/dL'],
  ['Testosterone, Bioavailable', 35, 'ng/dL'],
  ['Dihydrotestosterone', 35, 'ng/dL'],
  ['17-OH Progesterone', 1, 'ng/mL'],
  ['Pregnenolone', 1, 'ng/mL'],
  ['Estrone', 50, 'pg/mL'],
  ['Estriol', 50, 'pg/mL'],
  ['Estrogens, Total', 95, 'pg/mL'],
  ['DHEA', 200, 'ug/dL'],
  ['Free PSA', 0.3, 'ng/mL'],
  ['% Free PSA', 20, '%'],
  ['Proinsulin', 7, 'uIU/mL'],
  ['Insulin Antibody', 7, 'uIU/mL'],
  ['Insulin, 1 hour post dose', 70, 'uIU/mL'],
  ['IGF Binding Protein 3', 150, 'ng/mL'],
  ['C-Reactive Protein', 3, 'mg/L'],
  ['Cortisol, PM', 4, 'ug/dL'],
  ['Cortisol, Free', 1, 'ug/dL'],
  ['Cortisol, Salivary', 1, 'ug/dL'],
  ['Vitamin D, 1,25-Dihydroxy', 45, 'ng/mL'],
  ['25-Hydroxy Vitamin D3', 30, 'ng/mL'],
  ['Vitamin B6', 40, 'pg/mL'],
  ['Unsaturated B12 Binding Capacity', 800, 'pg/mL'],
  ['Transferrin', 250, 'ug/dL'],
  ['Soluble Transferrin Receptor', 45, 'ng/mL'],
  ['Thyroglobulin', 10, 'IU/mL'],
  ['TSH Receptor Antibody', 1, 'mIU/L'],
  ['T3 Uptake', 30, 'ng/dL'],
  ['Free T4 Index', 1.2, 'ng/dL'],
  ['Thyroxine Binding Globulin', 8, 'ug/dL'],
  ['Bilirubin, Indirect', 0.5, 'mg/dL'],
  ['Alkaline Phosphatase, Bone Specific', 60, 'U/L'],
  ['Lactate Dehydrogenase', 150, 'U/L'],
  ['HDL/LDL Ratio', 0.5, 'ratio'],
  ['Cholesterol/HDL', 58, 'mg/dL'],
  ['Globulin/Albumin', 0.6, 'ratio'],
  ['Creatinine/Urea nitrogen', 1.6, 'ratio'],
  ['LDL Particle Number', 900, 'mg/dL'],
  ['Small LDL-P', 300, 'mg/dL'],
  ['HDL2', 20, 'mg/dL'],
  ['Oxidized LDL', 50, 'mg/dL'],
  ['Apolipoprotein E', 50, 'mg/dL'],
  ['Neutrophils', 55, '%'],
  ['Neutrophils/100 leukocytes in Blood', 55, '%'],
  ['Band Neutrophils (Absolute)', 1, '10*3/uL'],
  ['Nucleated RBC', 1, '10*6/uL'],
  ['Reticulocyte Count', 1, '10*6/uL'],
  ['Erythrocyte distribution width [Entitic volume]', 42, 'fL'],
  ['Platelet distribution width', 12, 'fL'],
  ['eGFR If African American', 98, 'mL/min/1.73'],
  ['Cystatin C eGFR', 98, 'mL/min/1.73'],
  ['Urea', 30, 'mg/dL'],
  ['Sodium, Urine', 100, 'mmol/L'],
  ['Potassium, 24h Urine', 8, 'mmol/L'],
  ['Phosphatidylethanol', 20, 'ng/mL'],
  ['Alpha-1 Globulin', 0.5, 'g/dL'],
  ['Protein, Urine', 2, 'g/dL'],
  ['Homocystine, Urine', 9, 'umol/L'],
]

describe('names', () => {
  test('are known or left, and never taken for another biomarker', () => {
    const outcomes = names.map(([name, value, unit, id]) => ({
      name,
      id,
      found: meant(observation(name, value, unit))[0] ?? '',
    }))
    const wrong = outcomes.filter(({ found, id }) => found !== '' && found !== id)
    const missed = outcomes.filter(({ found, id }) => found === '' && id !== '')
    const right = outcomes.filter(({ found, id }) => found !== '' && found === id)
    process.stdout.write(
      `names ${names.length}: right ${right.length}, wrong ${wrong.length}, left ${names.length - right.length}\n`,
    )
    expect(wrong).toEqual([])
    expect(missed).toEqual([])
  })

  test.each(lookAlikes)('%s is never taken for what it resembles', (name, value, unit) => {
    expect(meant(observation(name, value, unit))).toEqual(own[name] ? [own[name]] : [])
  })

  test('of the catalogue itself all lead home', () => {
    for (const { id, label, unit, reference, plausible, aliases, scale } of biomarkers) {
      const { low, high } = reference?.F ?? reference?.M ?? { low: plausible.min, high: plausible.max }
      const value = ((low ?? plausible.min) + (high ?? low ?? plausible.max)) / 2
      const isWord = scale !== undefined && scale.kind !== 'titre'
      const words = isWord ? { value: undefined, valueText: scale.kind === 'text' ? 'some text' : 'Negative' } : {}
      for (const name of [label, ...aliases])
        expect([name, ...meant(observation(name, value, unit, words))]).toEqual([name, id])
    }
  })
})

describe('LOINC codes', () => {
  test('count together with a name that agrees', () => {
    expect(meant(observation('Hemoglobin [Mass/volume] in Blood', 13.5, 'g/dL', { loinc: '718-7' }))).toEqual([
      'hemoglobin',
    ])
    const glucose = observation('Glucose', 91, 'mg/dL', { loinc: '718-7' })
    expect(reasons(glucose)).toEqual([
      'The LOINC code and the name mean different biomarkers: ask the laboratory which one is right',
    ])
    expect(reasons(observation('Mystery', 91, 'mg/dL', { loinc: '2345-7' }))).toEqual([
      'The LOINC code is known, but the name is not: say which test it is',
    ])
    expect(reasons(observation('Glucose', 91, 'mg/dL', { alsoCalled: ['Sodium'] }))).toEqual([
      'Its names mean different biomarkers: say which test it is, or ask the laboratory',
    ])
  })

  test('that the catalogue lacks count only where blood, serum or plasma is named', () => {
    const leukocytes = { loinc: '11156-7' }
    expect(meant(observation('LEUKOCYTES', 8.2, 'giga.l-1', leukocytes))).toEqual([])
    expect(meant(observation('LEUKOCYTES', 8.2, 'giga.l-1', { ...leukocytes, section: 'Hemogram / BLD' }))).toEqual([
      'wbc',
    ])
    expect(meant(observation('Glucose', 15, 'mg/dL', { loinc: '5792-7', section: 'Urinalysis' }))).toEqual([])
  })

  test('have a check digit', () => {
    for (const { loinc, loincAlternates, loincWholeBlood } of biomarkers) {
      for (const code of [loinc, ...loincAlternates, ...loincWholeBlood])
        if (code) expect(hasCheckDigit(code)).toBe(true)
    }
    expect(hasCheckDigit('718-8')).toBe(false)
  })
})

describe('units', () => {
  test('are needed, known and of the right kind', () => {
    expect(reasons(observation('Glucose', 91, ''))).toEqual(['No unit is printed: ask the laboratory for it'])
    expect(reasons(observation('Glucose', 91, 'furlong'))).toEqual([
      'The unit is not known or does not belong to this biomarker: ask the laboratory for the right one: “furlong” is not known',
    ])
    expect(reasons(observation('Hemoglobin', 12.5, 'g/mL'))).toEqual([
      'The unit is not known or does not belong to this biomarker: ask the laboratory for the right one: “g/mL” is not known',
    ])
    expect(reasons(observation('Lp(a)', 30, 'mg/dL'))).toEqual([
      'The unit cannot be converted for this biomarker, since mass and amount have no fixed ratio: ask for the result in another unit',
    ])
  })

  test('that the catalogue does not list are converted by UCUM, by molar mass where needed', () => {
    const get = (id: string) => {
      const biomarker = biomarkers.find((one) => one.id === id)
      if (!biomarker) throw new Error(id)
      return biomarker
    }
    expect(convert(get('creatinine'), 8, 'mg/L')).toEqual({ value: 0.8, factor: 0.1, offset: 0 })
    expect(convert(get('vitamin_d'), 75, 'pmol/mL')?.value).toBeCloseTo(30.05, 2)
    expect(convert(get('lp_a'), 30, 'mg/L')).toBeUndefined()
    expect(convert(get('wbc'), 6, 'K/uL')?.factor).toBe(1)
    expect(convert(get('insulin'), 7, 'ng/mL')).toBeUndefined()
  })

  test('that do not fit the printed range or any living person are left', () => {
    const range = { low: 2.5, high: 10 }
    expect(reasons(observation('Testosterone', 5.2, 'ng/dL', { range }))).toEqual([
      'The printed range does not fit the unit: ask the laboratory which of both is wrong',
    ])
    expect(meant(observation('Testosterone', 5.2, 'ng/mL', { range }))).toEqual(['total_testosterone'])
    expect(reasons(observation('Hemoglobin', 135, 'g/dL'))).toEqual([
      'The value cannot be right in this unit: ask the laboratory which of both is wrong',
    ])
  })

  test('and a flag that the printed range denies is left', () => {
    const range = { low: 70, high: 99 }
    expect(reasons(observation('Glucose', 91, 'mg/dL', { range, flag: 'H' }))).toEqual([
      'The flag and the printed range contradict one another: ask the laboratory which one is right',
    ])
    expect(meant(observation('Glucose', 99, 'mg/dL', { range, flag: 'H' }))).toEqual(['glucose'])
  })

  test('and values stay as printed in the result; the conversion is said', () => {
    const { results, converted } = identifyObservations(
      [observation('Glucose', 5.1, 'mmol/L', { valueText: '5.10', flag: 'N' })],
      biomarkers,
    )
    expect(results).toEqual([
      {
        biomarkerId: 'glucose',
        value: 5.1,
        unit: 'mmol/L',
        rawResult: '5.10',
        labFlag: 'N',
        name: 'Glucose',
        position: 'row 1',
        sent: { name: 'Glucose', status: 'final', codes: [] },
        why: ['Known by a name of the catalogue', 'mmol/L is read as mg/dL by × 18.0156'],
      },
    ])
    expect(converted).toEqual([{ name: 'Glucose', from: 'mmol/L', to: 'mg/dL', factor: 18.0156 }])
  })
})

test('three thousand unknown results, the most that are taken, cost what their number says, and no more', () => {
  const costOf = (length: number) => {
    const many = Array.from({ length }, (_, index) =>
      observation(`Marker ${index} of a long and unknown name`, 1, 'mg/dL'),
    )
    const tries = [1, 2, 3].map(() => {
      const from = ownCpuMs()
      expect(identifyObservations(many, biomarkers).unmatched).toHaveLength(length)
      return ownCpuMs() - from
    })
    return Math.min(...tries)
  }
  // Ten times as many: 10 where each costs the same, 100 where each is compared with all others.
  expect(costOf(3_000) / costOf(300)).toBeLessThan(40)
})

describe('a biomarker that comes twice', () => {
  const glucose = (value: number, unit = 'mg/dL', more: Partial<Observation> = {}) =>
    observation('Glucose', value, unit, more)

  test('counts once where the values are the same, even in two units', () => {
    expect(identifyObservations([glucose(91), glucose(91)], biomarkers)).toMatchObject({
      results: [{ value: 91 }],
      unmatched: [],
    })
    expect(identifyObservations([glucose(5.1, 'mmol/L'), glucose(92)], biomarkers).results).toMatchObject([
      { value: 92, unit: 'mg/dL' },
    ])
  })

  test('counts once where a laboratory reckons with another mole of triglycerides than the catalogue, and no more', () => {
    const both = (mmol: number) =>
      identifyObservations(
        [
          observation('Triglycerides', 0.84, 'g/L', { valueText: '0.84' }),
          observation('Triglycerides', mmol, 'mmol/L', { valueText: `${mmol}` }),
        ],
        biomarkers,
      ).results
    expect(both(0.95)).toMatchObject([{ value: 0.84, unit: 'g/L' }])
    expect(both(0.96)).toMatchObject([{ value: 0.84, unit: 'g/L' }])
    expect(both(0.98)).toEqual([])
  })

  test('is left altogether where two units differ by more than the rounding of one measurement', () => {
    const tsh = (value: number, unit: string) => observation('TSH', value, unit)
    expect(identifyObservations([tsh(2, 'mIU/L'), tsh(2.4, 'uIU/mL')], biomarkers)).toMatchObject({
      results: [],
      unmatched: [{ valueText: '2' }, { valueText: '2.4' }],
    })
    const hemoglobin = (value: number, unit: string, valueText: string) =>
      observation('Hemoglobin', value, unit, { valueText })
    expect(
      identifyObservations([hemoglobin(14, 'g/dL', '14.0'), hemoglobin(144, 'g/L', '144')], biomarkers).results,
    ).toEqual([])
  })

  test('is left altogether where they differ, unless one is corrected', () => {
    expect(identifyObservations([glucose(91), glucose(95)], biomarkers)).toMatchObject({
      results: [],
      unmatched: [{}, {}],
    })
    expect(meant(glucose(91, 'mg/dL', { comparator: '<' }), glucose(91))).toEqual([])
    const { results, unmatched } = identifyObservations(
      [glucose(91), glucose(95, 'mg/dL', { status: 'corrected' })],
      biomarkers,
    )
    expect(results).toMatchObject([{ value: 95 }])
    expect(unmatched).toMatchObject([
      { valueText: '91', reason: 'A corrected result in the same file replaces it: nothing has to be done' },
    ])
  })
})

describe('printed texts', () => {
  test.each([
    ['5.3', { value: 5.3 }],
    ['<0.2', { value: 0.2, comparator: '<' }],
    ['≥ 90', { value: 90, comparator: '>=' }],
    ['> OR = 60', { value: 60, comparator: '>=' }],
    ['162 H', { value: 162, flag: 'H' }],
    ['L 22', { value: 22, flag: 'L' }],
    ['11.0 Low', { value: 11, flag: 'L' }],
    ['1,234.5', { value: 1234.5 }],
    ['1,234', {}],
    ['5,3', {}],
    ['12-15', {}],
    ['TNP', {}],
    ['1.2.3', {}],
    ['5.8¹', {}],
    ['5.8①', {}],
    ['', {}],
  ])('%s', (text, expected) => {
    expect(readPrinted(text)).toEqual(expected)
  })

  test('ranges', () => {
    for (const text of ['70-105', '70_105', '70 – 105', '70 to 105', '(70-105)']) {
      expect(readRange(text)).toEqual({ bounds: { low: 70, high: 105 }, rest: '' })
    }
    expect(readRange('<150 mg/dL')).toEqual({ bounds: { low: null, high: 150, highExclusive: true }, rest: 'mg/dL' })
    expect(readRange('> OR = 40')).toEqual({ bounds: { low: 40, high: null }, rest: '' })
    expect(readRange('Up to 5')).toEqual({ bounds: { low: null, high: 5 }, rest: '' })
    for (const text of ['Not Estab.', 'Follicular: 12-166', '105-70', 'M: 4-6', ''])
      expect(readRange(text)).toBeUndefined()
  })

  test('with commas are only numbers where the file shows what a comma means', () => {
    expect([numberOf('5,3', 'decimal'), numberOf('1.234,5', 'decimal'), numberOf('1.234', 'decimal')]).toEqual([
      5.3,
      1234.5,
      undefined,
    ])
    expect([numberOf('1,234', 'thousands'), numberOf('0,234', 'thousands'), numberOf('1,23', 'thousands')]).toEqual([
      1234,
      undefined,
      undefined,
    ])
  })

  test('of any kind never become a number that is not in them', () => {
    const parameters = { seed: 20251120, numRuns: 2000 }
    const pieces = fc.array(fc.constantFrom('1', '23', '.', ',', '<', '>', '=', ' ', '-', 'H', 'e5', 'x', '/'), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('')
        const { value } = readPrinted(text)
        if (value !== undefined)
          expect(text.replace(/[,\s]/g, '')).toContain(String(Math.abs(value)).replace(/^0\./, '.'))
      }),
      parameters,
    )
  })

  test('say what is wrong with a sample, unless they deny it', () => {
    expect(specimenErrorsIn('Specimen was grossly hemolyzed')).toEqual(['HEMOLYSIS'])
    expect(specimenErrorsIn('QNS')).toEqual(['QNS'])
    expect(specimenErrorsIn('Specimen too old')).toEqual(['DELAYED_SAMPLE_DELIVERY'])
    expect(specimenErrorsIn('No hemolysis seen')).toEqual([])
    expect(specimenErrorsIn('Potassium may be raised by hemolysis')).toEqual([])
  })
})
