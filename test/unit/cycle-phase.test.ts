import { biomarkers as catalogue } from '@kitlane/lab-reader/facts/biomarkers'
import type { Phase, Sex } from '@kitlane/lab-reader/facts/schema'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { observation } from '../../src/modules/reports/render/fhir-observation.ts'

async function read(bytes: string) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  const found = reports.map(({ observations }) => identifyObservations(observations, catalogue))
  return { results: found.flatMap(({ results }) => results), left: found.flatMap(({ unmatched }) => unmatched) }
}
const phasesOf = async (bytes: string) => (await read(bytes)).results.map(({ phases }) => phases)

/** Of one maker, whose intervals a laboratory director may rely on. */
const ofOneMaker = catalogue.map((one) => ({ ...one, flags: one.flags.filter((flag) => flag !== 'assay_dependent') }))
async function judged(bytes: string, sex: Sex = 'F', definitions: typeof catalogue = ofOneMaker) {
  const { results } = await read(bytes)
  const subject = { sex, ageYears: 33 }
  const panel = ['fsh', 'lh', 'lh_fsh_ratio']
  return judgeReport({ catalogue: definitions, panel, results, previous: [], labErrors: [], subject }).entries
}

interface Sample {
  info?: string
  spm?: string
  note?: string
}
const hl7 = (obx: readonly string[], { info = '', spm = '', note = '' }: Sample = {}) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    'PID|1||X||Tester^Bo||19930229|F',
    `OBR|1||ACC77|24331-1^Panel^LN|||20260401083000||||||${info}|||||||||20260402110000|||F`,
    ...(note ? [`NTE|1||${note}`] : []),
    ...obx,
    ...(spm ? [spm] : []),
  ].join('\r')
const fsh = (range = '') => `OBX|1|NM|15067-2^FSH^LN||9|m[IU]/mL|${range}||||F`
const lh = 'OBX|2|NM|10501-5^LH^LN||8|m[IU]/mL|||||F'
const noted = (...notes: string[]) => hl7([fsh(), ...notes.map((note, at) => `NTE|${at + 1}||${note}`)])
const answered = (code: string, value: string, status = 'F') =>
  hl7([fsh(), `OBX|3|CWE|${code}||${value}||||||${status}`])

describe('the phase of the cycle is read', () => {
  test.each<[string, Phase]>([
    ['Follicular phase', 'follicular'],
    ['Patient in early follicular phase.', 'follicular'],
    ['Sample drawn during the luteal phase of the menstrual cycle', 'luteal'],
    ['Cycle phase: luteal, day 21', 'luteal'],
    ['Mid-cycle', 'ovulation'],
    ['Ovulatory phase', 'ovulation'],
    ['Patient is postmenopausal.', 'postmenopausal'],
    ['Post-menopausal: yes', 'postmenopausal'],
    ['Postmenopausal female', 'postmenopausal'],
    ['Zyklusphase: Follikelphase', 'follicular'],
    ['Blutentnahme in der Lutealphase', 'luteal'],
    ['Ovulationsphase', 'ovulation'],
    ['Ovulatorische Phase', 'ovulation'],
    ['Zyklusmitte', 'ovulation'],
    ['Patientin in der Postmenopause', 'postmenopausal'],
    ['Paciente en fase folicular', 'follicular'],
    ['Fase del ciclo: lútea', 'luteal'],
    ['fase ovulatoria', 'ovulation'],
    ['Fase de ovulación', 'ovulation'],
    ['Phase du cycle : ovulatoire', 'ovulation'],
    ['Mujer posmenopáusica', 'postmenopausal'],
    ['Phase du cycle : folliculaire', 'follicular'],
    ['Prélèvement en phase lutéale', 'luteal'],
    ['phase ovulatoire', 'ovulation'],
    ['Patiente ménopausée', 'postmenopausal'],
    ['Faza cyklu: folikularna', 'follicular'],
    ['Krew pobrano w fazie lutealnej', 'luteal'],
    ['faza owulacyjna', 'ovulation'],
    ['Pacjentka po menopauzie', 'postmenopausal'],
    ['Cycle phase: luteal. Reference range 1.7-7.7', 'luteal'],
  ])('from a note: %s', async (note, phase) => {
    expect(await phasesOf(noted(note))).toEqual([[phase]])
    expect(await phasesOf(hl7([fsh()], { note }))).toEqual([[phase]])
  })

  const answer = { coding: [{ code: '307429007', system: 'http://snomed.info/sct' }], text: 'After menopause' }
  const told = (resource: object) =>
    JSON.stringify({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        {
          resource: {
            resourceType: 'Observation',
            status: 'final',
            code: { text: 'FSH' },
            valueQuantity: { value: 9, unit: 'mIU/mL' },
            specimen: { reference: 'Specimen/s' },
          },
        },
        { resource },
      ],
    })
  const status = (code: string, value: object) =>
    told({
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code }], text: 'Menstruation' },
      ...value,
    })
  test.each<[string, string, Phase]>([
    ['OBR-13', hl7([fsh()], { info: 'Luteal phase' }), 'luteal'],
    ['the specimen', hl7([fsh()], { spm: `SPM|1|S1||SER^Serum^HL70487${'|'.repeat(10)}Luteal phase` }), 'luteal'],
    ['a code of the specimen', hl7([fsh()], { spm: `SPM|1|S1||SER${'|'.repeat(20)}LP^Luteal phase^L` }), 'luteal'],
    ['8678-5', answered('8678-5^Menstrual status^LN', 'LP^Luteal phase^L'), 'luteal'],
    ['8678-5 after menopause', answered('8678-5^Menstrual status^LN', 'PM^Postmenopausal^L'), 'postmenopausal'],
    ['49033-4', answered('49033-4^Menstrual history^LN', '^Mid-cycle'), 'ovulation'],
    ['a line of the laboratory', answered('CYC^Cycle phase^L', '^Luteal'), 'luteal'],
    ['a line in German', answered('ZYK^Zyklusphase^L', '^Lutealphase'), 'luteal'],
    ['an answer of FHIR', status('8678-5', { valueCodeableConcept: answer }), 'postmenopausal'],
    ['a text of FHIR', status('49033-4', { valueString: 'Follicular' }), 'follicular'],
    [
      'a note on the specimen of FHIR',
      told({ resourceType: 'Specimen', id: 's', note: [{ text: 'Luteal phase' }] }),
      'luteal',
    ],
    ['a row of a table', 'Test,Result,Unit\nFSH,9,mIU/mL\nCycle phase,Luteal,', 'luteal'],
    ['a comment of a table', 'Test,Result,Unit,Comment\nFSH,9,mIU/mL,Luteal phase', 'luteal'],
    ['a line above a table', 'Cycle phase: luteal\nTest,Result,Unit\nFSH,9,mIU/mL', 'luteal'],
  ])('from %s', async (_, bytes, phase) => {
    const { results, left } = await read(bytes)
    expect(results.map(({ phases }) => phases)).toEqual([[phase]])
    expect(left.filter(({ code }) => code !== 'sampleFact')).toEqual([])
  })

  test('of all values of the sample, whichever value it stands beside', async () => {
    expect(await phasesOf(hl7([fsh(), 'NTE|1||Luteal phase', lh]))).toEqual([['luteal'], ['luteal']])
  })
})

describe('no phase is made of', () => {
  test.each([
    ['Follicular phase: 3.5-12.5 Ovulation phase: 4.7-21.5 Luteal phase: 1.7-7.7'],
    ['Follicular phase', '3.5-12.5', 'Luteal phase', '1.7-7.7', 'Postmenopausal', '25.8-134.8'],
    ['Luteal phase: 1.7-7.7 mIU/mL'],
    ['Luteal phase', '1.7 to 7.7'],
    ['Postmenopausal', '> 25.8'],
    ['Postmenopausal women:', '25.8-134.8'],
    ['Previous sample: follicular phase'],
    ['Consistent with postmenopausal status'],
    ['Collect in the luteal phase'],
    ['Ovulatory cycle'],
    ['Cycle: ovulatory'],
    ['Cycle ovulatoire'],
    ['Ovulation status'],
    ['Pre- or postmenopausal'],
    ['Postmenopausal bleeding'],
    ['Reference range for the luteal phase'],
    ['Follicular phase, ovulation, luteal phase'],
    ['Luteal phase?'],
    ['Not in luteal phase'],
    ['Patientin nicht in der Lutealphase'],
    ['Suggests luteal phase defect'],
    ['For ovulation induction'],
    ['Perimenopausal'],
    ['Pré-ménopause'],
    ['Premenopausal'],
    ['Menopause: no'],
    ['Follicular lesion'],
    ['Cycle day 21'],
    ['Zyklustag 21'],
    ['LMP 2026-03-11, day 21 of the cycle'],
  ])('the note %s', async (...notes) => {
    expect(await phasesOf(noted(...notes))).toEqual([undefined])
    expect(await phasesOf(hl7([fsh()], { note: notes.join(' ') }))).toEqual([undefined])
  })

  test('an interval for each phase', async () => {
    expect(await phasesOf(hl7([fsh('Follicular 3.5-12.5~Luteal 1.7-7.7')]))).toEqual([undefined])
    expect(await phasesOf('Test,Result,Unit,Range\nFSH,9,mIU/mL,Luteal phase: 1.7-7.7')).toEqual([undefined])
  })

  test.each([
    ['a day of the cycle', answered('CD^Cycle day^L', '21'), 'Cycle day'],
    ['what is no phase', answered('8678-5^Menstrual status^LN', '^Regular'), 'Menstrual status'],
    ['a cycle with ovulation', answered('8678-5^Menstrual status^LN', '^Ovulatory cycle'), 'Menstrual status'],
    ['what is before menopause', answered('8678-5^Menstrual status^LN', '^Premenopausal'), 'Menstrual status'],
    ['the length of cycles', answered('49033-4^Menstrual history^LN', '28'), 'Menstrual history'],
  ])('%s: it is kept as the laboratory sent it', async (_, bytes, name) => {
    const { results, left } = await read(bytes)
    expect(results.map(({ phases }) => phases)).toEqual([undefined])
    expect(left).toMatchObject([{ name, code: expect.not.stringMatching('sampleFact') }])
  })

  test('an answer that was withdrawn, or is not of the person', async () => {
    expect(await phasesOf(answered('8678-5^Menstrual status^LN', '^Luteal phase', 'W'))).toEqual([undefined])
    expect(
      await phasesOf(hl7([fsh(), 'OBX|2|NM|10501-5^LH^LN|DONOR|8|m[IU]/mL|||||F', 'NTE|1||Luteal phase'])),
    ).toEqual([undefined])
  })
})

describe('a verdict', () => {
  test('rests on the stated phase, and says so', async () => {
    // 9 mIU/mL of FSH is normal before ovulation and high after it.
    const of = async (note: string) => (await judged(noted(note)))[0]
    expect(await of('Follicular phase')).toMatchObject({
      phases: ['follicular'],
      interpretation: 'N',
      ranges: { source: 'phase', inRange: { low: 3.5, high: 12.5 } },
    })
    const luteal = await of('Luteal phase')
    expect(luteal).toMatchObject({ phases: ['luteal'], interpretation: 'H', ranges: { source: 'phase' } })
    expect(fhirOf(luteal).note).toContainEqual({ text: 'Judged for the luteal phase, as the laboratory says.' })
    expect(await of('Cycle day 21')).toMatchObject({ state: 'unknown', said: { comment: 'Cycle day 21' } })
  })

  test('of a laboratory that printed its own interval rests on that, and shows the phase beside it', async () => {
    const [own] = await judged(hl7([fsh('3.0-8.0'), 'NTE|1||Luteal phase']))
    expect(own).toMatchObject({ phases: ['luteal'], interpretation: 'H', ranges: { source: 'lab' } })
    expect(fhirOf(own).note).toContainEqual({ text: 'The laboratory says: luteal phase.' })
  })

  test('needs more than a phase where assays differ between makers', async () => {
    const [one] = await judged(noted('Luteal phase'), 'F', catalogue)
    expect(one).toMatchObject({ state: 'unknown', phases: ['luteal'] })
    expect(one?.note).toContain('differ between makers')
  })

  const pregnant = 'OBX|3|CWE|82810-3^Pregnancy status^LN||LA15173-0^Pregnant^LN||||||F'
  test.each<[string, string, Sex, string[]]>([
    [
      'of two phases',
      hl7([fsh(), 'NTE|1||Luteal phase', lh, 'NTE|1||Follicular phase']),
      'F',
      ['follicular', 'luteal'],
    ],
    ['of two phases in one note', noted('Luteal phase', 'Patient is postmenopausal'), 'F', ['luteal', 'menopause']],
    ['of a phase of a man', noted('Luteal phase'), 'M', ['luteal', 'male']],
    ['of a phase of a pregnant person', hl7([fsh(), 'NTE|1||Luteal phase', pregnant]), 'F', ['luteal', 'pregnant']],
  ])('is not made by our intervals %s, and both are named', async (_, bytes, sex, named) => {
    const [entry] = await judged(bytes, sex)
    expect(entry).toMatchObject({ id: 'fsh', state: 'unknown', ranges: { source: 'none', inRange: null } })
    for (const word of named) expect(entry?.note).toContain(word)
    const [own] = await judged(bytes.replace('m[IU]/mL|', 'm[IU]/mL|3.5-12.5'), sex)
    expect(own).toMatchObject({ interpretation: 'N', ranges: { source: 'lab' } })
  })

  test('rests on the phase of the sample that any of its messages states, and on none where two differ', async () => {
    const [luteal, none, follicular] = await Promise.all([
      read(noted('Luteal phase')),
      read(hl7([lh])),
      read(hl7([lh, 'NTE|1||Follicular phase'])),
    ])
    const after = (first: typeof luteal, second: typeof luteal) => {
      const input = {
        catalogue: ofOneMaker,
        panel: ['fsh', 'lh'],
        labErrors: [],
        subject: { sex: 'F', ageYears: 33 },
      } as const
      const { entries: previous } = judgeReport({ ...input, results: first.results, previous: [] })
      return judgeReport({ ...input, results: second.results, previous }).entries.map(
        ({ id, ranges, interpretation }) => [id, ranges.source, interpretation],
      )
    }
    const both = [
      ['fsh', 'phase', 'H'],
      ['lh', 'phase', 'N'],
    ]
    expect(after(luteal, none)).toEqual(both)
    expect(after(none, luteal)).toEqual(both)
    expect(after(luteal, follicular)).toEqual([
      ['fsh', 'none', ''],
      ['lh', 'none', ''],
    ])
  })

  test('on values that the phase does not change, rests on no phase', async () => {
    const sodium = 'OBX|2|NM|2951-2^Sodium^LN||140|mmol/L|||||F'
    const [entry] = await judged(hl7([sodium, 'NTE|1||Luteal phase']), 'M')
    expect(entry).toMatchObject({ id: 'sodium', phases: ['luteal'], state: expect.stringMatching(/good|optimal/) })
    expect(entry).not.toHaveProperty('note')
  })
})

function fhirOf(entry: Awaited<ReturnType<typeof judged>>[number] | undefined) {
  return observation(entry as NonNullable<typeof entry>, {
    subject: { reference: 'Patient/1' },
    specimen: { reference: 'Specimen/1' },
    effective: '2026-04-01',
    issued: '2026-04-02T00:00:00Z',
    performers: [],
    status: 'final' as const,
    remarks: [],
  })
}
