import type { Printed } from './make-pdf.ts'

/** A layout in words that no reader knows by itself. */
export const finnishTemplate = {
  name: 'Sokol laboratory',
  format: 'pdf',
  recognisedBy: ['Laboratorio Sokol', 'Tutkimusraportti'],
  columns: [
    { heading: 'Tutkimus', is: 'name' },
    { heading: 'Tulos', is: 'value' },
    { heading: 'Edellinen tulos', is: 'previous' },
    { heading: 'Yksikkö', is: 'unit' },
    { heading: 'Viitealue', is: 'range' },
  ],
  ignoredLines: ['Sivu', 'Vahvisti'],
  endTitles: ['Selitykset'],
  dayOrder: 'day-first',
  decimalSign: ',',
  labels: { collected: 'Näytteenotto', patient: 'Potilas', born: 'Syntymäaika' },
}

export const row = (name: string, value: string, previous: string, unit: string, range: string): Printed =>
  (
    [
      [36, name],
      [200, value],
      [280, previous],
      [400, unit],
      [480, range],
    ] satisfies Printed
  ).filter(([, text]) => text !== '')

export const top: Printed[] = [
  [
    [36, 'Laboratorio Sokol'],
    [300, 'Tutkimusraportti'],
  ],
  [
    [36, 'Potilas: Jamie Doe'],
    [250, 'Syntymäaika: 02.03.1980'],
    [420, 'Näytteenotto: 04/05/2025'],
  ],
  [],
]
export const heading = row('Tutkimus', 'Tulos', 'Edellinen tulos', 'Yksikkö', 'Viitealue')
export const results = [
  row('Glucose', '92', '105', 'mg/dL', '70 - 99'),
  row('Triglycerides', '101', '88', 'mg/dL', '0 - 150'),
  row('Potassium', '4,321', '', 'mmol/L', '3,500 - 5,100'),
]
