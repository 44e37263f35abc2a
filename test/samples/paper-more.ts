import {
  french,
  german,
  heading,
  natrium,
  type PaperPage,
  paper,
  six,
  sodium,
  spanish,
  untersuchung,
} from './paper-pages.ts'

const italian = ['Paziente: Prova, Andrea', 'Data di nascita: 14/02/1980', 'Data prelievo: 21/03/2025', '']
const base = [heading, 'Glucose|91|mg/dL|70-99', sodium]
const both140 = { potassium: 4.1, sodium: 140 }
const both = { glucose: 91, sodium: 140 }

/** More of them: what else stands on pages beside the results. */
export const morePaperPages: readonly PaperPage[] = [
  paper('headings over two lines, with the earlier result in the second', {
    places: six,
    lines: [
      'Test|Current|Previous|Units|Reference',
      '|Result|Result||Range',
      'Glucose|91|140|mg/dL|70-99',
      'Potassium|4.1|6.1|mmol/L|3.5-5.1',
    ],
    right: { glucose: 91, potassium: 4.1 },
  }),
  paper('columns of a repeat and its mean', {
    places: six,
    lines: ['Test|Run 1|Run 2|Mean|Units|Range', 'Glucose|91|93|92|mg/dL|70-99'],
    isRefused: true,
  }),
  paper('a column of the change since the last result', {
    places: six,
    lines: [
      'Test|Result|Change|Units|Reference Range',
      'Potassium|4.1|-2.0|mmol/L|3.5-5.1',
      'Sodium||5|mmol/L|135-145',
      'Glucose|91|+ 3|mg/dL|70-99',
    ],
    right: { potassium: 4.1, glucose: 91 },
  }),
  paper('columns of two units', {
    places: six,
    lines: ['Test|Result|Units|SI Result|SI Units|Reference Range', 'Glucose|91|mg/dL|5.05|mmol/L|70-99', sodium],
    waits: [['Glucose', '91']],
    right: {},
  }),
  paper('columns of blood and urine', {
    places: six,
    lines: [...base, 'Test|Serum|Urine|Units', 'Potassium|4.1|38|mmol/L', 'Creatinine|0.9|110|mg/dL'],
    right: both,
    waits: [
      ['Potassium', '4.1'],
      ['Creatinine', '0.9'],
    ],
  }),
  paper('columns before and after a dose', {
    places: six,
    lines: [...base, 'Test|Before|After|Units', 'Cortisol|8.1|24.2|ug/dL', 'Insulin|5|61|uIU/mL'],
    right: both,
    waits: [
      ['Cortisol', '24.2'],
      ['Insulin', '61'],
    ],
  }),
  paper('two draws of the same day in columns', {
    places: six,
    lines: [
      'Test|21/03/2025 08:00|21/03/2025 14:00|Units|Range',
      'Glucose|91|140|mg/dL|70-99',
      'Sodium|140|141|mmol/L|135-145',
      heading,
      'Calcium|9.2|mg/dL|8.6-10.2',
    ],
    right: { calcium: 9.2 },
    waits: [
      ['Glucose', '91'],
      ['Sodium', '140'],
    ],
  }),
  paper('columns of months', {
    places: six,
    lines: [
      'Test|Result|Jan 2025|Oct 2024|Units|Reference Range',
      'Potassium|4.1|6.1|6.0|mmol/L|3.5-5.1',
      'Sodium||151|150|mmol/L|135-145',
    ],
    right: { potassium: 4.1 },
  }),
  paper('a graph with an axis of numbers beside the table', {
    places: [36, 200, 280, 350, 480, 540],
    lines: [heading, 'Glucose|91|mg/dL|70-99||200', 'Calcium|9.2|mg/dL|8.6-10.2||150', sodium, '||||2023|2025'],
    right: { glucose: 91, calcium: 9.2, sodium: 140 },
  }),
  paper('a corrected value with the wrong one in the next line', {
    lines: [
      heading,
      'Potassium|4.1|mmol/L|3.5-5.1',
      '|Corrected result; previously reported as 7.2',
      '|Previously reported as|7.2',
      'Glucose|91|mg/dL|70-99',
    ],
    right: { potassium: 4.1, glucose: 91 },
  }),
  paper('a line of a remark with a name, a number and a unit', {
    lines: [
      ...base,
      'Potassium 7.2 mmol/L was called to Dr. Roe at 10:02',
      'Repeat potassium 7.1 mmol/L',
      'Calcium|9.2|mg/dL|8.6-10.2',
    ],
    right: { ...both, calcium: 9.2 },
    waits: [['Repeat potassium', '7.1']],
  }),
  paper('results of another laboratory in a remark', {
    lines: [...base, 'Outside results', 'Potassium|6.9|mmol/L|3.5-5.1', 'Calcium|13|mg/dL|8.6-10.2'],
    right: both,
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13'],
    ],
  }),
  paper('results of the mother', {
    lines: [...base, 'Maternal results', 'Potassium|6.9|mmol/L|3.5-5.1', 'Mother', 'Calcium|13|mg/dL|8.6-10.2'],
    right: both,
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13'],
    ],
  }),
  paper('vital signs, doses and prices', {
    lines: [
      ...base,
      'Height|180|cm',
      'Weight|82|kg',
      'Blood pressure|120/80|mmHg',
      'Levothyroxine|75|ug',
      'CPT 80053|25.00|USD',
      'Fasting|12|h',
    ],
    right: both,
  }),
  paper('medication with the names of what is measured', {
    lines: [...base, 'Medication', 'Vitamin D|1000|IU', 'Iron|65|mg', 'Magnesium|400|mg', 'Testosterone|50|mg'],
    right: both,
    waits: [
      ['Vitamin D', '1000'],
      ['Iron', '65'],
    ],
  }),
  paper('a number before the name', {
    lines: [heading, '1. Glucose|91|mg/dL|70-99', '2) Potassium|4.1|mmol/L|3.5-5.1', '3|140|mmol/L|135-145'],
    waits: [['3', '140']],
    right: { glucose: 91, potassium: 4.1 },
  }),
  paper('unit glued to the value', {
    lines: [heading, 'Glucose|91mg/dL||70-99', 'Potassium|4.1mmol/L||3.5-5.1', sodium],
    right: { sodium: 140, glucose: 91, potassium: 4.1 },
  }),
  paper('the unit in the name', {
    lines: [
      'Test|Result|Reference Range',
      'Glucose (mg/dL)|91||70-99',
      'Potassium, mmol/L|4.1||3.5-5.1',
      'Sodium [mmol/L]|140||135-145',
    ],
    places: [36, 200, 280, 280],
    right: { glucose: 91, potassium: 4.1, sodium: 140 },
  }),
  paper('the flag before the value', {
    lines: [heading, 'Glucose|H 131|mg/dL|70-99', 'Potassium|* 5.9|mmol/L|3.5-5.1', sodium],
    right: { glucose: 131, potassium: 5.9, sodium: 140 },
  }),
  paper('powers of ten', {
    lines: [
      heading,
      'WBC|6.2 x10^3|/uL|4.0-10.0',
      'Platelets|2.5E+05|/uL|150000-400000',
      'WBC|6.2 x 10³/uL||4.0-10.0',
      sodium,
    ],
    right: { wbc: 6.2, sodium: 140 },
    waits: [
      ['Platelets', '2.5E+05'],
      ['WBC', '6.2 x10'],
    ],
  }),
  paper('Indian grouping', {
    lines: [
      heading,
      'Platelet Count|2,50,000|/uL|1,50,000 - 4,10,000',
      'WBC|7,200|/uL|4,000 - 10,000',
      'Hemoglobin|14.1|g/dL|13.0 - 17.0',
    ],
    right: { hemoglobin: 14.1, platelets: 250000, wbc: 7200 },
  }),
  paper('ranges on the line below in words', {
    lines: [
      heading,
      'Potassium|4.1|mmol/L|',
      '|Ref: 3.5 - 5.1',
      'Glucose|91|mg/dL|',
      'Reference range 70 - 99',
      sodium,
    ],
    right: { potassium: 4.1, ...both },
  }),
  paper('counts of a field of view', {
    lines: [heading, 'WBC|5-10|/HPF|0-5', 'RBC|0-2|/HPF|0-2', ...base.slice(1)],
    right: both,
    waits: [
      ['WBC', '5-10'],
      ['RBC', '0-2'],
    ],
  }),
  paper('an antibiogram', {
    lines: [...base, 'Urine culture', 'E. coli|> 100,000|CFU/mL', 'Ampicillin|<= 8|ug/mL|S', 'Glucose|4|mg/dL|'],
    right: both,
    waits: [
      ['E. coli', '100,000'],
      ['Ampicillin', '8'],
      ['Glucose', '4'],
    ],
  }),
  paper('blood gas of an artery', {
    lines: [...base, 'Arterial blood gas', 'Potassium|6.9|mmol/L|3.5-5.1', 'Lactate|4.1|mmol/L|0.5-2.2'],
    right: both,
    waits: [
      ['Potassium', '6.9'],
      ['Lactate', '4.1'],
    ],
  }),
  paper('specimens in a column', {
    places: [36, 150, 220, 290, 360, 450],
    lines: [
      'Test|Specimen|Result|Units|Reference Range',
      'Potassium|Serum|4.1|mmol/L|3.5-5.1',
      'Potassium|Urine|38|mmol/L|25-125',
      'Creatinine|Urine|110|mg/dL|',
      'Sodium|S|140|mmol/L|135-145',
    ],
    right: { potassium: 4.1, sodium: 140, potassium_urine: 38, creatinine_urine: 110 },
    waits: [],
  }),
  paper('the heading of a section on the line of the columns', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
      'URINE CHEMISTRY|Result|Units|Reference Range',
      'Potassium|38|mmol/L|25-125',
      'HEMATOLOGY|Result|Units|Reference Range',
      'Hemoglobin|14.1|g/dL|12-16',
    ],
    right: { ...both, hemoglobin: 14.1 },
    waits: [['Potassium', '38']],
  }),
  paper('a German section of urine and of control', {
    head: german,
    lines: [
      untersuchung,
      'Kalium|4,2|mmol/L|3,5-5,1',
      natrium,
      'Spontanurin',
      'Kreatinin|110|mg/dl|',
      'Glukose|5|mg/dl|0-15',
      'Kontrollmaterial',
      'Calcium|13,1|mg/dl|12,5-13,5',
    ],
    right: { potassium: 4.2, sodium: 140, creatinine_urine: 110, glucose_urine: 5 },
    waits: [['Calcium', '13,1']],
  }),
  paper('German earlier results by title and day', {
    head: german,
    lines: [
      untersuchung,
      'Kalium|4,2|mmol/L|3,5-5,1',
      natrium,
      'Befunde vom 10.01.2024',
      'Calcium|13,1|mg/dl|8,6-10,2',
      'Vorbefunde',
      'Glukose|205|mg/dl|70-99',
    ],
    right: { potassium: 4.2, sodium: 140 },
    waits: [
      ['Calcium', '13,1'],
      ['Glukose', '205'],
    ],
  }),
  paper('a German remark with numbers', {
    head: german,
    lines: [
      untersuchung,
      'Kalium|4,2|mmol/L|3,5-5,1',
      'Hinweis: Kalium 7,2 mmol/L wurde telefonisch durchgegeben',
      'Zielwert LDL < 70 mg/dl',
      natrium,
    ],
    right: { potassium: 4.2, sodium: 140 },
  }),
  paper('French earlier results beside the result', {
    head: french,
    places: six,
    lines: [
      'Examen|Résultat|Antériorité|Unité|Valeurs de référence',
      '||12/01/2024',
      'Potassium|4,2|6,1|mmol/L|3,5 - 5,1',
      'Sodium||151|mmol/L|135 - 145',
      'Glucose|5,05|7,40|mmol/L|3,9 - 5,5',
    ],
    right: { potassium: 4.2, glucose: 5.05 },
  }),
  paper('a French value in two units on two lines', {
    head: french,
    lines: [
      'Examen|Résultat|Unité|Valeurs de référence',
      'Glycémie|5,05|mmol/L|3,89 - 5,50',
      '|0,91|g/L|0,70 - 0,99',
      'Potassium|4,2|mmol/L|3,5 - 5,1',
    ],
    right: { potassium: 4.2, glucose: 5.05 },
  }),
  paper('an Italian page with earlier results and limits', {
    head: italian,
    lines: [
      'Esame|Risultato|Unità|Valori di riferimento',
      'Potassio|4,2|mmol/L|3,5 - 5,1',
      'Sodio|140|mmol/L|135 - 145',
      'Valori precedenti',
      'Calcio|13,1|mg/dL|8,6 - 10,2',
      'Urine',
      'Glucosio|15|mg/dL|',
    ],
    right: { potassium: 4.2, sodium: 140, glucose_urine: 15 },
    waits: [['Calcio', '13,1']],
  }),
  paper('a Spanish page with a mean and a goal', {
    head: spanish,
    places: six,
    lines: [
      'Prueba|Resultado|Promedio|Objetivo|Unidades|Valores de referencia',
      'Potasio|4,2|6,5|4,0|mmol/L|3,5 - 5,1',
      'Sodio||139||mmol/L|135 - 145',
    ],
    right: { potassium: 4.2 },
  }),
  paper('an example of how to read the page', {
    lines: [
      'How to read this report',
      'Example',
      heading,
      'Potassium|6.9|mmol/L|3.5-5.1',
      'Your results',
      heading,
      'Glucose|91|mg/dL|70-99',
      sodium,
    ],
    right: both,
    waits: [['Potassium', '6.9']],
  }),
  paper('limits in a table with headings', {
    lines: [...base, 'Critical limits', 'Test|Value|Units', 'Potassium|6.5|mmol/L', 'Calcium|13|mg/dL'],
    right: both,
    waits: [
      ['Potassium', '6.5'],
      ['Calcium', '13'],
    ],
  }),
  paper('limits under a title that nobody knows', {
    lines: [...base, 'We telephone from', 'Potassium|6.5|mmol/L|', 'Calcium|13|mg/dL|'],
    right: both,
    waits: [
      ['Potassium', '6.5'],
      ['Calcium', '13'],
    ],
  }),
  paper('a panel without ranges under a title of its own', {
    lines: [
      ...base,
      'Iron status',
      'Ferritin|88|ng/mL|15-150',
      'Iron|91|ug/dL|',
      'Vitamins',
      'Vitamin B12|400|pg/mL|200-900',
    ],
    right: { ...both, ferritin: 88, iron: 91, vitamin_b12: 400 },
  }),
  paper('a result that is repeated with another value', {
    lines: [heading, 'Potassium|4.1|mmol/L|3.5-5.1', 'Glucose|91|mg/dL|70-99', 'Potassium|6.9|mmol/L|3.5-5.1', sodium],
    right: both,
    waits: [
      ['Potassium', '4.1'],
      ['Potassium', '6.9'],
    ],
  }),
  paper('a result above the headings and one below the foot', {
    lines: ['Potassium|6.9|mmol/L', ...base, 'Electronically signed by Dr. Roe', 'End of report', 'Calcium|13|mg/dL'],
    right: both,
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13'],
    ],
  }),
  paper('two results on one line', {
    lines: [
      heading,
      'Glucose|91|mg/dL|70-99',
      'Sodium 140 mmol/L  Potassium 4.1 mmol/L',
      'Calcium 9.2 mg/dL (8.6-10.2), Albumin 4.1 g/dL (3.6-5.1)',
    ],
    right: { glucose: 91 },
    waits: [
      ['Sodium', '140'],
      ['Calcium 9.2', ''],
    ],
  }),
  paper('a second person’s table without a name', {
    lines: [...base, 'Donor', 'Potassium|6.9|mmol/L|3.5-5.1', 'Recipient', 'Calcium|9.2|mg/dL|8.6-10.2'],
    right: both,
    waits: [['Potassium', '6.9']],
  }),
  paper('a column of controls beside the patient', {
    places: six,
    lines: ['Test|Result|Control|Units|Reference Range', 'aPTT|31|29|s|25-36', 'Thrombin time||17|s|14-21'],
    right: { aptt: 31 },
  }),
  paper('a table of days in rows', {
    lines: [...base, 'Date|Potassium|Calcium|Hemoglobin', '2025-03-21|4.1|9.2|14.1', '2024-01-10|6.9|13|7.1'],
    right: both,
  }),
  paper('a graph of earlier values in words', {
    lines: [...base, 'Potassium over time', 'Mar 2024|6.9', 'Jan 2024|6.1|mmol/L', 'Your result|4.1|mmol/L|3.5-5.1'],
    right: both,
    waits: [['Your result', '4.1']],
  }),
  paper('z-scores and percentiles in a column', {
    places: six,
    lines: ['Test|Result|Percentile|Units|Reference Range', 'IGF-1|210|75|ng/mL|100-300', 'Ferritin||50|ng/mL|15-150'],
    right: { igf_1: 210 },
  }),
  paper('a legend of signs', {
    lines: [
      ...base,
      'H = high  L = low  * = see note 1',
      '* 1: sample hemolysed slightly, potassium + 0.3 mmol/L',
      '1) done by Northside, 12 Hill Road',
      'Calcium|9.2|mg/dL|8.6-10.2',
    ],
    right: { ...both, calcium: 9.2 },
  }),
  paper('a value and its uncertainty', {
    lines: [heading, 'Glucose|91 ± 3|mg/dL|70-99', 'Potassium|4.1 (+/- 0.2)|mmol/L|3.5-5.1', sodium],
    right: { sodium: 140 },
    waits: [
      ['Glucose', '91'],
      ['Potassium', '4.1'],
    ],
  }),
  paper('specimens in a column that names each only once', {
    places: [36, 150, 220, 290, 360, 450],
    lines: [
      'Test|Specimen|Result|Units|Reference Range',
      'Potassium|Serum|4.1|mmol/L|3.5-5.1',
      'Sodium||140|mmol/L|135-145',
      'Creatinine|Urine|110|mg/dL|',
      'Chloride||110|mmol/L|',
    ],
    right: { ...both140, creatinine_urine: 110, chloride_urine: 110 },
    waits: [],
  }),
  paper('groups in a column without a heading', {
    places: [36, 110, 220, 290, 360, 450],
    lines: [
      '|Test|Result|Units|Reference Range',
      'Serum|Potassium|4.1|mmol/L|3.5-5.1',
      '|Sodium|140|mmol/L|135-145',
      'Urine|Creatinine|110|mg/dL|',
      '|Chloride|110|mmol/L|',
    ],
    right: { ...both140, creatinine_urine: 110, chloride_urine: 110 },
    waits: [],
  }),
  paper('groups in the column of names', {
    places: [36, 110, 220, 290, 360, 450],
    lines: [
      'Test||Result|Units|Reference Range',
      'Serum|Potassium|4.1|mmol/L|3.5-5.1',
      '|Sodium|140|mmol/L|135-145',
      'Urine|Creatinine|110|mg/dL|',
      '|Chloride|110|mmol/L|',
      'Hemoglobin||14.1|g/dL|12-16',
    ],
    right: { ...both140, creatinine_urine: 110, chloride_urine: 110, hemoglobin: 14.1 },
    waits: [],
  }),
  paper('a subtitle of chemistry right below the title of urine', {
    lines: [
      ...base,
      'URINALYSIS',
      'Chemistry',
      'Potassium|31|mmol/L|',
      'Glucose|40|mg/dL|0-15',
      'Colony count',
      'Chloride|110|mmol/L|',
    ],
    right: both,
    waits: [
      ['Potassium', '31'],
      ['Glucose', '40'],
      ['Chloride', '110'],
    ],
  }),
  paper('titles with a colon', {
    lines: [
      ...base,
      'Critical values:',
      'Potassium|6.5|mmol/L',
      'Urine:',
      'Chloride|110|mmol/L|',
      'Blood:',
      'Hemoglobin|14.1|g/dL|12-16',
      'Previous results:',
      'Calcium|13|mg/dL|8.6-10.2',
    ],
    right: { ...both, chloride_urine: 110, hemoglobin: 14.1 },
    waits: [
      ['Potassium', '6.5'],
      ['Calcium', '13'],
    ],
  }),
  paper('an interpretation of one result amid the table', {
    lines: [
      heading,
      'HbA1c|6.1|%|4.0-5.6|H',
      'Interpretation:',
      'Prediabetes|5.7-6.4|%',
      'Glucose|91|mg/dL|70-99',
      sodium,
    ],
    right: { hba1c: 6.1, ...both },
  }),
  paper('control material named in a title of two texts', {
    lines: [...base, 'QUALITY CONTROL||Lot 7741', 'Potassium|6.9|mmol/L|6.5-7.3', 'Calcium|13.1|mg/dL|12.5-13.5'],
    right: both,
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13.1'],
    ],
  }),
  paper('what is no result in brackets behind the name', {
    lines: [
      ...base,
      'Potassium [QC level 2]|6.9|mmol/L|6.5-7.3',
      'Calcium [mean]|13|mg/dL|',
      'Chloride (2024-01-10)|111|mmol/L|',
      'Magnesium [2024-01-10]|3.1|mg/dL|',
      'Albumin, control|3.1|g/dL|',
      'Ferritin (upper limit)|150|ng/mL|',
    ],
    right: both,
    waits: [
      ['Potassium', '6.9'],
      ['Calcium', '13'],
      ['Chloride', '111'],
      ['Magnesium', '3.1'],
      ['Albumin', '3.1'],
      ['Ferritin', '150'],
    ],
  }),
  paper('an arrow far before its value', {
    places: [36, 180, 240, 300, 370],
    lines: [
      'Test||Result|Units|Reference Range',
      'Glucose|▲|131|mg/dL|70-99',
      'Sodium||140|mmol/L|135-145',
      'Potassium|▼|3.1|mmol/L|3.5-5.1',
    ],
    right: { glucose: 131, sodium: 140, potassium: 3.1 },
  }),
  paper('an earlier value without a heading beside the result', {
    places: six,
    lines: [
      'Test|Result||Units|Reference Range',
      'Potassium|4.1|6.9|mmol/L|3.5-5.1',
      'Glucose|91||mg/dL|70-99',
      'Sodium|140||mmol/L|135-145',
    ],
    right: both,
    waits: [['Potassium', '4.1']],
  }),
  paper('results that say whose they are in the name of the panel', {
    lines: [
      ...base,
      'Lipid panel (previous, 2024-01-10)',
      'LDL Cholesterol|171|mg/dL|0-130',
      'HDL Cholesterol|39|mg/dL|40-90',
    ],
    right: both,
    waits: [
      ['LDL', '171'],
      ['HDL', '39'],
    ],
  }),
  paper('cards with an earlier value as a card of its own', {
    lines: [
      'Glucose',
      '91 mg/dL',
      'Reference range: 70 - 99 mg/dL',
      'Previous result',
      '140 mg/dL',
      'Reference range: 70 - 99 mg/dL',
      'Potassium',
      '4.1 mmol/L',
      'Reference range: 3.5 - 5.1 mmol/L',
    ],
    right: { glucose: 91, potassium: 4.1 },
  }),
  paper('brackets with an earlier value behind them', {
    lines: [
      'Sodium 140 mmol/L [135 - 145]',
      'Potassium 4.1 mmol/L [3.5 - 5.1] previous 6.9 mmol/L',
      'Mean potassium 6.1 mmol/L [3.5 - 5.1]',
      'Calcium 2.3 mmol/L [2.2 - 2.6]',
    ],
    right: { sodium: 140, calcium: 2.3 },
  }),
  paper('lines of text with averages, goals and earlier values', {
    lines: [
      'Glucose 91 mg/dL 70-99',
      'Sodium 140 mmol/L 135-145',
      'Average potassium 6.1 mmol/L',
      'Goal LDL 70 mg/dL',
      'Potassium (2024) 6.9 mmol/L',
    ],
    right: both,
  }),
  paper('a table of Portuguese results', {
    head: ['Paciente: Prova, Andrea', 'Data da colheita: 21/03/2025', ''],
    lines: [
      'Exame|Resultado|Unidades|Valores de referência',
      'Potássio|4,2|mmol/L|3,5 - 5,1',
      'Sódio|140|mmol/L|135 - 145',
      'TSH|2,1|mUI/L|0,4 - 4,5',
    ],
    right: { ...both140, potassium: 4.2, tsh: 2.1 },
  }),
  paper('answers in words below headings without units', {
    lines: [
      'Test|Specimen|Result',
      'Chlamydia trachomatis NAAT|Vaginal swab|Not detected',
      'Neisseria gonorrhoeae NAAT|Vaginal swab|DETECTED',
      'HIV 1/2 Ag/Ab|Serum|Non-reactive',
    ],
    right: { chlamydia: 'negative', gonorrhoeae: 'positive', hiv_ag_ab: 'negative' },
  }),
  paper('answers in words beside those that are expected', {
    lines: ['Test|Result|Expected', 'HBsAg|Non-reactive|Non-reactive', 'HCV antibody|Reactive|Non-reactive'],
    right: { hbsag: 'negative', hepatitis_c_antibody: 'positive' },
  }),
]
