import { readFileSync } from 'node:fs'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { convert } from '@kitlane/lab-reader/facts/convert'
import specimenTable from '@kitlane/lab-reader/facts/data/specimens.json' with { type: 'json' }
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import infections from '@kitlane/lab-reader/identify/infection-codes.json' with { type: 'json' }
import { hasCheckDigit } from '@kitlane/lab-reader/identify/loincs'
import { describe, expect, test } from 'vitest'
import type { Biomarker } from '../../src/modules/catalogue/schema.ts'
import { loinc } from '../harness/loinc.ts'

const codesOf = ({ loinc, loincAlternates, loincWholeBlood }: Biomarker) =>
  [loinc, ...loincAlternates, ...loincWholeBlood].filter((code) => code !== undefined)
const mapped = biomarkers.flatMap((biomarker) => codesOf(biomarker).map((code) => ({ code, biomarker })))
const known = loinc.codes

const columns = ['code', 'component', 'property', 'time', 'system', 'scale', 'method', 'unit', 'name', 'mass'] as const
type Axes = Record<(typeof columns)[number], string>
const axes = new Map(
  readFileSync(new URL('../harness/loinc-axes.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split('\t'))
    .map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Axes)
    .map((row) => [row.code, row]),
)
const compare = (check: (biomarker: Biomarker, row: Axes, about: string) => boolean | undefined) => {
  const wrong: string[] = []
  let compared = 0
  for (const { code, biomarker } of mapped) {
    const row = axes.get(code)
    const about = `${biomarker.id} ${code} ${Object.values(row ?? {}).join(' | ')}`
    const fits = row && check(biomarker, row, about)
    if (fits !== undefined) compared += 1
    if (fits === false) wrong.push(about)
  }
  return { compared, wrong }
}

/** What a unit measures, as far as LOINC's properties tell it apart. https://loinc.org/kb/users-guide/ */
const dimensions: [RegExp, string][] = [
  [/^[kmunpf]?g\/[dcmu]?L(\{\w+\})?$/, 'mass/volume'],
  [/^[kmunpf]?mol\/[dcmu]?L$/, 'moles/volume'],
  [/^(10\*-?\d+\.|[kmu])?(\[IU\]|\[iU\]|\[arb'U\]|\[\wPL'U\]|U)(\/m?L)?$/, 'units/volume'],
  [/^(10\*\d+)?\/u?L$/, 'count/volume'],
  [/^(%|1|\/?10\*\d+|\{ratio\}|\{INR\}|m?g\/m?mol\{creat\}|mol\/mol\{creat\}|kg\/mol|[mun]?g\/m?g)$/, 'share'],
  [/^m(osm|mol)\/kg$/, 'osmolality'],
  [/^mL\/min(\/\{1\.73_m2\})?$/, 'rate'],
]
const dimensionOf = (unit: string) => dimensions.find(([pattern]) => pattern.test(unit))?.[1] ?? unit.toLowerCase()

const dimensionOfProperty: Record<string, string> = {
  MCnc: 'mass/volume',
  SCnc: 'moles/volume',
  ACnc: 'units/volume',
  CCnc: 'units/volume',
  NCnc: 'count/volume',
  EntVol: 'fl',
  EntMass: 'pg',
  Time: 's',
  Vel: 'mm/h',
  Osmol: 'osmolality',
}
const shares = /^(\*Rto|MRto|SRto|TRto|Ratio|MFr|NFr|VFr|SFr|Rel\w+|Rden|MCnt|MRat)$/

function measures(biomarker: Biomarker, dimension: string): boolean {
  const own = dimensionOf(biomarker.unit)
  const isMassOrMoles = (one: string) => one === 'mass/volume' || one === 'moles/volume'
  return own === dimension || (biomarker.molarMass !== undefined && isMassOrMoles(own) && isMassOrMoles(dimension))
}

const isFinding = ({ scale }: Biomarker) => scale !== undefined && scale.kind !== 'titre'

describe('a LOINC code, compared with the six axes of a second source', () => {
  test('names a specimen that its biomarker may come from', () => {
    const { compared, wrong } = compare((biomarker, { system }) => {
      if (!system || system === 'Retic') return undefined
      const named = specimenTable.specimens.filter(({ loinc }) => loinc.includes(system)).map(({ id }) => id)
      return named.some((id) => biomarker.specimens?.includes(id))
    })
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(800)
  })

  test('has a property of the dimension of its unit', () => {
    const { compared, wrong } = compare((biomarker, { property }) => {
      if (!property || isFinding(biomarker) || property === 'LsCnc' || property === 'Titr') return undefined
      if (property === 'Naric') return biomarker.unit === '/[HPF]'
      if (shares.test(property)) return measures(biomarker, 'share')
      return measures(biomarker, dimensionOfProperty[property] ?? property)
    })
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(400)
  })

  test('has a reference unit that converts to its unit', () => {
    const { compared, wrong } = compare((biomarker, { unit, property }) => {
      // The source has no unit for arbitrary units of one test.
      if (property === 'ACnc' && unit === '1') return undefined
      if (!unit || isFinding(biomarker) || unit === '[pH]' || biomarker.scale) return undefined
      return convert(biomarker, 1, unit) !== undefined || measures(biomarker, dimensionOf(unit))
    })
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(600)
  })

  test('is ordinal where the result is a finding, and quantitative where it is a number', () => {
    const { compared, wrong } = compare((biomarker, { scale, property }) => {
      if (!scale) return undefined
      return isFinding(biomarker) ? scale === 'Ord' && property === 'PrThr' : scale === 'Qn'
    })
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(700)
  })

  test('is of one point in time, or a concentration in urine of 24 hours', () => {
    const { compared, wrong } = compare((biomarker, { time, property }) => {
      if (!time) return undefined
      return time === 'Pt' || (time === '24H' && biomarker.id.endsWith('_urine') && /^[MS]Cnc$/.test(property))
    })
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(800)
  })

  test('has the method that its biomarker is defined by', () => {
    const { wrong } = compare(({ id }, { method }) => {
      if (id === 'hs_crp') return /^(HS|High sensitivity)$/.test(method)
      if (id === 'crp') return !/^(HS|High sensitivity)$/.test(method)
      if (id === 'egfr') return method === 'CKD-EPI 2021'
      if (/strip/.test(method.toLowerCase())) return /strip|urine/.test(id)
      return undefined
    })
    expect(wrong).toEqual([])
  })

  test('agrees with the property and component that the catalogue keeps of it', () => {
    const { wrong } = compare((_, { code, property, component }) => {
      const own = known[code]
      const isRatio = property === '*Rto' && /Rto|Ratio/.test(own?.property ?? '')
      const sameProperty = !property || !own?.property || property === own.property || isRatio
      const names = [component, component.replace('SARS coronavirus 2', 'SARS-CoV-2 (COVID-19)')]
      return sameProperty && (component === '' || names.includes(own?.component ?? ''))
    })
    expect(wrong).toEqual([])
  })

  test('is complete in at least 400 codes', () => {
    const whole = mapped.filter(({ code }) => {
      const { property, time, system, scale } = axes.get(code) ?? {}
      return property && time && system && scale
    })
    expect(whole.length).toBeGreaterThan(800)
  })
})

/** LOINC's words for what a biomarker's name says otherwise. Each pair was read by a person; none follows from a rule. */
const sameAs: Record<string, string> = {
  uric_acid: 'Urate',
  uric_acid_urine: 'Urate',
  vitamin_d: 'Calcidiol+ercalcidiol',
  calcitriol: 'Calcitriol',
  vitamin_a: 'Retinol',
  vitamin_b1: 'Thiamine',
  vitamin_b6: 'Pyridoxal phosphate',
  vitamin_b12: 'Cobalamins',
  vitamin_c: 'Ascorbate',
  vitamin_e: 'Tocopherols',
  vitamin_k: 'Phytonadione',
  mma: 'Methylmalonate',
  vma_urine: 'Vanillylmandelate',
  hva_urine: 'Homovanillate',
  triglycerides: 'Triglyceride',
  phospholipids: 'Phospholipid',
  apob_apoa1_ratio: 'Apolipoprotein B/Apolipoprotein A-I',
  hs_crp: 'C reactive protein',
  fsh: 'Follitropin',
  lh: 'Lutropin',
  tsh: 'Thyrotropin',
  acth: 'Corticotropin',
  growth_hormone: 'Somatotropin',
  hcg: 'Choriogonadotropin',
  igf_1: 'Insulin-like growth factor-I',
  free_t4: 'Thyroxine.free',
  total_t4: 'Thyroxine',
  free_t3: 'Triiodothyronine.free',
  total_t3: 'Triiodothyronine',
  dhea: 'Dehydroepiandrosterone',
  dht: 'Androstanolone',
  tpo_ab: 'Thyroperoxidase Ab',
  phosphorus: 'Phosphate',
  wbc: 'Leukocytes',
  rbc: 'Erythrocytes',
  platelets_immature: 'Platelets.reticulated/100 platelets',
  pt_pct: 'Coagulation tissue factor induced actual/Normal',
  aptt: 'Coagulation surface induced',
  drvvt_ratio:
    'Coagulation dilute Russell viper venom induced/Coagulation dilute Russell viper venom induced.excess phospholipid',
  iga: 'IgA',
  igd: 'IgD',
  igg: 'IgG',
  igm: 'IgM',
  bnp: 'Natriuretic peptide.B',
  nt_probnp: 'Natriuretic peptide.B prohormone N-Terminal',
  ck_mb_mass: 'Creatine kinase.MB',
  ck_mb_activity: 'Creatine kinase.MB',
  cea: 'Carcinoembryonic Ag',
  scc: 'Squamous cell carcinoma Ag',
  cyfra_21_1: 'Cytokeratin 19',
  psa_free: 'Prostate specific Ag.free',
  psa_free_pct: 'Prostate specific Ag.free/Prostate specific Ag.total',
  anti_ccp: 'Cyclic citrullinated peptide Ab',
  anti_mcv: 'Mutated citrullinated vimentin Ab',
  anti_dsdna: 'DNA double strand Ab',
  anti_ssdna: 'DNA single strand Ab',
  anti_rnp: 'Ribonucleoprotein extractable nuclear Ab',
  anti_ssa: 'Sjogrens syndrome-A extractable nuclear Ab',
  anti_ssb: 'Sjogrens syndrome-B extractable nuclear Ab',
  anti_mpo: 'Myeloperoxidase Ab',
  anti_gbm: 'Glomerular basement membrane Ab',
  ia2: 'Islet cell 512 Ab',
  ana_screen: 'Nuclear Ab',
  ana_titre: 'Nuclear Ab',
  anca_screen: 'Neutrophil cytoplasmic Ab',
  ph_urine: 'pH',
  hemoglobin_strip: 'Hemoglobin',
  occult_blood: 'Hemoglobin.gastrointestinal',
  pneumococcus_urine: 'Streptococcus pneumoniae Ag',
  rsv_antibody: 'Respiratory syncytial virus Ab',
  hpv: 'Human papilloma virus DNA',
}
const fillers = /^(and|the|serum|total|urine|free|virus|antibody|antigen|blood)$/
const words = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z]{3,}|\d+/g)
    ?.filter((word) => !fillers.test(word)) ?? []
const classes = ['IgA', 'IgD', 'IgG', 'IgM', 'free', 'ionized', 'reverse'] as const
const classesIn = (text: string) =>
  classes.filter((one) => new RegExp(`(?<![a-z])${one}(?![a-z])`, 'i').test(text.replaceAll('Immunoglobulin ', 'Ig')))

describe('the LOINC component of a code', () => {
  test('is the substance that the biomarker is named after', () => {
    const wrong = mapped.flatMap(({ code, biomarker: { id, label } }) => {
      const component = (known[code]?.component ?? '').replace(/\^.*$/, '')
      if (component.endsWith(' Ab.IgE') || !known[code]?.property) return []
      const isNamed = sameAs[id]
        ? sameAs[id] === component || component.startsWith('Cobalamin')
        : words(component).some((word) => words(label).includes(word))
      return isNamed ? [] : [`${id} ${code}: ${label} is not ${component}`]
    })
    expect(wrong).toEqual([])
  })

  test('is of the same class of antibody, and free or bound, as the name says', () => {
    const wrong = mapped.flatMap(({ code, biomarker: { id, label } }) => {
      const component = known[code]?.component ?? ''
      const same = classesIn(component).join() === classesIn(label).join()
      return same || component.endsWith(' Ab.IgE') ? [] : [`${id} ${code}: ${label}, ${component}`]
    })
    expect(wrong).toEqual([])
  })
})

/** How English short names of LOINC begin, for the components of the list of infections. */
const shortNames: [RegExp, RegExp][] = [
  [/^Chlamydia trachomatis/, /^C trach/],
  [/^Neisseria gonorrhoeae/, /^N gonorrhoea/],
  [/^HIV/, /^HIV|^Deprecated HIV/],
  [/^Hepatitis B/, /^HBV|^HBc|^HBe/],
  [/^Hepatitis C/, /^HCV/],
  [/^Herpes simplex/, /^HSV/],
  [/^Human papilloma/, /^HPV/],
  [/^Treponema pallidum/, /^T pallidum/],
  [/^Reagin Ab/, /^(RPR|VDRL|Reagin)/],
  [/^Trichomonas vaginalis/, /^T vaginalis/],
  [/^Mycoplasma genitalium/, /^M genitalium/],
  [/^Mycobacterium|^Microscopic observation/, /^(M TB|Mycobacterium|Acid fast)/],
  [/^SARS/, /^SARS/],
]

describe('the list of infections by LOINC code', () => {
  test('has codes with right check digits, each once, and of the organism that it says', () => {
    const all = Object.entries(infections.codes).flatMap(([component, codes]) =>
      codes.split(' ').map((code) => ({ component, code })),
    )
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
    let compared = 0
    for (const { component, code } of all) {
      expect(hasCheckDigit(code), code).toBe(true)
      const name = axes.get(code)?.name
      const pair = shortNames.find(([of]) => of.test(component))
      expect(pair, component).toBeDefined()
      if (name) {
        compared += 1
        expect(name, `${code} ${component}`).toMatch(pair?.[1] ?? /^$/)
      }
    }
    expect(compared).toBeGreaterThan(150)
  })
})

/** What a home-test company tests for, by codes with names that say nothing. */
const homeTests = {
  chlamydia: ['43304-5', '21613-5', '42931-6', '53926-2'],
  gonorrhoea: ['43305-2', '24111-7', '60256-5', '53879-3'],
  trichomonas: ['69937-1', '46154-1'],
  mycoplasma: ['69935-5'],
  'HIV antibodies, antigen and RNA': ['31201-7', '48345-3', '56888-1', '20447-9', '5018-7', '30361-0'],
  syphilis: ['20507-0', '20508-8', '31147-2', '5292-8', '24110-9', '47236-5', '47238-1'],
  'hepatitis B': ['5195-3', '5196-1', '42595-9', '31204-1'],
  'hepatitis C': ['16128-1', '11011-4', '11259-9'],
  herpes: ['16130-7', '16131-5', '20444-6'],
  HPV: ['77379-6', '82675-0', '71431-1', '75694-0', '59420-0'],
}

describe('an answer of a home test for an infection', () => {
  const answer = (loinc: string, valueText: string) => {
    const sent = { name: 'LAB 4711', loinc, valueText, status: 'final' as const, position: '1', raw: '' }
    return identifyObservations([sent], biomarkers)
  }
  test.each(Object.entries(homeTests))(
    'of %s calls a person unless it is clearly negative, by its code alone',
    (_, codes) => {
      for (const code of codes) {
        for (const word of ['Detected', 'Reactive', 'Indeterminate', 'see comment']) {
          expect(answer(code, word).unmatched[0]?.sent.calls, `${code} ${word}`).toBe('infection')
        }
        expect(answer(code, 'Not detected').unmatched[0]?.sent.calls, code).toBeUndefined()
      }
    },
  )

  test.each([
    ['43304-5', 'Chlamydia trachomatis rRNA [Presence] in Specimen by NAA with probe detection', 'chlamydia'],
    ['43305-2', 'Neisseria gonorrhoeae, NAA', 'gonorrhoeae'],
    ['69937-1', 'Trichomonas vaginalis, NAA', 'trichomonas_vaginalis'],
    ['69935-5', 'Mycoplasma genitalium, NAA', 'mycoplasma_genitalium'],
    ['31201-7', 'HIV 1/2 Antibodies', 'hiv_1_2_antibody'],
    ['16131-5', 'HSV-2 DNA', 'herpes_simplex_2_dna'],
    ['49891-5', 'HPV DNA', 'hpv'],
  ])('of LOINC %s is read as negative where it is, and as positive where it is', (loinc, name, biomarkerId) => {
    for (const [valueText, value] of [
      ['Not detected', 'negative'],
      ['Detected', 'positive'],
    ] as const) {
      const sent = { name, loinc, valueText, status: 'final' as const, position: '1', raw: '' }
      expect(identifyObservations([sent], biomarkers).results).toMatchObject([{ biomarkerId, finding: { value } }])
    }
  })
})
