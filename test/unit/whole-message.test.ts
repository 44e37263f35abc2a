import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

const header = 'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1'
const person = 'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F'
const request = 'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000|||||||||||||||20260301110000|||F'
const second = request.replace('OBR|1|A1|F1', 'OBR|2|A2|F2')
const sodium = 'OBX|1|NM|2951-2^Sodium^LN||141|mmol/L|136-145|N|||F'
const potassium = 'OBX|2|NM|2823-3^Potassium^LN||4.2|mmol/L|3.5-5.1|N|||F'
const spm = (fields: Record<number, string>) => {
  const all = Array.from({ length: 25 }, (_, at) => fields[at] ?? '')
  return ['SPM', '1', '', '', 'SER^Serum^HL70487', ...all.slice(5)].join('|')
}

/** What is read and what waits, with its reason. */
async function outcome(lines: readonly string[]) {
  const { reports } = await parseBytes(Buffer.from(lines.join('\r')), { maxPages: 1 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    read: all.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: all.flatMap(({ unmatched }) => unmatched.map(({ code }) => code)),
    because: all.flatMap(({ unmatched }) => unmatched.map(({ reason }) => reason)),
  }
}
const both = ['sodium', 'potassium']

describe('all results of a message wait, with the reason,', () => {
  it.each([
    [
      'where a note on the person says so',
      [header, person, 'NTE|1|L|Wrong patient. Do not use.', request, sodium, second, potassium],
    ],
    [
      'where a note on the request says so',
      [header, person, request, 'NTE|1|L|Do not use these results, sample mix-up.', sodium, potassium],
    ],
    [
      'where a note in German says so',
      [header, person, request, 'NTE|1|L|Befund bitte nicht verwenden.', sodium, potassium],
    ],
    [
      'where a note under one value speaks of these results',
      [header, person, request, sodium, potassium, 'NTE|1|L|These results were reported on the wrong patient.'],
    ],
    [
      'where the specimen was rejected',
      [header, person, request, sodium, potassium, spm({ 21: 'RS^Rejected sample^HL70490' })],
    ],
    ['where it was rejected by a code alone', [header, person, request, sodium, potassium, spm({ 21: 'RI' })]],
    [
      'where the specimen is contaminated',
      [header, person, request, sodium, potassium, spm({ 24: 'CON^Contaminated^HL70493' })],
    ],
    [
      'where the specimen has clotted, by a code alone',
      [header, person, request, sodium, potassium, spm({ 24: 'CLOT' })],
    ],
  ])('%s', async (_, lines) => {
    const { read, waiting, because } = await outcome(lines)
    expect([read, waiting]).toEqual([[], ['annulled', 'annulled']])
    expect(because.every((one) => one.includes(': '))).toBe(true)
  })

  it.each([
    ['where it is for training', [header.replace('|P|', '|T|'), person, request, sodium, potassium]],
    ['where it is for debugging', [header.replace('|P|', '|D|'), person, request, sodium, potassium]],
    [
      'where its person is control material',
      [header, person.replace('VALLE^NORA', 'CONTROL^LEVEL 1'), request, sodium, potassium],
    ],
    [
      'where its person is an animal',
      [header, `${person}${'|'.repeat(27)}L-80700^Canis^SRT`, request, sodium, potassium],
    ],
  ])('%s', async (_, lines) => {
    expect(await outcome(lines)).toMatchObject({ read: [], waiting: ['notOwn', 'notOwn'] })
  })
})

describe('results are read', () => {
  it.each([
    [
      'beside an ordinary note on the person',
      [header, person, 'NTE|1|L|Patient called on 2 March.', request, sodium, potassium],
    ],
    [
      'beside an ordinary note on the request',
      [header, person, request, 'NTE|1|L|Results apply to the sample as received.', sodium, potassium],
    ],
    [
      'of a specimen in good condition',
      [header, person, request, sodium, potassium, spm({ 20: 'N', 24: 'AUT^Received in good condition^L' })],
    ],
    [
      'of a person called Control or Spender',
      [header, person.replace('VALLE^NORA', 'SPENDER^CONTROL'), request, sodium, potassium],
    ],
    [
      'of a person of the species human',
      [header, `${person}${'|'.repeat(27)}337915000^Homo sapiens^SCT`, request, sodium, potassium],
    ],
  ])('%s', async (_, lines) => {
    expect(await outcome(lines)).toMatchObject({ read: both, waiting: [] })
  })

  it('of the next person, where a note is on the one before', async () => {
    const other = person.replace('PID|1||W12', 'PID|2||W13').replace('NORA', 'IDA')
    const lines = [header, person, 'NTE|1|L|Wrong patient. Do not use.', request, sodium, other, request, potassium]
    expect(await outcome(lines)).toMatchObject({ read: ['potassium'], waiting: ['annulled'] })
  })

  it('beside one that alone may not be used', async () => {
    const lines = [header, person, request, sodium, 'NTE|1|L|Result invalid.', potassium]
    expect(await outcome(lines)).toMatchObject({ read: ['potassium'], waiting: ['annulled'] })
  })
})
