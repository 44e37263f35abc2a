import type { Page, Printed } from './make-pdf.ts'

/** A table with columns at given places; empty cells are not printed. */
const tableOf =
  (places: readonly number[]) =>
  (...cells: string[]): Printed =>
    cells.flatMap((text, index): Printed => (text === '' ? [] : [[places[index] ?? 0, text]]))

const person = (name: string, born: string, collected = '2025-03-04'): Printed[] => [
  [
    [36, `Patient: ${name}`],
    [300, `DOB: ${born}`],
  ],
  [[36, `Collected: ${collected}`]],
]
const jamie = person('Doe, Jamie', '1980-02-03')

const five = tableOf([36, 200, 280, 350, 480])
const head = five('Test', 'Result', 'Units', 'Reference Range', 'Flag')

/** One person a page, each with the same table. */
export const twoPatients: Page[] = [
  { lines: [...jamie, head, five('Glucose', '91', 'mg/dL', '70-99'), five('Sodium', '140', 'mmol/L', '135-145')] },
  {
    lines: [
      ...person('Roe, Robin', '1991-07-08'),
      head,
      five('Glucose', '401', 'mg/dL', '70-99', 'HH'),
      five('Potassium', '4.1', 'mmol/L', '3.5-5.1'),
    ],
  },
]

/** The second person is named on a page that continues the first one's table. */
export const secondPatientBelow: Page[] = [
  { lines: [...jamie, head, five('Glucose', '91', 'mg/dL', '70-99')] },
  { lines: [[[36, 'Name: Robin Roe']], five('Sodium', '140', 'mmol/L', '135-145')] },
]

/** The same person, written in two ways. */
export const onePatientTwice: Page[] = [
  { lines: [...jamie, head, five('Glucose', '91', 'mg/dL', '70-99')] },
  { lines: [...person('JAMIE Q DOE', '1980-02-03'), head, five('Sodium', '140', 'mmol/L', '135-145')] },
]

export const serology: Page[] = [
  {
    lines: [
      ...jamie,
      [[36, 'Infectious Disease']],
      head,
      five('Zika NS1 Ag', 'Reactive', '', 'Non-Reactive', 'A'),
      five('HIV 1/2 confirmation', 'Detected (AA)', '', 'Not Detected'),
      five('HCV Ab', 'Non-Reactive', '', 'Non-Reactive'),
      five('Rubella IgG', 'Immune', '', ''),
      five('ANA', '1:160', '', '<1:80'),
      five('Copeptin', '4200', 'pg/mL', '<125', 'HH'),
      five('Troponin', 'see pathologist', 'ng/L', '<14'),
      [[36, 'Chemistry']],
      head,
      five('Glucose', '91', 'mg/dL', '70-99'),
      five('Sodium', '140', 'mmol/L', '135-145'),
    ],
  },
]

/** Almost no value is in a format that laboratories use. */
export const mostlyUnread: Page[] = [
  {
    lines: [
      ...jamie,
      head,
      ...['Glucose', 'Sodium', 'Potassium', 'Calcium', 'Ferritin', 'TSH'].map((name, index) =>
        five(name, `see chart ${index}`, 'mg/dL', '70-99'),
      ),
      five('Creatinine', '0.8', 'mg/dL', '0.5-1.0'),
    ],
  },
]

export const germanComma: Page[] = [
  {
    lines: [
      [
        [36, 'Patient: Jamie Doe'],
        [300, 'Geburtsdatum: 03.02.1980'],
      ],
      [[36, 'Abnahme: 13.03.2025']],
      five('Untersuchung', 'Ergebnis', 'Einheit', 'Referenzbereich', ''),
      five('PSA', '1,234', 'ng/mL', '0,00-4,00'),
      five('TSH', '2,31', 'mU/L', '0,40-4,00'),
      five('Ferritin', '1.250', 'ng/mL', '15-150'),
      five('HbA1c', '5,8', '%', '4,0-5,6'),
      five('Natrium', '140', 'mmol/L', '135-145'),
    ],
  },
]

/** Nothing shows whether a comma or point is decimal. */
export const unprovenMarks: Page[] = [
  {
    lines: [
      ...jamie,
      head,
      five('PSA', '1,234', 'ng/mL', ''),
      five('Ferritin', '1.250', 'ng/mL', '15-150'),
      five('Sodium', '140', 'mmol/L', '135-145'),
    ],
  },
]

/** Points are proven decimal, but one value's range shows that its comma is decimal as well. */
export const contradictedMarks: Page[] = [
  {
    lines: [
      ...jamie,
      head,
      five('PSA', '1,234', 'ng/mL', '0.0-4.0'),
      five('Platelets', '1,020', '10*3/uL', '150-450', 'H'),
      five('TSH', '2.310', 'mIU/L', '0.450-4.500'),
    ],
  },
]

const previous = tableOf([36, 170, 240, 330, 420])
export const previousColumn: Page[] = [
  {
    lines: [
      ...jamie,
      previous('Test', 'Result', 'Prior Value', 'Units', 'Reference Range'),
      previous('Glucose', '91', '140', 'mg/dL', '70-99'),
      previous('Sodium', '', '151', 'mmol/L', '135-145'),
      previous('Potassium', '4.1', '', 'mmol/L', '3.5-5.1'),
    ],
  },
]

export const dayColumn: Page[] = [
  {
    lines: [
      ...jamie,
      previous('Test', 'Result', '2024-03-01', 'Units', 'Reference Range'),
      previous('Glucose', '91', '140', 'mg/dL', '70-99'),
      previous('Sodium', '', '151', 'mmol/L', '135-145'),
    ],
  },
]

const double = tableOf([36, 150, 200, 270, 340, 420])
export const secondUnit: Page[] = [
  {
    lines: [
      ...jamie,
      double('Test', 'Result', 'Units', 'SI Result', 'SI Units', 'Reference Range'),
      double('Glucose', '91', 'mg/dL', '5.05', 'mmol/L', '70-99'),
      double('Creatinine', '', '', '71', 'umol/L', '45-84'),
      double('Sodium', '140', 'mmol/L', '', '', '135-145'),
    ],
  },
]

export const goals: Page[] = [
  {
    lines: [
      ...jamie,
      previous('Test', 'Result', 'Goal', 'Units', 'Reference Range'),
      previous('LDL Cholesterol', '131', '<100', 'mg/dL', '0-129'),
      previous('HDL Cholesterol', '', '>40', 'mg/dL', ''),
      previous('Triglycerides', 'goal <150', '', 'mg/dL', ''),
      previous('LDL goal', '<70', '', 'mg/dL', ''),
      [[36, 'Treatment goals']],
      previous('Total Cholesterol', '<200', '', 'mg/dL', ''),
    ],
  },
]

export const earlierResults: Page[] = [
  {
    lines: [
      ...jamie,
      head,
      five('Glucose', '91', 'mg/dL', '70-99'),
      [[36, 'Previous Results from 03/01/2024']],
      five('Sodium', '151', 'mmol/L', '135-145'),
    ],
  },
  {
    lines: [
      [
        [36, 'History'],
        [280, 'Jamie Doe'],
      ],
      head,
      five('Potassium', '6.9', 'mmol/L', '3.5-5.1', 'HH'),
    ],
  },
]

export const otherSpecimens: Page[] = [
  {
    lines: [
      ...jamie,
      [[36, 'Chemistry']],
      head,
      five('Sodium', '140', 'mmol/L', '135-145'),
      [
        [36, 'Urine Chemistry'],
        [200, 'Random'],
      ],
      head,
      five('Creatinine', '1.2', 'mg/dL', ''),
      [[36, 'Ascites']],
      head,
      five('Albumin', '2.1', 'g/dL', ''),
      [[36, 'Specimen Type: CSF']],
      head,
      five('Glucose', '61', 'mg/dL', ''),
      [[36, 'Specimen Type: Serum']],
      [[36, 'Comprehensive Metabolic Panel']],
      head,
      five('Potassium', '4.1', 'mmol/L', '3.5-5.1'),
      five('Magnesium, Urine', '2.0', 'mg/dL', ''),
      five('Protein, Total, Fluid', '3', 'g/dL', ''),
    ],
  },
]

const sides = tableOf([30, 120, 160, 210, 310, 400, 440, 490])
/** Two tables side by side, each with its headings. */
export const sideBySide: Page[] = [
  {
    lines: [
      ...jamie,
      sides('Test', 'Result', 'Units', 'Range', 'Test', 'Result', 'Units', 'Range'),
      sides('Glucose', '91', 'mg/dL', '70-99', 'Sodium', '140', 'mmol/L', '135-145'),
      sides('Calcium', '9.2', 'mg/dL', '8.6-10.2', '', '', '', ''),
      sides('', '', '', '', 'Potassium', '4.1', 'mmol/L', '3.5-5.1'),
    ],
  },
]
/** The same with headings above the left table only. */
export const sideWithoutHeading: Page[] = [
  {
    lines: [
      ...jamie,
      sides('Test', 'Result', 'Units', 'Range', '', '', '', ''),
      sides('Glucose', '91', 'mg/dL', '70-99', 'HIV', 'Detected', 'AA', ''),
      sides('Calcium', '9.2', 'mg/dL', '8.6-10.2', '', '', '', ''),
    ],
  },
]
