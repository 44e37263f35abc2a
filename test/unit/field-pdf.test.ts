import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { saysSomethingOfAll } from '@kitlane/lab-reader/parse/beside'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'
import { makePdf, type Printed } from '../samples/make-pdf.ts'

const five = (...cells: string[]): Printed =>
  cells.map((text, index): [number, string] => [[36, 200, 280, 350][index] ?? 0, text])
const table = (...words: string[]) => [
  five(...words),
  five('HDL', '61', 'mg/dL', '40-90'),
  five('LDL', '121', 'mg/dL', '0-130'),
]
const reportOf = async (...lines: Printed[]) =>
  (await parseBytes(await makePdf([{ lines }]), { maxPages: 9 })).reports[0]

describe('the head of a PDF', () => {
  it.each([
    ['Paciente', 'Fecha de nacimiento', 'Fecha de toma', ['Prueba', 'Resultado', 'Unidades', 'Valores de referencia']],
    [
      'Nom du patient',
      'Date de naissance',
      'Date de prélèvement',
      ['Examen', 'Résultat', 'Unité', 'Valeurs de référence'],
    ],
    ['Paziente', 'Data di nascita', 'Data prelievo', ['Esame', 'Risultato', 'Unità', 'Valori di riferimento']],
    ['Patient', 'Fødselsdato', 'Prøvedato', ['Undersøgelse', 'Resultat', 'Enhed', 'Referenceinterval']],
    ['Patient', 'Geburtsdatum', 'Entnahmedatum', ['Untersuchung', 'Ergebnis', 'Einheit', 'Referenzbereich']],
  ])('says person and day in other languages, too: %s, %s, %s', async (patient, born, collected, words) => {
    const head: Printed[] = [
      [[36, `${patient}: Nora Valle`]],
      [[36, `${born}: 16/06/1975`]],
      [[36, `${collected}: 27/02/2026`]],
    ]
    expect(await reportOf(...head, ...table(...words))).toMatchObject({
      collectedDate: '2026-02-27',
      patient: { name: 'Nora Valle', dateOfBirth: '1975-06-16' },
    })
  })

  it('with a day of collection that could be two days says what is printed', async () => {
    const read = await reportOf([[36, 'Collected: 03/04/2026']], ...table('Test', 'Result', 'Units', 'Range'))
    expect(read).toMatchObject({ unreadDay: '03/04/2026' })
    expect(read).not.toHaveProperty('collectedDate')
  })
})

describe('a line of text on a page of results', () => {
  const page = async (text: string, at: 'above' | 'below') => {
    const results = table('Test', 'Result', 'Units', 'Reference Range')
    const said: Printed[] = [[], [[36, text]], []]
    const report = await reportOf(
      [[36, 'Patient: Nora Valle']],
      ...(at === 'above' ? said : []),
      ...results,
      ...(at === 'below' ? said : []),
    )
    return {
      standing: report?.observations.map(({ doubt, status }) => doubt ?? status),
      errors: report?.specimenErrors,
      notes: report?.origin?.notes ?? [],
    }
  }

  it.each([
    ['THIS REPORT HAS BEEN CANCELLED - DO NOT USE', 'annulled'],
    ['Sample mislabelled. Please disregard these results.', 'annulled'],
    ['Results above belong to another patient', 'annulled'],
    ['Befund storniert', 'annulled'],
    ['Résultats annulés, prélèvement non conforme', 'annulled'],
    ['For research use only', 'annulled'],
    ['Multiply all values by 10', 'unaccounted'],
    ['PRELIMINARY REPORT - final report to follow', 'preliminary'],
    ['VORLÄUFIGER BEFUND', 'preliminary'],
    ['Amended report', 'corrected'],
    ['Korrigierter Befund vom 02.03.2026', 'corrected'],
    ['Informe rectificado', 'corrected'],
    ['Confidential. Contact the laboratory with questions.', 'final'],
    ['LDL calculated by the NIH equation; not valid above triglycerides of 800 mg/dL.', 'final'],
    ['Collection Date: May 21, 2025', 'final'],
  ])('counts for all of them, above and below the table: %s', async (text, standing) => {
    for (const at of ['above', 'below'] as const)
      expect((await page(text, at)).standing, at).toEqual([standing, standing])
  })

  it('lists what is still to come, behind such words or below such a title', async () => {
    const results = table('Test', 'Result', 'Units', 'Reference Range')
    const names = async (...said: string[]) =>
      (await reportOf(...results, [], ...said.map((text): Printed => [[36, text]])))?.observations.map(
        ({ name, value, status }) => [name, value ?? status],
      )
    const toCome = [
      ['Vitamin D', 'pending'],
      ['Ferritin', 'pending'],
    ]
    const read = [
      ['HDL', 61],
      ['LDL', 121],
    ]
    expect(await names('Tests pending: Vitamin D, Ferritin')).toEqual([...read, ...toCome])
    expect(await names('Ausstehende Untersuchungen', 'Vitamin D', 'Ferritin')).toEqual([...read, ...toCome])
    expect(await names('Pending: HDL')).toEqual(read)
  })

  it('counts for the one whose footnote it is, and says nothing of the others', async () => {
    const rows = [
      five('Test', 'Result', 'Units', 'Reference Range'),
      five('HDL', '61', 'mg/dL', '40-90'),
      five('LDL (1)', '121', 'mg/dL', '0-130'),
    ]
    const report = await reportOf(...rows, [], [[36, '(1) Result not verified']])
    expect(report?.observations.map(({ doubt }) => doubt)).toEqual([undefined, 'annulled'])
  })

  it('counts for the one that it names below a row of another page’s head, and for no other', async () => {
    const rows = table('Test', 'Result', 'Units', 'Reference Range')
    const said = [
      'HDL on page 1 was reported in error and is withdrawn. A new sample is requested.',
      'LDL is unaffected.',
    ]
    const addendum: Printed[] = [
      five('HILL LABORATORY', 'Page 2', 'of 2'),
      ...said.map((text): Printed => [[36, text]]),
    ]
    const report = await reportOf(...rows, ...addendum)
    expect(report?.observations.slice(0, 2).map(({ doubt }) => doubt)).toEqual(['annulled', undefined])
  })

  it.each(['LDL er beregnet og er ikke gyldig når HDL er over 4,5 mmol/L.'])(
    'counts for what it speaks of, and not for what it supposes: %s',
    async (text) => {
      expect((await page(text, 'below')).standing).toEqual(['final', 'annulled'])
    },
  )

  it('that is the footnote of a small letter counts for what has that letter', async () => {
    const rows = [
      five('Test', 'Result', 'Units', 'Range'),
      five('HDL', '61 a)', 'mg/dL', '40-90'),
      five('LDL', '121', 'mg/dL', '0-130'),
    ]
    const notes = ['a) sample clotted, result not valid', 'b) Enzymatic method'].map((text): Printed => [[36, text]])
    const report = await reportOf(...rows, [], ...notes)
    expect(report?.observations.map(({ doubt }) => doubt)).toEqual(['annulled', undefined])
  })

  it('that says when the sample was taken is no name of a specimen', async () => {
    const report = await reportOf(
      [[36, 'Prélèvement : 27/05/2026 à 08h10']],
      ...table('Test', 'Result', 'Units', 'Range'),
    )
    expect(report?.observations.map(({ specimen }) => specimen)).toEqual([undefined, undefined])
    const drained = await reportOf([[36, 'Prélèvement : drain 2']], ...table('Test', 'Result', 'Units', 'Range'))
    expect(drained?.observations.map(({ specimen }) => specimen)).toEqual(['drain 2', 'drain 2'])
  })

  it('that is not known and names one above it counts for that one alone, unless it speaks of the sample', async () => {
    const rows = table('Test', 'Result', 'Units', 'Reference Range')
    const unknown = async (said: string) =>
      (await reportOf(...rows, [[36, said]]))?.observations.map(({ comment, doubt }) => doubt ?? comment)
    const [one, all] = ['HDL lay on the window sill over the weekend.', 'The HDL sample lay on the window sill.']
    expect(await unknown(one)).toEqual([one, undefined])
    expect(await unknown(all)).toEqual(['unaccounted', 'unaccounted'])
  })

  it.each([
    ['Owner: Valle', 'Species: Canine (Border Collie)'],
    ['Owner: Valle', 'Djurslag: Hund'],
    ['Name: Kontrollprogram, Omgång 26-2', 'Ward: 4'],
    ['Name: Robin Example', 'Specimen: QC material A'],
  ])('that says beside another field that nothing is of a person holds all: %s, %s', async (one, other) => {
    const head: Printed = [
      [36, one],
      [250, other],
    ]
    const report = await reportOf(head, ...table('Test', 'Result', 'Units', 'Range'))
    expect(report?.observations.map(({ doubt }) => doubt)).toEqual(['notOwn', 'notOwn'])
  })

  it('counts for the one that it names, and says what is wrong with the sample', async () => {
    expect((await page('HDL: result unreliable, please repeat', 'below')).standing).toEqual(['annulled', 'final'])
    expect((await page('LDL corrected from 121 to 112 mg/dL', 'below')).standing).toEqual(['final', 'annulled'])
    expect((await page('HDL: wrong patient', 'below')).standing).toEqual(['annulled', 'annulled'])
    const hemolyzed = await page('Specimen grossly hemolyzed', 'above')
    expect(hemolyzed).toEqual({
      standing: ['final', 'final'],
      errors: ['HEMOLYSIS'],
      notes: ['Specimen grossly hemolyzed'],
    })
  })
})

describe('a column of flags in Spanish', () => {
  it('is read under "Marca", so that a flag against its interval holds that value alone', async () => {
    const cells = (...texts: string[]): Printed =>
      texts.flatMap((text, index): [number, string][] => (text ? [[[36, 160, 220, 280, 350][index] ?? 0, text]] : []))
    const report = await reportOf(
      cells('Prueba', 'Resultado', 'Marca', 'Unidades', 'Intervalo'),
      cells('TSH', '<0,01', 'H', 'µUI/mL', '0,35 - 4,94'),
      cells('Cortisol', '13,4', '', 'µg/dL', '3,7 - 19,4'),
    )
    const { results, unmatched } = identifyReport(report ?? expect.fail('no report'), biomarkers)
    expect(results.map(({ biomarkerId }) => biomarkerId)).toEqual(['cortisol'])
    expect(unmatched.map(({ code }) => code)).toEqual(['flagContradictsRange'])
  })
})

describe('a remark in a column of its own', () => {
  const read = async (heading: string, remark: string) => {
    const cells = (...texts: string[]): Printed =>
      texts.map((text, index): [number, string] => [[36, 160, 220, 280, 350][index] ?? 0, text])
    const report = await reportOf(
      cells('Test', 'Result', 'Units', 'Reference', heading),
      cells('Sodium', '140', 'mmol/L', '136-145'),
      cells('Potassium', '6.8', 'mmol/L', '3.5-5.1', remark),
    )
    const { results, unmatched } = identifyReport(report ?? expect.fail('no report'), biomarkers)
    return [...results.map(({ biomarkerId }) => biomarkerId), ...unmatched.map(({ code }) => code)]
  }

  it.each([
    ['Comments', 'grossly hemolyzed, do not use', 'annulled'],
    ['Remarks', 'the tube lay on the window sill', 'unknownRemark'],
    ['Bemerkung', 'Probe verwechselt', 'annulled'],
    ['Interprétation', 'résultat sous réserve', 'annulled'],
    ['Observaciones', 'muestra coagulada', 'annulled'],
    ['Method', 'specimen mislabeled, do not use', 'annulled'],
    ['Details', 'the tube lay on the window sill', 'unknownRemark'],
  ])('counts for the result beside it: %s, %s', async (heading, remark, code) => {
    expect(await read(heading, remark)).toEqual(['sodium', code])
  })

  it.each([
    ['Comments', 'within range'],
    ['Kommentar', 'Methode: ISE indirekt'],
    ['Method', 'ISE'],
    ['Lab', 'BN'],
  ])('that is ordinary holds nothing: %s, %s', async (heading, remark) => {
    expect(await read(heading, remark)).toEqual(['sodium', 'potassium'])
  })
})

describe('a name below a title of urine', () => {
  const read = async (...lines: Printed[]) => {
    const report = await reportOf(five('Test', 'Result', 'Units', 'Range'), ...lines)
    const { results, unmatched } = identifyReport(report ?? expect.fail('no report'), biomarkers)
    return [...results.map(({ biomarkerId }) => biomarkerId), ...unmatched.map(({ code }) => code)]
  }
  const creatinine = five('Creatinine', '92', 'mg/dL', '')
  const glucose = five('Glucose', 'Negative', '', 'Negative')

  it('means what is measured in urine', async () => {
    expect(await read([[36, 'URINALYSIS']], creatinine, glucose)).toEqual(['creatinine_urine', 'glucose_strip'])
    expect(await read([[36, 'Badanie ogólne moczu']], five('Glukoza', 'nieobecna', '', ''))).toEqual(['glucose_strip'])
    expect(await read([[36, 'Specimen: Urine']], five('Nitrite', 'Positive', '', ''))).toEqual(['nitrite_strip'])
  })

  it('is none where a birth date has a label of the same letters', async () => {
    const head: Printed = [
      [36, 'Pacjent: Przykład Robin'],
      [200, 'Data ur.: 14.09.1978'],
    ]
    const report = await reportOf(head, ...table('Badanie', 'Wynik', 'Jednostka', 'Zakres referencyjny'))
    expect(identifyReport(report ?? expect.fail('no report'), biomarkers).results).toHaveLength(2)
  })

  it('waits where it says that it is of blood, or the urine is one of a time', async () => {
    expect(await read([[36, 'URINALYSIS']], five('Creatinine, serum', '0.9', 'mg/dL', ''))).not.toContain('creatinine')
    expect(await read([[36, 'URINALYSIS']], five('P-Kalium', '4.1', 'mmol/L', ''))).toEqual(['otherSpecimenSection'])
    expect(await read([[36, '24 hour urine']], creatinine)).toEqual(['otherSpecimenSection'])
  })

  it('waits below another title, or in another table, that may be of blood again', async () => {
    expect(await read([[36, 'URINALYSIS']], glucose, [[36, 'Endocrinology']], creatinine)).toEqual([
      ...['glucose_strip', 'otherSpecimenSection'],
    ])
    const headings = five('Test', 'Result', 'Units', 'Range')
    expect(await read([[36, 'URINALYSIS']], glucose, [], headings, creatinine)).toEqual([
      ...['glucose_strip', 'otherSpecimenSection'],
    ])
    expect(await read([[36, 'Specimen: Urine']], glucose, [[36, 'Endocrinology']], creatinine)).toEqual([
      ...['glucose_strip', 'otherSpecimen'],
    ])
  })
})

describe('columns', () => {
  const read = async (...lines: Printed[]) => {
    const bytes = await makePdf([{ lines: [[[36, 'Patient: Nora Valle   Collected: 27/02/2026']], ...lines] }])
    const { reports } = await parseBytes(bytes, { maxPages: 9 })
    const { results } = identifyReport(reports[0] ?? expect.fail('no report'), biomarkers)
    return results.map((one) => [one.biomarkerId, 'finding' in one ? one.finding.value : one.value])
  }
  const rows = [
    five('Haemoglobin', '131', 'g/L', '115 - 165'),
    five('Platelets', '251', '10^9/L', '150 - 450'),
    five('Sodium', '139', 'mmol/L', '133 - 146'),
    five('Potassium', '4.6', 'mmol/L', '3.5 - 5.3'),
  ]

  it('without headings are read where each row is a name, a number, its unit and its interval', async () => {
    expect(await read(...rows)).toEqual([
      ...[['hemoglobin', 131] as const, ['platelets', 251] as const, ['sodium', 139] as const],
      ['potassium', 4.6],
    ])
  })

  it('without headings are read where each name has its unit, or each result its scale below it', async () => {
    const inNames = rows.map((row): Printed => {
      const [[x, name], [at, value], [, unit], range] = row as [Printed[0], Printed[0], Printed[0], Printed[0]]
      return [[x, `${name} (${unit})`], [at, value], range]
    })
    expect(await read(...inNames)).toHaveLength(4)
    const flagged = rows.map((row): Printed => row.map(([x, text], at) => [x, at === 3 ? 'Normal' : text]))
    const scale = [five('Low', 'Normal', 'High'), five('0', '20', '300', '600')]
    expect(await read(...flagged.flatMap((row) => [row, ...scale]))).toHaveLength(4)
    await expect(read(...flagged)).rejects.toThrow()
    await expect(read(...flagged.flatMap((row) => [row, ...scale.slice(0, 1)]))).rejects.toThrow()
  })

  it('without headings wait where another number stands beside, or too few rows', async () => {
    const twice = rows.map((row): Printed => [...row, [450, '120']])
    await expect(read(...twice)).rejects.toThrow()
    await expect(read(...rows.slice(0, 3))).rejects.toThrow()
  })

  it.each(['Valor alvo', 'Old result'])('beside those of results hold none: %s', async (heading) => {
    const cells = (...texts: string[]): Printed =>
      texts.map((text, index): [number, string] => [[36, 150, 280, 360, 430][index] ?? 0, text])
    const head = cells('Test', heading, 'Result', 'Units', 'Range')
    const sodium = cells('Sodium', '120', '139', 'mmol/L', '136 - 145')
    const hdl = cells('HDL', '50', '', 'mg/dL', '> 40').filter(([, text]) => text !== '')
    expect(await read(head, sodium, hdl)).toEqual([['sodium', 139]])
  })

  it('of names and answers alone are headed by both words', async () => {
    const answers: Printed[] = [five('Test', 'Result'), five('HBsAg', 'Not detected'), five('Sodium', '139 mmol/L')]
    expect(await read(...answers)).toEqual([
      ['hbsag', 'negative'],
      ['sodium', 139],
    ])
  })

  it('of results hold the share of cells and their count side by side', async () => {
    const cells = (...texts: string[]): Printed =>
      texts.map((text, index): [number, string] => [[36, 200, 250, 400][index] ?? 0, text])
    const head: Printed = [
      [36, 'Exame'],
      [200, 'Resultado'],
      [400, 'Valores de referência'],
    ]
    const counted = cells('Neutrófilos', '58,2 %', '3.758 /mm³', '1.800 a 7.500')
    expect(await read(head, cells('Hemoglobina', '13,3 g/dL', '', '11,5 a 15,5'), counted)).toEqual([
      ...[['hemoglobin', 13.3] as const, ['neutrophils_pct', 58.2] as const],
      ['neutrophils_abs', 3758],
    ])
    const units: Printed = [
      [36, 'Analyse'],
      [200, 'Résultat'],
      [250, 'Unité'],
      [400, 'Normales'],
    ]
    const below = cells('Polynucléaires neutrophiles', '58,0 %', '3 956 /mm3', '1 800 - 7 500')
    expect(await read(units, cells('Hémoglobine', '14,2', 'g/dL', '13,4 - 16,7'), below)).toEqual([
      ...[['hemoglobin', 14.2] as const, ['neutrophils_pct', 58] as const],
      ['neutrophils_abs', 3956],
    ])
  })
})

describe('a sentence about the sample', () => {
  it.each([
    'Numune hemolizli gelmiştir.',
    'Uwaga: próbka zhemolizowana',
    'Amostra recebida fora de prazo',
    'Monster te laat ontvangen',
    'Provet kom för sent',
    '検体が溶血しているため再採取をお願いします。',
    '検体溶血あり',
  ])('holds the results in any language: %s', (text) => {
    expect(saysSomethingOfAll(text)).toBe(true)
  })

  it.each([
    'Numune Türü: Serum',
    'Numune Alma Tarihi: 11.03.2026',
    'Data da coleta da amostra: 11/03/2026',
    '検体：血清',
    '採取日：2026/03/11',
    'Wyniki badań',
  ])('is no field of the head: %s', (text) => {
    expect(saysSomethingOfAll(text)).toBe(false)
  })
})
