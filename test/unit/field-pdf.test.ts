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
