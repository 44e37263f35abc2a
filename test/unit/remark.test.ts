import { readFileSync } from 'node:fs'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { mayPassAgain, remarkOf, unknownSentences } from '@kitlane/lab-reader/parse/remark'
import { describe, expect, test } from 'vitest'

/** Remarks as laboratories of nine countries write them, a line each, behind the country. */
const remarks = (name: string): string[] =>
  readFileSync(new URL(`../../packages/lab-reader/evaluate/remarks/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice('de: '.length))

describe('a remark of a laboratory', () => {
  test('that doubts or takes back is never passed over', () => {
    expect(remarks('annulling').filter((one) => remarkOf(one) === 'ordinary')).toEqual([])
  })

  test('that is ordinary holds nothing', () => {
    expect(remarks('ordinary').filter((one) => remarkOf(one) !== 'ordinary')).toEqual([])
  })

  test.each([
    'Performed by ECLIA. The tube was found on the floor.',
    'Fasting\nThe two racks were put in by hand',
    'Reference range for adults; somebody will ring',
    'Xyzzy',
    ...['x1000', '× 10', 'Factor 10', 'Wert mal 5', 'Diluted 1:10. Result x 10.'],
    ...['Amostra lipêmica, resultado prejudicado', 'Muestra lipémica, resultado afectado'],
    ...['Probe lipämisch, Wert beeinträchtigt', 'Campione lipemico, risultato alterato'],
    ...['Different date of birth on request form', 'Sample from previous draw'],
    ...['Icteric sample: creatinine underestimated', 'Wert durch Lipämie unterschätzt'],
  ])('is known only if each of its sentences is: %s', (remark) => {
    expect(remarkOf(remark)).toBe('unknown')
  })
})

describe('a limit and what lies beyond it', () => {
  test.each([
    '> 10 protective',
    '>10 mIU/mL protective',
    '≥ 10 IU/L is protective',
    '>= 10 mIU/mL indicates immunity',
    '> 10 mIU/ml: considered immune',
    '>10 U/l Schutz',
    '> 100 mIU/mL = protected',
  ])('says how to read a value: %s', (remark) => expect(remarkOf(remark)).toBe('ordinary'))

  test.each([
    '> 10 protective?',
    '> 10 not protective, see previous tube',
    '> 10 protective, repeat',
    '> 10 protective units lost',
    '10 was the mother',
  ])('holds the value where more is said: %s', (remark) => expect(remarkOf(remark)).not.toBe('ordinary'))
})

describe('a result with a remark that is not known', () => {
  const readIn = async (...rows: string[]) => {
    const bytes = Buffer.from(['Test,Result,Units,Note', ...rows].join('\n'))
    const { reports } = await parseBytes(bytes, { maxPages: 1 })
    const { results, unmatched } = identifyObservations(reports[0]?.observations ?? [], biomarkers)
    return { read: results.map(({ rawResult }) => rawResult), waiting: unmatched.map(({ valueText }) => valueText) }
  }

  test('holds another value of the same biomarker, since the remark may say which one counts', async () => {
    const rows = ['Potassium,4.1,mmol/L,', 'Sodium,140,mmol/L,']
    expect(await readIn(...rows, 'Potassium,4.3,mmol/L,xyzzy')).toEqual({ read: ['140'], waiting: ['4.3', '4.1'] })
    expect(await readIn(...rows, 'Potassium,4.1,mmol/L,xyzzy')).toEqual({ read: ['4.1', '140'], waiting: ['4.1'] })
  })
})

describe('a sentence that a reviewer let pass', () => {
  test.each([
    'The rack was moved at 10:40 by the porter',
    'Dr Weber was on the telephone about it',
    'Frau Beispiel war am Apparat',
    'Was the tube really hers?',
    'Possibly someone else put it in the rack',
    'Same here',
    'Was the tube really hers？',
    'This is the brother of the usual one',
    'The barcode belonged to the bed beside',
    'A faint band stood beside the others',
    `${'The porter whistled in the corridor '.repeat(8)}`,
  ])('is looked at each time: %s', (sentence) => {
    expect(mayPassAgain(sentence)).toBe(false)
  })

  test('passes never if it doubts or takes back', () => {
    const sentences = remarks('annulling').flatMap(unknownSentences)
    expect(sentences.filter((one) => remarkOf(one) === 'annuls' && mayPassAgain(one))).toEqual([])
  })

  const said = ['The porter whistled in the corridor', 'Two kettles sang in the yard']
  const read = async (notes: readonly string[], passes: (sentence: string, biomarker: string) => boolean) => {
    const message = [
      String.raw`MSH|^~\&|LIS|HARBOUR LAB|KITS|OPS|20260312104500||ORU^R01|W1|P|2.5.1`,
      'OBR|1|P1|F1|24323-8^CMP^LN|||202603110815',
      ...notes.map((note, at) => `NTE|${at + 1}|L|${note}`),
      'OBX|1|NM|2823-3^Potassium^LN||4.1|mmol/L|3.5-5.1||||F',
      'OBX|2|NM|2951-2^Sodium^LN||139|mmol/L|136-145||||F',
      'OBX|3|NM|99999-9^Something new^L||7|U|||||F',
    ].join('\r')
    const { reports } = await parseBytes(Buffer.from(message), { maxPages: 1 })
    const passed = (sentence: string, _: unknown, biomarker: string) => passes(sentence, biomarker)
    const { results, unmatched } = identifyObservations(reports[0]?.observations ?? [], biomarkers, { passed })
    return [...results.map(({ biomarkerId }) => biomarkerId), ...unmatched.map(({ code }) => code)]
  }

  test('holds nothing of the biomarkers beside which it passed', async () => {
    expect(await read(said, () => true)).toEqual(['potassium', 'sodium', 'unknownName'])
    expect(await read(said, (_, biomarker) => biomarker === 'sodium')).toEqual([
      ...['sodium', 'unknownRemark', 'unknownName'],
    ])
    expect(await read(said, () => false)).toEqual(Array(3).fill('unknownRemark'))
  })

  test('lets no other one beside it pass', async () => {
    expect(await read(said, (sentence) => sentence === said[0])).toEqual(Array(3).fill('unknownRemark'))
    expect(await read([...said, 'Specimen mislabeled, do not use'], () => true)).toEqual(Array(3).fill('annulled'))
  })

  test('passes beside no infection, where each remark is looked at', async () => {
    const message = [
      String.raw`MSH|^~\&|LIS|HARBOUR LAB|KITS|OPS|20260312104500||ORU^R01|W1|P|2.5.1`,
      'OBR|1|P1|F1|STI^STI panel^L|||202603110815',
      'OBX|1|ST|56888-1^HIV 1+2 Ab+HIV1 p24 Ag^LN||Non-Reactive||Non-Reactive||||F',
      `NTE|1|L|${said[0]}`,
    ].join('\r')
    const { reports } = await parseBytes(Buffer.from(message), { maxPages: 1 })
    const { results, unmatched } = identifyObservations(reports[0]?.observations ?? [], biomarkers, {
      passed: () => true,
    })
    expect(results).toEqual([])
    expect(unmatched).toMatchObject([{ code: 'unknownRemark' }])
    expect(unmatched[0]?.sent).not.toHaveProperty('remarks')
  })
})

describe('a bare question mark', () => {
  test.each(['?', '(?)', 'Performed by ECLIA. ?', 'Fasting\n???'])('doubts what stands beside it: %s', (remark) => {
    expect(remarkOf(remark)).toBe('unknown')
  })
})

describe('a note of what was reported before', () => {
  const note = 'Corrected result: Previously reported as 6.8 mmol/L on 3/11/2026 at 1105 EST.'
  const potassium = async (value: string, status: string) => {
    const message = [
      String.raw`MSH|^~\&|LIS|HARBOUR LAB|KITS|OPS|20260312104500||ORU^R01|W1|P|2.5.1`,
      'OBR|1|P1|F1|24323-8^CMP^LN|||202603110815',
      `OBX|1|NM|2823-3^Potassium^LN||${value}|mmol/L|||||${status}`,
      `NTE|1|L|${note}`,
    ].join('\r')
    const { reports } = await parseBytes(Buffer.from(message), { maxPages: 1 })
    return identifyObservations(reports[0]?.observations ?? [], biomarkers)
  }

  test.each(['C', 'F'])('holds nothing, and makes the value a corrected one, under %s', async (status) => {
    const { results } = await potassium('4.4', status)
    expect(results).toMatchObject([{ biomarkerId: 'potassium', value: 4.4, isCorrected: true }])
  })

  test('holds the value that it says was wrong', async () => {
    const { results, unmatched } = await potassium('6.8', 'F')
    expect(results).toEqual([])
    expect(unmatched).toMatchObject([{ code: 'annulled' }])
  })
})
