import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { haveOtherInitials } from '@kitlane/lab-reader/parse/names'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { SEVERAL_PEOPLE } from '@kitlane/lab-reader/parse/person'
import { remarkOf } from '@kitlane/lab-reader/parse/remark'
import { isOrderOfAnother } from '@kitlane/lab-reader/parse/specimen-words'
import { describe, expect, test } from 'vitest'

async function read(text: string) {
  const { reports, notes } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: all.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: Object.fromEntries(all.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code]))),
    notes,
  }
}

const head = [
  'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
  'PID|1||W12||VALLE^NORA||19750606|F',
]
const request = (name: string) => `OBR|1|A1|F1|${name}|||20260227070000`
const hl7 = (...lines: string[]) => [...head, ...lines].join('\r')
const glucose = 'OBX|1|NM|2345-7^Glucose^LN||95|mg/dL|70-99||||F'
const sodium = 'OBX|2|NM|2951-2^Sodium^LN||141|mmol/L|136-145||||F'

describe('a request that is not of the person', () => {
  test.each([
    'NBIL^Newborn bilirubin^L',
    'DON^Living donor creatinine^L',
    'X^Haemoglobinopathy screen, father of baby^L',
    'X^UK NEQAS distribution 612 sample A^L',
    'X^Chemistry (blind duplicate)^L',
    'X^Internal quality control, level 3^L',
    'X^Nabelschnurblut^L',
    'X^Biochimie du donneur^L',
    '24323-8^CMP^LN^DON^Living donor CMP^L',
  ])('makes its results wait, and not those of another request: %s', async (name) => {
    const told = await read(hl7(request(name), glucose, request('X^Chemistry^L'), sodium))
    expect(told).toMatchObject({ values: ['sodium'], waiting: { Glucose: 'notOwn' } })
  })

  test.each(['X^Stability study day 7^L', 'X^Pooled prolactin (3 samples)^L', 'X^Recovery test, spiked sample^L'])(
    'is also one of no single sample: %s',
    async (name) => {
      expect((await read(hl7(request(name), glucose))).waiting).toEqual({ Glucose: 'notOwn' })
    },
  )

  test.each(['Bilan après dialyse', 'Glukose nach Essen', 'Adrenal vein sampling', 'Glucose clamp'])(
    'and one of a state or a place that is not the usual one waits, too: %s',
    async (name) => {
      expect((await read(hl7(request(`X^${name}^L`), glucose))).waiting).toEqual({ Glucose: 'otherSpecimenSection' })
    },
  )

  test.each([
    ...['THORACENTESIS FLUID', 'Arthrocentesis, right knee', 'Lumbar puncture tube 2', 'Paracentesis panel'],
    ...['Lumbalpunktion', 'Gelenkpunktion', 'Ponction pleurale', 'Punción articular', 'Amniocentesi', 'Pleural LDH'],
    ...['Bronchoalveolar wash', 'VP shunt tap', 'JP drain, abdomen', 'CAPD bag'],
  ])('and one of what was taken with a needle elsewhere than from a vein: %s', async (name) => {
    const told = await read(
      hl7(request(`X^${name}^L`), glucose, request('X^Venepuncture, ponction veineuse^L'), sodium),
    )
    expect(told).toMatchObject({ values: ['sodium'], waiting: { Glucose: 'otherSpecimenSection' } })
  })

  test.each(['Baby of Nora Valle, twin 1', 'Neugeborenes von Nora Valle', 'Donor for the patient'])(
    'may say so in its clinical information: %s',
    async (info) => {
      const told = await read(hl7(`${request('X^Chemistry^L')}||||||${info}`, glucose))
      expect(told.waiting).toEqual({ Glucose: 'notOwn' })
    },
  )

  test('is not one whose clinical information only tells of the family', async () => {
    const told = await read(hl7(`${request('X^Chemistry^L')}||||||Mother of twins, partner of a patient`, glucose))
    expect(told.values).toEqual(['glucose'])
  })

  test.each(['ORC|CA|A1|F1', 'ORC|RE|A1|F1||CA', 'ORC|RE|A1|F1||DC'])(
    'is contradicted by an order that was cancelled: %s',
    async (order) => {
      const told = await read(
        hl7(order, request('X^Chemistry^L'), glucose, 'ORC|RE|A2|F2||CM', request('Y^Y^L'), sodium),
      )
      expect(told).toMatchObject({ values: ['sodium'], waiting: { Glucose: 'contradicted' } })
    },
  )

  test.each(['X^Home glucose log^L', 'X^Patient reported glucose^L'])('or is self-measured: %s', async (name) => {
    expect((await read(hl7(request(name), glucose))).waiting).toEqual({ Glucose: 'contradicted' })
  })

  test.each([
    ['Left adrenal vein', []],
    ['Umbilical vein', []],
    ['Right knee', []],
    ['Left antecubital vein', ['glucose']],
  ])('and a place of the body counts by its name, not by its side: %s', async (site, values) => {
    const told = await read(hl7(request('X^Chemistry^L'), `${glucose}|||||||||X^${site}^L`))
    expect(told.values).toEqual(values)
  })

  test('is none by a word that only looks like it', () => {
    for (const name of ['Referred to partner lab', 'Differential, relative'])
      expect(isOrderOfAnother(name), name).toBe(false)
    expect(isOrderOfAnother('Chemistry, QC passed')).toBe(false)
  })
})

describe('two people in a file whose names differ in one letter', () => {
  test.each([
    ['Twin A Example', 'Twin B Example', true],
    ['Baby A', 'Baby B', true],
    ['R A Example', 'Robin B Example', true],
    ['J Doe', 'Jamie Doe', false],
    ['Robin T Example', 'Robin Example', false],
    ['Robin T. Example', 'EXAMPLE, ROBIN T', false],
    ['Robin T Example', 'Robin Tom Example', false],
  ])('%s and %s: %s', (one, other, are) => {
    expect(haveOtherInitials(one, other)).toBe(are)
  })

  test('make the file wait', async () => {
    const twin = (letter: string, id: string) => [
      'MSH|^~\\&|NEO|LAB|CO|CO|20260312||ORU^R01|1|P|2.5.1',
      `PID|1||${id}||Example^Twin ${letter}||20260309|F`,
      request('BILI^Bilirubin^L'),
      glucose,
    ]
    const { notes } = await read([...twin('A', 'H-1'), ...twin('B', 'H-2')].join('\r'))
    expect(notes).toContain(SEVERAL_PEOPLE)
  })
})

describe('a flag that says that the value may not be used', () => {
  test.each(['N~QNS^Quantity not sufficient^L', 'QNS', 'N~HM', 'N~X^Specimen clotted^L', 'L1^Not reliable^L~N'])(
    'counts beside others, by its code and by its text: %s',
    async (flag) => {
      expect((await read(hl7(request('X^Chemistry^L'), glucose.replace('70-99|', `70-99|${flag}`)))).waiting).toEqual({
        Glucose: 'annulled',
      })
    },
  )

  test.each(['N^Normal^HL70078', 'N~U', 'N~'])('is none of what it says of the interval: %s', async (flag) => {
    const told = await read(hl7(request('X^Chemistry^L'), glucose.replace('70-99|', `70-99|${flag}`)))
    expect(told.values).toEqual(['glucose'])
  })

  test.each(['Verhoogd', 'erhöht', 'élevé', 'elevato', 'Raised'])(
    'contradicts a value within its interval in any language: %s',
    async (word) => {
      const told = await read(hl7(request('X^Chemistry^L'), glucose.replace('70-99|', `70-99|${word}`)))
      expect(told.waiting).toEqual({ Glucose: 'flagContradictsRange' })
    },
  )
})

describe('a flag without an interval', () => {
  const potassium = (value: string, flag: string) => `OBX|1|NM|2823-3^Potassium^LN||${value}|mmol/L||${flag}|||F`

  test.each([
    ['6.9', 'LL', ['flagContradictsRange']],
    ['6.9', 'L', ['flagContradictsRange']],
    ['1.9', 'H', ['flagContradictsRange']],
    ['6.9', 'HH', []],
    ['1.9', 'L', []],
    ['4.1', 'L', []],
  ])('contradicts a value that is critical on the other side: %s %s', async (value, flag, waiting) => {
    const told = await read(hl7(request('X^Chemistry^L'), potassium(value, flag)))
    expect(Object.values(told.waiting)).toEqual(waiting)
  })
})

describe('a note that names another unit', () => {
  test.each([
    'Unit should be mg/dL, not mmol/L.',
    'Units should read mg/dL',
    'Die Einheit ist mg/dl, nicht mmol/l',
    'Unité incorrecte',
    'Unidad incorrecta',
    'Unità di misura errata',
    'Potassium not valid',
  ])('annuls: %s', (note) => expect(annuls(note)).toBe(true))

  test.each([
    'Units changed on 1 March 2026.',
    'Please note change of units to mmol/mol',
    'Results expressed in SI units.',
  ])('is none that tells of a change of units: %s', (note) => expect(remarkOf(note)).toBe('ordinary'))
})

describe('a note on why a test was added', () => {
  test.each([
    'Reflex testing performed because TSH was outside the reference interval.',
    'Reflexed from TSH.',
    'Add-on test ordered 03/12/2026 on stored specimen; within stability.',
    'Nachforderung vom 12.03.2026',
  ])('is ordinary: %s', (note) => expect(remarkOf(note)).toBe('ordinary'))
  test.each(['Reflex testing performed because the first result was spurious', 'Added on to the wrong sample'])(
    'is not where it doubts: %s',
    (note) => expect(remarkOf(note)).not.toBe('ordinary'),
  )
})

describe('what stands between a result and its note', () => {
  const note = 'NTE|1|L|Sample mislabelled'
  test.each(['PRT|1|UC||PO', 'TCD|GLU^Glucose^L', 'SID|ISE|4711', 'ZXY|1|A'])(
    'leaves the note with the result: %s',
    async (segment) => {
      const told = await read(hl7(request('X^Chemistry^L'), glucose, segment, note, request('Y^Other^L'), sodium))
      expect(told).toMatchObject({ values: ['sodium'], waiting: { Glucose: 'annulled' } })
    },
  )

  test('is a note itself where the laboratory writes a sentence into a segment of its own', async () => {
    const said = 'ZNT|1|L|Sample grossly haemolysed, potassium not valid'
    expect(await read(hl7(request('X^Chemistry^L'), glucose, said, sodium))).toMatchObject({
      ...{ values: ['sodium'], waiting: { Glucose: 'annulled' } },
    })
    const address = 'ZPS|1|01|LabCorp Burlington|1447 York Court^^Burlington^NC^27215|Dr. J Doe'
    expect((await read(hl7(request('X^Chemistry^L'), glucose, address))).values).toEqual(['glucose'])
  })
})

describe('a table that says of each row', () => {
  test('that another one took its place or that it was cancelled holds it', async () => {
    const told = await read(
      'test,value,unit,superseded_by,cancelled_at\nSodium,139,mmol/L,R2,\nPotassium,4.1,mmol/L,,2026-03-12\nALT,22,U/L,,',
    )
    expect(told).toMatchObject({ values: ['alt'], waiting: { Sodium: 'annulled', Potassium: 'annulled' } })
  })

  test('which species it is of holds that of an animal', async () => {
    const told = await read('Species,Test,Result,Units\nCanine,Creatinine,1.1,mg/dL\nHuman,Sodium,139,mmol/L')
    expect(told).toMatchObject({ values: ['sodium'], waiting: { Creatinine: 'annulled' } })
  })
})

describe('the lines and cells of a table without a heading', () => {
  const table = (...rows: string[]) => read(['Test,Result,Unit,', ...rows].join('\n'))

  test('hold a result where they say something of it, and flag it', async () => {
    const rows = ['Sodium,139,mmol/L,', 'Potassium,4.1,mmol/L,wrong pt?', 'ALT,62,U/L,H']
    expect(await table(...rows)).toMatchObject({ values: ['sodium', 'alt'], waiting: { Potassium: 'unknownRemark' } })
    const { reports } = await parseBytes(Buffer.from(['Test,Result,Unit,', ...rows].join('\n')), { maxPages: 1 })
    expect(reports[0]?.observations.map(({ flag }) => flag)).toEqual([undefined, undefined, 'H'])
  })

  test('say in a footnote what a star means, and hold those that bear it', async () => {
    const rows = ['Sodium,139,mmol/L,', 'Calcium,9.3*,mg/dL,']
    const doubted = await table(...rows, '"* sample haemolysed, value uncertain",,,')
    expect(doubted).toMatchObject({ values: ['sodium'], waiting: { Calcium: 'unaccounted' } })
    expect((await table(...rows, '* out of the reference range,,,')).values).toEqual(['sodium', 'calcium'])
  })

  test('leave a part of urine one of urine, where they say something of it', async () => {
    const rows = ['URINE,,,', 'Traces of glucose are common in pregnancy.,,,', 'Sodium,101,mmol/L,']
    expect((await table(...rows, 'LIPIDS,,,', 'HDL,55,mg/dL,')).values).toEqual(['sodium_urine', 'hdl'])
  })
})

describe('a code of urine below a title of urine', () => {
  test('needs no specimen of its own', async () => {
    const nitrite = 'OBX|1|ST|32710-6^Nitrite^LN||Negative||||||F'
    expect((await read(hl7(request('24356-8^Urinalysis^LN'), nitrite))).values).toEqual(['nitrite_strip'])
  })
})

describe('what a careful person would read', () => {
  test.each([
    ['OBX|1|NM|2823-3^Potassium^LN||4.4 mmol/L||3.5-5.1||||F', 'potassium'],
    ['OBX|1|NM|2951-2^Sodium^LN||140mmol/L|mmol/L|136-145||||F', 'sodium'],
    ['OBX|1|NM|2276-4^Ferritin^LN||44|^^^ng/mL^^L|15-150||||F', 'ferritin'],
    ['OBX|1|NM|X^B-Leuk^L||5.6|E9/l|3.4-8.2||||F', 'wbc'],
    ['OBX|1|NM|X^fP-Gluk^L||5.4|mmol/l|4.2-6.0||||F', 'glucose'],
    ['OBX|1|NM|X^Natrium;P^L||139|mmol/L|||||F', 'sodium'],
    ['OBX|1|NM|X^C-reaktivt protein [CRP];P^L||2.1|mg/L|||||F', 'crp'],
    ['OBX|1|ST|22244-8^CMV IgG^LN||Positive||||||F', 'cytomegalovirus_igg'],
  ])('is a result: %s', async (obx, id) => {
    expect((await read(hl7(request('X^Laboratory^L'), obx))).values).toEqual([id])
  })

  test.each([
    'OBX|1|NM|17861-6^Calcium^LN||9.4 mg/dL|mmol/L|2.1-2.6||||F',
    'OBX|1|NM|2160-0^Creatinine^LN||0.9^mg/dL|mg/dL|0.5-1.1||||F',
    'OBX|1|NM|2160-0^Creatinine^LN||0.9 1.1|mg/dL|0.5-1.1||||F',
    'OBX|1|NM|X^Glucose;Csv^L||3.1|mmol/L|||||F',
    'OBX|1|NM|X^Kalium;B^L||3.1|mmol/L|||||F',
    'OBX|1|NM|X^Li-Leuk^L||12|E6/l|<5||||F',
  ])('is none where its parts contradict, or it is of another system: %s', async (obx) => {
    expect((await read(hl7(request('X^Laboratory^L'), obx))).values).toEqual([])
  })
})
