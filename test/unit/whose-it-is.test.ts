import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import type { Patient } from '@kitlane/lab-reader/parse/parsed'
import { areSeveralPeople, type Difference, differences } from '@kitlane/lab-reader/parse/person'
import { describe, expect, test } from 'vitest'
import { differencesOfUpload, doubtOfMessage } from '../../src/modules/lab/match.ts'

const person = { firstName: 'Margaret', lastName: 'O’Neill-Sørensen', dateOfBirth: '1980-02-03', sex: 'F' as const }

type Said = [meaning: string, value: string, differs?: Difference]
const names: Said[] = [
  ['the name', 'Margaret O’Neill-Sørensen'],
  ['the name as laboratories fold it', 'ONEILL-SORENSEN, MARGARET A'],
  ['another name', 'Otto Berg', 'name'],
  ['a name with another family name', 'Margaret Berg', 'name'],
  ['a baby of the person', 'ONEILL-SORENSEN, BABY OF MARGARET', 'name'],
  ['a newborn of the person', 'Newborn of Margaret O’Neill-Sørensen', 'name'],
  ['the mother of the person', 'Mother of Margaret O’Neill-Sørensen', 'name'],
  ['no name', ''],
]
const births: Said[] = [
  ['the birth', '1980-02-03'],
  ['another birth', '1981-02-03', 'dateOfBirth'],
  ['no birth', ''],
]
const sexes: Said[] = [
  ['the sex', 'F'],
  ['another sex', 'M', 'sex'],
  ['an unknown sex', 'U'],
  ['no sex', ''],
]
/** What the laboratory calls a person is no number of ours: it tells the people of a file apart, see below. */
const numbers: Said[] = [
  ['a number', 'MRN-1'],
  ['no number', ''],
]

const table = names.flatMap((name) =>
  births.flatMap((birth) => sexes.flatMap((sex) => numbers.map((number) => ({ name, birth, sex, number })))),
)
const title = ({ name, birth, sex, number }: (typeof table)[number]) =>
  [name, birth, sex, number].map(([meaning]) => meaning).join(', ')
const expected = ({ name, birth, sex }: (typeof table)[number]) =>
  differences.filter((one) => [name, birth, sex].some(([, , differs]) => differs === one))

const hl7 = ({ name, birth, sex, number }: (typeof table)[number]) => {
  const [family, given = ''] = name[1].includes(',') ? name[1].split(', ') : [name[1]]
  return [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|1|P|2.5.1',
    `PID|1||${number[1]}^^^LAB^MR||${family}^${given}||${birth[1].replaceAll('-', '')}|${sex[1]}`,
    'OBR|1||ACC77|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F',
    'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
  ].join('\r')
}
const fhir = ({ name, birth, sex, number }: (typeof table)[number]) => {
  const gender = { F: 'female', M: 'male', U: 'unknown' }[sex[1]]
  const patient = {
    resourceType: 'Patient',
    id: 'p',
    ...(number[1] && { identifier: [{ system: 'urn:lab', value: number[1] }] }),
    ...(name[1] && { name: [{ text: name[1] }] }),
    ...(birth[1] && { birthDate: birth[1] }),
    ...(gender && { gender }),
  }
  const observation = {
    resourceType: 'Observation',
    status: 'final',
    subject: { reference: 'Patient/p' },
    code: { coding: [{ system: 'http://loinc.org', code: '2345-7' }], text: 'Glucose' },
    effectiveDateTime: '2026-11-01',
    valueQuantity: { value: 91, unit: 'mg/dL' },
  }
  return JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    entry: [{ resource: patient }, { resource: observation }],
  })
}
const csv = ({ name, birth, sex }: (typeof table)[number]) =>
  ['Patient,DOB,Sex,Test,Result,Unit', `"${name[1]}",${birth[1]},${sex[1]},Glucose,91,mg/dL`].join('\n')

const reportOf = async (bytes: string) => {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  expect(reports).toHaveLength(1)
  return reports[0] ?? expect.fail('no report')
}
const kit = { realm: { mode: 'live' }, kitId: 'K', kitStatus: 'registered', registration: person }
const reasons: Record<Difference, string> = { name: 'The name', dateOfBirth: 'The date of birth', sex: 'The sex' }

describe('whose a result is, decided alike on every way in', () => {
  test.each([
    ['a message in HL7', hl7],
    ['a message in FHIR', fhir],
  ])(
    'by %s: what contradicts the registration waits with its reason, and what only one side says does not',
    async (_, made) => {
      for (const row of table) {
        const doubt = doubtOfMessage(kit as never, await reportOf(made(row)), { isStopped: false, now: new Date() })
        const [first] = expected(row)
        if (first) expect(doubt, title(row)).toMatch(new RegExp(`^${reasons[first]} is not that of the person`))
        else expect(doubt, title(row)).toBeUndefined()
      }
    },
  )

  test.each([
    ['HL7', hl7],
    ['FHIR', fhir],
    ['CSV', csv],
  ])('by an upload in %s: the same differences hold the report or the file', async (_, made) => {
    const customer = { name: 'Margaret O’Neill-Sørensen', dateOfBirth: person.dateOfBirth, gender: 'F' as const }
    const silent = { name: null, dateOfBirth: null, gender: null }
    for (const row of table) {
      const { patient } = await reportOf(made(row))
      expect(differencesOfUpload(patient, customer), title(row)).toEqual(expected(row))
      expect(differencesOfUpload(patient, silent as never), title(row)).toEqual([])
    }
  })
})

const named = (field: string) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|1|P|2.5.1',
    `PID|1||1^^^LAB^MR||${field}||19800203|F`,
    'OBR|1||ACC77|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F',
    'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
  ].join('\r')
const differsFrom = async (bytes: string, name: string) =>
  differencesOfUpload((await reportOf(bytes)).patient, { name, dateOfBirth: '1980-02-03', gender: 'F' })
const three = '田中^花子^^^^^L^I~タナカ^ハナコ^^^^^L^P~Tanaka^Hanako^^^^^L^A'

describe('a name in several ways of writing', () => {
  test.each([
    ['in ideographs, by the first of three', three, '田中 花子'],
    ['without a space', three, '田中花子'],
    ['in katakana, by the second of three', three, 'タナカ ハナコ'],
    ['in hiragana for katakana', three, 'たなか はなこ'],
    ['in katakana of half width, as old systems send it', 'ﾀﾅｶ^ﾊﾅｺ^^^^^L^P', 'タナカ ハナコ'],
    ['with its voice marks, half width', 'ﾀﾞﾃ^ｼﾞﾛｳ^^^^^L^P', 'ダテ ジロウ'],
    ['in letters, by the last of three', three, 'Hanako Tanaka'],
    ['in letters behind an empty repetition', '~Tanaka^Hanako^^^^^L^A', 'Hanako Tanaka'],
    ['by birth, beside the one by marriage', 'Berg^Anna^^^^^L~Olsen^Anna^^^^^M', 'Anna Olsen'],
    ['of one character each', '森^茜', '森 茜'],
  ])('is that of the person: %s', async (_, field, name) => {
    expect(await differsFrom(named(field), name)).toEqual([])
  })

  test.each([
    ['ideographs alone beside letters', '田中^花子^^^^^L^I', 'Hanako Tanaka'],
    ['kana alone beside ideographs', 'タナカ^ハナコ^^^^^L^P', '田中 花子'],
    ['another family name of one character', '林^花子', '森 花子'],
    ['another family name of one syllable in Korean', '김^민준', '이 민준'],
    ['another name that differs by a voice mark', 'カキ^ハナコ', 'ガキ ハナコ'],
    ['another name that differs by a vowel sign', 'राम^देवी', 'रम देवी'],
    ['two names by law in one script, of which one is another', 'Berg^Otto^^^^^L~Tanaka^Hanako^^^^^L', 'Hanako Tanaka'],
    ['the name of a spouse', 'Berg^Anna^^^^^L~Olsen^Karl^^^^^P', 'Karl Olsen'],
    ['another name in ideographs beside the same letters', '中村^花子^^^^^L^I~Tanaka^Hanako^^^^^L^A', '田中 花子'],
  ])('waits: %s', async (_, field, name) => {
    expect(await differsFrom(named(field), name)).toEqual(['name'])
  })

  test('in FHIR counts alike: any of the names of use, and no anonymous one', async () => {
    const said = (name: object[]) =>
      JSON.stringify({
        resourceType: 'Bundle',
        type: 'collection',
        entry: [
          { resource: { resourceType: 'Patient', id: 'p', birthDate: '1980-02-03', gender: 'female', name } },
          {
            resource: {
              resourceType: 'Observation',
              status: 'final',
              subject: { reference: 'Patient/p' },
              code: { coding: [{ system: 'http://loinc.org', code: '2345-7' }], text: 'Glucose' },
              effectiveDateTime: '2026-11-01',
              valueQuantity: { value: 91, unit: 'mg/dL' },
            },
          },
        ],
      })
    const both = [
      { use: 'official', text: '田中 花子' },
      { family: 'Tanaka', given: ['Hanako'] },
    ]
    expect(await differsFrom(said(both), 'Hanako Tanaka')).toEqual([])
    expect(await differsFrom(said(both), '田中花子')).toEqual([])
    expect(await differsFrom(said(both.slice(0, 1)), 'Hanako Tanaka')).toEqual(['name'])
    const anonymous = [
      { use: 'official', text: 'Otto Berg' },
      { use: 'anonymous', text: 'Hanako Tanaka' },
    ]
    expect(await differsFrom(said(anonymous), 'Hanako Tanaka')).toEqual(['name'])
  })

  test('is read from a message in ISO 2022-JP, which MSH-18 names', async () => {
    const escaped = (text: string, bytes: number[]) =>
      [text, Buffer.from([0x1b, 0x24, 0x42, ...bytes, 0x1b, 0x28, 0x42])] as const
    const [family] = [escaped('田中', [0x45, 0x44, 0x43, 0x66])]
    const [given] = [escaped('花子', [0x32, 0x56, 0x3b, 0x52])]
    const [before = '', after = ''] = named('^^^^^^L^I')
      .replace('|P|2.5.1', '|P|2.5.1||||||~ISO IR87')
      .split('^^^^^^L^I')
    const bytes = Buffer.concat([
      Buffer.from(before),
      family[1],
      Buffer.from('^'),
      given[1],
      Buffer.from(`^^^^^L^I${after}`),
    ])
    expect(await differsFrom(bytes as never, '田中 花子')).toEqual([])
  })
})

describe('two descriptions in one file', () => {
  const one: Patient = { name: 'Jamie Doe', dateOfBirth: '1980-02-03', sex: 'F', id: '1', authority: 'LAB MR' }
  test.each<[string, Partial<Patient>, boolean]>([
    ['that are alike', {}, false],
    ['with two numbers of one authority', { id: '2' }, true],
    ['with numbers of two authorities, the same name and birth', { id: '2', authority: 'CLINIC MR' }, false],
    [
      'with two numbers of which nobody says whose they are, the same name and birth',
      { id: '2', authority: undefined },
      false,
    ],
    ['with numbers of two authorities and no birth', { id: '2', authority: 'CLINIC MR', dateOfBirth: undefined }, true],
    ['with one number and another name', { name: 'Otto Berg' }, true],
    ['with one number and another birth', { dateOfBirth: '1981-02-03' }, true],
    ['with one number and another sex', { sex: 'M' }, true],
    ['of which one has no number', { id: undefined, authority: undefined }, false],
    ['of a person and her baby', { name: 'Baby of Jamie Doe' }, true],
  ])('%s', (_, other, isSeveral) => {
    const second = Object.fromEntries(Object.entries({ ...one, ...other }).filter(([, value]) => value !== undefined))
    expect(areSeveralPeople([one, second])).toBe(isSeveral)
  })
})
