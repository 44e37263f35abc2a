import type { Page, Printed } from './make-pdf.ts'

/** Columns like Labcorp's: name, current result and flag, previous result and date, unit, interval. */
const labcorpRow = (name: string, value = '', flag = '', previous = '', unit = '', range = ''): Printed =>
  (
    [
      [36, name],
      [200, value],
      [240, flag],
      [300, previous],
      [410, unit],
      [470, range],
    ] satisfies Printed
  ).filter(([, text]) => text !== '')

const labcorpHead: Printed = [
  [36, 'Test'],
  [200, 'Current Result and Flag'],
  [300, 'Previous Result and Date'],
  [410, 'Units'],
  [470, 'Reference Interval'],
]

const labcorpTop: Printed[] = [
  [
    [36, 'labcorp'],
    [300, 'Patient Report'],
  ],
  [
    [36, 'Patient: Doe, Jamie'],
    [250, 'DOB: 02/03/1980'],
    [400, 'Sex: F'],
  ],
  [
    [36, 'Specimen ID: 123-456-7890-0'],
    [250, 'Date Collected: 03/04/2025'],
    [400, 'Date Reported: 03/06/2025'],
  ],
  [],
]

export const labcorp: Page[] = [
  {
    lines: [
      ...labcorpTop,
      [[36, 'CBC With Differential/Platelet']],
      labcorpHead,
      labcorpRow('WBC', '5.8', '', '6.1   03/01/2024', 'x10E3/uL', '3.4-10.8'),
      labcorpRow('RBC', '4.61', '', '4.70  03/01/2024', 'x10E6/uL', '3.77-5.28'),
      labcorpRow('Hemoglobin', '11.0', 'Low', '13.2  03/01/2024', 'g/dL', '11.1-15.9'),
      labcorpRow('Platelets', '1,020', 'High', '', 'x10E3/uL', '150-450'),
      labcorpRow('Neutrophils', '55', '', '', '%', 'Not Estab.'),
      labcorpRow('Neutrophils (Absolute)', '3.2', '', '', 'x10E3/uL', '1.4-7.0'),
      labcorpRow('Lymphs (Absolute)', '1.9', '', '', 'x10E3/uL', '0.7-3.1'),
      labcorpRow('Immature Grans (Abs)', '0.0', '', '', 'x10E3/uL', '0.0-0.1'),
      [],
      [[36, 'Comp. Metabolic Panel (14)']],
      labcorpHead,
      labcorpRow('Glucose', '92', '', '105  03/01/2024', 'mg/dL', '70-99'),
      labcorpRow('Creatinine', 'TNP', '', '0.80  03/01/2024', 'mg/dL', '0.57-1.00'),
      labcorpRow('eGFR', '98', '', '', 'mL/min/1.73', '>59'),
      labcorpRow('BUN/Creatinine Ratio', '14', '', '', '', '9-23'),
      labcorpRow('Potassium', '', '', '4.4  03/01/2024', 'mmol/L', '3.5-5.2'),
      labcorpRow('ALT (SGPT)', '18', '', '', 'IU/L', '0-32'),
    ],
  },
  {
    lines: [
      ...labcorpTop,
      [[36, 'Lipid Panel (Cont.)']],
      labcorpHead,
      labcorpRow('Cholesterol, Total', '182', '', '', 'mg/dL', '100-199'),
      labcorpRow('LDL Chol Calc (NIH)', '101', 'High', '', 'mg/dL', '0-99'),
      [[44, 'An optimal LDL is below 100 mg/dL; 130 is borderline high.']],
      labcorpRow('HDL Cholesterol', '58', '', '', 'mg/dL', '>39'),
      [],
      [[36, 'Hormones']],
      labcorpHead,
      labcorpRow('T4,Free(Direct)', '1.21', '', '', 'ng/dL', '0.82-1.77'),
      labcorpRow('TSH', '2.310', '', '', 'uIU/mL', '0.450-4.500'),
      labcorpRow('Estradiol', '<5.0', '', '', 'pg/mL', ''),
      [[44, 'Follicular phase 12.5 - 166.0']],
      [[44, 'Luteal phase 43.8 - 211.0']],
      labcorpRow('Hemoglobin A1c', '5.8', 'High', '5.6  03/01/2024', '%', '4.8-5.6'),
      [
        [44, 'Prediabetes: 5.7 - 6.4'],
        [200, 'Diabetes: >6.4'],
      ],
      labcorpRow('Lipoprotein (a)', '32', '', '', 'mg/dL', '<30'),
      [],
      [[36, 'Urinalysis, Routine']],
      labcorpHead,
      labcorpRow('Glucose', '15', '', '', 'mg/dL', 'Negative'),
      labcorpRow('WBC', '5', '', '', '/uL', '0-5'),
    ],
  },
]

/** Exactly these [biomarker, value] pairs must come out. */
export const labcorpExpected: [string, number][] = [
  ['wbc', 5.8],
  ['rbc', 4.61],
  ['hemoglobin', 11],
  ['platelets', 1020],
  ['neutrophils_pct', 55],
  ['neutrophils_abs', 3.2],
  ['lymphocytes_abs', 1.9],
  ['glucose', 92],
  ['egfr', 98],
  ['bun_creatinine_ratio', 14],
  ['alt', 18],
  ['total_cholesterol', 182],
  ['ldl', 101],
  ['hdl', 58],
  ['free_t4', 1.21],
  ['tsh', 2.31],
  ['estradiol', 5],
  ['hba1c', 5.8],
  ['glucose_urine', 15],
  ['leukocytes_urine', 5],
]

const questRow = (name: string, inRange = '', out = '', range = '', lab = ''): Printed =>
  (
    [
      [36, name],
      [230, inRange],
      [300, out],
      [380, range],
      [540, lab],
    ] satisfies Printed
  ).filter(([, text]) => text !== '')

const questHead: Printed = [
  [36, 'Test Name'],
  [230, 'In Range'],
  [300, 'Out Of Range'],
  [380, 'Reference Range'],
  [540, 'Lab'],
]

export const quest: Page[] = [
  {
    lines: [
      [[36, 'Quest Diagnostics']],
      [
        [36, 'Patient: DOE, JAMIE'],
        [250, 'DOB: 02/03/1980'],
        [400, 'Gender: F'],
      ],
      [
        [36, 'Collected: 03/04/2025 / 08:12 EST'],
        [300, 'Reported: 03/06/2025'],
      ],
      [],
      questHead,
      [[36, 'LIPID PANEL, STANDARD']],
      questRow('CHOLESTEROL, TOTAL', '', '215 H', '<200 mg/dL', 'Z4M'),
      questRow('HDL CHOLESTEROL', '61', '', '> OR = 50 mg/dL', 'Z4M'),
      questRow('TRIGLYCERIDES', '88', '', '<150 mg/dL', 'Z4M'),
      questRow('LDL-CHOLESTEROL', '', '136 H', 'mg/dL (calc)', 'Z4M'),
      [[50, 'Reference range: <100']],
      [[50, 'Desirable range <100 mg/dL for primary prevention; 70 mg/dL for patients with CHD']],
      questRow('CHOL/HDLC RATIO', '3.5', '', '<5.0 (calc)', 'Z4M'),
      questRow('NON HDL CHOLESTEROL', '', '154 H', '<130 mg/dL (calc)', 'Z4M'),
      [[36, 'COMPREHENSIVE METABOLIC PANEL']],
      questRow('GLUCOSE', '88', '', '65-99 mg/dL', 'Z4M'),
      [[380, 'Fasting reference interval']],
      questRow('EGFR', '101', '', '> OR = 60 mL/min/1.73m2', 'Z4M'),
      questRow('AST', '19', '', '10-30 U/L', 'Z4M'),
      questRow('PROTEIN, TOTAL', '7.1', '', '6.1-8.1 g/dL', 'Z4M'),
      questRow('CREATININE', 'SEE NOTE', '', '0.50-0.97 mg/dL', 'Z4M'),
      [],
      questRow('VITAMIN D,25-OH,TOTAL,', '', '22 L', '30-100 ng/mL', 'Z4M'),
      [[36, 'IA']],
      questRow('HEMOGLOBIN A1c', '5.4', '', '<5.7 % of total Hgb', 'Z4M'),
      questRow('ESTRADIOL', '95', '', 'pg/mL', 'Z4M'),
      [[380, 'Follicular Phase: 19-144']],
      [[380, 'Mid-Cycle: 64-357']],
      questRow('HS CRP', '<0.2', '', 'mg/L', 'Z4M'),
      questRow('FERRITIN', 'TNP', '', '16-154 ng/mL', 'Z4M'),
      [[36, 'URINALYSIS, COMPLETE']],
      questRow('GLUCOSE', 'NEGATIVE', '', 'NEGATIVE', 'Z4M'),
      questRow('RBC', '2', '', '< OR = 2 /HPF', 'Z4M'),
      questRow('WBC', '5', '', '< OR = 5 /HPF', 'Z4M'),
    ],
  },
  {
    lines: [
      [
        [36, 'Quest Diagnostics'],
        [300, 'History'],
      ],
      [
        [36, 'Test Name'],
        [230, '03/04/2025'],
        [300, '03/01/2024'],
        [380, 'Reference Range'],
      ],
      [
        [36, 'GLUCOSE'],
        [230, '88'],
        [300, '140'],
        [380, '65-99 mg/dL'],
      ],
      [
        [36, 'SODIUM'],
        [230, '139'],
        [300, '151'],
        [380, '135-146 mmol/L'],
      ],
    ],
  },
]

export const questExpected: [string, number | string][] = [
  ['total_cholesterol', 215],
  ['hdl', 61],
  ['triglycerides', 88],
  ['ldl', 136],
  ['total_hdl_ratio', 3.5],
  ['non_hdl', 154],
  ['glucose', 88],
  ['egfr', 101],
  ['ast', 19],
  ['total_protein', 7.1],
  ['vitamin_d', 22],
  ['hba1c', 5.4],
  ['estradiol', 95],
  ['hs_crp', 0.2],
  ['glucose_strip', 'negative'],
]

export const generic: Page[] = [
  {
    lines: [
      [[50, 'Northside Laboratory']],
      [
        [50, 'Name: Jamie Doe'],
        [250, 'Date of birth: 1980-02-03'],
        [420, 'Kit ID: KIT_ID'],
      ],
      [[50, 'Collected: 2025-03-04']],
      [],
      [
        [50, 'Analyte'],
        [230, 'Result'],
        [300, 'Unit'],
        [380, 'Normal range'],
        [500, 'Flag'],
      ],
      [
        [50, 'Ferritin'],
        [230, '45'],
        [300, 'ng/mL'],
        [380, '15 - 150'],
      ],
      [
        [50, 'Vitamin B12'],
        [230, '310'],
        [300, 'pmol/L'],
        [380, '133 - 675'],
      ],
      [
        [50, 'Testosterone, total'],
        [230, '5.2'],
        [300, 'ng/mL'],
        [380, '2.5 - 10.0'],
      ],
      [
        [50, 'Testosterone, free'],
        [230, '1.1'],
        [300, 'ng/dL'],
        [380, '0.9 - 2.5'],
      ],
      [
        [50, 'CRP'],
        [230, '2.2'],
        [300, 'mg/L'],
        [380, '< 5'],
      ],
      [[50, 'Collected: 2025-06-04']],
      [
        [50, 'Analyte'],
        [230, 'Result'],
        [300, 'Unit'],
        [380, 'Normal range'],
        [500, 'Flag'],
      ],
      [
        [50, 'Ferritin'],
        [230, '12'],
        [300, 'ng/mL'],
        [380, '15 - 150'],
        [500, 'L'],
      ],
    ],
  },
]
