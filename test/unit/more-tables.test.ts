import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'
import { makePdf } from '../samples/make-pdf.ts'

/** Each result with its value and unit, and what waits; "refused" where nothing is read of the file. */
async function becameOf(bytes: Uint8Array): Promise<string[]> {
  const file = await parseBytes(bytes, { maxPages: 1 }).catch(() => undefined)
  if (!file) return ['refused']
  return file.reports
    .map((report) => identifyReport(report, biomarkers))
    .flatMap(({ results, unmatched }) => [
      ...results.map((one) =>
        'value' in one ? `${one.biomarkerId} ${one.value} ${one.unit}` : `${one.biomarkerId} ${one.finding.value}`,
      ),
      ...unmatched.map(({ name, code }) => `${name}: ${code}`),
    ])
}
const table = (...lines: string[]) => becameOf(Buffer.from(lines.join('\n')))
const page = async (...lines: string[]) =>
  becameOf(
    await makePdf([
      {
        ...{ font: 'regular', fontSize: 8 },
        lines: ['Harbour Laboratory', 'Patient: Robin Example     Collected: 2026-03-11', '', ...lines].map((line) =>
          [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }): [number, string] => [36 + index * 4.6, text]),
        ),
      },
    ]),
  )

describe('a value with its unit and its flag in one cell', () => {
  it.each(['231 mg/dL H', '231 mg/dL (H)', '231 mg/dL High', '231 mg/dL *', '231 mg/dL ↑', '231 mg/dL Abnormal'])(
    'is read: %s',
    async (cell) => {
      expect(await table('Test,Result,Reference', `Total cholesterol,${cell},<200`)).toEqual([
        'total_cholesterol 231 mg/dL',
      ])
    },
  )

  it.each([
    // The flag contradicts the range; a unit that is none without its last letter; a word that is no flag.
    ['Total cholesterol,231 mg/dL L,<200', 'flagContradictsRange'],
    ['Sodium,139 mmol L,136-145', 'unknownUnit'],
    ['Total cholesterol,231 mg/dL pending,<200', ''],
    ['Total cholesterol,231 mg/dL repeat,<200', ''],
    ['Total cholesterol,231 mmol H,<200', 'unknownUnit'],
  ])('waits where that is not certain: %s', async (row, code) => {
    const [one = ''] = await table('Test,Result,Reference', row)
    expect(one).toMatch(new RegExp(`: .*${code}`))
  })
})

describe('a table below headings that few laboratories print', () => {
  it.each(['Antibody', 'Antibodies', 'Autoantibody', 'Antikörper', 'Anticorps', 'Anticuerpo'])(
    'is read: %s',
    async (heading) => {
      expect(await table(`${heading},Result,Unit,Cut-off`, 'Anti-CCP,<0.5,U/mL,< 7.0')).toEqual(['anti_ccp 0.5 U/mL'])
    },
  )

  it.each(['Sample', 'Sample type', 'Specimen source', 'Probenart', 'Tipo de muestra', 'Échantillon'])(
    'takes each sample from its column: %s',
    async (heading) => {
      const rows = [
        'Chlamydia trachomatis RNA (NAAT)          Vaginal swab        Not detected',
        'Hepatitis B surface antigen               Serum               Non-reactive',
        'Hepatitis C antibody                      Saliva              Non-reactive',
      ]
      const [first, second, third] = await page(`Test${' '.repeat(38)}${heading.padEnd(20)}Result`, ...rows)
      expect([first, second]).toEqual(['chlamydia negative', 'hbsag negative'])
      expect(third).toMatch(/^Hepatitis C antibody: /)
    },
  )

  it.each([
    ['Conv.', 'Unité conv.'],
    ['Valeur conv.', 'Unité conv.'],
    ['Converted', 'Unit conv.'],
    ['Umgerechnet', 'Einheit konv.'],
    ['Résultat conv.', 'Unité conventionnelle'],
  ])('leaves out the same value in another unit: %s, %s', async (value, unit) => {
    expect(
      await page(
        `Analyse                   Résultat      Unité       Référence       ${value.padEnd(16)}${unit}`,
        'Cholestérol total         4.9           mmol/L      < 5.0           189             mg/dL',
        'Triglycérides             1.1           mmol/L      < 1.7           97              mg/dL',
      ),
    ).toEqual(['total_cholesterol 4.9 mmol/L', 'triglycerides 1.1 mmol/L'])
  })

  it.each([
    // Two results of which neither is said to be the other in another unit, an earlier one, and one that is only converted.
    ['Résultat 1', 'Unité', 'Résultat 2', 'Unité 2'],
    ['Résultat', 'Unité', 'Résultat', 'Unité'],
  ])('waits where two results stand beside each other: %s %s %s %s', async (one, ofOne, other, ofOther) => {
    const found = await page(
      `Analyse                   ${one.padEnd(14)}${ofOne.padEnd(12)}${other.padEnd(14)}${ofOther}`,
      'Cholestérol total         4.9           mmol/L      189           mg/dL',
      'Triglycérides             1.1           mmol/L      97            mg/dL',
    )
    expect(found.filter((one) => /^[a-z_]+ \d/.test(one))).toEqual([])
  })

  it('waits where the only result is a converted one', async () => {
    const found = await page(
      'Analyse                   Valeur conv.      Unité conv.',
      'Cholestérol total         189               mg/dL',
    )
    expect(found.filter((one) => /^[a-z_]+ \d/.test(one))).toEqual([])
  })
})

describe('what a table or page says of its own making changes no value', () => {
  it('a column of the initials of who measured is none of signs, and a sign beside a number counts', async () => {
    const rows = (operator: string) => [
      'analyte,result,unit,operator',
      `CRP,4.6,mg/L,${operator}`,
      `Sodium,140,mmol/L,MW`,
    ]
    expect(await table(...rows('JB'))).toEqual(['crp 4.6 mg/L', 'sodium 140 mmol/L'])
    for (const code of ['ND', 'LOD', 'repeat', '~']) expect(await table(...rows(code))).toContain('CRP: contradicted')
  })

  it('a linear scale is the plain one, and any other waits', async () => {
    const row = (scale: string) => table('assay,value,scale,unit', `Glucose,5.2,${scale},mmol/L`)
    expect(await row('linear')).toEqual(['glucose 5.2 mmol/L'])
    for (const scale of ['log2 NPX', 'log10', 'x1000']) expect(await row(scale)).toEqual(['Glucose: contradicted'])
  })

  it('the columns of a page are known in Spanish and Dutch, and a flag that its range contradicts waits alone', async () => {
    expect(
      await page(
        'Estudio          Resultado        Bandera     Valores de referencia',
        'Glucosa          87 mg/dL                     70 - 100',
        'Potasio          4.3 mmol/L       BAJO        3.5 - 5.1',
      ),
    ).toEqual(['glucose 87 mg/dL', 'Potasio: flagContradictsRange'])
    expect(
      await page(
        'Onderzoek        Vorige        Huidige       Eenheid        Normaal',
        'Cholesterol      231           198           mg/dL          < 200',
        'HDL-cholesterol  49            52            mg/dL          > 40',
      ),
    ).toEqual(['total_cholesterol 198 mg/dL', 'hdl 52 mg/dL'])
  })

  it('a numbered sample of a page that is urine gives results of urine', async () => {
    const heading = 'Test             Result        Units         Reference interval'
    expect(
      await page(
        ...['Sample 1: blood, 11 Mar 2026 08:10', heading, 'Albumin          43            g/L           35 - 50', ''],
        ...['Sample 2: urine, 11 Mar 2026 08:25', heading, 'Albumin          7             mg/L'],
      ),
    ).toEqual(['albumin 43 g/L', 'albumin_urine 7 mg/L'])
  })
})
