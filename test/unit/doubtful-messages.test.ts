import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'

async function identified(text: string) {
  const { reports, notes, leftOut } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const read = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: read.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: Object.fromEntries(read.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code]))),
    why: read.flatMap(({ unmatched }) => unmatched.map(({ reason }) => reason)).join('\n'),
    notes,
    leftOut,
  }
}

const times = { collected: '20260227070000', reported: '20260301110000', received: '' }
const request = ({ collected, reported, received } = times) =>
  `OBR|1|A1|F1|24323-8^Panel^LN|||${collected}|||||||${received}||||||||${reported}|||F`
const message = (...lines: string[]) =>
  [
    'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
    'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F',
    ...(lines.some((line) => line.startsWith('OBR')) ? [] : [request()]),
    ...lines,
  ].join('\r')
const glucose = 'OBX|1|NM|2345-7^Glucose^LN||95|mg/dL|70-99|N|||F'
const sodium = 'OBX|2|NM|2951-2^Sodium^LN||141|mmol/L|136-145|N|||F'

describe('a segment whose name is damaged', () => {
  test.each(['OBX5|', '0BX|', 'OBX |', 'OB|', 'OBZ|', '"OBX|', 'OBX^|'])(
    'waits by itself where it is a result, and says which line: %s',
    async (name) => {
      const read = await identified(message(glucose, sodium.replace('OBX|', name)))
      expect(read.values).toEqual(['glucose'])
      expect(read.why).toContain('line 5')
    },
  )

  test('makes all wait that it would change: a note its value, a request and a specimen the results below them', async () => {
    const note = await identified(message(glucose, 'NTE5|1|L|Result is for a different patient', sodium))
    expect(note).toMatchObject({ values: ['sodium'], waiting: { Glucose: 'unreadable' } })
    const order = await identified(message(request(), glucose, 'OBR2|2|A1|F2|X^URINE^L|||20260227070000', sodium))
    expect(order).toMatchObject({ values: ['glucose'], waiting: { Sodium: 'unreadable' } })
    const specimen = await identified(message(glucose, sodium, 'SPMX|1|||UR^Urine^HL70487'))
    expect(specimen.waiting).toEqual({ Glucose: 'unreadable', Sodium: 'unreadable' })
  })

  test.each([`   ${sodium}`, sodium.replace('OBX', 'obx'), 'PD1|||HARBOUR', 'ZBX|1|NM|2823-3^Potassium^LN||9'])(
    'is none with spaces before it, in small letters or of the laboratory: %s',
    async (line) => {
      expect((await identified(message(glucose, line))).waiting).toEqual({})
    },
  )
})

describe('a specimen that does not fit the code', () => {
  const specimen = (text: string) => `SPM|1|||${text}|||||||||||||20260227070000`

  test.each(['440500007^Dried blood spot^SCT', 'DBS^DBS^L', 'BLDC^Capillary blood^HL70487'])(
    'makes a value of serum wait, with both named: %s',
    async (text) => {
      const read = await identified(message(glucose, specimen(text)))
      expect(read.waiting).toEqual({ Glucose: 'otherSpecimen' })
      expect(read.why).toMatch(/dried blood spot, where the code is of serum|Capillary blood/)
    },
  )

  test('is none without a code of serum: kits are often of dried blood', async () => {
    const vitamin = 'OBX|1|NM|X^25-Hydroxyvitamin D^L||30|ng/mL|30-100|N|||F'
    expect((await identified(message(vitamin, specimen('DBS^DBS^L')))).values).toEqual(['vitamin_d'])
  })

  test.each([
    [glucose, 'Urine dipstick'],
    [glucose, 'Teststreifen, Urin'],
    ['OBX|1|NM|2143-6^Cortisol^LN||10|ug/dL|||||F', 'LC-MS/MS saliva'],
    ['OBX|1|NM|2955-3^Sodium [Moles/volume] in Urine^LN||100|mmol/L|||||F', 'ISE, serum'],
  ])('may be named by the method alone: %s %s', async (obx, method) => {
    const line = obx.replace(/\|F$/, `|F||||||${method}`)
    const read = await identified(message(line))
    expect(Object.values(read.waiting)).toEqual(['otherSpecimen'])
    expect(read.why).toContain(method)
  })

  test.each(['Capillary electrophoresis', 'Kapillarelektrophorese', 'Hexokinase', 'Heparin complex', 'ISE indirect'])(
    'is not named by a method such as %s',
    async (method) => {
      expect((await identified(message(`${glucose}||||||${method}`))).values).toEqual(['glucose'])
    },
  )
})

describe('times that cannot be', () => {
  test.each([
    ['collected after it was reported', { ...times, collected: '20260305070000' }, glucose],
    ['received before it was collected', { ...times, received: '20260220070000' }, glucose],
    ['to be collected in a later year', { ...times, collected: '22000101', reported: '' }, glucose],
    ['collected by OBX-14 after the message was sent', times, `${glucose}|||20260310`],
    ['collected by OBX-14 on a day far from that of the request', times, `${glucose}|||20260201`],
    ['analyzed before it was collected', times, `${glucose}||||||||20260220080000`],
  ])('make their value wait, with both times: %s', async (_, of, obx) => {
    const read = await identified(message(request(of), obx, sodium))
    expect(read.waiting).toMatchObject({ Glucose: 'impossibleTimes' })
    expect(read.why).toMatch(/(\d{4}-\d\d-\d\d\S*), .*(\d{4}-\d\d-\d\d)/)
  })

  test.each([
    ['a few hours, as between time zones', { ...times, collected: '20260301133000-0500' }, glucose],
    ['a day between both days of collection', times, `${glucose}|||20260228`],
  ])('are not %s', async (_, of, obx) => {
    expect((await identified(message(request(of), obx))).values).toEqual(['glucose'])
  })

  test.each([
    ['20270101', 'born 2027-01-01, collected 2026-02-27'],
    ['2026', undefined],
    ['202604', 'born 202604, collected 2026-02-27'],
    ['20260227', undefined],
  ])('are a birth behind the collection: %s', async (born, why) => {
    const read = await identified(message(glucose).replace('19750606', born))
    expect(read.waiting).toEqual(why ? { Glucose: 'impossibleTimes' } : {})
    expect(read.why).toContain(why ?? '')
  })

  test('leave no day of collection where request and specimen say days apart, and both are kept', async () => {
    const { reports } = await parseBytes(Buffer.from(message(glucose, 'SPM|1|||SER|||||||||||||20260213070000')), {
      maxPages: 1,
    })
    expect(reports).toMatchObject([{ unreadDay: '20260213070000', otherDay: '2026-02-27' }])
    expect([reports[0]?.collectedDate, reports[0]?.observations[0]?.collectedDate]).toEqual([undefined, undefined])
  })

  test('make values of FHIR and of a table wait, too', async () => {
    const sent = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'Sodium' },
      issued: '2026-03-01T10:00:00Z',
    }
    const late = { ...sent, valueQuantity: { value: 141, unit: 'mmol/L' }, effectiveDateTime: '2026-03-05' }
    expect((await identified(JSON.stringify(late))).waiting).toEqual({ Sodium: 'impossibleTimes' })
    const rows = ['Test,Result,Unit,Collected,Reported', 'Sodium,141,mmol/L,2026-03-05,2026-03-01']
    expect((await identified(rows.join('\n'))).waiting).toEqual({ Sodium: 'impossibleTimes' })
  })
})

describe('a share that is sent as a percent', () => {
  test.each([
    ['Hematocrit', '4544-3', '0.45', '%', '45 %'],
    ['Hematocrit', '4544-3', '45', 'L/L', '45 %'],
    ['HbA1c', '4548-4', '0.065', '%', '6.5 %'],
    ['Transferrin saturation', '2502-3', '0.3', '%', '30 %'],
  ])('waits, and says what it may mean: %s', async (name, code, value, unit, means) => {
    const read = await identified(message(`OBX|1|NM|${code}^${name}^LN||${value}|${unit}|||||F`))
    expect(read.waiting).toEqual({ [name]: 'implausible' })
    expect(read.why).toContain(means)
  })

  test('is known by its range, and white cells by their sum', async () => {
    const cell = (name: string, code: string, value: string, range = '') =>
      `OBX|1|NM|${code}^${name}^LN||${value}|%|${range}||||F`
    const ranged = await identified(message(cell('Lymphocytes/100 leukocytes', '736-9', '0.30', '0.20-0.40')))
    expect(Object.values(ranged.waiting)).toEqual(['otherScale'])
    const three = [
      cell('Neutrophils/100 leukocytes', '770-8', '0.6'),
      cell('Lymphocytes/100 leukocytes', '736-9', '0.3'),
      cell('Monocytes/100 leukocytes', '5905-5', '0.1'),
    ]
    expect(Object.values((await identified(message(...three))).waiting)).toEqual(Array(3).fill('implausible'))
    const percent = three.map((line) => line.replace('||0.', '||').replace('|%', '0|%'))
    expect((await identified(message(...percent))).values).toHaveLength(3)
  })
})

describe('a laboratory result under a category of FHIR that no laboratory has', () => {
  const sent = (code: string, display: string, category: string) => ({
    resourceType: 'Observation',
    status: 'final',
    category: [{ coding: [{ code: category }] }],
    code: { coding: [{ system: 'http://loinc.org', code, display }] },
    valueQuantity: { value: 95, unit: 'mg/dL' },
  })
  const both = (...resources: object[]) =>
    JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) })

  test.each(['vital-signs', 'social-history'])('is read by its code: %s', async (category) => {
    expect((await identified(both(sent('2345-7', 'Glucose', category)))).values).toEqual(['glucose'])
  })

  test('is left out without one, and the note says why', async () => {
    const read = await identified(
      both(sent('2345-7', 'Glucose', 'laboratory'), sent('8867-4', 'Heart rate', 'vital-signs')),
    )
    expect(read).toMatchObject({ values: ['glucose'], leftOut: 1 })
    expect(read.notes.join()).toMatch(/left out: the category is vital-signs/)
  })
})

describe('what a laboratory says against results elsewhere', () => {
  const person = 'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F'
  const with13 = (info: string) => request().replace('|20260227070000|||||||', `|20260227070000||||||${info}|`)

  test.each([
    ['the clinical information: how it was drawn', message(with13('Drawn from the same line as the TPN'), sodium)],
    ['the clinical information: cord blood', message(with13('Cord blood of newborn'), sodium)],
    ['a mood that is no event', message(`${sodium}${'|'.repeat(11)}GOL`)],
    ['a type that is no result', message(`${sodium}${'|'.repeat(18)}AOE`)],
    ['an action that deletes it', message(`${sodium}${'|'.repeat(20)}D`)],
    [
      'an action on the order that makes it control material',
      message(request().replace('|||||||', '||||Q|||'), sodium),
    ],
    ['an order that was replaced', message('ORC|RE|A1|F1||RP', request(), sodium)],
    ['a specimen of three', message(request(), sodium, `SPM|1|||SER${'|'.repeat(9)}3`)],
    ['a range of cord blood', message(sodium.replace('136-145', 'cord blood 130-145'))],
    ['a reason: proficiency', message(`${request()}${'|'.repeat(6)}^Proficiency testing event 2`, sodium)],
    ['a column: control', 'Test,Result,Unit,Is control\nSodium,139,mmol/L,TRUE'],
    ['a column: imputed', 'Test,Result,Unit,Imputed\nSodium,139,mmol/L,yes'],
    ['a column: qualifier', 'Test,Result,Qual,Unit\nSodium,139,J,mmol/L'],
    ['a column: statistic', 'Test,Statistic,Result,Unit\nSodium,max,139,mmol/L'],
    ['a column: confidence', 'Test,Result,Unit,Confidence\nSodium,139,mmol/L,0.41'],
    ['a column: storage', 'Test,Result,Unit,Storage\nSodium,139,mmol/L,room temperature unspun'],
    ['an order for the wrong patient', message(`ORC|RE|A1|F1||CM${'|'.repeat(11)}X^Wrong patient`, request(), sodium)],
    ['a modifier of the order', message(`${request()}${'|'.repeat(20)}PD^Post dialysis`, sodium)],
    ['a participant', message(sodium, 'PRT|1|AD||EQUIP||||||FreeStyle Libre continuous glucose monitor')],
    ['a modifier of the specimen', message(request(), sodium, 'SPM|1|||SER|D^Diluted 1:2 with saline')],
    ['a column of states: German', 'Analyse;Ergebnis;Einheit;Probenzustand\nSodium;139;mmol/L;überaltert'],
    ['a column of states: Spanish', 'Analyse;Ergebnis;Einheit;Estado de la muestra\nSodium;139;mmol/L;rechazada'],
    ['a column of where it is from', 'Test,Result,Unit,Basis\nSodium,139,mmol/L,last known value'],
    ['a state of the sample', message('OBX|1|ST|SQ^Sample quality^L||Unacceptable||||||F', sodium)],
    ['an alarm of the analyser', message('OBX|1|IS|X^PLT Clumps?^L||T||||||F', sodium)],
    [
      'an alarm of the analyser that names another result',
      message('OBX|1|IS|X^PLT Clumps?^L||T||||||F', 'OBX|2|NM|777-3^PLT^LN||90|10*3/uL|150-400||||F', sodium),
    ],
    ['a name of no person', message(sodium).replace(person, 'PID|1||W12||ZZTEST^DONOTUSE||19000101|F')],
    ['the name of a demonstration', message(request().replace('Panel', 'Demonstration report'), sodium)],
    ['a note that nobody verified it', message(sodium, 'NTE|1||Outside laboratory, not verified by us')],
    ['the request once more, cancelled and without results', message(request(), sodium, request().replace(/F$/, 'X'))],
    [
      'the state of the specimen',
      message(request(), sodium, `SPM|1|||SER${'|'.repeat(20)}^Thawed on arrival, leaking`),
    ],
    ['a column of its state', 'Test,Result,Unit,Cond\nSodium,139,mmol/L,OLD'],
    ['a column of alarms', 'Test,Result,Unit,Data alarm\nSodium,139,mmol/L,>Test'],
    ['who should have checked it', 'Test,Result,Unit,Checked by\nSodium,139,mmol/L,not checked'],
    ['a note to the file', 'Test,Result,Unit,Note to file\nSodium,139,mmol/L,belongs to 4411'],
    ['another value in a column of adjusted ones', 'Test,Result,Adjusted result,Unit\nSodium,131,138,mmol/L'],
  ])('holds them: %s', async (_, text) => {
    const { values, waiting } = await identified(text)
    expect([values, 'Sodium' in waiting]).toEqual([[], true])
  })

  test.each([
    message(`${sodium}${'|'.repeat(11)}EVN${'|'.repeat(7)}RSLT${'|'.repeat(2)}A`),
    message('ORC|RE|A1|F1||CM', request().replace('|||||||', '||||G|||'), sodium, `SPM|1|||SER${'|'.repeat(9)}1`),
    'Test,Statistic,Result,Unit,Confidence,Storage,Is control\nSodium,single,139,mmol/L,99 %,Room temperature,no',
    message(with13('Father diabetic, patient on TPN'), sodium),
    message('OBX|1|ST|SQ^Sample quality^L||Acceptable||||||F', sodium),
    message('OBX|1|IS|X^PLT Clumps?^L||F||||||F', sodium),
    message(request(), sodium, request().replace('A1|F1', 'A2|F2').replace(/F$/, 'X')),
    message(request(), sodium, `SPM|1|||SER${'|'.repeat(20)}^Room temperature`),
    'Test,Result,Unit,Cond\nSodium,139,mmol/L,good',
    'Test,Result,Unit,Checked by,Data alarm\nSodium,139,mmol/L,Dr. Meier,none',
    'Test,Result,Adjusted result,Unit\nSodium,139,139,mmol/L',
  ])('leaves ordinary ones: %#', async (text) => {
    expect((await identified(text)).values).toEqual(['sodium'])
  })
})

describe('an answer on an infection', () => {
  const hiv = (value: string, flag: string) => message(`OBX|1|ST|56888-1^HIV Ag/Ab^LN||${value}|||${flag}|||F`)
  const row = (value: string, index: string) =>
    `Test,Result,Index,Cut-off\nHIV Ag/Ab,${value},${index},1.00\nHBsAg,Non-reactive,0.31,1.00`

  test('waits where its flag or its signal says otherwise', async () => {
    expect((await identified(hiv('Positive', 'N'))).waiting).toEqual({ 'HIV Ag/Ab': 'flagContradictsValue' })
    expect((await identified(hiv('Positive', 'A'))).values).toEqual(['hiv_ag_ab'])
    expect((await identified(row('Non-reactive', '12.4'))).waiting).toEqual({ 'HIV Ag/Ab': 'contradicted' })
    expect((await identified(row('Reactive', '12.4'))).values).toEqual(['hiv_ag_ab', 'hbsag'])
  })
})

test('calcium, and what else EDTA binds, waits where the tube is one of EDTA', async () => {
  const calcium = 'OBX|1|NM|17861-6^Calcium^LN||4.1|mg/dL|8.6-10.2|L|||F'
  const tube = (additive: string) => message(request(), calcium, sodium, `SPM|1|||SER^Serum||${additive}`)
  expect(await identified(tube('EDTA^K2 EDTA'))).toMatchObject({ waiting: { Calcium: 'implausible' } })
  expect((await identified(tube('HEPL^Lithium heparin'))).values).toEqual(['calcium', 'sodium'])
  expect((await identified(tube('EDTA^K2 EDTA').replace('4.1', '9.4').replace('|L|', '||'))).waiting).toEqual({})
})

describe('a potassium with a calcium that no living person has beside it', () => {
  const sent = (potassium: string, calcium: string) =>
    message(
      `OBX|1|NM|2823-3^Potassium^LN||${potassium}|mmol/L|3.5-5.1||||F`,
      `OBX|2|NM|17861-6^Calcium^LN||${calcium}|mmol/L|2.20-2.60||||F`,
      sodium,
    )
  const rows = (potassium: string, calcium: string) =>
    `Test,Result,Unit,Tube\nPotassium,${potassium},mmol/L,K2 EDTA\nCalcium,${calcium},mmol/L,K2 EDTA\nSodium,139,mmol/L,Serum gel`

  test.each([
    ['11.9', '0.92'],
    ['7.4', '1.72'],
    ['13.5', '1.40'],
  ])('waits, and so does that calcium, in every format: %s and %s', async (potassium, calcium) => {
    for (const text of [sent(potassium, calcium), rows(potassium, calcium)])
      expect(await identified(text)).toMatchObject({
        values: ['sodium'],
        waiting: { Potassium: 'implausible', Calcium: 'implausible' },
      })
  })

  test.each([
    ['7.4', '2.31'],
    ['6.4', '1.80'],
    ['4.1', '1.72'],
  ])('is read where an illness may be the cause: %s and %s', async (potassium, calcium) => {
    expect((await identified(sent(potassium, calcium))).values).toEqual(['potassium', 'calcium', 'sodium'])
  })

  test('waits on its own, where a column of a table names a tube of EDTA', async () => {
    expect((await identified(rows('6.4', '2.31'))).waiting).toEqual({ Potassium: 'implausible' })
    expect((await identified(rows('4.4', '2.31'))).waiting).toEqual({})
  })
})
