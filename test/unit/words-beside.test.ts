import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'

/** What became of each value: its number or word, or the code of the reason why it waits. */
async function became(text: string): Promise<Record<string, unknown>> {
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const read = reports.map((report) => identifyReport(report, biomarkers))
  return Object.fromEntries(
    read.flatMap(({ results, unmatched }) => [
      ...results.map((one) => [
        one.biomarkerId,
        'finding' in one ? one.finding.value : `${one.comparator ?? ''}${one.value}`,
      ]),
      ...unmatched.map(({ name, code }) => [name, code]),
    ]),
  )
}

const long = ['Test,Result,Unit,Range', 'Glucose,95,mg/dL,70-99', 'Sodium,140,mmol/L,136-145']
const wide = ['Patient,Glucose (mg/dL),Sodium (mmol/L)', 'A,95,140']
const byDay = ['Test,Unit,2026-03-01', 'Glucose,mg/dL,95', 'Sodium,mmol/L,140']
const quoted = (text: string) => (text.includes(',') ? `"${text}"` : text)

describe('text beside a table that annuls it', () => {
  test.each([
    'Results above belong to another patient',
    'REPORT WITHDRAWN',
    'Do not use',
    'Amended: see new report',
    'Please note, these samples were switched',
    'Befund storniert',
    'Die Ergebnisse gehören zu einem anderen Patienten',
    'Rapport annulé',
    'Ces résultats sont ceux d’un autre patient',
    'Informe anulado',
    'Los resultados son de otra persona',
    'Referto annullato',
    'Prøverne er forbyttet',
  ])('makes all of it wait, above and below it: %s', async (text) => {
    for (const table of [long, wide, byDay]) {
      const waiting = [expect.not.stringMatching(/^\d/), expect.not.stringMatching(/^\d/)]
      expect(Object.values(await became([...table, quoted(text)].join('\n')))).toEqual(waiting)
      expect(Object.values(await became([quoted(text), ...table].join('\n')))).toEqual(waiting)
    }
    expect(Object.values(await became([...long, `Note:,${quoted(text)}`].join('\n'))).slice(0, 2)).toEqual([
      'annulled',
      'annulled',
    ])
  })

  test('makes it wait, too, where nobody can tell what the sentence changes, and says which one', async () => {
    const text = 'All of this was measured with the second tube'
    const { reports } = await parseBytes(Buffer.from([...long, text].join('\n')), { maxPages: 1 })
    const [first] = reports.map((report) => identifyReport(report, biomarkers))
    expect(first?.unmatched.map(({ reason }) => reason)).toEqual([
      expect.stringContaining(text),
      expect.stringContaining(text),
    ])
    expect(first?.origin?.notes).toEqual([text])
  })

  test.each([
    'End of report',
    'Page 1 of 2',
    'CLINICAL CHEMISTRY',
    'Results validated by Dr. Example on 2026-03-01',
    'These results are for information only and do not replace medical advice.',
    'Values outside the reference range are marked with an asterisk',
    '* = outside the reference interval',
    'Westlab, Main Street 12, 12345 Town, Tel. 555 1234',
    'Reference ranges apply to adults',
    'Report is final',
    'Befund freigegeben am 1.3.2026 durch Dr. Beispiel',
    'Validé par le Dr Exemple',
    'All results were verified.',
    'If fasting glucose is above 126 mg/dL, repeat the test.',
    'Values above 126 mg/dL may mean diabetes.',
    'Wenn der Wert über 126 mg/dl liegt, bitte wiederholen.',
  ])('is no reason to wait where every page says so: %s', async (text) => {
    for (const table of [long, byDay, wide]) {
      const read = { glucose: '95', sodium: '140' }
      expect(await became([...table, quoted(text)].join('\n'))).toEqual(read)
      expect(await became([quoted(text), ...table].join('\n'))).toEqual(read)
    }
  })
})

describe('text beside a table that speaks of one result', () => {
  test.each([
    'Glucose: result unreliable',
    'Glucose: specimen haemolysed; result unreliable',
    'Glucose result withdrawn.',
    'Note: glucose corrected from 95 to 77 mg/dL on 2026-03-02.',
    'Remark: Glucose should read 77, not 95',
  ])('holds that one alone: %s', async (text) => {
    expect(await became([...long, quoted(text)].join('\n'))).toMatchObject({ sodium: '140', Glucose: 'annulled' })
  })

  test.each(['Glucose: wrong patient', 'Glucose and all other results are invalid', 'Glucose: sample mislabelled'])(
    'holds all where the person or the sample is in doubt: %s',
    async (text) => {
      const all = await became([...long, quoted(text)].join('\n'))
      expect(all).toEqual({ Sodium: 'annulled', Glucose: 'annulled' })
    },
  )

  test('holds those that have the mark of a footnote', async () => {
    const rows = ['Test,Result,Unit,Flag', 'Glucose,95,mg/dL,*1', 'Sodium,140,mmol/L,', '*1 Result not valid']
    expect(await became(rows.join('\n'))).toEqual({ Glucose: 'annulled', sodium: '140' })
  })
})

describe('text above or below a table that says that it was amended', () => {
  test.each([
    'Amended report',
    'CORRECTED REPORT 2026-03-02',
    'Korrekturbefund',
    'Compte rendu rectificatif',
    'Referto rettificato',
    'Report status: Corrected',
  ])('makes its results corrected: %s', async (text) => {
    const { reports } = await parseBytes(Buffer.from([text, ...long].join('\n')), { maxPages: 1 })
    expect(reports[0]?.status).toBe('corrected')
    expect(reports[0]?.observations.map(({ status }) => status)).toEqual(['corrected', 'corrected'])
  })
})

describe('a title of somebody else', () => {
  test.each(['MOTHER', 'Donor', 'PARTNER:', 'Newborn', 'Control', 'Mutter', 'Donneur', 'Results of the mother'])(
    'makes what stands below it wait until the own results begin: %s',
    async (title) => {
      const [head, glucose, sodium] = long
      const rows = [head, glucose, title, sodium, 'Lipid panel', 'HDL,50,mg/dL,', 'PATIENT', 'Potassium,4.1,mmol/L,']
      expect(await became(rows.join('\n'))).toEqual({
        glucose: '95',
        Sodium: 'notOwn',
        HDL: 'notOwn',
        potassium: '4.1',
      })
    },
  )
})

describe('words where a flag would be', () => {
  test.each(['Satellitismus im EDTA-Blut, Citratblut erbeten', 'Rack moved', 'Karte nass'])(
    'hold the result: %s',
    async (words) => {
      const rows = [
        'Test;Ergebnis;Einheit;Referenz;Hinweis',
        `Thrombozyten;98;/nl;150-400;${words}`,
        'Natrium;139;mmol/l;136-145;',
      ]
      const held = { sodium: '139', Thrombozyten: 'unknownRemark' }
      expect(await became(rows.join('\n'))).toEqual(held)
      const message = [
        'MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|77|P|2.5.1',
        'OBR|1||A1|P^Panel^L|||20261101083000',
        `OBX|1|NM|777-3^Thrombozyten^LN||98|/nl|150-400|${words}|||F`,
        'OBX|2|NM|2951-2^Natrium^LN||139|mmol/l|136-145||||F',
      ]
      expect(await became(message.join('\r'))).toEqual(held)
    },
  )
})

describe('a column that changes the value', () => {
  const beside = async (heading: string, cell: string) =>
    Object.values(await became([`${long[0]},${heading}`, `${long[1]},${cell}`, `${long[2]},`].join('\n')))

  test.each([
    ['Relation', '>', '>95'],
    ['Comparator', '<', '<95'],
    ['Op', 'LT', '<95'],
    ['Modifier', 'greater than', '>95'],
    ['Relation', '=', '95'],
    ['Factor', '1', '95'],
    ['Dilution', '1:1', '95'],
    ['Corrected', 'No', '95'],
  ])('is read: %s %s', async (heading, cell, value) => {
    expect(await beside(heading, cell)).toEqual([value, '140'])
  })

  test.each([
    ['Multiplier', 'x10'],
    ['Factor', '1000'],
    ['Dilution', '1:10'],
    ['Verdünnung', '1:4'],
    ['Corrected', '7.0'],
    ['Corrected value', '77'],
    ['Comparator', 'about'],
    ['Anything', 'x 100'],
    ['Anything', '10^3'],
  ])('makes its value wait: %s %s', async (heading, cell) => {
    expect(await beside(heading, cell)).toEqual(['140', 'contradicted'])
  })

  test.each(['Relationship', 'Subject', 'Anything'])(
    'makes its value wait where it names somebody else: %s',
    async (heading) => {
      expect(await beside(heading, 'Donor')).toContain('notOwn')
    },
  )
})

test.each([
  ['Age group', 'Child'],
  ['QC', 'QC passed'],
  ['Run', 'Control OK'],
])('a column says nothing of whose it is: %s %s', async (heading, cell) => {
  const rows = [`${long[0]},${heading}`, `${long[1]},${cell}`, `${long[2]},${cell}`]
  expect(await became(rows.join('\n'))).toEqual({ glucose: '95', sodium: '140' })
})

test('a text on the controls of the run is no title', async () => {
  const text = 'OBX|1|TX|X^Run^L||Negative control valid, no contamination||||||F'
  expect(await became(hl7(text, glucose, sodium))).toMatchObject({ glucose: '95', sodium: '141' })
})

const hl7 = (...lines: string[]) =>
  [
    'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
    'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F',
    'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000|||||||||||||||20260301110000|||F',
    ...lines,
  ].join('\r')
const glucose = 'OBX|1|NM|2345-7^Glucose^LN||95|mg/dL|70-99|N|||F'
const sodium = 'OBX|2|NM|2951-2^Sodium^LN||141|mmol/L|136-145|N|||F'

describe('a message that names somebody else', () => {
  test.each(['Mother', 'DONOR', 'Newborn'])('makes the result wait whose sub-ID is %s', async (id) => {
    expect(await became(hl7(glucose.replace('||95', `|${id}|95`), sodium))).toEqual({
      Glucose: 'notOwn',
      sodium: '141',
    })
  })

  test.each(['OBX|1|ST|X^MOTHER^L||||||||F', 'OBX|1|ST|X^Section^L||Donor||||||F', 'NTE|1||MOTHER'])(
    'makes the results wait that stand below the title: %s',
    async (title) => {
      expect(await became(hl7(title, glucose, sodium))).toMatchObject({ Glucose: 'notOwn', Sodium: 'notOwn' })
    },
  )
})

describe('a note that annuls', () => {
  test.each([
    'False positive; patient is negative',
    'Result is not valid',
    'Contaminated',
    'Mislabelled',
    'Wrong patient',
    'Samples were switched',
    "This value is not this patient's",
    'Falsely elevated by heterophile antibodies',
    'Biotin interference suspected',
    'Falsch positiv',
    'Faux positif',
    'Falso positivo',
  ])('makes its value wait and is shown, beside it or as a result of its own: %s', async (note) => {
    expect(await became(hl7(glucose, `NTE|1||${note}`, sodium))).toEqual({ Glucose: 'annulled', sodium: '141' })
    const addendum = hl7(glucose, `OBX|2|FT|X^Addendum^L||${note}||||||F`)
    expect(await became(addendum)).toMatchObject({ Glucose: 'annulled' })
    const { reports } = await parseBytes(Buffer.from(addendum), { maxPages: 1 })
    const [first] = reports.map((report) => identifyReport(report, biomarkers))
    expect(first?.unmatched[0]?.reason).toContain(note)
  })

  test('of one code leaves the others, and one with an order of its own is about all of them', async () => {
    const ofGlucose = 'OBX|3|TX|2345-7^Glucose^LN||Specimen contaminated||||||F'
    expect(await became(hl7(glucose, ofGlucose, sodium))).toMatchObject({ Glucose: expect.any(String), sodium: '141' })
    const order = 'OBR|2|A1|F2|X^Comments^L|||20260227070000'
    const own = hl7(glucose, sodium, order, 'OBX|1|TX|X^Comment^L||Wrong patient||||||F')
    expect(await became(own)).toMatchObject({ Glucose: 'annulled', Sodium: 'annulled' })
  })

  test.each([
    'False positive results may occur in patients taking biotin',
    'Biotin may cause falsely low results',
    'Not a false positive',
  ])('is none where it speaks of tests in general: %s', async (note) => {
    expect(await became(hl7(glucose, `NTE|1||${note}`))).toEqual({ glucose: '95' })
  })

  test('beside a FHIR result or on its panel is kept with it', async () => {
    const result = (id: string, more: object) => ({
      resource: { resourceType: 'Observation', id, status: 'final', ...more },
    })
    const one = { code: { text: 'Sodium' }, valueQuantity: { value: 141, unit: 'mmol/L' } }
    const words = { code: { text: 'Addendum' }, valueString: 'Result is not valid' }
    const bundle = (...entry: object[]) => JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })
    expect(await became(bundle(result('a', one), result('b', words)))).toMatchObject({ Sodium: 'annulled' })
    const panel = {
      code: { text: 'Panel' },
      hasMember: [{ reference: 'Observation/a' }],
      note: [{ text: 'Mislabelled' }],
    }
    const { reports } = await parseBytes(Buffer.from(bundle(result('p', panel), result('a', one))), { maxPages: 1 })
    expect(reports[0]?.origin?.notes).toEqual(['Mislabelled'])
  })

  test('of a FHIR result whose focus is somebody else is not the person’s', async () => {
    const one = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'Sodium' },
      subject: { reference: 'Patient/1' },
    }
    const sent = { ...one, valueQuantity: { value: 141, unit: 'mmol/L' }, focus: [{ display: 'Newborn' }] }
    expect(await became(JSON.stringify(sent))).toEqual({ Sodium: 'notOwn' })
  })
})
