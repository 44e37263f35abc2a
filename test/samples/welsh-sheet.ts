import type { Printed } from './make-pdf.ts'

/** A layout in words that no reader knows by itself. */
export const welshTemplate = {
  name: 'Sokol laboratory',
  format: 'pdf',
  recognisedBy: ['Laboratorio Sokol', 'Adroddiad prawf'],
  columns: [
    { heading: 'Prawf', is: 'name' },
    { heading: 'Canlyniad', is: 'value' },
    { heading: 'Canlyniad blaenorol', is: 'previous' },
    { heading: 'Uned', is: 'unit' },
    { heading: 'Ystod', is: 'range' },
  ],
  ignoredLines: ['Tudalen', 'Gwiriwyd'],
  endTitles: ['Esboniad'],
  dayOrder: 'day-first',
  decimalSign: ',',
  labels: { collected: 'Casglwyd', patient: 'Claf', born: 'Dyddiad geni' },
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
    [300, 'Adroddiad prawf'],
  ],
  [
    [36, 'Claf: Jamie Doe'],
    [250, 'Dyddiad geni: 02.03.1980'],
    [420, 'Casglwyd: 04/05/2025'],
  ],
  [],
]
export const heading = row('Prawf', 'Canlyniad', 'Canlyniad blaenorol', 'Uned', 'Ystod')
export const results = [
  row('Glucose', '92', '105', 'mg/dL', '70 - 99'),
  row('Triglycerides', '101', '88', 'mg/dL', '0 - 150'),
  row('Potassium', '4,321', '', 'mmol/L', '3,500 - 5,100'),
]
