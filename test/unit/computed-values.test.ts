import { biomarkers as catalogue } from '@kitlane/lab-reader/facts/biomarkers'
import type { NewNumber } from '@kitlane/lab-reader/identify/result'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Biomarker } from '../../src/modules/catalogue/schema.ts'
import { formulas } from '../../src/modules/reports/judge/formulas.ts'
import { type JudgedReport, judgeReport } from '../../src/modules/reports/judge/judge.ts'
import type { BiomarkerEntry } from '../../src/modules/reports/schema.ts'
import { runsOf } from '../harness/sample.ts'

const byId = new Map(catalogue.map((one) => [one.id, one]))
const get = (id: string): Biomarker => byId.get(id) ?? expect.fail(`no biomarker ${id}`)

const computed = catalogue.filter(({ derived }) => derived)
const panel = [...new Set(computed.flatMap(({ id, derived }) => [id, ...(derived?.inputs ?? [])]))]
const measured = panel.filter((id) => !get(id).derived)
const adult = { subject: { sex: 'F' as const, ageYears: 41, fasting: true }, labErrors: [] as string[] }

/** A value between a fifth and all of what is usual: printed, as laboratories do, with the biomarker's decimals. */
const usual: Record<string, [number, number]> = {
  hba1c: [4, 9],
  glucose: [50, 250],
  insulin: [1, 60],
  triglycerides: [30, 600],
  hdl: [20, 100],
  total_cholesterol: [90, 350],
  tibc: [200, 500],
  iron: [20, 250],
  apo_b: [30, 200],
  apo_a1: [60, 250],
  total_testosterone: [10, 1200],
  shbg: [5, 250],
  albumin: [2, 5.5],
  cortisol: [1, 40],
  dhea_s: [20, 600],
  lh: [0.5, 60],
  fsh: [0.5, 80],
  total_protein: [4.5, 9],
  bun: [3, 80],
  creatinine: [0.3, 8],
  neutrophils_abs: [0.5, 15],
  lymphocytes_abs: [0.3, 6],
}
const resultOf = (id: string, share: number): NewNumber => {
  const [low, high] = usual[id] ?? expect.fail(`no usual values of ${id}`)
  const { unit, decimals } = get(id)
  return { biomarkerId: id, value: Number((low + share * (high - low)).toFixed(decimals)), unit, fasting: true }
}
const share = fc.double({ min: 0, max: 1, noNaN: true })
const someResults = fc
  .tuple(fc.subarray(measured, { minLength: 2 }), fc.array(share, { minLength: 40, maxLength: 40 }))
  .map(([ids, shares]) => ids.map((id, index) => resultOf(id, shares[index] ?? 0)))

const judge = (results: NewNumber[], more: Partial<Parameters<typeof judgeReport>[0]> = {}): JudgedReport =>
  judgeReport({ catalogue, panel, results, previous: [], ...adult, ...more })
const calculatedIn = ({ entries }: JudgedReport) => entries.filter(({ type }) => type === 'calculated')
const plain = (entries: readonly BiomarkerEntry[]) => JSON.parse(JSON.stringify(entries))

/** All that a value was computed from, down to what was measured. */
const measuredInputs = (id: string, given: ReadonlySet<string>): string[] =>
  (get(id).derived?.inputs ?? []).flatMap((one) => (given.has(one) ? [one] : measuredInputs(one, given)))

const check = (property: (results: NewNumber[], pick: number) => void) =>
  fc.assert(fc.property(someResults, fc.nat(), property), { numRuns: runsOf(300) })

describe('a computed value', () => {
  test('is what its formula makes of the values that the report shows', () => {
    check((results) => {
      const { entries } = judge(results)
      const values = new Map(entries.map(({ id, result }) => [id, result]))
      const isCalculated = new Set(entries.filter(({ type }) => type === 'calculated').map(({ id }) => id))
      for (const { id, result } of entries.filter((one) => isCalculated.has(one.id))) {
        const { derived, decimals } = get(id)
        const ids = (derived?.inputs ?? []).filter((one) => typeof values.get(one) === 'number')
        if (
          !derived ||
          ids.length < derived.inputs.filter((one) => one !== 'albumin' || id !== 'free_testosterone').length
        )
          continue
        // An input that is computed itself is shown rounded, and may be half a step away. Every formula rises or falls
        // with each of its inputs alone, so the corners bound it.
        const corners = ids
          .map((one) => {
            const half = isCalculated.has(one) ? 0.5 * 10 ** -get(one).decimals : 0
            return [-half, half].map((by) => (values.get(one) ?? Number.NaN) + by)
          })
          .reduce<number[][]>((all, ends) => all.flatMap((given) => ends.map((end) => [...given, end])), [[]])
          .map((inputs) => formulas[derived.formula](inputs, adult.subject) ?? Number.NaN)
        const [low, high] = [Math.min(...corners), Math.max(...corners)]
        const rounding = (0.5 + 1e-9) * 10 ** -decimals + 1e-9 * Math.abs(high)
        expect(result, id).toBeGreaterThanOrEqual(low - rounding)
        expect(result, id).toBeLessThanOrEqual(high + rounding)
      }
    })
  })

  test('adds up: VLDL, LDL and HDL are the cholesterol, non-HDL is the rest, and globulin with albumin the protein', () => {
    check((results) => {
      const values = new Map(judge(results).entries.map(({ id, result }) => [id, result ?? Number.NaN]))
      const adds = (parts: string[], whole: string, within: number) => {
        const found = [...parts, whole].map((id) => values.get(id))
        if (found.some((one) => one === undefined)) return
        const sum = parts.reduce((total, id) => total + (values.get(id) ?? 0), 0)
        expect(Math.abs(sum - (values.get(whole) ?? 0)), `${parts} ${whole}`).toBeLessThanOrEqual(within)
      }
      adds(['vldl', 'ldl', 'hdl'], 'total_cholesterol', 1.5)
      adds(['non_hdl', 'hdl'], 'total_cholesterol', 1)
      adds(['globulin', 'albumin'], 'total_protein', 0.11)
      adds(['uibc', 'iron'], 'tibc', 1)
    })
  })

  test('is not computed where the laboratory sent it, and counts for no more in the scores then', () => {
    check((results, pick) => {
      const first = judge(results)
      const found = calculatedIn(first).filter(({ result }) => result !== null)
      const one = found[pick % Math.max(1, found.length)]
      if (!one || one.result === null) return
      const sent = { biomarkerId: one.id, value: one.result, unit: one.unit, fasting: true }
      const again = judge([...results, sent])
      expect(again.entries.filter(({ id }) => id === one.id)).toMatchObject([{ type: 'measured', result: one.result }])
      if (get(one.id).derived?.measurable) return
      const weightIn = ({ entries }: JudgedReport) => entries.find(({ id }) => id === one.id)?.category.weight ?? 0
      if (one.id !== 'eag') expect(weightIn(again), one.id).toBe(weightIn(first))
    })
  })

  test('of a corrected input is the same as if the correction had come first', () => {
    check((results, pick) => {
      const wrong = results[pick % results.length]
      if (!wrong) return
      const corrected = resultOf(wrong.biomarkerId, (pick % 97) / 97)
      const { entries: previous } = judge(results)
      const after = judge([{ ...corrected, isCorrected: true }], { previous })
      const fresh = judge(results.map((one) => (one === wrong ? { ...corrected, isCorrected: true } : one)))
      expect(plain(calculatedIn(after))).toEqual(plain(calculatedIn(fresh)))
    })
  })

  test('goes with an input that is withdrawn, below what can be detected, or missing', () => {
    check((results, pick) => {
      const one = results[pick % results.length]
      if (!one) return
      const rest = results.filter((other) => other !== one)
      const fresh = plain(calculatedIn(judge(rest)))
      const { entries: previous } = judge(results)
      const withdrawn = judge([], { previous, withdrawn: [one.biomarkerId] })
      expect(plain(calculatedIn(withdrawn))).toEqual(fresh)
      const censored = judge([{ ...one, comparator: '<' }], { previous })
      // Free testosterone takes a usual albumin where none was measured.
      for (const { id } of calculatedIn(censored)) {
        const inputs = measuredInputs(id, new Set(results.map(({ biomarkerId }) => biomarkerId)))
        expect(
          inputs.filter((input) => input !== 'albumin'),
          id,
        ).not.toContain(one.biomarkerId)
      }
    })
  })

  test('of a preliminary input is preliminary, and of a spoilt one says so', () => {
    check((results, pick) => {
      const one = results[pick % results.length]
      if (!one) return
      const given = new Set(results.map(({ biomarkerId }) => biomarkerId))
      const entries = calculatedIn(
        judge(results.map((other) => (other === one ? { ...one, preliminary: true } : other))),
      )
      for (const { id, preliminary } of entries) {
        expect(preliminary ?? false, id).toBe(measuredInputs(id, given).includes(one.biomarkerId))
      }
      for (const { id, note } of calculatedIn(judge(results, { labErrors: ['HEMOLYSIS'] }))) {
        const isSpoilt = ['iron', 'insulin'].some(
          (input) => get(id).derived?.inputs.includes(input) && given.has(input),
        )
        expect(note?.includes('red cells had burst') ?? false, id).toBe(isSpoilt)
      }
    })
  })

  test('of a fasting formula is not computed of a sample that is not', () => {
    const lipids = ['total_cholesterol', 'hdl', 'triglycerides'].map((id) => ({ ...resultOf(id, 0.2), fasting: false }))
    const ids = calculatedIn(judge(lipids)).map(({ id }) => id)
    expect(ids).toEqual(expect.not.arrayContaining(['ldl', 'vldl', 'ldl_hdl_ratio']))
    expect(ids).toEqual(expect.arrayContaining(['non_hdl', 'total_hdl_ratio']))
  })

  test('that divides a mass by another says so, since moles would make another number', () => {
    for (const { id, derived, displayUnit } of computed) {
      if (derived?.formula !== 'ratio') continue
      const [a, b] = derived.inputs.map((input) => get(input))
      const isOfMolar = a?.molarMass !== undefined && b?.molarMass !== undefined && a.molarMass !== b.molarMass
      if (isOfMolar && id !== 'apob_apoa1_ratio') expect(displayUnit, id).toMatch(/^(mg\/mg|ug\/ug)$/)
    }
  })
})
