import { elrOf } from '@kitlane/lab-reader/elr/message'
import { guideRules, violationsOf } from '@kitlane/lab-reader/elr/validate'
import { describe, expect, it } from 'vitest'

type Content = Parameters<typeof elrOf>[0]

const entry: Content['entry'] = {
  loinc: '43304-5',
  label: 'Chlamydia trachomatis (NAAT)',
  finding: { kind: 'presence', value: 'positive' },
  expected: { values: ['negative'], source: 'catalogue' },
  result: null,
  unit: '',
  rawResult: 'Detected',
  rawUnit: '',
  labFlag: 'A',
  sent: {
    name: 'CT NAAT',
    status: 'final',
    codes: [{ code: 'CT1', display: 'CT NAAT' }],
    answer: { code: '260373001', system: 'SCT', display: 'Detected' },
    fillerNumber: 'F-77',
  },
}

export const content = (changes: Partial<Content> = {}): Content => ({
  release: '1.2.3',
  controlId: 'ntc_1.1',
  at: new Date('2026-11-28T10:00:00Z'),
  authority: {
    application: { name: 'TX.NEDSS', id: '2.16.840.1.114222.4.3.3.2.1', kind: 'ISO' },
    facility: { name: 'TX.DSHS', id: '2.16.840.1.114222.4.1.10', kind: 'ISO' },
    acknowledges: true,
    processing: 'P',
  },
  sender: {
    application: { name: 'KITLANE', id: '2.16.840.1.113883.3.9999.1', kind: 'ISO' },
    facility: { name: 'Kits Inc', id: '11D1111111', kind: 'CLIA' },
    ordering: {
      name: 'Kits Inc',
      street: '1 Main St',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
      phone: '+15125550100',
    },
  },
  race: 'White',
  person: {
    firstName: 'Zoë',
    lastName: 'O’Neil & Sons',
    dateOfBirth: '1980-02-03',
    sex: 'F',
    phone: '+15125550111',
    addressLine1: '2 Elm St',
    city: 'Austin',
    state: 'TX',
    zip: '78702',
  },
  personNumber: '1001',
  number: 'K1',
  filler: 'A-1',
  entry,
  status: 'F',
  provider: { provider: 'Jane Doe, MD', npi: '1234567893' },
  laboratory: { name: 'North Lab', address: '9 Road, Dallas, TX 75201', clia: '45D0000001', director: 'Max Roe, MD' },
  specimen: { id: 'S1', source: 'Urine' },
  collected: '2026-11-25T07:40-06:00',
  received: '2026-11-26',
  resulted: '2026-11-27',
  reported: '2026-11-27T09:00:00-06:00',
  ...changes,
})

const idsOf = (text: string) => violationsOf(text).map(({ id }) => id)

/** The same message with another text in a field. */
function changed(text: string, at: string, value: string): string {
  const [name = '', number] = at.split('-')
  const place = Number(number) - (name === 'MSH' ? 1 : 0)
  const lines = text.split('\r').map((line) => {
    if (!line.startsWith(`${name}|`)) return line
    const fields = line.split('|')
    while (fields.length <= place) fields.push('')
    return fields.with(place, value).join('|')
  })
  return lines.join('\r')
}

describe('a message to an authority', () => {
  it('has the word of the laboratory by its own code, and its numbers by whom it names as theirs', () => {
    const { answer: _, ...sent } = entry.sent ?? { name: '', status: '', codes: [] }
    const said = (rawResult: string, value: 'positive' | 'negative' = 'positive') =>
      elrOf(content({ entry: { ...entry, rawResult, sent, finding: { kind: 'presence', value } } }))
    expect(said('DETECTED')).toContain('||260373001^Detected^SCT^^^^^^DETECTED|')
    expect(said('Reactive')).toContain('||11214006^Reactive^SCT^^^^^^Reactive|')
    expect(said('Positive')).toContain('||10828004^Positive^SCT^^^^^^Positive|')
    expect(said('Not Detected', 'negative')).toContain('||260415000^Not detected^SCT^^^^^^Not Detected|')
    expect(said('Non-Reactive', 'negative')).toContain('||131194007^Non-reactive^SCT^^^^^^Non-Reactive|')
    const assigner = { name: 'NorthsideLIS', id: '2.16.840.1.113883.3.42', kind: 'ISO' as const }
    const theirs = elrOf(
      content({
        entry: { ...entry, sent: { ...sent, fillerNumber: '26-00917', fillerAssigner: assigner } },
        specimen: { id: '26-00917-U1', assigner, source: 'Urine' },
      }),
    )
    expect(violationsOf(theirs)).toEqual([])
    expect(theirs.match(/\|26-00917\^NorthsideLIS\^2\.16\.840\.1\.113883\.3\.42\^ISO\|/g)).toHaveLength(2)
    expect(theirs).toContain('\rSPM|1|^26-00917-U1&NorthsideLIS&2.16.840.1.113883.3.42&ISO|')
    expect(elrOf(content({ isMailing: true }))).toContain('|2 Elm St^^Austin^TX^78702^USA^M|')
  })

  it('has what the guide wants, for a finding, a number and a titre', () => {
    const text = elrOf(content())
    expect(violationsOf(text)).toEqual([])
    expect(text).toContain(
      '|20261128100000+0000||ORU^R01^ORU_R01|ntc_1.1|P|2.5.1|||AL|NE|USA|UNICODE UTF-8|||PHLabReport-Ack^phLabResultsELRv251^2.16.840.1.113883.9.10^ISO\r',
    )
    expect(text).toContain(
      '\rPID|1||1001^^^KITLANE&2.16.840.1.113883.3.9999.1&ISO^PI||O’Neil \\T\\ Sons^Zoë^^^^^L||19800203|F||2106-3^White^HL70005|',
    )
    expect(text).toContain(
      '\rOBX|1|CWE|43304-5^Chlamydia trachomatis (NAAT)^LN^CT1^CT NAAT^L||260373001^Detected^SCT^^^^^^Detected||',
    )
    expect(text).toContain(
      '|North Lab^L^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^45D0000001|9 Road^^Dallas^TX^75201^USA^B|^Roe^Max^^^^^^^L^^^^^^^^^^^MD',
    )
    expect(text).toContain('\rSPM|1|^S1&KITLANE&2.16.840.1.113883.3.9999.1&ISO||')
    expect(text).toContain('|202611250740-0600|')
    expect(text).toMatch(/\rORC\|RE\|K1\^[^|]*\|F-77-43304-5\^/)
    const { finding: _, expected: _e, ...bare } = entry
    const copies = { result: 5000, comparator: '>', unit: '{copies}/mL', rawUnit: '{copies}/mL', rawResult: '>5000' }
    const number = elrOf(content({ entry: { ...bare, ...copies } }))
    expect(violationsOf(number)).toEqual([])
    expect(number).toContain(
      '|SN|43304-5^Chlamydia trachomatis (NAAT)^LN^CT1^CT NAAT^L||>^5000|{copies}/mL^{copies}/mL^UCUM|',
    )
    const titre = elrOf(content({ entry: { ...bare, kind: 'titre', result: 16, unit: '{titer}', rawUnit: '{titer}' } }))
    expect(violationsOf(titre)).toEqual([])
    expect(titre).toContain('|^1^:^16|{titer}^{titer}^UCUM|')
  })

  const obx = (of: Partial<Content['entry']>) => {
    const { finding: _, expected: _e, ...bare } = entry
    const line = elrOf(content({ entry: { ...bare, ...of } }))
      .split('\r')
      .find((one) => one.startsWith('OBX'))
    return line?.split('|') ?? []
  }
  it('has code, name, value, unit, range and flag as the laboratory sent them, and no code of ours that its unit contradicts', () => {
    const lead = {
      ...{
        label: 'Lead',
        loinc: '5671-3',
        result: 0.24,
        unit: 'umol/L',
        rawResult: '5.10',
        rawValue: 5.1,
        rawUnit: 'ug/dL',
      },
      ...{ labRange: { low: null, high: 0.17 }, labFlag: 'H' },
    }
    const sent = { name: 'Lead [Mass/volume] in Blood', status: 'final', range: '<3.5' }
    const own = obx({ ...lead, sent: { ...sent, codes: [{ code: '5671-3', system: 'http://loinc.org' }] } })
    expect([3, 5, 6, 7, 8].map((at) => own[at])).toEqual([
      ...['5671-3^Lead [Mass/volume] in Blood^LN', '^5.10', 'ug/dL^ug/dL^UCUM', '<3.5', 'H^Above high normal^HL70078'],
    ])
    const uncoded = obx({ ...lead, loinc: '77307-7', sent: { ...sent, codes: [] } })
    expect([uncoded[3], uncoded[5]]).toEqual(['', '^5.10'])
    expect(obx({ ...lead, rawUnit: 'parts', sent: { ...sent, codes: [] } })[6]).toBe('')
  })

  const spm4 = (specimen: Content['specimen']) =>
    elrOf(content({ specimen }))
      .split('\r')
      .find((one) => one.startsWith('SPM'))
      ?.split('|')[4]
  it('has the code of the sample that the laboratory sent, and of a text only one that means just that', () => {
    const rectal = { code: '258528007', system: 'SCT', display: 'Rectal swab' }
    expect(spm4({ source: 'Rectal swab', codes: [rectal] })).toBe('258528007^Rectal swab^SCT^^^^^^Rectal swab')
    expect(spm4({ source: 'Urine', codes: [{ code: 'UR', system: 'HL70487', display: 'Urine' }] })).toBe(
      'UR^Urine^HL70487^^^^^^Urine',
    )
    expect(spm4({ source: 'Urethral swab' })).toBe('258530009^Urethral swab^SCT^^^^^^Urethral swab')
    expect(spm4({ source: 'Throat swab' })).toBe('258529004^Throat swab^SCT^^^^^^Throat swab')
    expect(spm4({ source: 'First void urine' })).toBe('122575003^Urine specimen^SCT^^^^^^First void urine')
    for (const source of ['Cervical swab', 'Swab', 'Body fluid', 'Blood and urine'])
      expect(spm4({ source }), source).toBe('')
    expect(spm4({ source: 'Cervical swab', codes: [{ code: 'CX', system: 'L' }] })).toBe('')
  })

  it('says each race that is known, who is Hispanic or Latino, and the titles of those who performed it', () => {
    const text = elrOf(content({ race: 'White, Asian, Hispanic or Latino' }))
    expect(text).toContain('|2106-3^White^HL70005~2028-9^Asian^HL70005|')
    expect(text).toMatch(/\rPID\|(?:[^|]*\|){21}H\^Hispanic or Latino\^HL70189\r/)
    const laboratory = { name: 'North Lab', address: '9 Road, Dallas, TX 75201', director: 'Dr. Ines Okoro, PhD' }
    expect(elrOf(content({ laboratory }))).toContain('|^Okoro^Ines^^^Dr.^^^^L^^^^^^^^^^^PhD\r')
  })

  it('says what it corrects or takes back, and never that race or ethnicity are known when they are not', () => {
    const corrected = elrOf(content({ status: 'C', race: 'Prefer not to say' }))
    expect(corrected).toMatch(/\rOBR\|(?:[^|]*\|){24}C\b/)
    expect(corrected).toMatch(/\rOBX\|(?:[^|]*\|){10}C\|/)
    expect(corrected).toMatch(/\rPID\|(?:[^|]*\|){7}F\|\|\|2 Elm St\^\^Austin\^TX\^78702\^USA\^H\|[^|]*\|?[^|]*\r/)
    const wrong = elrOf(content({ status: 'W' }))
    expect([/\rOBR\|(?:[^|]*\|){24}C\b/.test(wrong), /\rOBX\|(?:[^|]*\|){10}W\|/.test(wrong)]).toEqual([true, true])
    expect(idsOf(wrong)).toEqual([])
  })

  it('without what is not known waits, and says each thing that is missing', () => {
    const unknown = {
      sender: undefined,
      provider: undefined,
      laboratory: undefined,
      specimen: undefined,
      collected: null,
      received: null,
    }
    const missing = idsOf(elrOf(content({ ...unknown, entry: { ...entry, loinc: undefined } })))
    expect(missing).toEqual(
      expect.arrayContaining([
        'MSH-3 R',
        'MSH-4 R',
        'ORC-21 R',
        'ORC-22 R',
        'ORC-23 R',
        'OBR-4 R',
        'OBR-7 R',
        'OBX-3 R',
        'OBX-23 R',
        'OBX-24 R',
        'SPM-4 R',
        'SPM-17 R',
        'SPM-18 R',
        'provider',
        'loinc',
      ]),
    )
    expect(violationsOf(elrOf(content({ specimen: { source: 'Blood and urine' } })))).toMatchObject([
      { words: 'SPM-4: what was taken is missing' },
    ])
    expect(
      idsOf(elrOf(content({ laboratory: { name: 'North Lab', address: '9 Road, Paris', clia: 'none' } }))),
    ).toEqual([])
  })
})

const fine = elrOf(content())
/** What breaks a rule about the form of a field. */
const address = '1 Main St^^Austin^Texas^78701^USA'
const broken: Record<string, string> = {
  ...{ 'PID-11': address, 'ORC-22': address, 'ORC-24': address, 'OBX-24': address },
  ...{ 'SFT-1': '^L', 'ORC-21': '^L', 'OBX-23': '^L' },
}
/** What breaks each rule about several fields. */
const several: Record<string, [at: string, value: string]> = {
  'ELR-019': ['MSH-15', 'NE'],
  'ELR-020': ['MSH-16', 'XX'],
  'ELR-035': ['ORC-2', 'K2^A^1.2.3^ISO'],
  'ELR-036': ['ORC-3', 'K2^A^1.2.3^ISO'],
  'ELR-037': ['OBR-16', '^Other'],
  'ELR-038': ['OBR-17', '^WPN^PH^^1^512^5550199'],
  'ELR-051': ['OBX-14', '20261124'],
  'OBX-2 C': ['OBX-2', ''],
  'OBX-5 C': ['OBX-5', ''],
  'OBX-5 CWE': ['OBX-5', '^Positive^SCT'],
  'OBX-5 SN': ['OBX-5', '>>^many'],
  'OBX-6 C': ['OBX-6', ''],
  provider: ['ORC-12', ''],
  name: ['PID-5', 'Lane'],
  birth: ['PID-7', ''],
  address: ['PID-11', ''],
  loinc: ['OBX-3', 'CT1^CT^L'],
  received: ['SPM-18', '20261101'],
}
const { finding: _, ...withoutFinding } = entry
const number = elrOf(
  content({ entry: { ...withoutFinding, result: 5, unit: 'mg/L', rawUnit: 'mg/L', rawResult: '5' } }),
)

describe('the rules of the guide', () => {
  it.each(guideRules.map(({ id }) => id))('%s is broken by a message that breaks it, and by no right one', (id) => {
    expect([idsOf(fine), idsOf(number)]).toEqual([[], []])
    const [at = '', kind] = id.split(' ')
    const [where, value] = several[id] ?? [
      at,
      kind === 'R' ? '' : kind === 'length' ? 'x'.repeat(4000) : (broken[at] ?? '?'),
    ]
    const base = id === 'OBX-5 SN' || id === 'OBX-6 C' ? number : fine
    expect(idsOf(changed(base, where, value))).toContain(id)
  })

  it('want each segment once, in its order', () => {
    expect(idsOf(fine.replace(/SPM.*\r/, ''))).toEqual(['segments'])
    expect(idsOf(`${fine}SPM|2\r`)).toEqual(['segments'])
    expect(idsOf('')).toEqual(['segments'])
  })

  it.each([
    ['OBR-7', '20260230', 'OBR-7 form'],
    ['OBR-7', '2026112525', 'OBR-7 form'],
    ['OBR-22', '202611270900', 'OBR-22 form'],
    ['MSH-3', 'K^1.2.840.x^ISO', 'MSH-3 form'],
    ['MSH-4', 'K^11X1111111^CLIA', 'MSH-4 form'],
    ['PID-11', '2 Elm St^^Austin^Texas^78702^USA', 'PID-11 form'],
    ['PID-11', '2 Elm St^^Austin^TX^787^USA', 'PID-11 form'],
    ['PID-13', '^PRN^PH^^49^30^1234', 'PID-13 form'],
    ['ORC-12', '12345^Doe^Jane^^^^^^NPI&2.16.840.1.113883.4.6&ISO^L^^^NPI', 'ORC-12 form'],
    ['OBX-3', '433045^Chlamydia^LN', 'OBX-3 form'],
    ['OBX-23', 'Lab^L^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^45X1', 'OBX-23 form'],
    ['MSH-21', 'PHLabReport-NoAck^x^2.16.840.1.114222.4.10.3^ISO', 'MSH-21 form'],
    ['MSH-21', 'PHLabReport-Ack^x^2.16.840.1.113883.9.11^ISO', 'MSH-21 form'],
  ])('%s of %s is wrong', (at, value, id) => {
    expect(idsOf(changed(fine, at, value))).toContain(id)
  })
})
