import { readFileSync } from 'node:fs'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { mayPassAgain, remarkOf, tellsOfState, unknownSentences } from '@kitlane/lab-reader/parse/remark'
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

  test('that only says what a flag means is ordinary', () => {
    for (const legend of [
      'H - wynik powyżej, L - wynik poniżej wartości referencyjnych',
      '* = buiten de referentiewaarden',
      'H: above reference range; L: below reference range',
      '* = außerhalb des Referenzbereichs',
    ])
      expect(remarkOf(legend), legend).toBe('ordinary')
    for (const doubt of ['* = not accredited here', '* = value outside our scale', 'L - leaked'])
      expect(remarkOf(doubt), doubt).not.toBe('ordinary')
  })

  test('that older results are shown for comparison is ordinary, and that they were mixed up is not', () => {
    expect(remarkOf('Svar avser provtagning 2026-03-11 07:55. Äldre svar visas som jämförelse.')).toBe('ordinary')
    expect(remarkOf('Earlier results are shown for comparison')).toBe('ordinary')
    expect(remarkOf('Äldre svar visas som aktuella')).toBe('unknown')
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

describe('a remark on the sample or on what a value stands for', () => {
  test.each([
    ...['Muestra adecuada. Interpretar junto con la clínica.', 'Amostra adequada', 'Campione idoneo', 'Probe geeignet'],
    ...[
      'Measured in dried blood; values are given as serum equivalents.',
      'Dried blood spot, reported as serum equivalent.',
    ],
    ...['Material: Serum, nüchtern abgenommen', 'eGFR is not validated in pregnancy or in acute kidney injury.'],
    ...['Performed on the same collection as the screen.', 'Method: liquid chromatography tandem mass spectrometry.'],
  ])('holds nothing: %s', (text) => {
    expect(remarkOf(text)).toBe('ordinary')
  })

  test.each([
    ...['Muestra no adecuada', 'Muestra poco adecuada', 'Amostra adequada apenas para glicose', 'Probe nicht geeignet'],
    ...[
      'Values are not serum equivalents',
      'Serum equivalents may be too low',
      'Values are serum equivalents of plasma',
    ],
    ...['Material: Serum, nicht nüchtern abgenommen, alt', 'Material: Serum einer Spenderin, nüchtern abgenommen'],
    ...['The method is not validated in capillary blood.', 'eGFR is not validated in this laboratory.'],
    ...['Not performed on the same collection as the screen', 'Performed on the same collection as the other patient'],
  ])('waits where it says less or something else: %s', (text) => {
    expect(remarkOf(text)).not.toBe('ordinary')
  })
})

describe('a remark on how long a sample was under way', () => {
  test.each([
    ...['Sample received 9 days after collection', 'Arrived four days after sampling', 'Glucose falls on storage'],
    ...[
      'Probe 9 Tage nach Blutentnahme eingegangen',
      'Reçu 9 jours après le prélèvement',
      'Kalium steigt bei Lagerung',
    ],
    ...[
      'Recibida 4 días después de la extracción',
      'Pervenuto 5 giorni dopo il prelievo',
      'Ontvangen 4 dagen na afname',
    ],
    ...['Ankom 6 dagar efter provtagning', 'Mottatt 5 dager etter prøvetaking', 'Otrzymano 5 dni po pobraniu'],
  ])('waits: %s', (text) => expect(remarkOf(text)).not.toBe('ordinary'))

  test.each(['Performed by ECLIA within 2 days after collection', 'Calculated; glucose falls with fasting'])(
    'and holds nothing where it says none: %s',
    (text) => expect(remarkOf(text)).toBe('ordinary'),
  )
})

describe('a remark on where a value was measured', () => {
  test.each(['Målt på legekontoret', 'Mätt på vårdcentralen', 'Målt i klinikken'])('holds nothing: %s', (text) => {
    expect(remarkOf(text)).toBe('ordinary')
  })

  test.each(['Målt hjemme', 'Målt på legekontoret etter infusjon', 'Mätt hemma'])(
    'waits where that is no laboratory: %s',
    (text) => {
      expect(remarkOf(text)).not.toBe('ordinary')
    },
  )
})

describe('a remark on the classes of IgE, and on who reports', () => {
  test.each([
    'Classe 0 : < 0.35, classe 1 : 0.35-0.70, classe 2 : 0.70-3.5, classe 3 : 3.5-17.5',
    'Class 0: < 0.35 kU/L; class 1: 0.35 - 0.69 kU/L',
    'Klasse 0: < 0,35; Klasse 1: 0,35-0,69',
    'Reported by Haematology & Transfusion',
    'Bestimmung enzymatisch',
    'All other results on this report are unaffected.',
    'Die übrigen Werte bleiben unverändert.',
    'Les autres résultats restent valables.',
    'Övriga svar är oförändrade.',
  ])('holds nothing: %s', (text) => expect(remarkOf(text)).toBe('ordinary'))

  test.each([
    'Classe 3',
    'All other results are affected',
    'All other results are unaffected by the delay',
    'Classe 0 : < 0.35, classe 2 ?',
    'Class 0: < 0.35, class 1: see page 2',
    'Reported by Haematology. Transfusion yesterday',
  ])('waits where it may say more: %s', (text) => expect(remarkOf(text)).not.toBe('ordinary'))

  test.each([
    ['In orde', false],
    ['In Ordnung', false],
    ['Monster niet in orde', true],
    ['Nicht in Ordnung', true],
  ])('and the state of a sample is told of where it is more than in order: %s', (text, tells) => {
    expect(tellsOfState(text)).toBe(tells)
  })
})

test.each([
  ['Previously reported as 313 mg/dL on 03/13/2026 (transposed digits).', 'ordinary'],
  ['Previously reported as 313 mg/dL (wrong patient)', 'unknown'],
  ['Previously reported as 313 mg/dL (transposed digits?)', 'unknown'],
])('a note of what was reported before holds nothing where it says that digits were mistaken: %s', (text, kind) => {
  expect(remarkOf(text)).toBe(kind)
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
    '10 mIU/mL or more is regarded as protective.',
    '20 - 30 ng/ml: stężenie suboptymalne; 30 - 50 ng/ml: stężenie optymalne',
    '50-75 nmol/L: insufficient; 75 - 125 nmol/L: optimal',
  ])('says how to read a value: %s', (remark) => expect(remarkOf(remark)).toBe('ordinary'))

  test.each([
    '> 10 protective?',
    '> 10 not protective, see previous tube',
    '> 10 protective, repeat',
    '> 10 protective units lost',
    '10 was the mother',
    '10 mIU/mL is protective',
    '10 mIU/mL or more is not regarded as protective in this batch',
    '20 - 30 ng/ml: stężenie zawyżone',
    '20 - 30 ng/ml: stężenie optymalne, próbka rozcieńczona',
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

describe('a note that says how much the value is in another unit', () => {
  const waits = async (row: string, note: string) => {
    const { reports } = await parseBytes(Buffer.from(`Test,Result,Units,Note\n${row},"${note}"`), { maxPages: 1 })
    return identifyObservations(reports[0]?.observations ?? [], biomarkers).unmatched.map(({ code }) => code)
  }

  test.each([
    ['Glucose,4.9,mmol/L', 'soit 0,88 g/L'],
    ['Creatinine,68,µmol/L', 'soit 7,7 mg/L'],
    ['Glucose,4.9,mmol/L', '(= 88 mg/dL)'],
    ['Glucose,4.9,mmol/L', 'entspricht 88 mg/dl.'],
  ])('changes nothing where both agree: %s, %s', async (row, note) => expect(await waits(row, note)).toEqual([]))

  test.each([
    ['Glucose,4.9,mmol/L', 'soit 0,98 g/L'],
    ['Glucose,4.9,mmol/L', 'soit 88 mmol/L'],
    ['Glucose,4.9,mmol/L', 'soit 0,88 g/L au lieu de 0,98 g/L'],
    ['Glucose,<4.9,mmol/L', 'soit 0,88 g/L'],
    ['Glucose,4.9,mmol/L', 'soit 0,88 kg'],
  ])('holds the value otherwise: %s, %s', async (row, note) => expect(await waits(row, note)).toHaveLength(1))
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
  test('is known where it follows the word that says so', () => {
    expect(remarkOf('Amended. Originally issued as 34 pmol/L on 18/03/2026.')).toBe('ordinary')
    expect(remarkOf('Amended. Originally issued as 34 pmol/L for another sample.')).not.toBe('ordinary')
  })

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
