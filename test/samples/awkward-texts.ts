const joined = (...lines: string[]) => lines.join('\r')
const msh = 'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1'
const pid = (id: string, name: string, born: string) => `PID|1||${id}||${name}||${born}|F`
const obr = (kit: string, source = '') =>
  `OBR|1|${kit}|A1|P^Panel^L|||20260401083000||||||||${source}|||||||20260402110000|||F`
const obx = (name: string, value: string, unit: string, range = '', flag = '', type = 'NM', status = 'F') =>
  `OBX|1|${type}|X^${name}^L||${value}|${unit}|${range}|${flag}|||${status}`

const jamie = pid('77', 'Doe^Jamie', '19800203')
const glucose = obx('Glucose', '91', 'mg/dL', '70-99', 'N')

export const severalPids = (kit = 'X') =>
  joined(
    msh,
    jamie,
    obr(kit),
    glucose,
    pid('78', 'Roe^Robin', '19910708'),
    obr(kit),
    obx('Sodium', '140', 'mmol/L', '135-145'),
  )
/** Only the sender's numbers tell them apart. */
export const severalNumbers = () => joined(msh, 'PID|1||77', obr('X'), glucose, 'PID|2||78', obr('X'), glucose)
/** The second person has no results. */
export const secondWithoutResults = () => joined(msh, jamie, obr('X'), glucose, pid('78', 'Roe^Robin', '19910708'))

export const words = (kit = 'X') =>
  joined(
    msh,
    jamie,
    obr(kit),
    glucose,
    obx('HIV', 'Detected', '', 'Not Detected', 'AA', 'ST'),
    obx('Zika NS1 Ag', 'Reactive', '', 'Non-Reactive', '', 'ST'),
    obx('HCV Ab', 'Non-Reactive', '', 'Non-Reactive', 'N', 'ST'),
    obx('Copeptin', '4200', 'pg/mL', '<125', 'H~HH'),
  )

/** Contains no biomarker of the catalogue. */
export const wordsOnly = (kit: string) =>
  joined(msh, jamie, obr(kit), obx('HIV', 'Detected', '', 'Not Detected', 'AA', 'ST'))

export const pendingWords = (kit: string) =>
  joined(msh, jamie, obr(kit), glucose, obx('HIV', '', '', '', '', 'ST', 'I'))

export const specimens = () =>
  joined(
    msh,
    jamie,
    obr('X', 'ASC&Ascites&HL70070'),
    obx('Albumin', '2.1', 'g/dL'),
    obr('X', 'SER&Serum'),
    obx('Sodium', '140', 'mmol/L', '135-145'),
    obr('X'),
    obx('Creatinine', '0.9', 'mg/dL'),
    'SPM|1|||UR^Urine^HL70487',
    obr('X'),
    obx('Potassium', '4.1', 'mmol/L', '3.5-5.1'),
    'SPM|1|||STL^Stool^HL70487',
    obr('X'),
    obx('Calcium', '9.2', 'mg/dL'),
    'SPM|1|||PRT',
    obr('X'),
    obx('Chloride', '101', 'mmol/L'),
    'SPM|1|||119364003^Serum specimen^SCT',
  )

export const marks = () =>
  joined(
    msh,
    jamie,
    obr('X'),
    obx('PSA', '1,234', 'ng/mL', '0-4', '', 'ST'),
    obx('Ferritin', '1.250', 'ng/mL', '15-150', '', 'ST'),
    obx('Vitamin B12', '1.250', 'pg/mL', '200-1300'),
    glucose,
  )

const concept = (text: string) => ({ text })
const quantity = (value: number, unit: string) => ({ value, unit, system: 'http://unitsofmeasure.org', code: unit })
const observation = (name: string, more: object) => ({
  resourceType: 'Observation',
  status: 'final',
  code: concept(name),
  effectiveDateTime: '2026-04-01',
  ...more,
})
const bundle = (...resources: object[]) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) })
const patient = (id: string, family: string, birthDate: string) => ({
  resourceType: 'Patient',
  id,
  name: [{ family, given: ['Jamie'] }],
  birthDate,
})
const of = (id: string) => ({ subject: { reference: `Patient/${id}` } })

export const severalPatients = () =>
  bundle(
    patient('a', 'Doe', '1980-02-03'),
    patient('b', 'Roe', '1991-07-08'),
    observation('Glucose', { ...of('a'), valueQuantity: quantity(91, 'mg/dL') }),
  )
/** Neither is described. */
export const severalSubjects = () =>
  bundle(
    observation('Glucose', { ...of('a'), valueQuantity: quantity(91, 'mg/dL') }),
    observation('Sodium', { ...of('b'), valueQuantity: quantity(140, 'mmol/L') }),
  )
/** A result in a report about somebody else. */
export const subjectOfMember = () =>
  bundle(
    patient('a', 'Doe', '1980-02-03'),
    {
      resourceType: 'DiagnosticReport',
      status: 'final',
      code: concept('Panel'),
      ...of('a'),
      result: [{ reference: 'Observation/g' }, { reference: 'Observation/s' }],
    },
    { id: 'g', ...observation('Glucose', { ...of('a'), valueQuantity: quantity(91, 'mg/dL') }) },
    { id: 's', ...observation('Sodium', { ...of('b'), valueQuantity: quantity(140, 'mmol/L') }) },
  )

export const fhirWords = () =>
  bundle(
    patient('a', 'Doe', '1980-02-03'),
    observation('Glucose', { ...of('a'), valueQuantity: quantity(91, 'mg/dL') }),
    observation('HIV', {
      ...of('a'),
      valueCodeableConcept: concept('Detected'),
      interpretation: [{ coding: [{ code: 'A' }] }, { coding: [{ code: 'AA' }] }],
    }),
    observation('ANA', { ...of('a'), valueRatio: { numerator: { value: 1 }, denominator: { value: 160 } } }),
    observation('Albumin', { ...of('a'), specimen: { display: 'Ascites' }, valueQuantity: quantity(2.1, 'g/dL') }),
    observation('Ferritin', { ...of('a'), valueString: '1.250' }),
    { ...observation('Troponin', of('a')), status: undefined, valueQuantity: quantity(99, 'ng/L') },
  )

const rows = (...lines: string[]) => `${lines.join('\n')}\n`

export const patientColumn = () =>
  rows('Patient,Test,Result,Unit', 'Jamie Doe,Iron,90,ug/dL', 'Robin Roe,Zinc,80,ug/dL')
export const numberColumn = () => rows('MRN,Test,Result,Unit', '77,Iron,90,ug/dL', '78,Zinc,80,ug/dL')
export const emailColumn = () =>
  rows('Email,Iron (ug/dL),Zinc (ug/dL)', 'jamie@example.test,90,80', 'robin@example.test,91,81')
/** The person above the table differs from the one in it. */
export const personAbove = () =>
  rows('Patient;Jamie Doe', 'DOB;1980-02-03', 'Patient;Test;Result;Unit', 'Robin Roe;Iron;90;ug/dL')

export const csvWords = () =>
  rows(
    'Test,Result,Unit,Range,Flag',
    'Glucose,91,mg/dL,70-99,',
    'HIV 1/2,Detected (AA),,Not Detected,',
    'Zika NS1 Ag,Reactive,,Non-Reactive,A',
    ',4200,pg/mL,<125,HH',
    'Troponin,,,,LL',
  )
export const csvMarks = () =>
  rows(
    'Test;Result;Unit;Range',
    'PSA;"1,234";ng/mL;"0,00-4,00"',
    'Ferritin;1.250;ng/mL;15-150',
    'TSH;"2,31";mU/L;"0,40-4,00"',
  )
export const csvUnproven = () =>
  rows('Test;Result;Unit', 'PSA;"1,234";ng/mL', 'Ferritin;1.250;ng/mL', 'Sodium;140;mmol/L')
export const csvMixed = () =>
  rows('Test;Result;Unit', 'PSA;"1,234";ng/mL', 'TSH;"2,31";mU/L', 'HbA1c;5.8;%', 'Ferritin;1.250;ng/mL')
export const csvColumns = () =>
  rows(
    'Test,Result,Value,Previous,Goal,Unit,Specimen',
    'Glucose,91,91,140,<100,mg/dL,Serum',
    'Sodium,140,151,,,mmol/L,Serum',
    'Potassium,,,4.4,,mmol/L,Serum',
    'Albumin,2.1,,,,g/dL,Ascites',
    'Creatinine,0.9,,,,mg/dL,plastic jar',
    'Calcium,9.2,,,,mg/dL,',
  )
