import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'

const hl7 = (obx: string) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    'PID|1||X||Tester^Bo||19800229|F',
    'OBR|1||ACC77|24331-1^Panel^LN|||20260401083000|||||||||||||||20260402110000|||F',
    obx,
  ].join('\r')

async function read(bytes: string) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  const [one] = reports.map(({ observations }) => identifyObservations(observations, biomarkers))
  const result = one?.results[0]
  const left = one?.unmatched[0]
  return {
    ...(result && { found: 'finding' in result ? result.finding.value : result.value, text: result.rawResult }),
    ...(left && { code: left.code, text: left.valueText, calls: left.sent.calls }),
  }
}

const hiv = (value: string, type = 'CWE', flag = '') =>
  read(hl7(`OBX|1|${type}|56888-1^HIV Ag/Ab^LN||${value}|||${flag}|||F`))

describe('a coded answer in HL7 is read with all of its components', () => {
  test.each([
    ['260385009^Negative^SCT', 'negative', 'Negative'],
    ['10828004^Positive^SCT', 'positive', 'Positive'],
    ['10828004^^SCT', 'positive', 'Positive (10828004)'],
    ['^^^10828004^^SCT', 'positive', 'Positive (10828004)'],
    ['^^^POS^Reactive^L', 'positive', 'Reactive'],
    ['^^^NEG^Non-Reactive^L', 'negative', 'Non-Reactive'],
    ['^Reactive', 'positive', 'Reactive'],
    ['R1^Reactive^L^11214006^Reactive (qualifier value)^SCT', 'positive', 'Reactive'],
    ['POS^^HL70078', 'positive', 'Positive (POS)'],
    ['ND^^HL70078', 'negative', 'Negative (ND)'],
    ['Y^Yes^HL70532', 'positive', 'Yes'],
    ['N^No^HL70532', 'negative', 'No'],
    ['LA6576-8^Positive^LN', 'positive', 'Positive'],
    ['82334004^Indeterminate^SCT', 'indeterminate', 'Indeterminate'],
    ['419984006^Inconclusive^SCT^IND^Indeterminate^L', 'indeterminate', undefined],
    ['260415000^Not detected^SCT^^^^2.44^^Not Detected', 'negative', 'Not Detected'],
    ['NEG^Negative^L^^^^^^^260385009^Negative^SCT', 'negative', 'Negative'],
  ])('%s is %s', async (value, found, text) => {
    expect(await hiv(value)).toMatchObject({ found, ...(text && { text }) })
  })

  test.each([
    ['10828004^Negative^SCT', 'codeContradictsText', 'Negative / Positive (10828004)'],
    ['260385009^Positive^SCT', 'codeContradictsText', 'Positive / Negative (260385009)'],
    ['260385009^Negative^SCT^POS^Positive^L', 'codeContradictsText', 'Negative / Positive'],
    ['260385009^Negative^SCT^11214006^^SCT', 'codeContradictsText', 'Negative / Positive (11214006)'],
    ['260385009^Negative^SCT~10828004^Positive^SCT', 'codeContradictsText', 'Negative; Positive'],
    ['260385009^Negative^SCT^^^^^^Repeatedly reactive', 'codeContradictsText', undefined],
    ['42425007^Positive^SCT', 'codeContradictsText', undefined],
    ['125154007^Specimen unsatisfactory^SCT', 'unknownWord', 'Specimen unsatisfactory'],
    ['720735008^^SCT', 'unknownWord', undefined],
    ['462371000124108^Detected^SCT', 'unknownWord', undefined],
    ['895231008^Not detected^SCT', 'unknownWord', undefined],
    ['123456789^Negative^SCT', 'unknownWord', 'Negative'],
    ['^See letter', 'unknownWord', 'See letter'],
    ['PRESUMP^Presumptive reactive, confirmation pending^L', 'unknownWord', undefined],
    ['UNK^Unknown^HL70532', 'unknownWord', undefined],
  ])('%s waits, and a person is called', async (value, code, text) => {
    expect(await hiv(value)).toMatchObject({ code, ...(text && { text }), calls: 'infection' })
  })

  test('two organisms of one result are both kept', async () => {
    const said = await read(
      hl7(
        'OBX|1|CE|600-7^Bacteria identified^LN||112283007^Escherichia coli^SCT~3092008^Staphylococcus aureus^SCT||||||F',
      ),
    )
    expect(said.text).toBe('Escherichia coli; Staphylococcus aureus')
  })

  test('an answer that only the flag doubts waits, too', async () => {
    expect(await hiv('260385009^Negative^SCT', 'CWE', 'A')).toMatchObject({
      code: 'flagContradictsValue',
      calls: 'infection',
    })
    expect(await hiv('Negative', 'ST', 'N')).toMatchObject({ found: 'negative' })
  })
})

describe('a coded answer in FHIR is read with all of its codings', () => {
  const snomed = (code: string, display?: string) => ({
    system: 'http://snomed.info/sct',
    code,
    ...(display && { display }),
  })
  const fhir = (concept: object) =>
    read(
      JSON.stringify({
        resourceType: 'Observation',
        status: 'final',
        code: { text: 'HBsAg' },
        valueCodeableConcept: concept,
      }),
    )

  test('they agree, or it waits with what each says', async () => {
    expect(await fhir({ coding: [snomed('10828004')] })).toMatchObject({
      found: 'positive',
      text: 'Positive (10828004)',
    })
    expect(await fhir({ coding: [snomed('260385009', 'Negative')], text: 'Not detected' })).toMatchObject({
      found: 'negative',
    })
    expect(await fhir({ coding: [snomed('10828004')], text: 'Negative' })).toMatchObject({
      code: 'codeContradictsText',
      text: 'Negative / Positive (10828004)',
      calls: 'infection',
    })
    expect(await fhir({ coding: [snomed('260385009', 'Negative'), snomed('11214006')] })).toMatchObject({
      code: 'codeContradictsText',
    })
  })
})

describe('a test for an infection that could not be judged', () => {
  test('calls a person unless it is clearly negative, also where its name or code is not known', async () => {
    const named = (obx: string) => read(hl7(obx))
    expect(await named('OBX|1|ST|X1^HIV 1/2 confirmation^L||Reactive||||||F')).toMatchObject({ calls: 'infection' })
    expect(await named('OBX|1|ST|X1^HIV 1/2 confirmation^L||Non-Reactive||||||F')).toMatchObject({ calls: undefined })
    expect(await named('OBX|1|ST|5196-1^Something else^LN||Detected||||||F')).toMatchObject({ calls: 'infection' })
    expect(await named('OBX|1|NM|X2^HIV index^L||12.4||||||F')).toMatchObject({ calls: 'infection' })
    expect(await named('OBX|1|ST|56888-1^HIV Ag/Ab^LN||||||||X')).toMatchObject({ calls: undefined })
  })
})

describe('a negative answer of a test for an infection', () => {
  const beside = (note: string, code = '56888-1^HIV Ag/Ab^LN', value = 'Negative') =>
    read(`${hl7(`OBX|1|ST|${code}||${value}||||||F`)}\rNTE|1|L|${note}`)

  test.each([
    'HIV-1 RNA qualitative NAT: DETECTED. Acute infection likely.',
    'HIV-1/HIV-2 differentiation assay: HIV-1 POSITIVE',
    'Borderline signal; please repeat',
    'HIV RNA detected <20 copies/mL',
    'Result reactive, may indicate acute infection',
    'Interpretation: positive',
    'Western blot: indeterminate',
    'Bestätigungstest: HIV-1 positiv',
    'Test de confirmation : positif',
    'Not tested for HIV-2, HIV-1 p24 reactive',
  ])('waits and calls a person where its note says %s', async (note) => {
    const code = note.includes('please repeat') ? 'annulled' : 'noteContradictsValue'
    expect(await beside(note)).toMatchObject({ code, calls: 'infection' })
  })

  test('does so whatever the infection, and where it could not be judged', async () => {
    const hcv = await beside('HCV RNA detected 1200 IU/mL', '13955-0^HCV Ab^LN', 'Non-reactive')
    expect(hcv).toMatchObject({ code: 'noteContradictsValue', calls: 'infection' })
    expect(await beside('NAT: reactive', 'X1^HIV 1/2 confirmation^L')).toMatchObject({ calls: 'infection' })
  })

  test.each([
    'A negative result does not exclude recent infection.',
    'If recent exposure is suspected, repeat testing in 3 months.',
    'No HIV-1 p24 antigen, HIV-1 or HIV-2 antibodies detected.',
    'HIV-1 and HIV-2 antibodies were not detected.',
    'All reactive samples are confirmed by a second assay.',
    'Positive results are reported to public health.',
    'Index < 0.9 negative; 0.9-1.1 equivocal; > 1.1 positive',
    'Non-reactive. Confirmed by repeat testing.',
    'Kein Nachweis: HIV-1-Antikörper nicht nachweisbar.',
  ])('is read where its note is an ordinary one: %s', async (note) => {
    expect(await beside(note)).toMatchObject({ found: 'negative' })
  })
})

describe('an infection is known by its code or its name, however it is written', () => {
  test.each([
    'CWE|38379-4^MTB DNA^LN||260405006^Trace^SCT',
    'CWE|38379-4^X^LN||260405006^Trace^SCT',
    'ST|MTBP^MTB PCR^L||Trace',
    'ST|AFB^AFB smear^L||2+',
    'ST|46154-1^Trichomonas vaginalis Ag^LN||1+',
    'ST|46154-1^Trichomonas vaginalis Ag^LN||Neg?',
    'ST|GO^Gonokokken PCR^L||Nachweisbar',
    'ST|CT^Chlamydien-PCR^L||schwach positiv',
    'ST|TB^Recherche de BAAR^L||Rares',
    'ST|X^Klebsiella PCR^L||Trace',
    'NM|X^HIV-1 Viral load^L||120',
    'ST|X^SARS-CoV-2^L||Presumptive',
  ])('%s waits, and a person is called', async (obx) => {
    expect(await read(hl7(`OBX|1|${obx}||||||F`))).toMatchObject({ calls: 'infection' })
  })

  test.each([
    'ST|MTBP^MTB PCR^L||Not detected',
    'ST|AFB^AFB smear^L||Negative',
    'ST|GO^Gonokokken PCR^L||nicht nachweisbar',
    'ST|20447-9^HIV-1 RNA^LN||Target not detected',
    'NM|X^CMV IgG^L||120',
    'NM|X^Complement C3^L||120',
  ])('%s calls nobody', async (obx) => {
    expect((await read(hl7(`OBX|1|${obx}||||||F`))).calls).toBeUndefined()
  })
})

describe('a number that reaches a critical limit calls a person, also where it is not used', () => {
  test.each([
    'ST|718-7^Hemoglobin^LN||5,8 g/dL|',
    'ST|718-7^Hemoglobin^LN||5,8|g/dL',
    'ST|2823-3^Potassium^LN||7.2 mmol/L HH|',
    'NM|2823-3^Potassium^LN||7.2~4.1|mmol/L',
    'TX|2951-2^Sodium^LN||115 mmol/L (repeated)|',
  ])('%s', async (obx) => {
    const { code, calls, found } = await read(hl7(`OBX|1|${obx}|||||F`))
    if (found === undefined) expect([code, calls]).toEqual([code, 'limit'])
    else expect(found).toBeGreaterThan(0)
  })

  test('with a note that annuls it, too; and not where it is of another body fluid or only printed as a limit', async () => {
    const clotted = `${hl7('OBX|1|NM|2823-3^Potassium^LN||7.2|mmol/L|||||F')}\rNTE|1|L|Specimen mislabeled`
    expect(await read(clotted)).toMatchObject({ code: 'annulled', calls: 'limit' })
    expect((await read(hl7('OBX|1|ST|2823-3^Potassium^LN||4,1 mmol/L||||||F'))).calls).toBeUndefined()
    expect((await read(hl7('OBX|1|NM|X^Potassium, urine^L||72|mmol/L|||||F'))).calls).toBeUndefined()
  })
})
