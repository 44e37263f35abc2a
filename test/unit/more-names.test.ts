import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

/** What becomes of one row: the biomarker, or why it waits. */
async function becomes(name: string, value: string, unit: string): Promise<string | undefined> {
  const file = Buffer.from(`Test;Result;Unit\n${name};${value};${unit}\n`)
  const { reports } = await parseBytes(file, { maxPages: 1 })
  const [one] = reports.flatMap((report) => {
    const { results, unmatched } = identifyReport(report, biomarkers)
    return [...results.map(({ biomarkerId }) => biomarkerId), ...unmatched.map(({ code }) => code)]
  })
  return one
}

describe('names that laboratories print', () => {
  it.each([
    ...['Cadmium im Blut', 'Cadmio en sangre', 'Cadmio ematico'].map((name) => [name, '0,6', 'µg/l', 'cadmium_blood']),
    ...['Globulina ligadora de hormonas sexuales (SHBG)', 'Globuline liant les hormones sexuelles'].map((name) => [
      name,
      '41,2',
      'nmol/L',
      'shbg',
    ]),
    ['Hausstaubmilbe (D. pteronyssinus) IgE', '12,4', 'kU/l', 'ige_d_pteronyss'],
    ['D. farinae IgE', '12,4', 'kU/l', 'ige_d_farinae'],
    ['Hausstaubmilbe IgE', '12,4', 'kU/l', 'unknownName'],
    ['Glomerular filtration rate (CKD-EPI 2021)', '98', 'mL/min/1.73m2', 'egfr'],
    ['Glomerular filtration rate (cystatin C)', '98', 'mL/min/1.73m2', 'unknownName'],
    ['Vitamin D, 25-OH, D3', '31', 'ng/mL', 'calcidiol'],
    ['Vitamin D, 25-OH, D2', '7', 'ng/mL', 'unknownName'],
    ['17-beta-estradiolo', '48', 'pg/mL', 'estradiol'],
    ['17-alfa-estradiolo', '48', 'pg/mL', 'unknownName'],
    ['HIV 1/2 antígeno e anticorpos', 'Não reagente', '', 'hiv_ag_ab'],
    ...['Anticuerpos VHC', 'Anticorps VHC'].map((name) => [name, 'Negativo', '', 'hepatitis_c_antibody']),
    ['CRP quantitativ', '0,6', 'mg/l', 'crp'],
    ['Vrij PSA %', '24', '%', 'psa_free_pct'],
    ['Free PSA / PSA', '25', '%', 'psa_free_pct'],
    ['VDRL / RPR', 'Non-reactive', '', 'reagin_antibody_syphilis_screen'],
    ['CD4 cells, absolute', '612', 'cells/uL', 'cd4_abs'],
    ['Antinuclear antibodies (ANA) titer', '1:160', '', 'ana_titre'],
    ...['CD3 %', 'CD3+ %', '% CD3', 'CD3+ T cells %', 'CD3 T-Cells (%)'].map((name) => [name, 71, '%', 'cd3_pct']),
    ...['CD4 %', 'CD4+ %', 'CD3+CD4+ %', 'CD4 percent', '% CD4+', 'CD4 T Helper (%)'].map((n) => [
      n,
      35,
      '%',
      'cd4_pct',
    ]),
    ...['CD8 %', 'CD8+ %', 'CD3+CD8+ (%)', 'CD8 Cytotoxic T Cells %', '% CD8'].map((name) => [
      name,
      32,
      '%',
      'cd8_pct',
    ]),
    ...['Free kappa/lambda ratio', 'Kappa/Lambda ratio, free', 'Kappa/Lambda FLC ratio', 'Kappa/Lambda-Quotient (frei)']
      .concat(['Rapport kappa/lambda libres', 'Vrije kappa/lambda ratio', 'Kappa/lambda kvot (fria)'])
      .map((name) => [name, 1.2, '', 'kappa_lambda_ratio']),
    ...['Anti-CCP IgG', 'CCP Antibodies, IgG', 'Cyclic Citrullinated Peptide (CCP) Ab', 'CCP-AK', 'Anticorps anti-CCP']
      .concat(['Anticuerpos anti-péptido cíclico citrulinado'])
      .map((name) => [name, 2.1, 'U/mL', 'anti_ccp']),
    ...['Anti-dsDNA antibodies', 'ds-DNA Ab', 'dsDNA IgG', 'dsDNA-AK', 'Double stranded DNA antibody'].map((name) => [
      name,
      4,
      'IU/mL',
      'anti_dsdna',
    ]),
    ...['CTX (beta-CrossLaps)', 'Beta-CTX (C-telopeptide)', 'β-CrossLaps', 'Serum CTX', 'CTX (C-Telopeptide)'].map(
      (name) => [name, 0.41, 'ng/mL', 'ctx'],
    ),
    ...['TOTAL IRON BINDING CAPACITY (TIBC)', 'Iron Binding Capacity (TIBC)', 'Eisenbindungskapazität (TIBC)'].map(
      (name) => [name, 382, 'ug/dL', 'tibc'],
    ),
    ...[
      'UNSAT.IRON-BINDING CAPACITY(UIBC)',
      'Unsaturated Iron Binding Capacity (UIBC)',
      'Latente Eisenbindungskapazität',
    ].map((name) => [name, 321, 'ug/dL', 'uibc']),
    ...[
      '% TRANSFERRIN SATURATION',
      'Transferrin Saturation (%)',
      'Iron saturation (%)',
      '% Saturazione transferrina',
    ].map((name) => [name, 15.9, '%', 'transferrin_saturation']),
    ...[
      'Gamma-glutamil transferasa',
      'Gamma-glutamyl transférase',
      'Gammaglutamiltransferasi',
      'Gammaglutamyltransferase',
    ].map((name) => [name, 31, 'U/L', 'ggt']),
    ...['Anti-transglutaminasi IgA', 'Transglutaminase-AK (IgA)', 'Anticorps anti-transglutaminase IgA', 'Anti-tTG IgA']
      .concat(['IgA antitransglutaminasa', 'S-Transglutaminas-ak (IgA)', 'Tissue transglutaminase (tTG) Ab, IgA'])
      .map((name) => [name, 0.8, 'U/mL', 'ttg_iga']),
    ...[
      'IgA totali',
      'Gesamt-IgA',
      'IgA totales',
      'Immunglobulin A (IgA)',
      'Imunoglobulina A',
      'Immunoglobulines A',
    ].map((name) => [name, 1.9, 'g/L', 'iga']),
    ...['Hb(B)-HbA1c (IFCC)', 'B-HbA1c (IFCC)', 'Hb(B)-Hæmoglobin A1c (IFCC)', 'B-Hemoglobin A1c (IFCC)'].map(
      (name) => [name, 37, 'mmol/mol', 'hba1c'],
    ),
    ...['B-Neutrofila', 'B-Neutrofiler', 'Neutrofila'].map((name) => [name, 3.1, '10*9/L', 'neutrophils_abs']),
    ['B-Eosinofila', 0.2, '10*9/L', 'eosinophils_abs'],
    ['B-Basofila', 0.02, '10*9/L', 'basophils_abs'],
    ...['D-dimer', 'D-Dimere', 'Dímero D', 'D-dimères', 'D dimero'].map((n) => [n, 0.31, 'mg/L FEU', 'd_dimer_feu']),
    ['D-dimer', 180, 'ng/mL DDU', 'd_dimer_ddu'],
    ...['CD4', 'CD4+ T cells', 'CD3+CD4+ absolute'].map((name) => [name, 640, 'cells/uL', 'cd4_abs']),
    ['Free androgen index', 4.2, '%', 'free_androgen_index'],
    ...['FSH', 'LH'].map((name) => [name, 6.4, 'U/l', name.toLowerCase()]),
  ])('are read: %s %d %s', async (name, value, unit, biomarker) => {
    expect(await becomes(String(name), String(value), String(unit))).toBe(biomarker)
  })

  it.each([
    // The other way round, and in urine.
    ['Lambda/kappa ratio, free', 0.8, ''],
    ['Free kappa/lambda ratio, urine', 2.1, ''],
    // Parts of the helper cells, and their share of others.
    ['CD4+CD45RA+ %', 35, '%'],
    ['CD4/CD8 %', 1.2, '%'],
    ['CD3-CD8+ %', 12, '%'],
    // Other classes and other proteins.
    ['Anti-CCP IgA', 2.1, 'U/mL'],
    ['Anti-ssDNA antibodies', 4, 'IU/mL'],
    ['Anti-transglutaminase', 0.8, 'U/mL'],
    ['CTX-II', 0.41, 'ng/mL'],
    ['ICTP C-telopeptide', 0.41, 'ng/mL'],
    ['IgA salivare', 1.9, 'g/L'],
    // A D-dimer whose units are not said is one of two, of which one is twice the other.
    ['D-dimer', 0.31, 'mg/L'],
    ['D-dimer', 310, 'ng/mL'],
    ['D-dimer cut-off', 0.5, 'mg/L FEU'],
    ['CD4', 640, 'MFI'],
    ['Free testosterone', 4.2, '%'],
    ['U-Neutrofila', 3.1, '10*9/L'],
  ])('wait where they may be of something else: %s %d %s', async (name, value, unit) => {
    const found = await becomes(String(name), String(value), String(unit))
    expect(biomarkers.some(({ id }) => id === found)).toBe(false)
  })
})

describe('answers by names of other languages', () => {
  it.each([
    ['Sífilis (anticorpos totais de Treponema pallidum)', 'Não reativo', 'treponema_pallidum_antibody'],
    ['Okkultes Blut (iFOBT)', 'negativ', 'occult_blood'],
    ['Sang occulte dans les selles', 'négatif', 'occult_blood'],
    ['Sangue occulto nelle feci', 'negativo', 'occult_blood'],
    ['Okkultes Blut', 'negativ', 'notANumber'],
  ])('are known, unless the name may mean another test: %s', async (name, answer, expected) => {
    expect(await becomes(name, answer, '')).toBe(expected)
  })

  it('are numbers in their own unit alone: APS', async () => {
    expect(await becomes('APS', '0,94', 'µg/L')).toBe('psa')
    expect(await becomes('APS', '12', 'GPL')).not.toBe('psa')
  })
})
