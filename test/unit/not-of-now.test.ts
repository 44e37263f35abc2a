import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'
import { makePdf, type Printed } from '../samples/make-pdf.ts'

const csv = (...rows: string[]) => parseBytes(Buffer.from(rows.join('\n')), { maxPages: 1 })
const places = [36, 180, 250, 320, 420]
const line = (...cells: string[]): Printed =>
  cells.flatMap((text, at) => (text === '' ? [] : [[places[at] ?? 0, text] as [number, string]]))
const pdf = async (...lines: Printed[]) =>
  parseBytes(
    await makePdf([{ lines: [line('Patient: Robin Example'), line('Collected: 2026-03-11'), [], ...lines] }]),
    {
      maxPages: 2,
    },
  )
const standing = ({ reports }: Awaited<ReturnType<typeof csv>>) =>
  reports.flatMap(({ observations }) => observations.map(({ name, value, doubt }) => [name, value ?? doubt]))
const LEFT = 'Left out, as no results of this sample; look there if one is missing: '

describe('what a table says to be no result of this sample waits or is named as left out:', () => {
  it.each([
    ['Previous', 'earlierOrGoal'],
    ['mean', 'earlierOrGoal'],
    ['Average (3 months)', 'earlierOrGoal'],
    ['Vorbefund', 'earlierOrGoal'],
    ['antérieur', 'earlierOrGoal'],
    ['media', 'earlierOrGoal'],
    ['Streefwaarde', 'earlierOrGoal'],
    ['föregående', 'earlierOrGoal'],
    ['平均', 'earlierOrGoal'],
    ['LOD', 'otherPart'],
    ['Nachweisgrenze', 'otherPart'],
    ['QC level 1', 'notOwn'],
  ])('a row that a cell calls %s', async (word, doubt) => {
    const type = csv('Kind,Test,Result,Unit', 'Current,Potassium,4.1,mmol/L', `${word},Sodium,139,mmol/L`)
    const comment = csv('Test,Result,Unit,Comment', 'Potassium,4.1,mmol/L,', `Sodium,139,mmol/L,${word}`)
    const wide = csv('Run,Potassium (mmol/L),Collected', 'A,4.1,2026-03-11', `${word},4.3,2026-03-11`)
    expect(standing(await type)).toEqual([
      ['Potassium', 4.1],
      ['Sodium', doubt],
    ])
    expect(standing(await comment)).toEqual([
      ['Potassium', 4.1],
      ['Sodium', doubt],
    ])
    expect(standing(await wide).filter(([name]) => name === 'Potassium')).toEqual([
      ['Potassium', 4.1],
      ['Potassium', doubt],
    ])
    const printed = pdf(
      line('Test', 'Result', 'Units', 'Reference Range', 'Method'),
      line('Potassium', '4.1', 'mmol/L', '3.5-5.1', 'ISE'),
      line('Sodium', '139', 'mmol/L', '136-145', word),
    )
    // The font of this page has no Japanese signs.
    if (word !== '平均')
      expect(standing(await printed)).toEqual([
        ['Potassium', 4.1],
        ['Sodium', doubt],
      ])
  })

  it.each([
    'Gjennomsnitt laboratorium',
    'Laboratory mean',
    'Lab average',
    'Mean of all samples',
    'Mittelwert des Labors',
    'Moyenne du laboratoire',
    'Media del laboratorio',
    'Medelvärde laboratoriet',
    'Gemiddelde van het lab',
    'Średnia',
    'Keskiarvo',
    'Průměr',
    'Μέσος όρος',
    'Ortalama',
  ])('a row at the foot of a table of samples that is called %s', async (label) => {
    for (const head of ['ID', 'Sample ID', 'Name', 'Run']) {
      for (const day of ['11.03.2026', '']) {
        const rows = ['A1;11.03.2026;44;351', `${label};${day};71;402`]
        const file = await csv(`${head};Date;Ferritin (µg/l);Vitamin B12 (pmol/l)`, ...rows)
        const values = file.reports.flatMap(({ observations }) => observations.flatMap(({ value }) => value ?? []))
        expect(values).toEqual([44, 351])
      }
    }
    const long = csv('Sample ID,Test,Result,Unit', 'A1,Ferritin,44,µg/l', `${label},Ferritin,71,µg/l`)
    expect(standing(await long).filter(([, value]) => typeof value === 'number')).toEqual([['Ferritin', 44]])
  })

  it.each(['mean of 3 measurements', 'Previous result 4.6', 'no previous value', 'ISE, direct'])(
    'not one beside which a comment says: %s',
    async (comment) => {
      const read = csv('Test,Result,Unit,Comment', `Potassium,4.1,mmol/L,"${comment}"`)
      expect(standing(await read)).toEqual([['Potassium', 4.1]])
    },
  )

  it('an average risk is a step of a risk', async () => {
    const read = csv('Test,Result,Unit,Risk', 'CRP,2.1,mg/L,Average')
    expect(standing(await read)).toEqual([['CRP', 2.1]])
  })

  it('a row with an earlier result alone', async () => {
    const read = await csv('Test,Result,Previous,Unit', 'Potassium,4.1,4.3,mmol/L', 'Sodium,,138,mmol/L')
    expect([standing(read), read.leftOut]).toEqual([[['Potassium', 4.1]], 1])
    expect(read.notes).toEqual([`${LEFT}row 3 (an earlier result alone)`])
    const printed = await pdf(
      line('Test', 'Result', 'Previous', 'Units', 'Reference Range'),
      line('Potassium', '4.1', '4.3', 'mmol/L', '3.5-5.1'),
      line('Sodium', '', '138', 'mmol/L', '136-145'),
    )
    expect([standing(printed), printed.leftOut]).toEqual([[['Potassium', 4.1]], 1])
    expect(printed.notes).toEqual([`${LEFT}page 1, line 5 (an earlier result, goal or mean)`])
  })

  it('a second table of means below the results', async () => {
    const read = csv(
      ...['Test,Result,Unit,Reference', 'Potassium,4.1,mmol/L,3.5-5.1', 'Analyte,Mean,Unit,SD'],
      ...['Chloride,101,mmol/L,2', 'Test,Result,Unit,Reference', 'Sodium,139,mmol/L,136-145'],
    )
    expect(standing(await read)).toEqual([
      ['Potassium', 4.1],
      ['Chloride', 'earlierOrGoal'],
      ['Sodium', 139],
    ])
  })

  it('lines that read like results above and below a table', async () => {
    const read = await csv(
      ...['QC level 1,Potassium,5.9,mmol/L', 'Test,Result,Unit', 'Sodium,139,mmol/L', 'Ferritin: 80 µg/L'],
      'Previous potassium 4.6 mmol/L (2025-09-02)',
    )
    expect(standing(read)).toEqual([
      ['Sodium', 139],
      ['QC level 1 Potassium', 'unreadable'],
      ['Ferritin', 'unreadable'],
    ])
    expect([read.leftOut, read.notes]).toEqual([1, [`${LEFT}row 5 (previous)`]])
    const printed = await pdf(
      ...[line('Test', 'Result', 'Units', 'Reference Range'), line('Sodium', '139', 'mmol/L', '136-145'), []],
      ...[line('Ferritin: 80 ng/mL'), line('Mean potassium 4.6 mmol/L')],
    )
    expect(standing(printed)).toEqual([
      ['Sodium', 139],
      ['Mean potassium 4.6 mmol/L', 'unreadable'],
      ['Ferritin: 80 ng/mL', 'unreadable'],
    ])
  })

  it('a table of earlier days, whose rows begin with a day', async () => {
    const rows = [line('02.09.2025', '4.6', '138'), line('03.03.2025', '4.5', '140')]
    const results = [line('Test', 'Result', 'Units', 'Reference Range'), line('Sodium', '139', 'mmol/L', '136-145'), []]
    const history = await pdf(...results, line('History'), line('Date', 'Potassium', 'Sodium'), ...rows)
    expect([standing(history), history.leftOut]).toEqual([[['Sodium', 139]], 2])
    expect(history.notes).toEqual([`${LEFT}page 1, line 7 (History), page 1, line 8 (History)`])
    const untitled = await pdf(...results, line('Date', 'Potassium', 'Sodium'), ...rows)
    expect(standing(untitled)).toEqual([
      ['Sodium', 139],
      ['02.09.2025', 'unreadable'],
      ['03.03.2025', 'unreadable'],
    ])
  })

  it('a row with a remark in brackets right below it, and not the rows below that', async () => {
    const read = await pdf(
      line('Test', 'Result', 'Units', 'Reference Range'),
      line('Potassium', '4.1', 'mmol/L', '3.5-5.1'),
      line('(previous value)'),
      line('Sodium', '139', 'mmol/L', '136-145'),
    )
    expect(standing(read)).toEqual([
      ['Potassium', 'earlierOrGoal'],
      ['Sodium', 139],
    ])
  })

  it('a value without a name in a table of days', async () => {
    expect(standing(await csv('Test,Unit,2026-03-11', 'Potassium,mmol/L,4.1', ',mmol/L,139'))).toEqual([
      ['Potassium', 4.1],
      ['', 139],
    ])
  })
})

const hl7 = (...lines: string[]) => parseBytes(Buffer.from(lines.join('\r')), { maxPages: 1 })
const head = (system: string, sent: string) => `MSH|^~\\&|${system}|NORTH|KITS|OPS|${sent}||ORU^R01|${sent}|P|2.5.1`
const nora = 'PID|1||A7^^^NORTH^MR||Valle^Nora||19750606|F'
const asked = (sent: string, status: string) =>
  `OBR|1|O1|F1|3016-3^TSH^LN|||20260311081500|||||||||||||||${sent}||CH|${status}`
const tsh = 'OBX|1|NM|3016-3^TSH^LN||9.1|mIU/L|0.4-4.0|H|||'

describe('of a file of messages', () => {
  const first = [head('LIS', '202603111000'), nora, asked('202603111000', 'F'), `${tsh}F`]
  const cancelled = (sent: string, order: string, status: string) => [
    ...[head('LIS', sent), nora, order],
    asked(sent, status),
  ]

  it.each([
    ['by the status of its request', cancelled('202603111500', 'ORC|RE|O1|F1', 'X')],
    ['by its order alone', cancelled('202603111500', 'ORC|OC|O1|F1||CA', '')],
  ])('a result waits that a later message without results cancels %s, wherever that stands', async (_, later) => {
    expect(standing(await hl7(...first, ...later))).toEqual([['TSH', 'contradicted']])
    expect(standing(await hl7(...later, ...first))).toEqual([['TSH', 'contradicted']])
  })

  it('a result stands that was reported after the cancellation', async () => {
    const earlier = cancelled('202603110900', 'ORC|RE|O1|F1', 'X')
    expect(standing(await hl7(...earlier, ...first))).toEqual([['TSH', 9.1]])
  })

  it.each(['LIS TRAINING', 'EPIC_TST', 'lis^sandbox'])('one of the system %s is of nobody', async (system) => {
    const read = await hl7(head(system, '202603111000'), nora, asked('202603111000', 'F'), `${tsh}F`)
    expect([standing(read), read.reports[0]?.message?.isTest]).toEqual([[['TSH', 'notOwn']], true])
  })

  it('a value beside a request that is only scheduled is still to come', async () => {
    const read = await hl7(head('LIS', '202603111000'), nora, asked('202603111000', 'S'), tsh)
    expect(read.reports[0]?.observations[0]?.status).toBe('pending')
  })

  it.each([
    ['20260301', 'impossibleTimes'],
    ['20260312', 9.1],
    ['202603110700', 'impossibleTimes'],
    ['202603110900', 9.1],
  ])('a sample taken after the death waits: died %s', async (died, outcome) => {
    const person = `${nora}${'|'.repeat(21)}${died}|Y`
    const read = await hl7(head('LIS', '202603111000'), person, asked('202603111000', 'F'), `${tsh}F`)
    expect(standing(read)).toEqual([['TSH', outcome]])
  })
})

describe('of a Bundle', () => {
  const subject = { reference: 'Patient/p' }
  const potassium = (more: object = {}) => ({
    ...{ resourceType: 'Observation', id: 'k', status: 'final', subject, code: { text: 'Potassium' } },
    ...{ effectiveDateTime: '2026-03-11T08:15:00Z', valueQuantity: { value: 6.9, unit: 'mmol/L' }, ...more },
  })
  const glucose = { ...potassium(), id: 'g', code: { text: 'Glucose' }, effectiveDateTime: '2026-03-10T08:15:00Z' }
  const bundle = (more: object, ...all: object[]) =>
    parseBytes(
      Buffer.from(
        JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: all.map((resource) => ({ resource })),
          ...more,
        }),
      ),
      { maxPages: 1 },
    )

  it.each([
    ['by its id', { id: 'k' }],
    ['by its identifier', { id: 'x', identifier: [{ value: '77' }] }],
    ['by its name', { id: 'y' }],
  ])('a withdrawal without a day or a subject is in the report of its result: %s', async (_, own) => {
    const gone = { resourceType: 'Observation', status: 'entered-in-error', code: { text: 'Potassium' }, ...own }
    const { reports } = await bundle({}, potassium({ identifier: [{ value: '77' }] }), glucose, gone)
    const of = reports.find(({ collectedDate }) => collectedDate === '2026-03-11')
    expect(of?.observations.map(({ name, status }) => [name, status])).toEqual([
      ['Potassium', 'final'],
      ['Potassium', 'entered-in-error'],
    ])
  })

  it.each([
    ['tag of quality control', {}, potassium({ meta: { tag: [{ display: 'Internal quality control' }] } })],
    ['label of test data on the whole', { meta: { tag: [{ code: 'HTEST' }] } }, potassium()],
  ])('what bears a %s waits', async (_, more, one) => {
    expect(standing(await bundle(more, one)).map(([, outcome]) => typeof outcome)).toEqual(['string'])
  })

  it.each([
    ['2026-03-11T08:00:00Z', 'impossibleTimes'],
    ['2026-03-11T09:00:00+01:00', 'impossibleTimes'],
    ['2026-03-11T09:00:00Z', 6.9],
    ['2026-03-11', 6.9],
  ])('a sample taken some hours after the death waits: died %s', async (deceasedDateTime, outcome) => {
    const person = { resourceType: 'Patient', id: 'p', name: [{ family: 'Valle' }], deceasedDateTime }
    expect(standing(await bundle({}, person, potassium()))).toEqual([['Potassium', outcome]])
  })

  it('a sample that was received before it was taken waits', async () => {
    const collection = { collectedDateTime: '2026-03-11T08:15:00Z' }
    const sample = { resourceType: 'Specimen', id: 's', receivedTime: '2026-03-10T10:00:00Z', collection }
    const read = await bundle({}, sample, potassium({ specimen: { reference: 'Specimen/s' } }))
    expect(standing(read)).toEqual([['Potassium', 'impossibleTimes']])
  })
})

describe('of a table', () => {
  it('codes of materials under any heading are specimens', async () => {
    const read = await csv('Kz,Test,Result,Unit', 'S,Sodium,139,mmol/L', 'U,Potassium,101,mmol/L')
    expect(read.reports[0]?.observations.map(({ specimen }) => specimen)).toEqual(['S', 'U'])
  })

  it.each([
    ['Breed', 'Labrador'],
    ['Date of death', '2026-03-01'],
  ])('a row with a %s waits', async (heading, cell) => {
    expect(standing(await csv(`${heading},Test,Result,Unit`, `${cell},Sodium,139,mmol/L`))).toEqual([
      ['Sodium', 'annulled'],
    ])
  })

  it('an unknown title below a material does not end it', async () => {
    const read = await csv('Test,Result,Unit', 'Stool,,', 'Calprotectin,31,ug/g', 'Vocht,,', 'Glucose,61,mg/dL')
    expect(read.reports[0]?.observations.map(({ section }) => section)).toEqual(['Stool', 'Stool'])
  })

  it('a word and a code that say the other contradict each other', async () => {
    const read = await csv('Test,Result code,Result', 'HBsAg,POS,Negative', 'Anti-HCV,NR,Nonreactive')
    expect(standing(read)).toEqual([
      ['HBsAg', 'contradicted'],
      ['Anti-HCV', undefined],
    ])
  })
})

describe('a line that is no row of the table and corrects a result', () => {
  const both = async (text: string) => [
    await csv('Test,Result,Unit', 'TSH,2.3,mIU/L', 'Ferritin,41,ng/mL', '', `"${text}"`),
    await pdf(
      line('Test', 'Result', 'Units', 'Reference Range'),
      line('TSH', '2.3', 'mIU/L', '0.4-4.5'),
      line('Ferritin', '41', 'ng/mL', '13-150'),
      [],
      line(text),
    ),
  ]
  const read = (file: Awaited<ReturnType<typeof csv>>) => Object.fromEntries(standing(file))

  it.each([
    'TSH should read 3.2 mIU/L',
    'Corrected: TSH 3.2 mIU/L, previously reported as 2.3',
    'CORRECTED RESULT TSH 3.2 mIU/L (was 2.3)',
    'TSH corrected from 2.3 to 3.2 mIU/L',
    'TSH 3.2 mIU/L replaces 2.3 mIU/L',
    'Erratum: TSH = 3.2 mIU/L',
    'The TSH of 2.3 is wrong, please read 3.2 mIU/L',
    'Addendum: TSH 3.2 mIU/L',
    'Korrektur: TSH 3,2 mIU/l statt 2,3',
    'Corrección: TSH 3,2 mUI/L en lugar de 2,3',
  ])('makes it wait: %s', async (text) => {
    const [table, page] = (await both(text)).map(read)
    expect([typeof table?.TSH, typeof page?.TSH, page?.Ferritin]).toEqual(['string', 'string', 41])
  })

  it.each(['Corrected result. TSH was previously reported as 3.2 mIU/L.', 'TSH was 2.1 mIU/L in September.'])(
    'leaves it where the value is the corrected one: %s',
    async (text) => {
      const [, page] = await both(text)
      if (page) expect(read(page)).toMatchObject({ TSH: 2.3, Ferritin: 41 })
    },
  )
})
