import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { Phase } from '@kitlane/lab-reader/facts/schema'
import { describe, expect, it } from 'vitest'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import type { NewResult } from '../../src/modules/reports/judge/new-result.ts'
import { contradicted, countingFacts, type SampleFacts } from '../../src/modules/reports/judge/said.ts'
import { emptyOrigin } from '../../src/modules/reports/origin/rules.ts'
import { collectedOf } from '../../src/modules/reports/versions/said.ts'

const subject = { sex: 'F', ageYears: 34 } as const
const ofMaker: readonly string[] = ['assay_dependent', 'prefer_lab_reference']
// As where a director vouches for the intervals of one maker.
const catalogue = biomarkers
  .filter(({ id }) => ['glucose', 'insulin', 'homa_ir', 'fsh', 'ferritin'].includes(id))
  .map((one) => ({ ...one, flags: one.flags.filter((flag) => !ofMaker.includes(flag)) }))

const yesNo = [undefined, true, false] as const
const phaseChoices: (Phase[] | undefined)[] = [undefined, ...Phase.options.map((one) => [one])]

function* everyFacts(): Generator<SampleFacts> {
  for (const fasting of yesNo)
    for (const phases of phaseChoices)
      for (const pregnant of yesNo)
        yield {
          ...(fasting !== undefined && { fasting }),
          ...(phases && { phases }),
          ...(pregnant !== undefined && { pregnant }),
        }
}

const values: readonly NewResult[] = [
  { biomarkerId: 'glucose', value: 104, unit: 'mg/dL' },
  { biomarkerId: 'insulin', value: 9, unit: 'uIU/mL' },
  { biomarkerId: 'fsh', value: 9, unit: 'm[IU]/mL' },
  { biomarkerId: 'ferritin', value: 40, unit: 'ng/mL' },
]

/** What a laboratory's message says of its sample. */
const stating = ({ fasting, phases, pregnant }: SampleFacts): NewResult[] =>
  values.map((one) => ({
    ...one,
    ...(fasting !== undefined && { fasting }),
    ...(phases && { phases }),
    ...(pregnant !== undefined && { pregnant }),
  }))

const judge = (
  laboratory: SampleFacts,
  said: SampleFacts,
  previous: Parameters<typeof judgeReport>[0]['previous'] = [],
) =>
  judgeReport({
    catalogue,
    panel: catalogue.map(({ id }) => id),
    results: previous.length > 0 ? [] : stating(laboratory),
    previous,
    said,
    labErrors: [],
    subject,
  })
const verdicts = ({ entries }: ReturnType<typeof judge>) =>
  entries.map(({ id, result, state, interpretation, ranges, note }) => ({
    id,
    result,
    state,
    interpretation,
    ranges,
    note,
  }))
const bare = ({ entries }: ReturnType<typeof judge>) =>
  entries.map(({ id, result, state, interpretation }) => [id, result, state, interpretation])
const withoutWords = (report: ReturnType<typeof judge>) => verdicts(report).map(({ note: _, ...rest }) => rest)

describe('who speaks for a sample', () => {
  it('is the laboratory where it speaks, else the person: a plain table says the same of every combination', () => {
    let cases = 0
    for (const laboratory of everyFacts()) {
      for (const person of everyFacts()) {
        const counting = countingFacts(laboratory, person)
        for (const fact of ['fasting', 'phases', 'pregnant'] as const) {
          const [one, other] = [laboratory[fact], person[fact]]
          const who = one !== undefined ? 'laboratory' : other !== undefined ? 'person' : 'nobody'
          expect([counting.laboratory[fact], counting.person[fact]]).toEqual(
            { laboratory: [one, undefined], person: [undefined, other], nobody: [undefined, undefined] }[who],
          )
          const isSame = one === undefined || other === undefined || String(one) === String(other)
          expect(contradicted(laboratory, person).includes(fact)).toBe(!isSame)
          cases++
        }
      }
    }
    expect(cases).toBe(45 * 45 * 3)
  })

  it('judges as if the laboratory had said what only the person says, and marks it', () => {
    for (const person of everyFacts()) {
      const asLaboratory = judge(person, {})
      const asPerson = judge({}, person)
      expect(withoutWords(asPerson), JSON.stringify(person)).toEqual(withoutWords(asLaboratory))
      expect(asPerson.contradictions).toEqual([])
      for (const { id, fasting, phases, pregnant, saidByPerson = [] } of asPerson.entries) {
        const has = {
          fasting: fasting === 'yes' || fasting === 'no',
          phases: phases !== undefined,
          pregnant: pregnant === true,
        }
        for (const fact of ['fasting', 'phases', 'pregnant'] as const)
          if (has[fact]) expect(saidByPerson, `${id} ${fact}`).toContain(fact)
      }
      expect(asLaboratory.entries.flatMap(({ saidByPerson }) => saidByPerson ?? [])).toEqual([])
    }
  })

  it('speaks for a computed value where it speaks for what it is computed from, also if that is computed and not shown', () => {
    const results = [
      { biomarkerId: 'total_cholesterol', value: 190, unit: 'mg/dL' },
      { biomarkerId: 'hdl', value: 55, unit: 'mg/dL' },
      { biomarkerId: 'triglycerides', value: 110, unit: 'mg/dL' },
    ]
    const judged = (panel: string[], said: SampleFacts) =>
      judgeReport({ catalogue: biomarkers, panel, results, previous: [], said, labErrors: [], subject }).entries
    const saidOf = (panel: string[], said: SampleFacts) =>
      judged(panel, said).find(({ id }) => id === 'ldl_hdl_ratio')?.saidByPerson
    expect(saidOf(['ldl', 'ldl_hdl_ratio'], { fasting: true })).toEqual(['fasting'])
    expect(saidOf(['ldl_hdl_ratio'], { fasting: true })).toEqual(['fasting'])
    expect(saidOf(['ldl_hdl_ratio'], {})).toBeUndefined()
  })

  it('keeps the verdict of the laboratory where both speak, and names a contradiction only if a verdict depends on it', () => {
    for (const laboratory of everyFacts()) {
      for (const person of everyFacts()) {
        const both = judge(laboratory, person)
        const named = both.contradictions.map(({ fact }) => fact)
        for (const fact of contradicted(laboratory, person)) {
          const counted = { ...person, ...laboratory }
          const own = { ...counted, [fact]: person[fact] }
          const isSame = JSON.stringify(bare(judge(own, {}))) === JSON.stringify(bare(judge(counted, {})))
          expect(named.includes(fact), `${fact} ${JSON.stringify([laboratory, person])}`).toBe(!isSame)
        }
        expect(named.every((fact) => fact !== 'collected' && contradicted(laboratory, person).includes(fact))).toBe(
          true,
        )
      }
    }
    const [{ fact, laboratory, person, biomarkers } = { fact: '', laboratory: [], person: [], biomarkers: [] }] = judge(
      { fasting: true },
      { fasting: false },
    ).contradictions
    expect({ fact, laboratory, person }).toEqual({ fact: 'fasting', laboratory: ['yes'], person: ['no'] })
    expect(biomarkers).toEqual(['glucose', 'insulin', 'homa_ir'])
  })

  it('changes with what the person says later, and back again, as if it had been said so at once', () => {
    for (const first of everyFacts()) {
      const before = judge({}, first)
      for (const then of [{}, { fasting: true }, { fasting: false, phases: ['luteal' as const] }, { pregnant: true }]) {
        const after = judge({}, then, before.entries)
        expect(after.entries, JSON.stringify([first, then])).toEqual(judge({}, then).entries)
      }
    }
  })
})

describe('the day of a sample', () => {
  const person = (collected?: string) => ({ facts: {}, ...(collected && { collected }) })
  const known = (stated?: string, before?: { collectedDate: string | null; collectedSaid?: string }) => ({
    stated,
    before,
    origin: emptyOrigin,
  })

  it('is the laboratory’s, else that of the person, and waits where they are more than a day apart', () => {
    const moment = '2026-11-27T07:40+01:00'
    expect(collectedOf(known(), person())).toEqual({ collectedDate: null, contradictions: [] })
    // At the date line two days touch at one instant: 2026-11-29T10:00Z.
    const said = { facts: {}, collected: '2026-11-30', zone: 'Pacific/Kiritimati' }
    expect(collectedOf(known('2026-11-28T23:00:00-11:00'), said).contradictions).toEqual([])
    expect(collectedOf(known('2026-11-28T22:59:00-11:00'), said).contradictions).toHaveLength(1)
    expect(collectedOf(known('2026-11-25'), person())).toEqual({ collectedDate: '2026-11-25', contradictions: [] })
    expect(collectedOf(known(), person(moment))).toEqual({
      collectedDate: '2026-11-27T07:40:00+01:00',
      collectedSaid: moment,
      contradictions: [],
    })
    for (const day of ['2026-11-26', '2026-11-27', '2026-11-28T23:00:00Z'])
      expect(collectedOf(known(day), person(moment))).toEqual({ collectedDate: day, contradictions: [] })
    for (const day of ['2026-11-25', '2026-11-29'])
      expect(collectedOf(known(day), person(moment))).toEqual({
        collectedDate: day,
        contradictions: [{ fact: 'collected', laboratory: [day], person: [moment], biomarkers: [] }],
      })
  })

  it('of the person is replaced by a later word of the person and of the laboratory, that of the laboratory by its own alone', () => {
    const said = { collectedDate: '2026-11-20', collectedSaid: '2026-11-20' }
    expect(collectedOf(known(undefined, said), person('2026-11-27')).collectedDate).toBe('2026-11-27')
    expect(collectedOf(known('2026-11-21', said), person('2026-11-20')).collectedDate).toBe('2026-11-21')
    expect(collectedOf(known(undefined, { collectedDate: '2026-11-21' }), person('2026-11-22')).collectedDate).toBe(
      '2026-11-21',
    )
    const origin = { ...emptyOrigin, specimens: [{ collectedDate: '2026-11-21' }] }
    expect(collectedOf({ ...known(), origin }, person('2026-11-22'))).toEqual({
      collectedDate: null,
      contradictions: [],
    })
  })
})
