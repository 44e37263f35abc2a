import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { convert } from '@kitlane/lab-reader/facts/convert'
import { specimensDiffer } from '@kitlane/lab-reader/facts/specimens'
import { describe, expect, it } from 'vitest'
import { answerOf, foundIn, type Now, unreadIn } from '../../src/modules/notifiable/results.ts'
import { answered, next, type Said, type Standing, statusOf } from '../../src/modules/notifiable/rules.ts'
import type { NotifiableRule } from '../../src/modules/notifiable/schema.ts'
import type { BiomarkerEntry } from '../../src/modules/reports/schema.ts'

const rule = (changes: Partial<NotifiableRule> = {}): NotifiableRule => ({
  ...{ id: 'r1', source: 'Test', isActive: true, changedDate: '' },
  condition: 'Gonorrhea',
  biomarkers: ['gonorrhoeae'],
  answer: { kind: 'positive' },
  country: 'US',
  states: [],
  withinHours: 24,
  ...changes,
})
const normalisedUnits = new Set([
  ...biomarkers.flatMap(({ unit, displayUnit, conversions }) => [
    unit,
    displayUnit,
    ...conversions.map((one) => one.unit),
  ]),
  ...['g/L', 'mg/L', 'ug/L', 'ug/dL', 'umol/L', 'nmol/L', 'mmol/L', 'pmol/L', 'ng/mL', 'pg/mL', 'mg/dL', '10*9/L'],
])
const entry = (changes: Partial<BiomarkerEntry>): BiomarkerEntry =>
  ({ id: 'gonorrhoeae', result: null, unit: '', rawUnit: changes.unit, rawResult: '', ...changes }) as BiomarkerEntry

describe('two samples of one kit', () => {
  const numbered = (changes: object) => ({ id: 'A977560', source: 'Serum specimen', ...changes })
  it.each([
    ['in other words', { source: 'Serum' }, undefined],
    ['with the number in another case', { id: 'a97 7560' }, undefined],
    ['of the blood that serum is made of', { source: 'Whole blood' }, undefined],
    ['by whom it names as its assigner', { assigner: { id: '1.2.3', kind: 'ISO' as const } }, undefined],
    ['on another day', { collectedDate: '2026-11-28' }, 'perhaps'],
    ['of a material that no list knows', { source: 'Rectal swab' }, 'perhaps'],
    ['of another material', { source: 'Urine' }, 'surely'],
    ['of another number', { id: 'A977561' }, 'surely'],
  ])('are one by their number, unless what else is said cannot be of one: %s', (_, changes, is) => {
    const one = numbered({ collectedDate: '2026-11-29T08:00:00-06:00' })
    expect(specimensDiffer(one, numbered({ collectedDate: '2026-11-29', ...changes }))).toBe(is)
  })

  it('are not one by the name of their kind of swab', () => {
    const of = (source: string) => numbered({ source })
    expect(specimensDiffer(of('Nasal swab'), of('Throat swab'))).toBe('perhaps')
    expect(specimensDiffer(of('Swab'), of('Throat swab'))).toBeUndefined()
  })
})

const finding = (value: 'positive' | 'negative' | 'indeterminate') => entry({ finding: { kind: 'presence', value } })

describe('whether a result is one that is told', () => {
  it('is never guessed', () => {
    const of = (one: BiomarkerEntry, changes?: Partial<NotifiableRule>) => answerOf(rule(changes), one)
    expect(of(finding('positive'))).toBe('yes')
    expect(of(finding('negative'))).toBe('no')
    expect(of(finding('indeterminate'))).toBe('indeterminate')
    expect(of(entry({ finding: { kind: 'grade', value: '2+' } }))).toBe('yes')
    expect(of(entry({ finding: { kind: 'text', value: 'See note' } }))).toBe('unreadable')
    expect(of(entry({}))).toBe('unreadable')
    expect(of(entry({ result: 0 }))).toBe('no')
    expect(of(entry({ result: 20, comparator: '<' }))).toBe('indeterminate')
    expect(of(entry({ result: 20, comparator: '>' }))).toBe('yes')
    const above = { answer: { kind: 'above' as const, above: 200, unit: '{copies}/mL' } }
    const copies = (result: number, comparator?: '<' | '>') =>
      of(entry({ result, unit: '{copies}/mL', ...(comparator && { comparator }) }), above)
    expect([copies(201), copies(200), copies(200, '>'), copies(150, '>'), copies(500, '<'), copies(100, '<')]).toEqual([
      ...['yes', 'no', 'yes', 'indeterminate', 'indeterminate', 'no'],
    ])
    expect(of(entry({ result: 500, unit: 'IU/mL' }), above)).toBe('unitOfRule')
  })

  it('depends on the place, and waits for a person where that, the sample or the kit is not known', () => {
    const around = { place: { country: 'US', state: 'TX' }, isOfKit: true }
    const of = (changes: object, one = finding('positive'), rules = [rule()]) =>
      foundIn(rules, [one], { ...around, ...changes }).map(({ is, reason }) => reason ?? is)
    expect(of({})).toEqual(['notifiable'])
    expect(of({ place: { country: 'DE' } })).toEqual(['abroad'])
    expect(of({ place: { country: 'DE' } }, finding('negative'))).toEqual([])
    expect(of({ place: { country: 'US' } })).toEqual(['placeUnknown'])
    expect(of({ place: {} })).toEqual(['placeUnknown'])
    expect(of({}, finding('positive'), [rule({ states: ['CA'] })])).toEqual([])
    expect(of({ doubt: 'sampleDoubted' })).toEqual(['sampleDoubted'])
    expect(of({ isOfKit: false })).toEqual(['notOfKit'])
    expect(of({}, { ...finding('positive'), preliminary: true })).toEqual(['preliminary'])
    expect(of({ place: {} }, finding('negative'))).toEqual(['not'])
    expect(of({}, finding('positive'), [])).toEqual([])
    const two = foundIn([rule(), rule({ withinHours: 4 })], [finding('positive')], around)
    expect(two.map(({ withinHours }) => withinHours)).toEqual([4])
  })
})

describe('a limit', () => {
  it('is compared in the unit of the biomarker, so that the verdict depends on the unit of neither rule nor result', () => {
    const units = [...normalisedUnits]
    let compared = 0
    for (const biomarker of biomarkers) {
      const own = { unit: biomarker.unit, factor: 1, offset: 0 }
      const known = units.flatMap((unit) => {
        const one = convert(biomarker, 0.001, unit)
        return one && unit !== biomarker.unit ? [{ unit, ...one }] : []
      })
      if (known.length === 0) continue
      const scale = Math.max(biomarker.plausible.min, biomarker.plausible.max / 10)
      for (const of of [own, ...known])
        for (const by of [own, ...known])
          for (const [share, wanted] of [
            [1.01, 'yes'],
            [0.99, 'no'],
          ] as const) {
            const [value, limit] = [(scale * share - of.offset) / of.factor, (scale - by.offset) / by.factor]
            // Of a unit that stands for small numbers only, a larger one is not compared.
            if (![convert(biomarker, value, of.unit), convert(biomarker, limit, by.unit)].every(Boolean)) continue
            const result = entry({
              id: biomarker.id,
              result: 1,
              unit: biomarker.unit,
              rawValue: value,
              rawUnit: of.unit,
            })
            const answer = { kind: 'above' as const, above: limit, unit: by.unit }
            const verdict = answerOf(rule({ answer }), result, () => biomarker)
            expect(verdict, `${biomarker.id}: ${value} ${of.unit}, limit ${limit} ${by.unit}`).toBe(wanted)
            compared += 1
          }
    }
    expect(compared).toBeGreaterThan(1000)
  })

  it('of a unit that the printed one cannot be converted to waits as not judged', () => {
    const lead = biomarkers.find(({ id }) => id === 'lead_blood')
    const of = (rawValue: number, rawUnit: string) =>
      answerOf(
        rule({ answer: { kind: 'above', above: 3.5, unit: 'ug/dL' } }),
        entry({ id: 'lead_blood', result: 0.5, unit: 'umol/L', rawValue, rawUnit }),
        () => lead,
      )
    expect([of(0.5, 'umol/L'), of(0.1, 'umol/L'), of(35, 'ug/L'), of(36, 'ug/L')]).toEqual(['yes', 'no', 'no', 'yes'])
    expect(of(50, 'parsec')).toBe('unitOfRule')
  })
})

describe('a result that could not be judged', () => {
  const item = {
    key: 'k',
    name: '',
    value: 'See note',
    unit: '',
    range: '',
    flag: '',
    loinc: null,
    position: '',
    reason: '',
  }
  const rest = { suggestions: [], note: null, sent: null, assigned: null, code: 'unknownName' }
  const rules = [
    rule({ biomarkers: ['gonorrhoeae', 'gonorrhoeae_urine'] }),
    rule({ condition: 'Chlamydia trachomatis infection', biomarkers: ['chlamydia'] }),
  ]
  const of = (changes: object) =>
    unreadIn(rules, { ...item, ...rest, ...changes }, () => undefined).flatMap(({ mayBe }) => mayBe)

  it('is of a test that a rule names if anything says so, and one notice whatever it may be', () => {
    expect(of({ name: 'N. gonorrhoeae culture' })).toEqual(['gonorrhoeae'])
    expect(of({ name: 'Gonorrhea' })).toEqual(['gonorrhoeae'])
    expect(of({ name: 'Chlamydia/gonorrhea' })).toEqual(['gonorrhoeae', 'chlamydia'])
    expect(unreadIn(rules, { ...item, ...rest, name: 'Chlamydia/gonorrhea' }, () => undefined)).toHaveLength(1)
    expect(of({ name: 'CT', suggestions: ['chlamydia'] })).toEqual(['chlamydia'])
    expect(of({ name: 'Glucose' })).toEqual([])
  })

  it('is of the infection that its name or LOINC code means, and of no other', () => {
    const starters = [
      ['Syphilis', 'treponema_pallidum_antibody'],
      ['HIV infection', 'hiv_ag_ab'],
      ['Hepatitis B', 'hbsag'],
      ['Hepatitis C', 'hepatitis_c_antibody'],
      ['Gonorrhea', 'gonorrhoeae'],
      ['Chlamydia trachomatis infection', 'chlamydia'],
    ].map(([condition = '', id = '']) => rule({ condition, biomarkers: [id] }))
    const find = (id: string) => biomarkers.find((one) => one.id === id)
    const meant = (name: string, loinc: string | null, suggestions: string[] = []) =>
      unreadIn(starters, { ...item, ...rest, name, loinc, suggestions, value: 'Reactive' }, find).flatMap(
        ({ mayBe = [] }) => mayBe,
      )
    const syphilis = ['treponema_pallidum_antibody']
    expect(meant('RPR', '20507-0')).toEqual(syphilis)
    expect(meant('RPR Ser-Titr', '31147-2')).toEqual(syphilis)
    expect(meant('RPR Titer', null)).toEqual(syphilis)
    expect(meant('HIV1 proviral DNA', '44871-2')).toEqual(['hiv_ag_ab'])
    expect(meant('HIV viral load', '20447-9')).toEqual(['hiv_ag_ab'])
    expect(meant('Proviral DNA', '44871-2')).toEqual(['hiv_ag_ab'])
    expect(meant('CT+NG DNA', '36903-3')).toEqual(['gonorrhoeae', 'chlamydia'])
    expect(meant('GC TMA', null)).toEqual(['gonorrhoeae'])
    expect(meant('HIV1 RNA # SerPl', null, ['hbv_dna', 'hbsag'])).toEqual(['hiv_ag_ab'])
    expect(meant('HCV RNA', null, ['hbsag'])).toEqual(['hepatitis_c_antibody'])
    expect(meant('Viral load', null)).toEqual(['hiv_ag_ab', 'hbsag', 'hepatitis_c_antibody'])
    expect(meant('CMV viral load', null)).toEqual([])
  })

  it('is left out only where it is clearly negative or the test was not done', () => {
    const name = 'Chlamydia'
    expect(['Negative', 'Not detected'].flatMap((value) => of({ name, value }))).toEqual([])
    expect(of({ name, code: 'notDone' })).toEqual([])
    for (const doubt of [
      { value: '' },
      { value: 'Reactive' },
      { value: 'Negative', code: 'codeContradictsText' },
      { value: 'Negative', flag: 'A' },
    ])
      expect(of({ name, ...doubt }), JSON.stringify(doubt)).toEqual(['chlamydia'])
  })
})

const is: readonly Now['is'][] = ['notifiable', 'doubtful', 'not', 'gone']
/** Each answer has a key of its own, so that the same again is the same. */
const now = (step: number): Now => {
  const one = is[step % is.length] ?? 'not'
  return {
    is: one,
    key: `${one}${step >= 4 && one === 'notifiable' ? 2 : ''}`,
    ...(one === 'doubtful' && { reason: 'indeterminate' }),
  }
}

/** A world of one result: what the laboratory says, and an authority that hears messages in order. */
interface World {
  standing: Standing | undefined
  now: Now | undefined
  prior: Said | null
  inFlight: string | null
  /** What the authority knows, by what it took. */
  heard: string[]
}

const refusedBy = (world: World) => world.standing?.state === 'refused'

/** What the queue does by itself: it sends what is due. */
function send(world: World): void {
  const { standing } = world
  if (standing?.state !== 'due' || standing.isOpen) return
  world.inFlight = standing.key
  world.prior = standing.said
  world.standing = { ...standing, isOpen: true, said: { key: standing.key, state: 'sent' } }
}

function answer(world: World, outcome: 'accepted' | 'refused'): void {
  const { standing, now: said, inFlight } = world
  if (!standing?.isOpen || !said || inFlight === null) return
  if (outcome === 'accepted') world.heard.push(inFlight)
  world.standing = answered(standing, said, outcome, world.prior)
  world.inFlight = null
}

function say(world: World, said: Now): void {
  world.standing = next(world.standing, said)
  world.now = said
}

/** Draws numbers below `max`, the same for the same seed. */
function drawing(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * max)
  }
}

/** What is wrong at the end, once all that is due was sent and accepted. */
function wrongAtTheEnd(world: World): string | undefined {
  for (let times = 0; times < 3; times += 1) {
    send(world)
    answer(world, 'accepted')
  }
  const { now: last, heard, standing } = world
  if (heard.some((one, at) => at > 0 && one === heard[at - 1])) return `told twice: ${heard}`
  const knows = heard.at(-1)
  if (refusedBy(world)) return undefined
  if (last?.is === 'doubtful' && standing?.state !== 'waiting' && knows !== last.key) return 'a doubt does not wait'
  if (last?.is === 'notifiable' && knows !== last.key) return `lost: ${last.key}, the authority knows ${knows}`
  if ((last?.is === 'not' || last?.is === 'gone') && knows !== undefined && knows !== last.key)
    return `not corrected: ${knows}`
  if ((last?.is === 'not' || last?.is === 'gone') && heard.length === 0 && standing?.state === 'due')
    return 'told what is nothing'
  return undefined
}

type Rules = { say: typeof say }

function play(seed: number, rules: Rules): string | undefined {
  const draw = drawing(seed)
  const world: World = { standing: undefined, now: undefined, prior: null, inFlight: null, heard: [] }
  for (let step = 0; step < 12; step += 1) {
    const what = draw(5)
    if (what <= 1) rules.say(world, now(draw(8)))
    else if (what === 2) send(world)
    else answer(world, draw(6) === 0 ? 'refused' : 'accepted')
  }
  return wrongAtTheEnd(world)
}

describe('a notice', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  it(`is never told twice, never lost and always corrected, in whatever order results and answers come (seed ${seed})`, () => {
    for (let at = 0; at < 5000; at += 1) expect(play(seed + at, { say }), `seed ${seed + at}`).toBeUndefined()
  })

  it('would be found out if a correction were forgotten, or the same were told again', () => {
    const forgets: Rules = {
      say(world, said) {
        if (world.standing?.said && said.is === 'not') Object.assign(world, { now: said })
        else say(world, said)
      },
    }
    const repeats: Rules = {
      say(world, said) {
        say(world, said)
        if (world.standing && !world.standing.isOpen && said.is === 'notifiable')
          world.standing = { ...world.standing, state: 'due' }
      },
    }
    const found = (rules: Rules) => Array.from({ length: 2000 }, (_, at) => play(seed + at, rules)).filter(Boolean)
    expect(found(forgets)[0]).toMatch(/not corrected/)
    expect(found(repeats).some((one) => one?.startsWith('told twice'))).toBe(true)
  })

  it('that a person told by hand, or decided about, goes on only with a person', () => {
    const positive: Now = { is: 'notifiable', key: 'positive' }
    const negative: Now = { is: 'not', key: 'negative' }
    const byHand: Standing = {
      state: 'byHand',
      reason: null,
      key: 'positive',
      said: { key: 'positive', state: 'byHand' },
      isOpen: false,
    }
    expect(next(byHand, positive)).toEqual(byHand)
    expect(next(byHand, negative)).toMatchObject({ state: 'waiting', reason: 'changedSince' })
    const decided: Standing = { state: 'notTold', reason: 'decided', key: 'positive', said: null, isOpen: false }
    expect(next(decided, positive)).toEqual(decided)
    expect(next(decided, negative)).toMatchObject({ state: 'notTold' })
    expect(next(decided, { ...positive, key: 'positive2' })).toMatchObject({ state: 'waiting', reason: 'changedSince' })
  })

  it('that was not told is closed once the person lives elsewhere, and one that was told stays', () => {
    const elsewhere: Now = { is: 'elsewhere', key: 'x' }
    const due: Standing = { state: 'due', reason: null, key: 'positive', said: null, isOpen: false }
    expect(next(due, elsewhere)).toMatchObject({ state: 'notTold', reason: 'elsewhere' })
    const told: Standing = { ...due, state: 'accepted', said: { key: 'positive', state: 'accepted' } }
    expect(next(told, elsewhere)).toEqual(told)
  })

  it('of a final result is no correction after a preliminary one, and one after a final result is', () => {
    const of = (said: Partial<BiomarkerEntry> | null, now: Partial<BiomarkerEntry>, is: Now['is'] = 'notifiable') =>
      statusOf({
        now: { is, key: '' },
        said: said && { key: '', state: 'accepted', entry: entry(said) },
        entry: entry(now),
      })
    const preliminary = { preliminary: true as const }
    expect([of(null, preliminary), of(preliminary, preliminary), of(preliminary, {})]).toEqual(['P', 'P', 'F'])
    expect([of(null, {}), of({}, {}), of({}, preliminary), of({}, {}, 'gone')]).toEqual(['F', 'C', 'C', 'W'])
  })
})
