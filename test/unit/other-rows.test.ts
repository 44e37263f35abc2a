import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { matchName } from '@kitlane/lab-reader/facts/guarded-match'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

/** What becomes of the rows of a table: `id value` or `name: why it waits`. */
const rows = async (...lines: readonly string[]) => {
  const text = ['Test,Result,Unit,Reference range', ...lines].join('\n')
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  return reports.flatMap(({ observations }) => {
    const { results, unmatched } = identifyObservations(observations, biomarkers)
    return [
      ...results.map((one) => `${one.biomarkerId} ${'finding' in one ? one.finding.value : one.value}`),
      ...unmatched.map(({ name, code }) => `${name}: ${code}`),
    ]
  })
}

describe('a row beside a result decides what it means', () => {
  it('"25-OH Vitamin D3" is the part of D3 beside a row of D2, beside the sum, and all of it alone', async () => {
    expect(await rows('25-OH Vitamin D3,12,ng/mL,', '25-OH Vitamin D2,31,ng/mL,')).toContain('calcidiol 12')
    expect(await rows('25-OH Vitamin D,43,ng/mL,', '25-OH Vitamin D3,12,ng/mL,')).toEqual([
      'vitamin_d 43',
      'calcidiol 12',
    ])
    expect(await rows('25-OH Vitamin D3,12,ng/mL,', 'Ferritin,30,ng/mL,')).toEqual(['vitamin_d 12', 'ferritin 30'])
  })

  it.each([
    ['HIV 1/2 Ag/Ab,Non-reactive,,', 'HIV 1/2 Ag/Ab index,14.2,Index,< 1.00'],
    ['HIV 1/2 Ag/Ab,Non-reactive,,', 'Signal to cutoff,14.2,S/CO,'],
    ['HBsAg,Positive,,', 'HBsAg S/CO,0.21,S/CO,'],
  ])('an answer waits that the signal of a row of its own contradicts: %s, %s', async (answer, signal) => {
    const name = answer.split(',')[0]
    expect(await rows(answer, signal)).toContain(`${name}: noteContradictsValue`)
  })

  it('an answer is read where the signal agrees, or is of another test', async () => {
    expect(await rows('HIV 1/2 Ag/Ab,Non-reactive,,', 'HIV 1/2 Ag/Ab index,0.21,Index,< 1.00')).toContain(
      'hiv_ag_ab negative',
    )
    // Less signal is more antibody: the range says so.
    expect(await rows('Anti-HBc,Negative,,', 'Anti-HBc S/CO,1.9,S/CO,> 1.00')).toContain(
      'hepatitis_b_core_antibody_total negative',
    )
    expect(await rows('HBsAg,Negative,,', 'Ferritin,30,ng/mL,', 'Anti-HCV index,4.1,Index,< 1.00')).toContain(
      'hbsag negative',
    )
  })
})

describe('LDL that was calculated from too many triglycerides', () => {
  const lipids = ['Total cholesterol,6.2,mmol/L,', 'HDL cholesterol,0.9,mmol/L,']
  it.each([
    ['LDL cholesterol (calculated)', '3.4', '6.9'],
    ['LDL-Cholesterin (berechnet)', '3.4', '4.6'],
    // What Friedewald gives, whatever it is called: 6.2 - 0.9 - 6.9 / 2.2.
    ['LDL cholesterol', '2.2', '6.9'],
  ])('waits by its name or because it is what the formula gives: %s %s beside %s', async (name, ldl, triglycerides) => {
    const read = await rows(...lipids, `Triglycerides,${triglycerides},mmol/L,`, `${name},${ldl},mmol/L,`)
    expect(read).toContain(`${name}: contradicted`)
  })

  it.each([
    'Calculation invalid when triglycerides exceed 4.5 mmol/L',
    'Nicht berechenbar bei Triglyzeriden > 400 mg/dL, direktes LDL empfohlen',
    'LDL calculé non fiable si triglycérides > 3,4 g/L',
    'El cálculo no es válido con triglicéridos superiores a 400 mg/dL',
  ])('waits where its note names a limit that the sample exceeds: %s', async (note) => {
    const text = ['Test;Result;Unit;Comment', 'Triglycerides;6.9;mmol/L;', `LDL cholesterol;3.4;mmol/L;${note}`]
    const { reports } = await parseBytes(Buffer.from(text.join('\n')), { maxPages: 1 })
    const { results } = identifyObservations(reports[0]?.observations ?? [], biomarkers)
    expect(results.map(({ biomarkerId }) => biomarkerId)).toEqual(['triglycerides'])
  })

  it.each([
    ['Direct LDL', '3.4', '6.9'],
    ['LDL Chol Calc (NIH)', '3.4', '6.9'],
    ['LDL cholesterol (calculated)', '3.4', '4.4'],
    ['LDL cholesterol', '3.4', '6.9'],
  ])('is read where it was measured, or its formula bears that: %s %s beside %s', async (name, ldl, triglycerides) => {
    const read = await rows(...lipids, `Triglycerides,${triglycerides},mmol/L,`, `${name},${ldl},mmol/L,`)
    expect(read).toContain(`ldl ${ldl}`)
  })
})

describe('a test of an infection is known by what laboratories call it', () => {
  it.each([
    [
      'hiv_ag_ab',
      ['HIV 1/2 Ag/Ab, 4th generation', 'HIV 1+2 Ag/Ab', 'HIV-1/2 Antigen and Antibodies', 'HIV Ag/Ab Combo'],
    ],
    ['hepatitis_c_antibody', ['Hep C Virus Ab', 'HCV antibodies', 'Hepatitis C Virus Antibody']],
    ['treponema_pallidum_antibody', ['T pallidum Antibodies', 'Syphilis antibodies (Treponema pallidum)']],
    ['reagin_antibody_syphilis_screen', ['RPR', 'Rapid Plasma Reagin', 'RPR, qualitative']],
    ['rubella_igg', ['Rubella Antibodies, IgG', 'Rubella virus IgG', 'Röteln-IgG']],
    [
      'chlamydia',
      ['Chlamydia trachomatis RNA, TMA', 'Chlamydia trachomatis NAAT, vaginal swab', 'C. trachomatis by NAAT'],
    ],
    ['chlamydia_urine', ['Chlamydia trachomatis, urine']],
    ['gonorrhoeae', ['Neisseria gonorrhoeae RNA, TMA, Urogenital', 'Gonorrhea (cervical swab)']],
    ['sars_cov_2_rna', ['SARS-CoV-2 (COVID-19) RNA', 'COVID-19 PCR']],
  ])('%s: %j', (id, names) => {
    expect(names.map((name) => matchName(biomarkers, name)?.biomarker.id)).toEqual(names.map(() => id))
  })

  it.each([
    // Rubella in Spanish and Portuguese, measles in English.
    'Rubeola IgG',
    // Of antibodies, of a culture or of its genome.
    'Chlamydia trachomatis',
    'Chlamydia trachomatis, rectal swab',
    'Neisseria gonorrhoeae, throat',
    'Neisseria gonorrhoeae culture',
    'HIV-1/2 antibody differentiation',
    'Hepatitis B core antibody, IgG avidity',
    'HCV RNA, log',
    'Lyme IgG Western blot, band 41',
    'Toxoplasma gondii IgG avidity',
    'RPR titer',
    'HPV high risk',
  ])('%s is none of them', (name) => {
    expect(matchName(biomarkers, name)).toBeUndefined()
  })
})
