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
    [
      'of a specimen that was enough for them only',
      [header, person, request, sodium, potassium, spm({ 21: 'QS^Quantity not sufficient^HL70490' })],
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

/** One value of a message, with what stands behind its value. */
const one = (name: string, rest: string, more: readonly string[] = []) =>
  outcome([header, person, request, `OBX|1|NM|X^${name}^L||${rest}`, ...more])
const withOrder = (fields: Record<number, string>) => {
  const all = request.split('|')
  for (const [at, text] of Object.entries(fields)) all[Number(at)] = text
  return all.join('|')
}

describe('all results of a request wait', () => {
  const drawn = 'Drawn from the arm with the infusion running'
  it.each([
    ['whose collector says what is not known', { 39: drawn }, []],
    ['whose sample was drawn in such words', { 15: `SER^Serum^${drawn}` }, []],
    ['whose specimen was', {}, [`SPM|1|2||SER^Serum^HL70487|||VENIP^${drawn}^L`]],
  ])('%s', async (_, fields, more) => {
    const sodium = 'OBX|1|NM|X^Sodium^L||141|mmol/L|136-145||||F'
    expect(await outcome([header, person, withOrder(fields), sodium, ...more])).toMatchObject({ read: [] })
    const usual = ['SPM|1|2||SER^Serum^HL70487|||VENIP^Venipuncture^HL70488']
    expect(await outcome([header, person, request, sodium, ...usual])).toMatchObject({ read: ['sodium'] })
  })
})

describe('a value waits', () => {
  it.each([
    ['whose quality control failed', 'CRP', '2.1|mg/L|0-5|QCF|||F', 'annulled'],
    ['with one such flag among others', 'Sodium', '141|mmol/L|136-145|N~QCF|||F', 'annulled'],
    ['that is flagged as indeterminate', 'TSH', '2.1|mIU/L|0.4-4|IND|||F', 'annulled'],
    ['of calcium with the range of ionized calcium', 'Calcium', '1.2|mmol/L|1.15-1.30||||F', 'otherRange'],
    ['of bilirubin with the range of direct bilirubin', 'Bilirubin', '0.2|mg/dL|0-0.3||||F', 'otherRange'],
    ['of vitamin B12 with the range of its active part', 'B12', '60|pmol/L|>35||||F', 'otherRange'],
    ['of HbA1c in percent with the range of mmol/mol', 'HbA1c', '6.1|%|20-42||||F', 'otherRange'],
    ['of urea nitrogen with the range of urea', 'BUN', '30|mg/dL|17-43||||F', 'otherRange'],
    ['that a glucometer measured', 'Glucose', '90|mg/dL|70-99||||F||||||Capillary glucometer', 'contradicted'],
    ['that was estimated from others', 'Glucose', '90|mg/dL|70-99||||F|||||^Imputation', 'contradicted'],
    ['that is said to be less than nothing', 'TPO antibodies', '<0|IU/mL|<35||||F', 'implausible'],
    ['that the person measured', 'Glucose', '90|mg/dL|70-99||||F|||||^Patient self-measured', 'contradicted'],
  ])('%s', async (_, name, rest, code) => {
    expect(await one(name, rest)).toMatchObject({ read: [], waiting: [code] })
  })

  it.each([
    ['a bare number beside “below the limit” waits', '5', ['contradicted']],
    ['a number with its sign is read', '<5', []],
  ])('%s', async (_, value, waiting) => {
    const note = ['NTE|1||Below limit of quantification (10 pg/mL)']
    expect((await one('Estradiol', `${value}|pg/mL|||||F`, note)).waiting).toEqual(waiting)
    expect((await one('Estradiol', '50|pg/mL|||||F', ['NTE|1||Hemolysis not detected'])).waiting).toEqual([])
  })

  it.each([
    ['is that of the correction', '128', []],
    ['is not that of the correction', '140', ['annulled']],
  ])('beside “corrected from 140 to 128” only where it %s', async (_, value, waiting) => {
    const note = ['NTE|1||Corrected from 140 to 128 mmol/L']
    expect((await one('Sodium', `${value}|mmol/L|||||F`, note)).waiting).toEqual(waiting)
    const order = [header, person, request, 'NTE|1||sodium corrected from 140 to 128 mmol/L']
    expect((await outcome([...order, `OBX|1|NM|X^Sodium^L||${value}|mmol/L|||||F`])).waiting).toEqual(waiting)
  })

  it('that a note on another request takes back by its name', async () => {
    const note = (text: string) => [header, person, request, sodium, `NTE|1||${text}`, second, potassium]
    expect((await outcome(note('The tube was swapped. Potassium result invalid.'))).read).toEqual([])
    expect((await outcome(note('Not reported: sodium and potassium are within range.'))).read).toEqual(['potassium'])
  })

  it.each(['PRP^Platelet rich plasma', 'X^Apheresis collection, bag 1', 'X^Nasal discharge', 'X^FNA washout'])(
    'of another material by the name of the order: %s',
    async (name) => {
      expect((await outcome([header, person, withOrder({ 4: `${name}^L` }), sodium])).read).toEqual([])
    },
  )

  const cortisol = 'OBX|1|NM|CORT^Cortisol^L||1.2|ug/dL|<1.8||||F'
  it.each([
    ['by the name of the order', { 4: 'DST^Cortisol after dexamethasone 1 mg^L' }, []],
    ['by the information on the order', { 13: 'Dexamethasone suppression, 1 mg at 23h' }, []],
    ['or a meal, by the name of the order', { 4: 'C^Cortisol after breakfast^L' }, []],
    ['by a note on the value', {}, ['NTE|1||60 min after Synacthen']],
    ['by a note in other words', {}, ['NTE|1||post ACTH']],
  ])('that was measured after a dose, %s', async (_, fields, notes) => {
    const sent = [header, person, withOrder(fields), cortisol, ...notes]
    expect(await outcome(sent)).toMatchObject({ read: [], waiting: ['otherSpecimenSection'] })
  })
})

describe('a value is read', () => {
  it.each([
    ['with the flag “normal”', 'Sodium', '141|mmol/L|136-145|N|||F'],
    ['of calcium with its range', 'Calcium', '2.3|mmol/L|2.15-2.55||||F'],
    ['of calcium in meq/L with its range', 'Calcium', '4.8|meq/L|4.3-5.2||||F'],
    ['of bilirubin with its range', 'Bilirubin', '0.5|mg/dL|0.2-1.2||||F'],
    ['of vitamin B12 with its range', 'B12', '260|pmol/L|145-569||||F'],
    ['of HbA1c in mmol/mol with its range', 'HbA1c', '38|mmol/mol|20-42||||F'],
    ['of urea nitrogen with its range', 'BUN', '18|mg/dL|8-23||||F'],
    ['that an analyzer measured', 'Glucose', '90|mg/dL|70-99||||F||||^Smith^Ann||Hexokinase, Cobas c702||Analyzer 4'],
  ])('%s', async (_, name, rest) => {
    expect(await one(name, rest)).toMatchObject({ waiting: [], read: [expect.anything()] })
  })

  it.each([['Fatigue; impaired glucose tolerance'], ['Fasting 12 hours after last meal'], ['Postmenopausal']])(
    'where the order says: %s',
    async (text) => {
      expect(await outcome([header, person, withOrder({ 13: text }), sodium])).toMatchObject({ read: ['sodium'] })
    },
  )

  it('beside a comment on what is expected after a dose', async () => {
    const note = 'NTE|1||After dexamethasone 1 mg, cortisol should be below 1.8 ug/dL'
    expect(await one('Cortisol', '12|ug/dL|6.2-19.4||||F', [note])).toMatchObject({ read: ['cortisol'] })
  })
})

describe('the codes and names of one result', () => {
  const coded = (codes: string, rest = '130|mmol/L|||||F') =>
    outcome([header, person, request, `OBX|1|NM|${codes}||${rest}`])

  it.each([
    ['U-Natrium', '2951-2^Sodium^LN^UNA^U-Natrium^L'],
    ['dU-Natrium', '2951-2^Sodium^LN^DUNA^dU-Natrium^L'],
    ['Csv-Natrium', 'NA^Csv-Natrium^L'],
  ])('wait where a name begins with another specimen, which is shown: %s', async (name, codes) => {
    const { read, waiting, because } = await coded(codes)
    expect([read, waiting]).toEqual([[], ['otherSpecimenName']])
    if (!codes.startsWith('NA')) expect(because[0]).toContain(name)
  })

  it('wait where two LOINC codes are of two biomarkers, and both are shown', async () => {
    const { read, waiting, because } = await coded('2823-3^^LN^2951-2^^LN')
    expect([read, waiting]).toEqual([[], ['severalBiomarkers']])
    expect(because[0]).toMatch(/2823-3 is Potassium.*2951-2 is Sodium/)
  })

  it('are read where two LOINC codes are of one', async () => {
    expect(await coded('2345-7^Glucose^LN^2339-0^Glucose^LN', '90|mg/dL|||||F')).toMatchObject({ read: ['glucose'] })
  })

  it.each([
    ['P-Natrium', '140|mmol/L', 'sodium'],
    ['S-Kreatinin', '80|umol/L', 'creatinine'],
    ['fP-Glukose', '5.2|mmol/L', 'glucose'],
    ['B-Hemoglobin', '140|g/L', 'hemoglobin'],
    ['P—Kalium', '4.2|mmol/L', 'potassium'],
  ])('are read where the specimen before the name is its own: %s', async (name, value, biomarker) => {
    expect((await coded(`X^${name}^L`, `${value}|||||F`)).read).toEqual([biomarker])
  })

  it.each([
    ['B-Lymphocytes', '1.2|10*9/L'],
    ['P-Amylase', '30|U/L'],
    ['B-Magnesium', '1.4|mmol/L'],
  ])('wait where the letter may be part of the name, or the blood is whole: %s', async (name, value) => {
    expect((await coded(`X^${name}^L`, `${value}|||||F`)).read).toEqual([])
  })
})

describe('the reason names what it rests on:', () => {
  it('the order that was cancelled', async () => {
    const { because } = await outcome([header, person, withOrder({ 25: 'X' }), sodium])
    expect(because[0]).toContain('the order was cancelled (OBR-25 X)')
  })

  it('the unit that is not known, or that does not fit, with those that do', async () => {
    expect((await one('Glucose', '5|mmol/L^^^mg/dL|||||F')).because[0]).toContain('two units are sent that differ')
    expect((await one('Glucose', '91|furlong|||||F')).because[0]).toContain('“furlong” is not known')
    expect((await one('Glucose', '91|fL|||||F')).because[0]).toMatch(
      /“fL” does not fit Glucose, which takes mg\/dL, mmol\/L/,
    )
  })
})
