import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { remarkOf } from '@kitlane/lab-reader/parse/remark'
import { describe, expect, it } from 'vitest'
import { makePdf } from '../samples/make-pdf.ts'

async function becameOf(bytes: string) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  return reports.flatMap((report) => {
    const { results, unmatched } = identifyReport(report, biomarkers)
    return [
      ...results.map((one) => [one.biomarkerId, 'value' in one ? one.value : one.finding.value]),
      ...unmatched.map(({ name, code }) => [name, code]),
    ]
  })
}
const ofTable = (...lines: string[]) => becameOf(lines.join('\n'))
const ofRequest = (obr25: string, ...obx: string[]) =>
  becameOf(
    [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'PID|1||X||Tester^Bo||19800229|F',
      `OBR|1||ACC77|A^Panel^L|||20260402081500|||||||||||||||20260402110000||CH|${obr25}`,
      ...obx,
    ].join('\r'),
  )
const sodium = (status: string) => `OBX|1|NM|2951-2^Sodium^LN||139|mmol/L|136-145||||${status}|||20260402090000`

describe('what nobody in the laboratory verified', () => {
  it('waits under the status R, its own or that of its request', async () => {
    expect(await ofRequest('F', sodium('R'))).toEqual([['Sodium', 'contradicted']])
    expect(await ofRequest('R', sodium(''))).toEqual([['Sodium', 'contradicted']])
  })

  it('is read once it is final, and preliminary results are shown as such', async () => {
    expect(await ofRequest('R', sodium('F'))).toEqual([['sodium', 139]])
    expect(await ofRequest('F', sodium('R'), sodium('F'))).toContainEqual(['sodium', 139])
    expect(await ofRequest('F', sodium('P'))).toEqual([['sodium', 139]])
  })

  it.each([
    'INTERIM REPORT - RESULTS NOT YET VALIDATED',
    'Results not yet verified',
    'Values have not been verified',
    'Unverified results',
    'Pending verification by the laboratory',
    'Befund noch nicht validiert',
    'Résultats non validés',
    'Resultados no validados',
    'Risultati non validati',
    'Resultados não validados',
    'Svar ikke godkendt',
  ])('may not be used: %s', (text) => {
    expect(annuls(text)).toBe(true)
  })

  it.each(['PRELIMINARY RESULT - not verified', 'Fasting state not verified', 'All results were verified.'])(
    'is not meant by: %s',
    (text) => {
      expect(annuls(text)).toBe(false)
    },
  )
})

describe('an index beside an answer', () => {
  const answer = (word: string, note: string) =>
    ofRequest('F', `OBX|1|ST|X^HBsAg^L||${word}||Nonreactive||||F`, `NTE|1|L|${note}`)

  it.each([
    ['Nonreactive', 'S/CO 4.31 (cutoff 1.00)'],
    ['Nonreactive', 'Index: 12,4'],
    ['Nonreactive', 'COI 0.31 (cut-off 0.25)'],
    ['Nonreactive', 'Signal to cutoff ratio 1.00'],
    ['Reactive', 'S/CO 0.21'],
  ])('on the other side of its cut-off makes it wait: %s, %s', async (word, note) => {
    expect(await answer(word, note)).toEqual([['HBsAg', 'noteContradictsValue']])
  })

  it.each([
    ['Nonreactive', 'S/CO 0.09 (cutoff 1.00)', 'negative'],
    ['Nonreactive', 'S/CO 1.31 (cutoff 2.00)', 'negative'],
    ['Reactive', 'S/CO 11.20 (cutoff 1.00)', 'positive'],
    ['Nonreactive', 'S/CO >= 1.00 is reactive', 'negative'],
  ])('on its side does not: %s, %s', async (word, note, value) => {
    expect(await answer(word, note)).toEqual([['hbsag', value]])
  })
})

describe('a value without a printed range', () => {
  const of = (name: string, value: number, unit: string) => ofTable('Test,Result,Unit', `${name},${value},${unit}`)

  it.each([
    ['Glucose', 98, 'mmol/L'],
    ['Glucose', 72, 'mmol/L'],
    ['Creatinine', 80, 'mg/dL'],
    ['Glucose', 5.2, 'mg/dL'],
    ['Creatinine', 0.9, 'umol/L'],
    ['Calcium', 2.3, 'mg/dL'],
    ['Hemoglobin', 13.4, 'g/L'],
  ])('waits that would be ordinary in another unit and is far from it in its own: %s %s %s', async (...one) => {
    expect(await of(...one)).not.toContainEqual([one[0].toLowerCase(), one[1]])
  })

  it.each([
    ['Glucose', 38.2, 'mmol/L'],
    ['Glucose', 640, 'mg/dL'],
    ['Creatinine', 1200, 'umol/L'],
    ['Ferritin', 9000, 'ng/mL'],
    ['TSH', 0.01, 'mIU/L'],
    ['Estradiol', 2400, 'pg/mL'],
  ])('is read however extreme it is, where no other unit explains it: %s %s %s', async (...one) => {
    expect(await of(...one)).toEqual([[one[0].toLowerCase(), one[1]]])
  })
})

it('a number of finer decimals than its range, marked as high, waits, since its point may mean thousands', async () => {
  const hcg = (value: string, range: string, flag: string) =>
    ofRequest(
      'F',
      `OBX|1|ST|X^Beta-hCG^L||${value}|mUI/mL|${range}|${flag}|||F`,
      'OBX|2|NM|X^CEA^L||1.1|ng/mL|<5.0||||F',
    )
  expect(await hcg('25.000', '< 5.0', 'H')).toContainEqual(['Beta-hCG', 'uncertainNumber'])
  expect(await hcg('31.200', '< 5', 'H')).toContainEqual(['Beta-hCG', 'uncertainNumber'])
  expect(await hcg('25.100', '< 5.000', 'H')).toContainEqual(['hcg_beta', 25.1])
})

it.each([
  ['0,79', '2026-09-07'],
  ['0.79', undefined],
])('a page with %s writes its day first only by its decimal commas', async (value, day) => {
  const page = makePdf([
    {
      font: 'regular',
      fontSize: 9,
      lines: ['Fecha de nacimiento: 09/03/1970', 'Fecha de extracción: 07/09/2026', 'Prueba', 'Creatinina'].map(
        (text, at): [number, string][] =>
          at < 2
            ? [[36, text]]
            : [
                [36, text],
                [200, at === 2 ? 'Resultado' : value],
                [300, at === 2 ? 'Unidades' : 'mg/dL'],
                [400, at === 2 ? 'Valores de referencia' : value.replace(/79/, '50')],
              ],
      ),
    },
  ])
  const { reports } = await parseBytes(await page, { maxPages: 9 })
  expect(reports[0]?.collectedDate).toBe(day)
})

describe('a remark on dilution', () => {
  it.each([
    'Result obtained after 1:10 dilution, dilution factor applied.',
    'Measured with 10-fold dilution, factor included',
    'Nach Verdünnung 1:10 gemessen, Verdünnungsfaktor berücksichtigt',
    'Après dilution au 1/10, facteur de dilution pris en compte',
  ])('whose factor was applied is ordinary: %s', (note) => {
    expect(remarkOf(note)).toBe('ordinary')
  })

  it.each([
    'Sample diluted 1:20, dilution factor not applied. Multiply before use.',
    'Result obtained after 1:10 dilution, factor to be applied',
    'Diluted 1:10',
    'Nach Verdünnung 1:10 gemessen, Faktor nicht berücksichtigt',
  ])('is looked at otherwise: %s', (note) => {
    expect(remarkOf(note)).not.toBe('ordinary')
  })
})

describe('ordinary spellings', () => {
  it.each([
    ['aPTT', '28.4', 'SEC', 'aptt'],
    ['aPTT', '28.4', 'seconds', 'aptt'],
    ['LH', '4.9', 'mUI/mL', 'lh'],
    ['FSH', '5.8', 'mIE/ml', 'fsh'],
    ['eAG (mg/dL)', '114', 'mg/dL', 'eag'],
    ['Ferritin [ng/mL]', '41', 'ug/L', 'ferritin'],
    ['Glucose [mg/dL]', '5.2', 'mmol/L', undefined],
    ['Glucose (mg/dL)', '5.2', 'mmol/L', undefined],
    ['TPO-AK', '12', 'IU/ml', 'tpo_ab'],
    ['Glucosa basal', '84', 'mg/dL', 'glucose'],
  ])('of names and units are read: %s %s %s', async (name, value, unit, id) => {
    const became = await ofTable('Test,Result,Unit', `${name},${value},${unit}`)
    expect(became).toEqual(id ? [[id, Number(value)]] : [[name, expect.any(String)]])
  })

  it.each([
    ['Ferritin', '20567-4', 142, 'ug/L', 'ferritin'],
    ['TIBC', '14800-7', 58, 'umol/L', 'tibc'],
    ['Hemoglobine', '59260-0', 9.3, 'mmol/L', 'hemoglobin'],
    ['Transferrin saturation', '14801-5', 29, '%', 'transferrin_saturation'],
  ])('of codes by another method or in moles are known: %s %s', async (name, code, value, unit, id) => {
    expect(await ofRequest('F', `OBX|1|NM|${code}^${name}^LN||${value}|${unit}|||||F`)).toEqual([[id, value]])
  })

  it.each(['Chlamydia trachomatis RNA', 'Neisseria gonorrhoeae RNA', 'Trichomonas vaginalis RNA'])(
    'of what was looked for are known: %s',
    async (name) => {
      expect(await ofRequest('F', `OBX|1|ST|X^${name}^L||Not detected||||||F`)).toEqual([
        [expect.stringMatching(/^[a-z_]+$/), 'negative'],
      ])
    },
  )

  it.each(['Fullblod', 'Kokoveri', 'Laskimoveri', 'Fuldblod', 'Helblod'])(
    'of whole blood in the north are: %s',
    async (specimen) => {
      expect(await ofTable('Analyse;Resultat;Enhet;Materiale', `Hemoglobin;139;g/L;${specimen}`)).toEqual([
        ['hemoglobin', 139],
      ])
    },
  )

  it('of the number of a tube name no specimen, and joint fluid does', async () => {
    expect(await ofTable('Sample,Test,Result,Unit', '55-1,Sodium,141,mmol/L')).toEqual([['sodium', 141]])
    const two = 'Sample,Test,Result,Unit\n55-1,Sodium,141,mmol/L\n56-1,Potassium,4.1,mmol/L'
    const { reports } = await parseBytes(Buffer.from(two), { maxPages: 9 })
    expect(reports.map(({ accession }) => accession)).toEqual(['55-1', '56-1'])
    expect(await ofTable('Sample,Test,Result,Unit', 'Leddvæske,Glucose,88,mg/dL')).not.toContainEqual(['glucose', 88])
  })
})

it('a specimen below the last of several results without one may be the title of what follows: that result waits', async () => {
  const lines = [
    ...['Patient: Bo Tester   Date of birth: 13-Feb-1980', 'Collected: 22-Mar-2025   Reported: 14-Apr-2025'],
    ...['Insulin 2.4 uIU/mL [2.0 - 18.4]', 'Creatinine 0.52 mg/dL [0.50 - 1.03]', 'Specimen: Urine'],
    'Vitamin B12 867 pg/mL [1 - 2]',
  ]
  const page = await makePdf([{ lines: lines.map((text): [number, string][] => [[36, text]]) }])
  const [report] = (await parseBytes(page, { maxPages: 9 })).reports
  const { results, unmatched } = identifyReport(report as NonNullable<typeof report>, biomarkers)
  expect(results.map(({ biomarkerId }) => biomarkerId)).toEqual(['insulin'])
  expect(unmatched.map(({ name }) => name)).toEqual(['Creatinine', 'Vitamin B12'])
})
