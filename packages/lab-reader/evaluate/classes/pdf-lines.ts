import { fileURLToPath } from 'node:url'
import type { Random } from '../../../../prove/random.ts'
import { makePdf, type Page, type Printed } from '../../../../test/samples/make-pdf.ts'
import { type Language, type Measured, print } from '../facts.ts'
import type { Expected, Made } from '../truth.ts'

type Cells = Record<string, string>

// It has arrows and signs that the fonts of PDF itself lack.
const FONT = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))

export interface Layout {
  /** Kind of column → distance from the left edge in points. */
  at: Record<string, number>
}

export const line = ({ at }: Layout, cells: Cells): Printed =>
  Object.entries(cells).flatMap(([kind, text]) => (text === '' ? [] : [[at[kind] ?? 0, text] as [number, string]]))

export const rangeText = (random: Random, { fact }: Measured, comma = false): string => {
  const [low, high] = [fact.low, fact.high].map((bound) => print(bound, fact.decimals, { comma }))
  return random.pick([`${low}-${high}`, `${low} - ${high}`, `${low} – ${high}`])
}

const person = (random: Random) => ({
  name: `${random.pick(['Doe', 'Roe', 'Poe', 'Moe'])}, ${random.pick(['Jamie', 'Alex', 'Robin', 'Kim'])}`,
  born: `0${random.between(1, 9)}/1${random.between(3, 9)}/19${random.between(50, 99)}`,
})

export const head = (random: Random): Printed[] => {
  const { name, born } = person(random)
  return [
    [[36, random.pick(['NORTHSIDE LABORATORY', 'Clinical Reference Laboratory', 'Westbrook Diagnostics'])]],
    [
      [36, `Patient: ${name}`],
      [250, `DOB: ${born}`],
      [400, `Sex: ${random.pick(['F', 'M'])}`],
    ],
    [
      [36, `Collected: 03/${random.between(13, 28)}/2025`],
      [250, `Reported: 04/${random.between(13, 28)}/2025`],
    ],
    [],
  ]
}

export const documentOf = async (pages: readonly Page[], expected: Expected[], waits?: boolean): Promise<Made> => ({
  format: 'pdf',
  bytes: await makePdf(pages.map((page) => ({ font: FONT, fontSize: 8, ...page }))),
  expected,
  ...(waits && { waits }),
})

export const aLayout = (random: Random): Layout => {
  const shift = random.between(-6, 12)
  return {
    at: { name: 36, value: 210 + shift, flag: 270 + shift, unit: 330 + shift, range: 420 + shift, more: 500 + shift },
  }
}

export const localHead: Record<Exclude<Language, 'en'>, (random: Random) => Printed[]> = {
  de: () => [
    [[36, 'Laborbefund']],
    [
      [36, 'Patient: Mustermann, Kim'],
      [300, 'geb.: 14.02.1980'],
    ],
    [[36, 'Entnahme: 21.03.2025']],
    [],
  ],
  fr: () => [
    [[36, "Compte rendu d'analyses"]],
    [
      [36, 'Patient : Durand, Camille'],
      [300, 'Né(e) le : 14/02/1980'],
    ],
    [[36, 'Prélevé le : 21/03/2025']],
    [],
  ],
  es: () => [
    [[36, 'Informe de laboratorio']],
    [
      [36, 'Paciente: Prueba, Alex'],
      [300, 'Fecha de nacimiento: 14/02/1980'],
    ],
    [[36, 'Fecha de extracción: 21/03/2025']],
    [],
  ],
  it: () => [
    [[36, 'Referto di laboratorio']],
    [
      [36, 'Paziente: Prova, Andrea'],
      [300, 'Data di nascita: 14/02/1980'],
    ],
    [[36, 'Data prelievo: 21/03/2025']],
    [],
  ],
  da: () => [
    [[36, 'Laboratoriesvar']],
    [
      [36, 'Patient: Prøve, Kim'],
      [300, 'Født: 14.02.1980'],
    ],
    [[36, 'Prøvetagning: 21.03.2025']],
    [],
  ],
}
