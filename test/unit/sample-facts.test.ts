import { openingOf } from '@kitlane/display/story'
import { biomarkers as catalogue } from '@kitlane/lab-reader/facts/biomarkers'
import { holds } from '@kitlane/lab-reader/facts/ranges'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { observation } from '../../src/modules/reports/render/fhir-observation.ts'

async function judged(bytes: string) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  const found = reports.map(({ observations }) => identifyObservations(observations, catalogue))
  const results = found.flatMap((one) => one.results)
  const subject = { sex: 'F' as const, ageYears: 41 }
  const panel = ['glucose', 'insulin', 'homa_ir']
  const { entries } = judgeReport({ catalogue, panel, results, previous: [], labErrors: [], subject })
  return { entries, left: found.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code])) }
}

interface Sample {
  info?: string
  spm?: string
}
const hl7 = (obx: readonly string[], { info = '', spm = '' }: Sample = {}) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    'PID|1||X||Tester^Bo||19800229|F',
    `OBR|1||ACC77|24331-1^Panel^LN|||20260401083000||||||${info}|||||||||20260402110000|||F`,
    ...obx,
    ...(spm ? [spm] : []),
  ].join('\r')
const glucose = (code = '2345-7^Glucose^LN', range = '', flag = '') =>
  `OBX|1|NM|${code}||131|mg/dL|${range}|${flag}|||F`
const insulin = 'OBX|2|NM|20448-7^Insulin^LN||9|uIU/mL|||||F'

describe('limits of fasting', () => {
  test.each<[string, string, 'yes' | 'no' | 'notStated']>([
    ['a note', hl7([glucose(), 'NTE|1||Non-fasting specimen']), 'no'],
    ['a note of the laboratory in German', hl7([glucose(), 'NTE|1||Patient nicht nüchtern']), 'no'],
    ['a random sample', hl7([glucose(), 'NTE|1||Random specimen']), 'no'],
    ['OBR-13', hl7([glucose()], { info: 'NON-FASTING' }), 'no'],
    ['OBR-13 with a code', hl7([glucose()], { info: 'F' }), 'yes'],
    ['an answer on fasting', hl7([glucose(), 'OBX|3|CWE|49541-6^Fasting status^LN||N^No^HL70136||||||F']), 'no'],
    [
      'a sentence as the answer',
      hl7([glucose(), 'OBX|3|ST|49541-6^Fasting status^LN||Patient was not fasting||||||F']),
      'no',
    ],
    [
      'a code of table 0916',
      hl7([glucose(), 'OBX|3|CWE|49541-6^Fasting status^LN||NF^Did not fast^HL70916||||||F']),
      'no',
    ],
    ['another answer', hl7([glucose(), 'OBX|3|ST|F^Fasting^L||Y||||||F']), 'yes'],
    ['the code of fasting', hl7([glucose('1558-6^Fasting glucose^LN')]), 'yes'],
    ['the name', hl7([glucose('GLU^Glucose, fasting^L')]), 'yes'],
    ['nothing', hl7([glucose()]), 'notStated'],
    ['a note on limits', hl7([glucose(), 'NTE|1||Fasting reference interval 70-99 mg/dL']), 'notStated'],
  ])('are applied as %s says', async (_, bytes, fasting) => {
    const { entries, left } = await judged(bytes)
    const entry = entries.find(({ id }) => id === 'glucose')
    expect(entry).toMatchObject({ fasting, label: fasting === 'yes' ? 'Glucose (fasting)' : 'Glucose' })
    expect(entry?.state).toBe(fasting === 'no' ? 'unknown' : 'poor')
    if (fasting === 'no') expect(entry?.note).toContain('not taken fasting')
    expect(left.filter(([, code]) => code !== 'sampleFact')).toEqual([])
  })

  test('judge nothing that is not fasting, printed or ours; the flag of the laboratory still counts', async () => {
    const note = 'NTE|1||Non-fasting specimen'
    const printed = await judged(hl7([glucose(undefined, '70-99'), note]))
    expect(printed.entries[0]).toMatchObject({ state: 'unknown', interpretation: '', labRange: { low: 70, high: 99 } })
    const flagged = await judged(hl7([glucose(undefined, '70-99', 'H'), note]))
    expect(flagged.entries[0]).toMatchObject({ state: 'poor', interpretation: 'H' })
  })

  test('and HOMA-IR is computed only where the sample is known to be a fasting one', async () => {
    const homa = async (bytes: string) => (await judged(bytes)).entries.find(({ id }) => id === 'homa_ir')?.result
    expect(await homa(hl7([glucose(), insulin]))).toBeUndefined()
    expect(await homa(hl7([glucose(), insulin], { info: 'FASTING' }))).toBe(2.91)
    expect(await homa(hl7([glucose(), insulin, 'NTE|1||Not fasting']))).toBeUndefined()
  })
})

describe('a person of whom the laboratory says that she is pregnant', () => {
  const fasting = glucose('1558-6^Fasting glucose^LN')
  const printed = glucose('1558-6^Fasting glucose^LN', '70-95')
  test.each([
    ['a coded answer', 'OBX|3|CWE|82810-3^Pregnancy status^LN||LA15173-0^Pregnant^LN||||||F'],
    ['the code of SNOMED', 'OBX|3|CWE|82810-3^Pregnancy status^LN||77386006^Patient currently pregnant^SCT||||||F'],
    ['a local line', 'OBX|3|ST|PREG^Pregnant?^L||Yes||||||F'],
  ])('has no verdict by our limits, as %s says, but by the interval of the laboratory', async (_, line) => {
    const { entries, left } = await judged(hl7([fasting, insulin, line]))
    expect(entries.map(({ id, state, pregnant }) => [id, state, pregnant])).toEqual([
      ['glucose', 'unknown', true],
      ['insulin', 'unknown', true],
      ['homa_ir', 'unknown', true],
    ])
    expect(entries[0]?.note).toContain('is pregnant')
    expect(left).toEqual([[expect.any(String), 'sampleFact']])
    const [own] = (await judged(hl7([printed, line]))).entries
    expect(own).toMatchObject({ interpretation: 'H', labRange: { low: 70, high: 95 }, ranges: { source: 'lab' } })
  })

  test.each([
    ['what is not known', 'OBX|3|CWE|82810-3^Pregnancy status^LN||LA4489-6^Unknown^LN||||||F'],
    ['an answer that was withdrawn', 'OBX|3|CWE|82810-3^Pregnancy status^LN||LA15173-0^Pregnant^LN||||||W'],
  ])('is judged as ever by %s', async (_, line) => {
    const { entries } = await judged(hl7([fasting, line]))
    expect(entries[0]).toMatchObject({ state: 'poor' })
    expect(entries[0]).not.toHaveProperty('pregnant')
  })

  test.each([
    ['LA26683-5^Not pregnant^LN'],
    ['60001007^Not pregnant^SCT'],
    ['N^No^HL70136'],
    ['LA32-8^No^LN'],
    ['No'],
    ['Not pregnant'],
    ['Patient is not pregnant.'],
  ])('is judged as ever where it says %s, which is kept', async (answer) => {
    const { entries, left } = await judged(hl7([fasting, `OBX|3|CWE|82810-3^Pregnancy status^LN||${answer}||||||F`]))
    expect(entries[0]).toMatchObject({ state: 'poor', pregnant: false })
    expect(left).toEqual([[expect.any(String), 'sampleFact']])
  })
})

describe("the laboratory's own code and name", () => {
  test.each([
    ['2345-7^Glucose^LN', '2345-7', 'Glucose'],
    ['1558-6^Fasting glucose^LN', '1558-6', 'Fasting glucose'],
    ['2339-0^Glucose [Mass/volume] in Blood^LN', '2339-0', 'Glucose [Mass/volume] in Blood'],
  ])('%s goes out as it came, with ours beside it', async (code, loinc, name) => {
    const { entries } = await judged(hl7([glucose(code)]))
    expect(entries[0]).toMatchObject({ id: 'glucose', loinc, sent: { name } })
    const out = observation(entries[0] as (typeof entries)[number], {
      subject: { reference: 'Patient/1' },
      specimen: { reference: 'Specimen/1' },
      effective: '2026-04-01',
      issued: '2026-04-02T00:00:00Z',
      performers: [],
      status: 'final' as const,
      remarks: [],
    })
    expect(out.code).toMatchObject({
      coding: [
        { system: 'http://loinc.org', code: loinc },
        { system: 'urn:kitlane:biomarker', code: 'glucose' },
      ],
      text: name,
    })
  })

  test('a direct LDL stays one, and a local code is kept', async () => {
    const ldl = async (code: string) => (await judged(hl7([`OBX|1|NM|${code}||97|mg/dL|||||F`]))).entries[0]
    expect(await ldl('18262-6^LDL Cholesterol^LN')).toMatchObject({ loinc: '18262-6' })
    expect(await ldl('LDL1^LDL Cholesterol^99LAB')).toMatchObject({
      loinc: '2089-1',
      sent: { codes: [{ code: 'LDL1', system: '99LAB', display: 'LDL Cholesterol' }] },
    })
  })
})

describe("what is not the person's own blood waits", () => {
  const control = (role: string) => `SPM|1|S1||119364003^Serum^SCT|||||||${role}`
  test.each([
    ['control material', hl7([glucose()], { spm: control('Q') }), 'notOwn'],
    ['a calibrator', hl7([glucose()], { spm: control('C^Calibrator^HL70369') }), 'notOwn'],
    ['a replicate as a control', hl7([glucose()], { spm: control('R') }), 'notOwn'],
    ['a pool', hl7([glucose()], { spm: control('L') }), 'notOwn'],
    ["a donor's serum", hl7([glucose()], { spm: 'SPM|1|S1||SER^Serum from donor^HL70487' }), 'notOwn'],
    ['a control serum by its name', hl7([glucose()], { spm: 'SPM|1|S1||SER^Control serum^L' }), 'notOwn'],
    ['a knee', hl7([glucose()], { spm: 'SPM|1|S1||119364003^Serum^SCT||||72696002^Knee^SCT' }), 'otherSite'],
    ['spinal fluid by OBX-20', hl7([`${glucose()}|||||||||Cerebrospinal fluid`]), 'otherSpecimen'],
  ])('in HL7: %s', async (_, bytes, code) => {
    const { entries, left } = await judged(bytes)
    expect(entries).toEqual([])
    expect(left).toEqual([['Glucose', code]])
  })

  test('in CSV: control material beside the samples', async () => {
    const rows = ['Material,Test,Result,Unit', 'Control serum,Glucose,131,mg/dL', 'Serum,Sodium,140,mmol/L']
    const { entries, left } = await judged(rows.join('\n'))
    expect(left).toEqual([['Glucose', 'notOwn']])
    expect(entries.map(({ id }) => id)).toEqual(['sodium'])
  })

  test("a person's sample, from the left arm, does not", async () => {
    expect((await judged(hl7([glucose()], { spm: control('P') }))).entries).toHaveLength(1)
    const arm = 'SPM|1|S1||119364003^Serum^SCT||||368208006^Left upper arm^SCT'
    expect((await judged(hl7([glucose()], { spm: arm }))).entries).toHaveLength(1)
  })

  const fhir = (more: object, entry: object[] = []) =>
    JSON.stringify({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        {
          resource: {
            resourceType: 'Observation',
            id: 'o1',
            status: 'final',
            code: { text: 'Glucose' },
            valueQuantity: { value: 95, unit: 'mg/dL' },
            ...more,
          },
        },
        ...entry,
      ],
    })
  test.each([
    ['a device', fhir({ subject: { reference: 'Device/meter-1' } }), 'notOwn'],
    ['a group', fhir({ subject: { type: 'Group', display: 'Pool' } }), 'notOwn'],
    [
      'a device of the Bundle',
      fhir({ subject: { reference: 'urn:uuid:1' } }, [
        { fullUrl: 'urn:uuid:1', resource: { resourceType: 'Device', id: 'd' } },
      ]),
      'notOwn',
    ],
    [
      'a fetus in focus',
      fhir({ extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/observation-focusCode' }] }),
      'notOwn',
    ],
    ['a donor in focus', fhir({ subject: { reference: 'Patient/1' }, focus: [{ reference: 'Patient/2' }] }), 'notOwn'],
    ['spinal fluid', fhir({ bodySite: { coding: [{ display: 'Cerebrospinal fluid' }] } }), 'otherSpecimen'],
    ['a knee', fhir({ bodySite: { text: 'Knee joint' } }), 'otherSite'],
    ['serum of a donor', fhir({ specimen: { display: 'Donor serum' } }), 'notOwn'],
  ])('in FHIR: %s', async (_, bytes, code) => {
    expect((await judged(bytes)).left).toEqual([['Glucose', code]])
  })
})

test('an antibody of which makers differ has no verdict without the range of its laboratory', async () => {
  const tg = (range: string) => hl7([`OBX|1|NM|8098-6^Thyroglobulin Antibodies^LN||50|IU/mL|${range}||||F`])
  const [none] = (await judged(tg(''))).entries
  expect(none).toMatchObject({ state: 'unknown', ranges: { inRange: null } })
  expect(none?.note).toContain('differ between makers')
  expect((await judged(tg('<115'))).entries[0]).toMatchObject({ state: 'good', ranges: { source: 'lab' } })
})

test('a hormone whose printed limits are of another unit waits, though makers differ', async () => {
  const freeT4 = (unit: string, range: string) => hl7([`OBX|1|NM|3024-7^Free T4^LN||1.3|${unit}|${range}||||F`])
  expect((await judged(freeT4('ng/dL', '10-23'))).left).toEqual([['Free T4', 'otherScale']])
  expect((await judged(freeT4('ng/dL', '0.7-1.48'))).entries).toMatchObject([{ interpretation: 'N' }])
})

test('an average glucose that is computed from HbA1c has the verdict of HbA1c, and is counted once', () => {
  const subject = { sex: 'F' as const, ageYears: 41 }
  const judge = (value: number, high: number) =>
    judgeReport({
      catalogue,
      panel: ['hba1c', 'eag'],
      previous: [],
      labErrors: [],
      subject,
      results: [{ biomarkerId: 'hba1c', value, unit: '%', labRange: { low: null, high, highExclusive: true } }],
    }).entries
  for (const [value, high] of [
    [5.65, 5.7],
    [5.9, 5.7],
    [5.62, 6],
    [6.1, 5],
  ] as const) {
    const [hba1c, eag] = judge(value, high)
    expect(eag).toMatchObject({
      id: 'eag',
      expresses: 'hba1c',
      state: hba1c?.state,
      interpretation: hba1c?.interpretation,
    })
  }
  expect(openingOf({ biomarker: judge(5.9, 5.7), unassessed: [] })).toMatchObject([{ count: 1, total: 1 }])
})

test('a value lies in one of the bands that are printed, also between two steps of its biomarker', () => {
  const subject = { sex: 'F' as const, ageYears: 41 }
  for (const { id, unit, scale, optimal, reference } of catalogue) {
    const [inner, outer] = [optimal?.F?.low, reference?.F?.low]
    if (scale || !inner || !outer || inner <= outer) continue
    const value = Number((inner - 0.05 * 10 ** -(catalogue.find((one) => one.id === id)?.decimals ?? 0)).toFixed(6))
    const results = [{ biomarkerId: id, value, unit, fasting: true }]
    const ofItsMaker = catalogue.map((one) => ({ ...one, flags: [] }))
    const input = { catalogue: ofItsMaker, panel: [], previous: [], labErrors: [], subject }
    const [entry] = judgeReport({ ...input, results }).entries
    if (!entry || entry.result === null || entry.result >= inner) continue
    const { good, fair } = entry.ranges
    const bands = [entry.ranges.optimal, ...good, ...fair]
    const holding = bands.filter((band) => band && holds(band, entry.result ?? 0))
    expect(holding.length, `${id} ${entry.result} ${JSON.stringify(bands)}`).toBe(1)
  }
})
