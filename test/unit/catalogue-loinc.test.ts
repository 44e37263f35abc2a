import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import specimenTable from '@kitlane/lab-reader/facts/data/specimens.json' with { type: 'json' }
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { hasCheckDigit } from '@kitlane/lab-reader/identify/loincs'
import { describe, expect, test } from 'vitest'
import { loinc as facts } from '../harness/loinc.ts'

// A titre is a number.
const qualitative = new Set(biomarkers.flatMap(({ id, scale }) => (scale && scale.kind !== 'titre' ? [id] : [])))
const codesOf = ({ loinc, loincAlternates, loincWholeBlood }: Biomarker) =>
  [loinc, ...loincAlternates, ...loincWholeBlood].filter((code) => code !== undefined)

/** Which units a LOINC property may be printed in. https://loinc.org/kb/users-guide/ (properties) */
const units: Record<string, RegExp> = {
  MCnc: /^[kmunpf]?g\/[dcmu]?L(\{\w+\})?$/,
  SCnc: /^([kmunpf]?mol\/[dcmu]?L)$/,
  ACnc: /^([kmu]?\[IU\]|\[arb'U\])\/m?L$/,
  CCnc: /^U\/L$/,
  NCnc: /^(10\*[36])?\/uL$/,
  Naric: /^\/\[HPF\]$/,
  MCnt: /^[mun]?g\/m?g$/,
  EntVol: /^fL$/,
  EntMass: /^pg$/,
  Time: /^s$/,
  Osmol: /^mosm\/kg$/,
  ArVRat: /^mL\/min\/\{1\.73_m2\}$/,
  Vel: /^mm\/h$/,
  LsCnc: /^\[pH\]$/,
  Titr: /^\{titer\}$/,
}
const shares = /^(%|\{ratio\}|\{INR\}|g\/mmol\{creat\}|mg\/mmol\{creat\}|mol\/mol\{creat\})$/
for (const property of [
  'NFr',
  'MFr',
  'VFr',
  'SFr',
  'Ratio',
  'MRto',
  'SRto',
  'TRto',
  'RelTime',
  'RelACnc',
  'RelMCnc',
  'RelCCnc',
  'Rden',
])
  units[property] = shares

/** Two names of LOINC for what laboratories report as one. Fasting and morning specimens are the same component. */
const sameComponent: Record<string, string> = {
  Cobalamins: 'Cobalamin (Vitamin B12)',
  // Amplification finds either; the answer is of the same infection.
  'Chlamydia trachomatis rRNA': 'Chlamydia trachomatis DNA',
  'Neisseria gonorrhoeae rRNA': 'Neisseria gonorrhoeae DNA',
}
const componentOf = (code: string) => {
  const component = facts.codes[code]?.component.replace(/\^.*$/, '') ?? ''
  return sameComponent[component] ?? component
}

describe('every LOINC code of the catalogue', () => {
  test('is in the copies that were looked up, with a right check digit', () => {
    expect(facts.notice).toContain('LOINC')
    for (const biomarker of biomarkers) {
      for (const code of codesOf(biomarker)) {
        expect(hasCheckDigit(code), code).toBe(true)
        expect(facts.codes[code]?.component, `${biomarker.id} ${code}`).toBeTruthy()
        expect(facts.codes[code]?.copies, code).toMatch(/^[A-E]+$/)
      }
    }
    const used = new Set(biomarkers.flatMap(codesOf))
    expect(Object.keys(facts.codes).filter((code) => !used.has(code))).toEqual([])
  })

  test('means the same component as the others of its biomarker', () => {
    for (const biomarker of biomarkers) {
      const components = new Set(codesOf(biomarker).map(componentOf))
      expect(
        [biomarker.id, ...components].length,
        `${biomarker.id}: ${[...components].join(', ')}`,
      ).toBeLessThanOrEqual(2)
    }
  })

  test('has a property that fits the unit, and a scale that fits the kind of result', () => {
    let unknown = 0
    for (const biomarker of biomarkers) {
      for (const code of codesOf(biomarker)) {
        const { property, scale } = facts.codes[code] ?? {}
        if (!property) {
          unknown += 1
          continue
        }
        const about = `${biomarker.id} ${code} ${property} ${biomarker.unit}`
        expect(scale, about).toBe(qualitative.has(biomarker.id) ? 'Ord' : 'Qn')
        if (qualitative.has(biomarker.id)) expect(property, about).toBe('PrThr')
        else if (biomarker.molarMass && (property === 'MCnc' || property === 'SCnc'))
          expect(biomarker.unit, about).toMatch(/g\/|mol\//)
        else expect(biomarker.unit, about).toMatch(units[property] ?? /^$/)
      }
    }
    // The copies hold the component of these, and no more.
    expect(unknown).toBeLessThanOrEqual(12)
  })

  test('is of a specimen that its biomarker may come from', () => {
    for (const biomarker of biomarkers) {
      for (const code of codesOf(biomarker)) {
        const system = facts.codes[code]?.system
        if (!system) continue
        const named = specimenTable.specimens.filter(({ loinc }) => loinc.includes(system)).map(({ id }) => id)
        const may = named.some((id) => biomarker.specimens?.includes(id))
        expect(may || system === 'Retic', `${biomarker.id} ${code} ${system}`).toBe(true)
      }
    }
  })
})

/** What LOINC's long names put in brackets for a property: https://loinc.org/kb/users-guide/ */
const namedProperty: Record<string, string[]> = {
  MCnc: ['Mass/volume'],
  SCnc: ['Moles/volume'],
  CCnc: ['Enzymatic activity/volume'],
  ACnc: ['Units/volume'],
  NCnc: ['#/volume'],
  PrThr: ['Presence'],
  MFr: ['Mass fraction'],
  NFr: ['# fraction'],
  VFr: ['Volume Fraction', 'Volume fraction'],
  MRto: ['Mass Ratio', 'Mass ratio'],
  SRto: ['Molar ratio'],
  Titr: ['Titer'],
  EntVol: ['Entitic volume', 'Entitic mean volume'],
  EntMass: ['Entitic mass', 'Entitic mean mass'],
}

describe('the axes of a LOINC code', () => {
  test('agree between the name of one copy and the property, system and scale of another', () => {
    let compared = 0
    const timed: string[] = []
    for (const [code, fact] of Object.entries(facts.codes)) {
      const { property, system, scale, long, short } = fact
      const bracket = /\[([^\]]+)\]/.exec(long ?? '')?.[1]
      if (bracket && property && namedProperty[property]) {
        compared += 1
        expect(namedProperty[property], `${code} ${long} ${property}`).toContain(bracket)
      }
      const suffix = /-([a-zA-Z]+)$/.exec(short ?? '')?.[1]?.toLowerCase()
      if (suffix && property && /cnc|rto|fr$|vol$|mass$/i.test(property) && /cnc$|rto$|fr$|vol$|mass$/.test(suffix)) {
        compared += 1
        expect(property.toLowerCase(), `${code} ${short}`).toBe(suffix)
      }
      if (long && system === 'Urine') expect(long, code).toMatch(/Urine/)
      if (long && system?.startsWith('Ser')) expect(long, code).toMatch(/Serum|Plasma|Blood/)
      if (short && scale === 'Ord') expect(short, code).toMatch(/ Ql|VDRL|RPR|\bQl\b|[Ss]td/)
      if (/24 hour|24h/.test(`${long ?? ''} ${short ?? ''}`)) timed.push(code)
    }
    expect(compared).toBeGreaterThan(400)
    // Time and method have no field in the copies: they are read from names alone. Of a day are only these.
    expect(timed.length).toBe(8)
  })
})

/** Of phosphate its phosphorus is meant. The copy has other masses of gastrin and osteocalcin than their sequences make. */
const otherMasses = ['phosphorus', 'phosphate_urine', 'gastrin', 'osteocalcin']

describe('a molar mass', () => {
  test('is that of the LOINC component in the copy, within 2 %', () => {
    for (const { id, loinc, molarMass } of biomarkers) {
      const published = loinc && facts.masses[facts.codes[loinc]?.component ?? '']
      if (!molarMass || !published || otherMasses.includes(id)) continue
      expect(Math.abs(molarMass / published - 1), `${id} ${molarMass} ${published}`).toBeLessThan(0.02)
    }
  })
})
