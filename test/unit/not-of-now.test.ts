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
