import { describe, expect, it } from 'vitest'
import { answerProblems, askedOf, factsOf, lenientAnswers } from '../../src/modules/collection/questions.ts'
import {
  isZone,
  localTime,
  momentOf,
  offsetsOf,
  timeProblem,
  timestampOf,
  zoneNamed,
  zonesOf,
} from '../../src/modules/collection/time.ts'

const known = {
  now: new Date('2026-11-30T12:00:00Z'),
  born: '1980-02-03',
  arrived: new Date('2026-10-20T17:00:00Z'),
  received: undefined,
}
const problem = (collectedDate: string, zone: string, changes = {}) =>
  timeProblem({ collectedDate, zone }, { ...known, ...changes })?.message

describe('a time of collection', () => {
  it('keeps the offset of its zone on that day, in summer and in winter, and beside whole hours', () => {
    const moments = [
      ['2026-11-27T07:40', 'Europe/Madrid', '2026-11-27T07:40+01:00'],
      ['2026-07-27T07:40', 'Europe/Madrid', '2026-07-27T07:40+02:00'],
      ['2026-07-27T07:40', 'America/New_York', '2026-07-27T07:40-04:00'],
      ['2026-07-27T07:40', 'Asia/Kolkata', '2026-07-27T07:40+05:30'],
      ['2026-07-27T07:40', 'Pacific/Kiritimati', '2026-07-27T07:40+14:00'],
      ['2026-07-27T07:40', 'UTC', '2026-07-27T07:40+00:00'],
      ['2026-07-27T07:40', '-03:30', '2026-07-27T07:40-03:30'],
      ['2026-07-27', 'Europe/Madrid', '2026-07-27'],
    ] as const
    for (const [collectedDate, zone, moment] of moments) expect(momentOf({ collectedDate, zone })).toBe(moment)
    expect(timestampOf('2026-07-27')).toBe('2026-07-27')
    expect(timestampOf('2026-07-27T07:40+02:00')).toBe('2026-07-27T07:40:00+02:00')
  })

  it('of a year fits the clock of its zone: none or two offsets only where clocks change', () => {
    const zones = ['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Casablanca']
    for (const zone of zones) {
      for (let at = Date.parse('2026-01-01T00:00Z'); at < Date.parse('2027-01-01T00:00Z'); at += 47 * 60_000) {
        const local = localTime(new Date(at), zone)
        const instants = offsetsOf(local, zone).map((offset) => Date.parse(`${local}${offset}`))
        expect(instants, `${local} ${zone}`).toContain(at)
        expect(instants.length).toBeLessThanOrEqual(2)
      }
    }
    expect(offsetsOf('2026-04-05T01:45', 'Australia/Lord_Howe')).toEqual(['+11:00', '+10:30'])
  })

  it('that no clock showed, or that clocks showed twice, is refused with what to send', () => {
    expect(problem('2026-03-29T02:30', 'Europe/Madrid')).toContain('went forward on 2026-03-29, and never showed 02:30')
    expect(problem('2026-10-25T02:30', 'Europe/Madrid')).toContain('send +02:00 or +01:00 as `zone`')
    expect(problem('2026-10-25T02:30', '+02:00')).toBeUndefined()
    expect(problem('2026-10-25', 'Europe/Madrid')).toBeUndefined()
  })

  it('that clocks showed twice is one of two, which a time that they showed once does not heed', () => {
    const chosen = { zone: 'America/New_York', offset: '-04:00' }
    expect(timeProblem({ collectedDate: '2026-11-01T01:30', ...chosen }, known)).toBeUndefined()
    expect(momentOf({ collectedDate: '2026-11-01T01:30', ...chosen })).toBe('2026-11-01T01:30-04:00')
    expect(momentOf({ collectedDate: '2026-11-27T01:30', ...chosen })).toBe('2026-11-27T01:30-05:00')
  })

  it('is not in the future of its own zone, before the birth, before the kit came, or after the laboratory had it', () => {
    expect(problem('2026-11-30T12:59', 'Europe/Madrid')).toBeUndefined()
    expect(problem('2026-11-30T13:01', 'Europe/Madrid')).toContain('still to come')
    expect(problem('2026-12-01', 'Europe/Madrid')).toContain('still to come')
    expect(problem('2026-12-01', 'Pacific/Kiritimati')).toBeUndefined()
    expect(problem('2026-10-20T06:00', 'Europe/Madrid')).toBeUndefined()
    expect(problem('2026-10-19', 'Europe/Madrid')).toContain('The kit came on 2026-10-20')
    expect(problem('1979-01-01', 'UTC', { arrived: new Date('1970-01-01') })).toContain('before the person was born')
    const received = new Date('2026-11-01T09:00:00Z')
    expect(problem('2026-11-01T10:01', 'Europe/Madrid', { received })).toContain('had the sample on 2026-11-01')
    expect(problem('2026-11-01', 'Europe/Madrid', { received })).toBeUndefined()
  })

  it('is asked in the zones of the country by their names, and in that of the address first', () => {
    const asked = (country: string, state: string, zip: string) => {
      const { own, zones } = zonesOf({ country, state, zip }, 'en', undefined)
      expect(own === undefined || zones.some(([zone]) => zone === own), `${own}`).toBe(true)
      return own
    }
    expect(
      [
        ['US', 'NY', '10004'],
        ['US', 'TN', '37011'],
        ['US', 'PR', '00901'],
        ['PR', '', '00901'],
        ['ES', '', '28001'],
        ['ES', '', '35001'],
        ['ES', '', '51001'],
        ['ES', '', '52001'],
        ['PT', '', '1000-001'],
        ['PT', '', '9000-001'],
        ['PT', '', '9500-001'],
        ['FR', '', '75001'],
        ['FR', '', '97400'],
        ['FR', '', '98800'],
        ['RE', '', '97400'],
        ['DE', '', '10115'],
        ['BR', 'SP', '01000-000'],
      ].map(([country = '', state = '', zip = '']) => asked(country, state, zip)),
    ).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Puerto_Rico',
      'America/Puerto_Rico',
      'Europe/Madrid',
      'Atlantic/Canary',
      'Africa/Ceuta',
      'Africa/Ceuta',
      'Europe/Lisbon',
      'Atlantic/Madeira',
      'Atlantic/Azores',
      'Europe/Paris',
      'Indian/Reunion',
      'Pacific/Noumea',
      'Indian/Reunion',
      'Europe/Berlin',
      undefined,
    ])
    const ofSpain = zonesOf({ country: 'ES', state: '', zip: '' }, 'en', undefined).zones.map(([zone]) => zone)
    expect(ofSpain).toEqual(['Europe/Madrid', 'Atlantic/Canary'])
    expect(['Tokyo', 'new york', 'Europe/paris', 'Nowhere'].map(zoneNamed)).toEqual([
      'Asia/Tokyo',
      'America/New_York',
      'Europe/Paris',
      'Nowhere',
    ])
  })

  it('needs a zone, not an abbreviation that several zones have', () => {
    const zones = ['Europe/Madrid', 'America/Argentina/Ushuaia', 'Etc/GMT+5', 'UTC', '+14:00', '-11:30']
    expect(zones.filter((zone) => !isZone(zone))).toEqual([])
    const others = ['CST', 'EST', 'GMT+1', '+15:00', '+01:60', 'Europe/Nowhere', '', '../etc', 'Z', '+1']
    expect(others.filter(isZone)).toEqual([])
  })
})

describe('answers', () => {
  const questions = [
    { id: 'fasting', isRequired: true },
    { id: 'cyclePhase', isRequired: true },
    { id: 'cycleDay', isRequired: false },
    { id: 'medication', isRequired: false },
    { id: 'timeOfLastDose', isRequired: false },
    { id: 'sleep', isRequired: false, type: 'number' as const, min: 0, max: 24, text: { en: 'Hours of sleep?' } },
    {
      id: 'diet',
      isRequired: false,
      type: 'choice' as const,
      text: { en: 'Diet?' },
      choices: [
        { id: 'mixed', text: { en: 'Mixed' } },
        { id: 'vegan', text: { en: 'Vegan' } },
      ],
    },
  ]

  it('fit their questions, which are those for the sex of the person', () => {
    expect(askedOf(questions, 'M').map(({ id }) => id)).not.toContain('cyclePhase')
    const right = {
      fasting: 10,
      cyclePhase: 'luteal',
      cycleDay: 21,
      medication: ['biotin', 'Omega 3'],
      timeOfLastDose: '2026-11-27T06:00',
      sleep: 7.5,
      diet: 'vegan',
    }
    expect(answerProblems(questions, right)).toEqual([])
    const wrong = answerProblems(questions, {
      fasting: 'maybe',
      cycleDay: 0,
      medication: ['none', 'biotin'],
      timeOfLastDose: 'noon',
      sleep: '7',
      diet: 'keto',
      constructor: 'x',
    })
    expect(wrong.map(({ id, is }) => `${id} ${is}`)).toEqual([
      'constructor notAsked',
      'fasting wrong',
      'cyclePhase missing',
      'cycleDay wrong',
      'medication wrong',
      'timeOfLastDose wrong',
      'sleep wrong',
      'diet wrong',
    ])
  })

  it('of somebody who is pregnant and postmenopausal contradict each other', () => {
    const asked = (['pregnant', 'cyclePhase'] as const).map((id) => ({ id, isRequired: false }))
    const problems = (pregnant: string, cyclePhase: string) =>
      answerProblems(asked, { pregnant, cyclePhase }).map(({ id, is }) => `${id} ${is}`)
    expect(problems('yes', 'postmenopausal')).toEqual(['pregnant wrong'])
    expect([...problems('no', 'postmenopausal'), ...problems('yes', 'luteal')]).toEqual([])
  })

  it('may come as text or without a list, and a dose was before the sample, in its zone', () => {
    const given = { fasting: '11', cycleDay: '5', sleep: '7,5', medication: 'none', diet: '2' }
    const kept = { fasting: 11, cycleDay: 5, sleep: 7.5, medication: ['none'], diet: '2' }
    expect(lenientAnswers(questions, given)).toEqual(kept)
    const dose = (timeOfLastDose: string, collectedDate: string) =>
      answerProblems(questions, { fasting: 'yes', cyclePhase: 'luteal', timeOfLastDose }, collectedDate)
    expect(dose('2026-11-29', '2026-11-29T07:40')).toEqual([])
    expect(dose('2026-11-29T07:40', '2026-11-29T07:40')).toEqual([])
    expect(dose('2026-11-29T20:00', '2026-11-29')).toEqual([])
    expect(dose('2026-11-29T07:41', '2026-11-29T07:40')).toMatchObject([{ is: 'late' }])
    expect(dose('2030-01-01', '2026-11-29')).toMatchObject([{ is: 'late' }])
    expect(dose('2026-11-29T20:00Z', '2026-11-30')).toMatchObject([{ is: 'wrong' }])
  })

  it('are within the bounds of their question, and a dose is neither before the birth nor still to come', () => {
    const base = { fasting: 'yes', cyclePhase: 'luteal' }
    const sleep = (hours: number) => answerProblems(questions, { ...base, sleep: hours })
    expect([...sleep(0), ...sleep(24)]).toEqual([])
    for (const hours of [-1, 25])
      expect(sleep(hours)).toMatchObject([{ is: 'wrong', message: 'Send a number from 0 to 24' }])
    const dose = (timeOfLastDose: string) =>
      answerProblems(questions, { ...base, timeOfLastDose }, '2026-11-29', {
        born: '1980-02-03',
        now: '2026-11-29T12:00',
      })
    expect([...dose('1980-02-03'), ...dose('2026-11-29'), ...dose('2026-11-29T12:00')]).toEqual([])
    for (const day of ['1980-02-02', '2026-11-29T12:01', '2026-11-30'])
      expect(dose(day)).toMatchObject([{ is: 'wrong' }])
  })

  it('say of the sample what they say and no more: a day of the cycle is no phase, and eight hours are fasting', () => {
    expect(factsOf({})).toEqual({})
    expect(factsOf({ fasting: 8 })).toEqual({ fasting: true })
    expect(factsOf({ fasting: 7.5 })).toEqual({ fasting: false })
    expect(factsOf({ fasting: 'no', cycleDay: 21, pregnant: 'no' })).toEqual({ fasting: false, pregnant: false })
    expect(factsOf({ cyclePhase: 'luteal', pregnant: 'yes' })).toEqual({ phases: ['luteal'], pregnant: true })
  })
})
