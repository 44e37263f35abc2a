import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { describe, expect, test } from 'vitest'
import { judgeNumber } from '../../src/modules/reports/judge/entry.ts'
import type { BiomarkerEntry } from '../../src/modules/reports/schema.ts'
import { openSample, type Sample } from '../harness/sample.ts'
import { type VerdictCase, verdictCases } from '../harness/verdict-cases.ts'
import { contradictionsOf } from '../harness/verdict-contradictions.ts'

const numeric = biomarkers.filter(({ scale }) => !scale || scale.kind === 'titre')

const adult = { subject: { sex: 'F' as const, ageYears: 41 }, labErrors: [] }

type Judge = (one: VerdictCase) => BiomarkerEntry
const judge: Judge = ({ biomarker, subject, given }) => judgeNumber(biomarker, given, { subject, labErrors: [] })

/** By whose interval, in which unit: of each biomarker that is drawn, each of these is judged. */
const groupOf = ({ interval, given }: VerdictCase) => `${interval} ${given.unit}`

/** How many cases there are, how many were judged, and which kinds of contradictions, each with its first case. */
function run(sample: Sample) {
  const found = new Map<string, { times: number; first: string }>()
  let [cases, judged] = [0, 0]
  const chosen = sample.draw(numeric, () => 'all', 4)
  for (const biomarker of chosen) {
    const all = [...verdictCases(biomarker)]
    cases += all.length
    for (const one of sample.draw(all, groupOf, 40)) {
      judged++
      const entry = judge(one)
      for (const kind of contradictionsOf(one, entry)) {
        const known = found.get(kind)
        if (known) known.times++
        else found.set(kind, { times: 1, first: described(one, entry) })
      }
    }
  }
  return { biomarkers: chosen.length, cases, judged, found: Object.fromEntries(found) }
}

const described = ({ biomarker, subject, given, sides, interval }: VerdictCase, entry: BiomarkerEntry) => {
  const { result, state, interpretation, deviationScore, note, ranges } = entry
  const said = { result, state, interpretation, deviationScore, note, inRange: ranges.inRange, optimal: ranges.optimal }
  return JSON.stringify({ id: biomarker.id, subject, given, sides, interval, said })
}

describe('every biomarker, at, just inside and just outside each limit, with every flag, in every unit', () => {
  test('has a verdict that contradicts neither the laboratory nor itself', () => {
    const { biomarkers: chosen, cases, judged, found } = run(openSample('verdict matrix'))
    const kinds = `${Object.keys(found).length} kinds of contradictions`
    process.stdout.write(`verdict matrix: ${chosen} biomarkers, ${judged} of ${cases} cases, ${kinds}\n`)
    expect(found).toEqual({})
    expect(cases / chosen).toBeGreaterThan(800)
  })
})

describe('what is plausible', () => {
  const read = ({ label, unit, loinc }: Biomarker, value: number) => {
    const observation = { name: label, value, valueText: String(value), unit, status: 'final' as const }
    return identifyObservations(
      [{ ...observation, ...(loinc && { loinc }), section: 'serum', position: '1', raw: '' }],
      biomarkers,
    )
  }

  test('is asked before anything is rounded: the least and the most are results, and what is beyond waits', () => {
    const wrong = numeric.flatMap((biomarker) => {
      const { id, plausible } = biomarker
      const { min, max } = plausible
      const inside = [min, max].filter((value) => read(biomarker, value).results.length !== 1)
      const shown = [min, max].filter((value) => {
        const { result } = judgeNumber(biomarker, { biomarkerId: id, value, unit: biomarker.unit }, adult)
        return result === null || (result === 0 && value !== 0)
      })
      const outside = [min - Math.abs(min) * 1e-6 - 1e-9, max * (1 + 1e-6)].filter(
        (value) => read(biomarker, value).unmatched[0]?.code !== 'implausible',
      )
      return [...inside, ...shown, ...outside].map((value) => `${id} ${value}`)
    })
    expect(wrong).toEqual([])
  })
})

describe('the matrix finds', () => {
  const some = numeric.filter(({ id }) => ['glucose', 'potassium', 'tsh', 'ldl', 'hba1c'].includes(id))
  const wrong: [string, Judge, RegExp][] = [
    [
      'a judge that rounds before it compares',
      (one) => {
        const { decimals } = one.biomarker
        return judge({ ...one, given: { ...one.given, value: roundTo(one.given.value, Math.max(0, decimals - 1)) } })
      },
      /side is not that of the printed numbers/,
    ],
    [
      "a judge that does not hear the laboratory's flag",
      (one) => ({ ...judge({ ...one, given: { ...one.given, labFlag: 'U' } }), labFlag: one.given.labFlag ?? '' }),
      /good, and the laboratory flagged it/,
    ],
    [
      'a judge that takes < for ≤',
      (one) => {
        const { labRange } = one.given
        const loose = labRange && { low: labRange.low, high: labRange.high }
        return judge({ ...one, given: { ...one.given, ...(loose && { labRange: loose }) } })
      },
      /side is not that of the printed numbers/,
    ],
    [
      'a judge that takes a child for an adult',
      (one) => judge({ ...one, subject: { ...one.subject, ageYears: 41 } }),
      /judges whom it is not for/,
    ],
  ]
  test.each(wrong)('%s', (_, by, kind) => {
    const finds = (one: VerdictCase) => contradictionsOf(one, by(one)).some((found) => kind.test(found))
    expect(some.some((biomarker) => [...verdictCases(biomarker)].some(finds))).toBe(true)
  })
})
