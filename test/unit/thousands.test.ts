import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'

async function read(text: string) {
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: Object.fromEntries(
      all.flatMap(({ results }) => results.map((one) => [one.biomarkerId, 'value' in one ? one.value : undefined])),
    ),
    waiting: Object.fromEntries(all.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code]))),
  }
}

type Line = [name: string, loinc: string, value: string, unit: string, range: string, flag?: string]
const message = (type: string, ...lines: Line[]) =>
  [
    'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
    'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F',
    'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000|||||||||||||||20260301110000|||F',
    ...lines.map(([name, loinc, value, unit, range, flag = ''], index) => {
      const said = type === 'SN' ? `^${value}` : value
      return `OBX|${index + 1}|${type}|${loinc}^${name}^LN||${said}|${unit}|${range}|${flag}|||F`
    }),
  ].join('\r')
const table = (...lines: Line[]) =>
  [
    'Test;Result;Unit;Range;Flag',
    ...lines.map(([name, , value, unit, range, flag = '']) => [name, value, unit, range, flag].join(';')),
  ].join('\n')

const peptide = (value: string, range = '<125', flag = ''): Line => [
  'NT-proBNP',
  '33762-6',
  value,
  'pg/mL',
  range,
  flag,
]
const potassium: Line = ['Potassium', '2823-3', '4,1', 'mmol/L', '3,5-5,1']
const pointed: Line = ['Potassium', '2823-3', '4.1', 'mmol/L', '3.5-5.1']

describe('a number of thousands', () => {
  const kinds: [string, (...lines: Line[]) => string][] = [
    ['NM', (...lines) => message('NM', ...lines)],
    ['ST', (...lines) => message('ST', ...lines)],
    ['SN', (...lines) => message('SN', ...lines)],
    ['CSV', table],
  ]
  test.each(kinds)('in %s is no number with three decimals, whatever else the file proves', async (_, made) => {
    for (const lines of [
      [peptide('1,420')],
      [potassium, peptide('1,420')],
      [potassium, peptide('1,420', '')],
      [pointed, peptide('1,420')],
      [peptide('1.420')],
      [potassium, peptide('1.420')],
      [potassium, peptide('12,500', '0-125')],
    ])
      expect(await read(made(...lines)), JSON.stringify(lines)).toMatchObject({
        waiting: { 'NT-proBNP': 'uncertainNumber' },
      })
  })

  test.each(kinds)(
    'in %s is told by an interval that only one meaning is near, or waits, and is never one with decimals',
    async (_, made) => {
      const ferritin = (value: string, range: string): Line => ['Ferritin', '2276-4', value, 'ng/mL', range]
      for (const [other, value] of [
        [potassium, '1.250'],
        [pointed, '1,250'],
      ] as const)
        for (const range of ['30-400', '< 400', '']) {
          const { values, waiting } = await read(made(other, ferritin(value, range)))
          expect([1250, undefined], `${value} ${range}`).toContain(values.ferritin)
          expect([undefined, 'uncertainNumber']).toContain(waiting.Ferritin)
        }
    },
  )

  test.each(kinds)('in %s is read where the flag tells', async (type, made) => {
    if (type === 'NM') return
    expect(await read(made(peptide('1,420', '<125', 'H')))).toEqual({ values: { nt_probnp: 1420 }, waiting: {} })
  })

  test.each(kinds)('in %s is not meant where the range or the catalogue shows decimals', async (_, made) => {
    const tsh = (range: string): Line => ['TSH', '3016-3', '1,420', 'm[IU]/L', range]
    const crp = (range: string): Line => ['CRP', '1988-5', '1,420', 'mg/L', range]
    for (const range of ['0,270-4,200', ''])
      expect(await read(made(potassium, tsh(range))), range).toMatchObject({ values: { tsh: 1.42 }, waiting: {} })
    for (const range of ['<5,0', ''])
      expect(await read(made(potassium, crp(range))), range).toMatchObject({ values: { crp: 1.42 }, waiting: {} })
  })
})
