import type { Printed } from './make-pdf.ts'

/** A layout in words that no reader knows by itself. */
export const polishTemplate = {
  name: 'Sokol laboratory',
  format: 'pdf',
  recognisedBy: ['Laboratorium Sokol', 'Sprawozdanie z badan'],
  columns: [
    { heading: 'Badanie', is: 'name' },
    { heading: 'Wynik', is: 'value' },
    { heading: 'Poprzedni wynik', is: 'previous' },
    { heading: 'Jednostka', is: 'unit' },
    { heading: 'Zakres', is: 'range' },
  ],
  ignoredLines: ['Strona', 'Autoryzowal'],
  endTitles: ['Objasnienia'],
  dayOrder: 'day-first',
  decimalSign: ',',
  labels: { collected: 'Data pobrania', patient: 'Pacjent', born: 'Data urodzenia' },
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
    [36, 'Laboratorium Sokol'],
    [300, 'Sprawozdanie z badan'],
  ],
  [
    [36, 'Pacjent: Jamie Doe'],
    [250, 'Data urodzenia: 02.03.1980'],
    [420, 'Data pobrania: 04/05/2025'],
  ],
  [],
]
export const heading = row('Badanie', 'Wynik', 'Poprzedni wynik', 'Jednostka', 'Zakres')
export const results = [
  row('Glucose', '92', '105', 'mg/dL', '70 - 99'),
  row('Triglycerides', '101', '88', 'mg/dL', '0 - 150'),
  row('Potassium', '4,321', '', 'mmol/L', '3,500 - 5,100'),
]
