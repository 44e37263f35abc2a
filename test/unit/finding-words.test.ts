import { expectedText, valueText } from '@kitlane/display/report-text'
import { verdictOf } from '@kitlane/display/verdict'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { type Finding, Grade, Presence, type Scale } from '@kitlane/lab-reader/facts/finding-schema'
import { expectedOf, findingOf, isExpected, titreOf } from '@kitlane/lab-reader/facts/findings'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'
import { judgeResult } from '../../src/modules/reports/judge/entry.ts'
import type { BiomarkerEntry } from '../../src/modules/reports/schema.ts'

const sample = { subject: { sex: 'F' as const, ageYears: 41 }, labErrors: [] }

const presence: Scale = { kind: 'presence', expected: ['negative'] }
const grade: Scale = { kind: 'grade', expected: ['negative'] }

describe('a word of a laboratory', () => {
  test.each([
    ['NEGATIVE', 'negative'],
    ['Non-Reactive', 'negative'],
    ['NONREACTIVE', 'negative'],
    ['Not Detected', 'negative'],
    ['nicht nachweisbar', 'negative'],
    ['négatif', 'negative'],
    ['No detectado', 'negative'],
    ['Ikke påvist', 'negative'],
    ['Não reagente', 'negative'],
    ['Niet aantoonbaar', 'negative'],
    ['ujemny', 'negative'],
    ['Negatif', 'negative'],
    ['陰性', 'negative'],
    ['dodatni', 'positive'],
    ['Positief', 'positive'],
    ['陽性', 'positive'],
    ['Reactive', 'positive'],
    ['DETECTED A', 'positive'],
    ['Detected (AA)', 'positive'],
    ['Positive *', 'positive'],
    ['Weakly reactive', 'positive'],
    ['Immune', 'positive'],
    ['+', 'positive'],
    ['Equivocal', 'indeterminate'],
    ['Borderline', 'indeterminate'],
    ['Indéterminé', 'indeterminate'],
    ['Negative (0.12 S/CO)', 'negative'],
    ['Non-Reactive (Index: 0,08)', 'negative'],
    ['Reactive (S/CO 12.4)', 'positive'],
  ])('%s is %s', (text, value) => {
    expect(findingOf(presence, text)).toEqual({ kind: 'presence', value })
  })

  test.each([
    ['Neg', 'negative'],
    ['Trace', 'trace'],
    ['+/-', 'trace'],
    ['+', '1+'],
    ['++', '2+'],
    ['+++', '3+'],
    ['++++', '4+'],
    ['1+', '1+'],
    ['+2', '2+'],
    ['3+ H', '3+'],
    ['Moderate', '2+'],
    ['Large', '3+'],
  ])('%s is the step %s of a test strip', (text, value) => {
    expect(findingOf(grade, text)).toEqual({ kind: 'grade', value })
  })

  test.each([
    ...['', '-', 'See note', 'Not', 'Not performed', 'Hemolyzed', 'Pending', '0.05', '5+', '+++++', 'Detected?'],
    ...['Negative (1.2 S/CO)', 'Positive (0.3 COI)', 'Negative (0.12)'],
  ])('%j is none that is known: it waits', (text) => {
    expect([findingOf(presence, text), findingOf(grade, text)]).toEqual([undefined, undefined])
  })

  test.each([
    ['1:320', { value: 320 }],
    ['< 1:10', { value: 10, comparator: '<' }],
    ['1:<10', { value: 10, comparator: '<' }],
    ['≥1:1280', { value: 1280, comparator: '>=' }],
    ['1/80', { value: 80 }],
    ['1 : 40 H', { value: 40 }],
    ['2:40', undefined],
    ['1:0', undefined],
    ['1:40-1:80', undefined],
    ['11:40', undefined],
  ])('%s as a titer is %j', (text, expected) => {
    expect(titreOf(text)).toEqual(expected)
  })

  test('is a text where texts are expected, but not where it says that there is no result', () => {
    const text: Scale = { kind: 'text', expected: ['No growth'] }
    expect(findingOf(text, 'Escherichia  coli')).toEqual({ kind: 'text', value: 'Escherichia coli' })
    expect(isExpected({ kind: 'text', value: 'NO GROWTH' }, text.expected)).toBe(true)
    for (const none of ['See comment', 'Specimen rejected', 'Pending', '', '12']) {
      expect(findingOf(text, none), none).toBeUndefined()
    }
  })

  test('beside a result says what the laboratory expects', () => {
    expect(expectedOf(presence, 'Non-Reactive')).toEqual(['negative'])
    expect(expectedOf(grade, 'Neg-Trace')).toEqual(['negative', 'trace'])
    expect(expectedOf(grade, 'Negative to 1+')).toEqual(['negative', 'trace', '1+'])
    expect(expectedOf(presence, '<1.0 S/CO')).toBeUndefined()
  })
})

const biomarker = (scale: Scale): Biomarker => {
  const hbsag = biomarkers.find(({ id }) => id === 'hbsag')
  if (!hbsag) throw new Error('no hbsag')
  return { ...hbsag, id: 'made_up', scale }
}

interface Case {
  scale: Exclude<Scale, { kind: 'titre' }>
  finding: Finding
  labExpected?: string[]
  labFlag?: string
}

const flags = [undefined, 'N', 'A', 'AA', 'H', 'HH', 'L', 'LL', 'EXP', 'UNE', 'POS', 'NEG', 'DET', 'IND', 'U', 'QQ']
const meaning: Record<string, 'N' | 'A' | 'AA'> = {
  N: 'N',
  EXP: 'N',
  A: 'A',
  UNE: 'A',
  H: 'A',
  L: 'A',
  AA: 'AA',
  HH: 'AA',
  LL: 'AA',
}

function* cases(): Generator<Case> {
  const values: Finding[] = [
    ...Presence.options.map((value) => ({ kind: 'presence' as const, value })),
    ...Grade.options.map((value) => ({ kind: 'grade' as const, value })),
    ...['No growth', 'Escherichia coli'].map((value) => ({ kind: 'text' as const, value })),
  ]
  for (const finding of values) {
    const normal = { presence: 'negative', grade: 'negative', text: 'no growth' }[finding.kind]
    for (const expected of [[], [normal], ...(finding.kind === 'presence' ? [['positive']] : [])]) {
      for (const critical of [undefined, true] as const) {
        const scale = { kind: finding.kind, expected, ...(critical && { critical }) } as Case['scale']
        for (const labExpected of [undefined, [normal], ['positive']]) {
          for (const labFlag of flags)
            yield { scale, finding, ...(labExpected && { labExpected }), ...(labFlag && { labFlag }) }
        }
      }
    }
  }
}

type Judge = (one: Case) => BiomarkerEntry
const judge: Judge = ({ scale, ...given }) =>
  judgeResult(biomarker(scale), { biomarkerId: 'made_up', ...given }, sample)

function contradictions({ scale, finding, labExpected, labFlag = '' }: Case, entry: BiomarkerEntry): string[] {
  const { state, interpretation, note = '', holdsReport } = entry
  const flag = meaning[labFlag]
  const found: string[] = []
  const isGood = state === 'good' || state === 'optimal'
  const normal = labExpected ?? scale.expected
  const isNormal = normal.map((one) => one.toLowerCase()).includes(finding.value.toLowerCase())
  if (isGood !== (interpretation === 'N')) found.push('state and interpretation differ')
  if ((state === 'unknown') !== (interpretation === '')) found.push('one of state and interpretation is unknown')
  if (state === 'unknown' && note === '') found.push('no verdict, and no reason')
  if (flag && flag !== 'N' && isGood) found.push('it is good, and the laboratory flagged it')
  if (flag === 'N' && !isGood) found.push('it is not good, and the laboratory says normal')
  if (flag === 'AA' && !['AA', 'HH', 'LL'].includes(interpretation)) found.push('critical, and not said')
  if (flag && isGood !== isNormal && normal.length > 0 && !note.includes(`(${labFlag})`) && state !== 'unknown')
    found.push('flag and expectation differ, and it is not said')
  if (!flag && labFlag !== 'QQ' && isNormal !== isGood) found.push('what is expected is not what is good')
  if (labFlag === 'QQ' && state !== 'unknown') found.push('a flag that nobody knows has a verdict')
  // Where nothing is expected, as of antibodies, only what is negative needs nobody.
  const harmless = scale.expected.length > 0 ? scale.expected : ['negative']
  const isUnexpected = !harmless.map((one) => one.toLowerCase()).includes(finding.value.toLowerCase())
  if (Boolean(holdsReport) !== (scale.critical === true && isUnexpected)) found.push('the critical rule is not kept')
  if (entry.labFlag !== (labFlag || undefined)) found.push("the laboratory's flag is not kept")
  if (entry.result !== null || entry.deviationScore !== null) found.push('a number of what is none')
  if ((verdictOf(entry) === 'expected') !== isGood) found.push('the words differ from the state')
  return found
}

describe('every finding with every expectation and flag', () => {
  const run = (by: Judge) => {
    const found = new Map<string, Case>()
    let count = 0
    for (const one of cases()) {
      count++
      for (const kind of contradictions(one, by(one))) if (!found.has(kind)) found.set(kind, one)
    }
    return { count, found: Object.fromEntries(found) }
  }

  test('has a verdict that contradicts neither the laboratory nor itself', () => {
    const { count, found } = run(judge)
    process.stdout.write(`findings: ${count} cases, ${Object.keys(found).length} kinds of contradictions\n`)
    expect(found).toEqual({})
    expect(count).toBeGreaterThan(2000)
  })

  test('finds a judge that does not hear flags, and one that forgets the critical rule', () => {
    const deaf = run((one) => ({ ...judge({ ...one, labFlag: 'U' }), labFlag: one.labFlag }))
    expect(Object.keys(deaf.found)).toContain('it is good, and the laboratory flagged it')
    const forgetful = run((one) => ({ ...judge(one), holdsReport: undefined }))
    expect(Object.keys(forgetful.found)).toContain('the critical rule is not kept')
  })
})

const hl7 = (...obx: string[]) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    'PID|1||X||Tester^Bo||19800229|F',
    'OBR|1|||24331-1^Panel^LN|||20260401083000|||||||||||||||20260402110000|||F',
    ...obx,
  ].join('\r')
const fhir = (name: string, value: object, more: object = {}) =>
  JSON.stringify({ resourceType: 'Observation', status: 'final', code: { text: name }, ...value, ...more })

async function read(bytes: string | Buffer) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  const identified = reports.map(({ observations }) => identifyObservations(observations, biomarkers))
  return {
    right: identified.flatMap(({ results }) =>
      results.map((one) => [
        one.biomarkerId,
        'finding' in one ? one.finding.value : `${one.comparator ?? ''}${one.value}`,
      ]),
    ),
    left: identified.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code])),
  }
}

describe('a result that is no number is read', () => {
  test.each([
    ['ST', hl7('OBX|1|ST|^HBsAg||Non-Reactive||Non-Reactive|||F'), 'hbsag', 'negative'],
    ['CE', hl7('OBX|1|CE|^HBsAg||11214006^Reactive^SCT|||A|||F'), 'hbsag', 'positive'],
    ['CWE', hl7('OBX|1|CWE|^SARS-CoV-2 RNA||260373001^Detected^SCT|||DET|||F'), 'sars_cov_2_rna', 'positive'],
    ['SN', hl7('OBX|1|SN|^ANA Titer||^1^:^320||<1:80||||F'), 'ana_titre', '320'],
    ['SN with a sign', hl7('OBX|1|SN|^ANA Titer||<^1^:^40||<1:40||||F'), 'ana_titre', '<40'],
    ['ST of a titer', hl7('OBX|1|ST|^ANA Titer||1:80||||||F'), 'ana_titre', '80'],
    ['ST of a step', hl7('OBX|1|ST|^Protein, urine||+++||||||F'), 'urine_protein_strip', '3+'],
    ['valueString', fhir('HBsAg', { valueString: 'NONREACTIVE' }), 'hbsag', 'negative'],
    ['valueCodeableConcept', fhir('HBsAg', { valueCodeableConcept: { text: 'Reactive' } }), 'hbsag', 'positive'],
    [
      'valueRatio',
      fhir('ANA titer', { valueRatio: { numerator: { value: 1 }, denominator: { value: 320 } } }),
      ...(['ana_titre', '320'] as const),
    ],
    [
      'valueRatio with a sign',
      fhir('ANA titer', { valueRatio: { numerator: { value: 1 }, denominator: { value: 40, comparator: '<' } } }),
      ...(['ana_titre', '<40'] as const),
    ],
    ['CSV', 'Test,Result,Units,Reference Range\nHBsAg,Non-Reactive,,Non-Reactive\n', 'hbsag', 'negative'],
    ['CSV, titer', 'Test,Result,Units,Reference Range\nANA Titer,<1:40,,<1:40\n', 'ana_titre', '<40'],
    ['CSV, step', 'Test,Result,Units,Reference Range\n"Protein, urine",2+,,Negative\n', 'urine_protein_strip', '2+'],
  ])('by %s', async (_, bytes, id, value) => {
    expect(await read(bytes)).toEqual({ right: [[id, value]], left: [] })
  })

  test('and waits where its word is not known, or where the laboratory contradicts itself', async () => {
    expect(await read(hl7('OBX|1|ST|^HBsAg||See letter||||||F'))).toMatchObject({ left: [['HBsAg', 'unknownWord']] })
    expect(await read(hl7('OBX|1|NM|^HBsAg||0.05||||||F'))).toMatchObject({ left: [['HBsAg', 'unknownWord']] })
    expect(await read(hl7('OBX|1|ST|^HBsAg||Negative|||POS|||F'))).toMatchObject({
      left: [['HBsAg', 'flagContradictsValue']],
    })
    expect(await read(hl7('OBX|1|ST|^HBsAg||Reactive||Non-Reactive|N|||F'))).toMatchObject({
      left: [['HBsAg', 'flagContradictsRange']],
    })
    expect(await read(hl7('OBX|1|NM|^ANA Titer||320||||||F'))).toMatchObject({ left: [['ANA Titer', 'noUnit']] })
  })
})

describe('words of a result', () => {
  test('are its own, with what is expected', () => {
    expect(valueText({ finding: { kind: 'presence', value: 'positive' } })).toBe('Positive')
    expect(valueText({ result: 40, comparator: '<', displayUnit: 'titer' })).toBe('< 1:40')
    const finding = { kind: 'grade', value: '2+' } as const
    expect(expectedText({ finding, expected: { values: ['negative', 'trace'] } })).toBe('Negative or Trace')
  })
})

test('(+) is a trace, and waits beside a name of Japan, where it is the first step', async () => {
  const read = async (name: string) => {
    const { reports } = await parseBytes(Buffer.from(`Test,Result,Unit\n${name},(+),\n`), { maxPages: 1 })
    const { results, unmatched } = identifyObservations(reports[0]?.observations ?? [], biomarkers)
    return [...results.map((one) => 'finding' in one && one.finding.value), ...unmatched.map(({ code }) => code)]
  }
  expect(await read('Urine protein test strip')).toEqual(['trace'])
  expect(await read('尿蛋白')).toEqual(['unknownWord'])
})
