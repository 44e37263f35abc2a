import { makePdf, type Printed } from '../../../../test/samples/make-pdf.ts'
import type { Expected, Made } from '../truth.ts'
import { at, earlier, type Fresh, finds, is, type Taken, type Tongue, take, waits } from './analytes.ts'

// Columns, sections and remarks are those that laboratories of each country commonly print; no report was copied.

async function file(pages: readonly Printed[][], expected: Expected[], more: Partial<Made> = {}): Promise<Made> {
  const bytes = await makePdf(pages.map((lines) => ({ lines, font: 'regular', fontSize: 8 })))
  return { format: 'pdf', bytes, expected, ...more }
}

/** Texts at the given distances from the left edge; empty ones are left out. */
const row = (places: readonly number[], ...cells: readonly string[]): Printed =>
  cells.flatMap((text, n) => (text === '' ? [] : [[places[n] ?? 0, text] as [number, string]]))
const say = (text: string, x = 36): Printed => [[x, text]]
const comma = (text: string) => text.replace('.', ',')
const withComma = (one: Taken, more: Partial<Expected & { as: 'result' }> = {}) =>
  is(one, { text: comma(one.text), ...more })

/** Panels under titles, laboratory codes in the last column, a second page that repeats the title. */
function american(index: number): Promise<Made> {
  const all = take(index + 1, 9)
  const places = [40, 215, 275, 330, 415, 540]
  const head = (page: number): Printed[] => [
    row([36, 400], 'HARBOUR CLINICAL LABORATORIES', `Page ${page} of 2`),
    row([36, 220, 400], 'Patient: EXAMPLE, ROBIN T', 'DOB: 09/14/1978', 'Specimen ID: 071-555-0188-0'),
    row(
      [36, 220, 400],
      'Date Collected: 03/11/2026 0815',
      'Date Received: 03/11/2026',
      'Date Reported: 03/12/2026 1045',
    ),
    [],
    row(places, 'TESTS', 'RESULT', 'FLAG', 'UNITS', 'REFERENCE INTERVAL', 'LAB'),
  ]
  const rows = (list: readonly Taken[]) =>
    list.map((one) =>
      row(
        places,
        one.name,
        one.text,
        one.flag === 'H' ? 'High' : one.flag === 'L' ? 'Low' : '',
        one.unit,
        `${one.low} - ${one.high}`,
        '01',
      ),
    )
  return file(
    [
      [
        ...head(1),
        say('Comp. Metabolic Panel (14)'),
        ...rows(all.slice(0, 5)),
        say('Please note: reference interval change effective 01/05/2026', 60),
        say('01 HARBOUR CLINICAL LABORATORIES, 14 QUAY ROAD, PORTSIDE  Dir: A Director, MD   Lab: 555-010-4400'),
        say('For inquiries, the physician may contact Branch: 555-010-4401'),
      ],
      [
        ...head(2),
        say('Comp. Metabolic Panel (14) (Continued)'),
        ...rows(all.slice(5)),
        say('Final Report   (c) 2026 Harbour'),
      ],
    ],
    all.map((one) => is(one)),
    { day: '2026-03-11' },
  )
}

/** Each analyte as a block: name, value with flag, range on a line below, history under it. */
function blocks(index: number): Promise<Made> {
  const all = take(index + 3, 5)
  return file(
    [
      [
        say('Westbrook Diagnostics'),
        row([36, 300], 'Robin Example', 'Collected: Mar 11, 2026'),
        [],
        ...all.flatMap((one): Printed[] => [
          row([36, 300], one.name, `${one.text} ${one.unit}${one.flag ? ` ${one.flag}` : ''}`),
          say(`Reference Range: ${one.low} - ${one.high} ${one.unit}`, 48),
          say(`Previous: ${earlier(one)} ${one.unit} (Sep 2, 2025)`, 48),
          [],
        ]),
      ],
    ],
    all.map((one) => is(one)),
    { day: '2026-03-11' },
  )
}

/** As surgeries of the United Kingdom print it: the specimen before the name, the interval in square brackets. */
function british(index: number): Promise<Made> {
  const all = take(index + 5, 6, {
    si: true,
    not: ['hba1c', 'wbc', 'platelets', 'hemoglobin', 'total_cholesterol', 'bilirubin_total', 'hdl', 'free_t4'],
  })
  const places = [36, 260, 330, 400]
  return file(
    [
      [
        say('Portside Pathology  -  Clinical Biochemistry'),
        row([36, 300], 'Mrs Robin EXAMPLE', 'NHS No: 999 000 1234'),
        row([36, 300], 'Born 14-Sep-1978   Female', 'Collected 11-Mar-2026 08:15'),
        say('Specimen: Serum'),
        [],
        ...all.map((one) =>
          row(
            places,
            `Serum ${one.name.toLowerCase()}`,
            `${one.flag ? '*' : ''}${one.text}`,
            one.unit,
            `[${one.low} - ${one.high}]`,
          ),
        ),
        say('Haemolysis index: nil'),
        say('AKI Alert: 0    eGFR calculated by CKD-EPI'),
        say('* = outside the reference interval'),
      ],
    ],
    all.map((one) => is(one)),
    { day: '2026-03-11' },
  )
}

/** A German report: material behind the name, + and - as flags, the earlier value in a column of its own. */
function german(index: number): Promise<Made> {
  const all = take(index + 7, 7, { tongue: 'de', si: index % 2 === 1 })
  const places = [36, 190, 240, 300, 390, 480]
  const heads = at(
    [
      ['Untersuchung', 'Ergebnis', '', 'Einheit', 'Referenzbereich', 'Vorwert'],
      ['Analyt', 'Wert', '', 'Einheit', 'Norm', 'Vorbefund 02.09.2025'],
      ['Parameter', 'Messwert', '', 'Dimension', 'Referenz', 'vom 02.09.25'],
    ],
    index,
  )
  return file(
    [
      [
        say('MVZ Labor Hafen GmbH'),
        row([36, 300], 'Example, Robin', 'geb. 14.09.1978  weiblich'),
        row([36, 200, 380], 'Abnahme: 11.03.2026', 'Eingang: 11.03.2026', 'Ausgang: 12.03.2026'),
        say('Endbefund'),
        [],
        row(places, ...heads),
        say('Klinische Chemie'),
        ...all.map((one, n) =>
          row(
            places,
            `${one.name}${n % 3 === 0 ? ' i.S.' : ''}`,
            comma(one.text),
            one.flag === 'H' ? '+' : one.flag === 'L' ? '-' : '',
            one.unit,
            `${comma(one.low)} - ${comma(one.high)}`,
            n === 2 ? '' : comma(earlier(one)),
          ),
        ),
        say('Die Ergebnisse wurden medizinisch validiert. Tel. 040 555 0100'),
      ],
    ],
    all.map((one, n) => withComma(one, { isCertain: n % 3 !== 0 })),
    { day: '2026-03-11' },
  )
}

/** A French report: dotted lines, "à" in ranges, earlier results with their day, or two units. */
function french(index: number): Promise<Made> {
  const all = take(index + 9, 6, { tongue: 'fr', si: true })
  const isDotted = index % 2 === 0
  const places = [36, 220, 280, 350, 470]
  const lines: Printed[] = isDotted
    ? all.map((one) =>
        row(
          [36, 240, 300, 380],
          `${one.name} ${'. '.repeat(12)}:`,
          comma(one.text),
          one.unit,
          `(${comma(one.low)} à ${comma(one.high)})`,
        ),
      )
    : [
        row(places, 'Analyses', 'Résultats', 'Unités', 'Valeurs de référence', 'Antériorités'),
        row(places, '', '', '', '', '02/09/2025'),
        ...all.map((one) =>
          row(
            places,
            one.name,
            comma(one.text),
            one.unit,
            `${comma(one.low)} à ${comma(one.high)}`,
            comma(earlier(one)),
          ),
        ),
      ]
  return file(
    [
      [
        say('Laboratoire du Port - Biologie médicale'),
        row([36, 320], 'Mme EXAMPLE Robin', 'Née le : 14/09/1978'),
        say('Prélevé le : 11/03/2026 à 08h15'),
        say('BIOCHIMIE SANGUINE'),
        ...lines,
        say('Validé par : Dr Biologiste'),
      ],
    ],
    all.map((one) => withComma(one)),
    { day: '2026-03-11' },
  )
}

/** Each French value in two units, the second behind it or below it. */
function frenchTwice(index: number): Promise<Made> {
  const rows: [
    id: string,
    name: string,
    text: string,
    unit: string,
    range: string,
    other: string,
    otherRange: string,
  ][] = [
    ['glucose', 'Glycémie à jeun', '0,95', 'g/L', '(0,74 à 1,06)', '5,27 mmol/L', '(4,11 à 5,88)'],
    ['creatinine', 'Créatinine', '9,1', 'mg/L', '(5,0 à 9,0)', '80 µmol/L', '(44 à 80)'],
    ['triglycerides', 'Triglycérides', '1,12', 'g/L', '(0,35 à 1,50)', '1,28 mmol/L', '(0,40 à 1,71)'],
    ['total_cholesterol', 'Cholestérol total', '2,02', 'g/L', '(< 2,00)', '5,21 mmol/L', '(< 5,16)'],
  ]
  const isBelow = index % 2 === 1
  const places = [36, 220, 270, 320, 420, 500]
  return file(
    [
      [
        say('Laboratoire du Port'),
        row([36, 320], 'Mme EXAMPLE Robin', 'Née le : 14/09/1978'),
        say('Prélevé le : 11/03/2026'),
        row(places, 'Analyse', 'Résultat', 'Unité', 'Valeurs usuelles'),
        ...rows.flatMap(([, name, text, unit, range, other, otherRange]): Printed[] =>
          isBelow
            ? [row(places, name, text, unit, range), row([36, 220, 320], '', other, otherRange)]
            : [row(places, name, text, unit, range, `soit ${other}`, otherRange)],
        ),
      ],
    ],
    rows.map(([id, , text, unit]) => ({
      ...{ as: 'result', biomarkerId: id, text, value: Number(text.replace(',', '.')), unit, isCertain: false },
    })),
  )
}

/** A Spanish report with sections, stars and the urine below. */
function spanish(index: number): Promise<Made> {
  const all = take(index + 11, 6, { tongue: 'es' })
  const places = [36, 230, 300, 380]
  return file(
    [
      [
        say('Laboratorio del Puerto'),
        row([36, 320], 'Paciente: EXAMPLE, ROBIN', 'F. Nacimiento: 14/09/1978'),
        row([36, 320], 'Fecha de extracción: 11/03/2026', 'Fecha de informe: 12/03/2026'),
        row(places, 'Determinación', 'Resultado', 'Unidades', 'Intervalo de referencia'),
        say('BIOQUÍMICA SUERO'),
        ...all.map((one) =>
          row(places, one.name, `${one.flag ? '* ' : ''}${one.text}`, one.unit, `[${one.low} - ${one.high}]`),
        ),
        say('ORINA'),
        row(places, 'Sodio', '88', 'mmol/L', '[40 - 220]'),
        row(places, 'Creatinina', '112', 'mg/dL', ''),
        say('* Resultado fuera del intervalo de referencia'),
      ],
    ],
    [
      ...all.map((one) => is(one)),
      { as: 'result', biomarkerId: 'sodium_urine', text: '88', value: 88, unit: 'mmol/L', isCertain: false },
      { as: 'result', biomarkerId: 'creatinine_urine', text: '112', value: 112, unit: 'mg/dL', isCertain: false },
    ],
    { day: '2026-03-11' },
  )
}

/** A Dutch report, with the material as a letter and the flags before the values. */
function dutch(index: number): Promise<Made> {
  const all = take(index + 13, 6, { tongue: 'nl', si: true, not: ['hemoglobin'] })
  const places = [36, 60, 220, 240, 310, 400]
  return file(
    [
      [
        say('Medisch Laboratorium De Haven'),
        row([36, 320], 'Naam: Example, R.T.', 'Geboortedatum: 14-09-1978'),
        row([36, 320], 'Afnamedatum: 11-03-2026', 'Rapportdatum: 12-03-2026'),
        row(places, 'Mat', 'Bepaling', '', 'Uitslag', 'Eenheid', 'Referentiewaarden'),
        ...all.map((one) =>
          row(
            places,
            at(['S', 'P'], index),
            one.name,
            one.flag === 'H' ? '↑' : one.flag === 'L' ? '↓' : '',
            comma(one.text),
            one.unit,
            `${comma(one.low)} - ${comma(one.high)}`,
          ),
        ),
      ],
    ],
    all.map((one) => withComma(one)),
    { day: '2026-03-11' },
  )
}

/** A Nordic list with a column for each day; the newest is that of this sample. */
function nordic(index: number): Promise<Made> {
  const all = take(index + 15, 6, { tongue: 'sv', si: true })
  const places = [36, 180, 260, 320, 390, 460]
  const named = index % 2 === 0
  return file(
    [
      [
        say('Hamnens laboratorium'),
        row([36, 320], 'Namn: Example, Robin', 'Född: 1978-09-14'),
        ...(named ? [say('Provtagning: 2026-03-11')] : []),
        row(places, 'Analys', 'Referensintervall', 'Enhet', '2026-03-11', '2025-09-02', '2025-01-20'),
        ...all.map((one) =>
          row(
            places,
            one.name,
            `${comma(one.low)}-${comma(one.high)}`,
            one.unit,
            comma(one.text),
            comma(earlier(one)),
            comma(earlier(one, 0.93)),
          ),
        ),
        row(places, 'U-Albumin', '<20', 'mg/L', '12', '14', ''),
      ],
    ],
    [
      ...all.map((one): Expected => (named ? withComma(one) : waits(one.name, comma(one.text)))),
      named
        ? { as: 'result', biomarkerId: 'albumin_urine', text: '12', value: 12, unit: 'mg/L', isCertain: false }
        : waits('U-Albumin', '12'),
    ],
  )
}

/** An Australian cumulative report: requests as columns with day, time and number, the newest on the right. */
function cumulative(index: number): Promise<Made> {
  const all = take(index + 17, 6, { si: true, not: ['hba1c'] })
  const places = [36, 160, 230, 300, 370, 460]
  const isNamed = index % 2 === 0
  return file(
    [
      [
        say('PORTSIDE PATHOLOGY    CUMULATIVE REPORT'),
        row([36, 320], 'EXAMPLE, Robin', 'DOB: 14/09/1978   Sex: F'),
        ...(isNamed ? [say('Collected: 11/03/2026 08:15')] : [say('Requested: 10/03/2026')]),
        row(places, 'Date', '20/01/2025', '02/09/2025', '11/03/2026'),
        row(places, 'Time', '0810', '0905', '0815'),
        row(places, 'Lab No', '55120944', '55980417', '56210033', 'Units', 'Reference'),
        say('SERUM'),
        ...all.map((one) =>
          row(
            places,
            one.name,
            earlier(one, 0.93),
            earlier(one),
            `${one.text}${one.flag ? ` ${one.flag}` : ''}`,
            one.unit,
            `(${one.low}-${one.high})`,
          ),
        ),
        say('COMMENT: 56210033 results are consistent with earlier requests.'),
      ],
    ],
    all.map((one): Expected => (isNamed ? is(one) : waits(one.name, one.text))),
  )
}

/** Days above columns, in words, under a title such as "Your history". */
function histories(index: number): Promise<Made> {
  const all = take(index + 19, 4)
  const places = [36, 200, 270, 350, 450]
  const title = at(['Your history', 'Trend', 'Previous results', 'Earlier tests'], index)
  return file(
    [
      [
        say('Westbrook Diagnostics'),
        row([36, 300], 'Robin Example', 'Sample taken on 11 March 2026'),
        row(places, 'Marker', 'Your result', 'Unit', 'Normal range'),
        ...all.map((one) => row(places, one.name, one.text, one.unit, `${one.low} - ${one.high}`)),
        [],
        say(title),
        row(places, 'Marker', 'Sep 2025', 'Jan 2025', 'Unit'),
        ...all.map((one) => row(places, one.name, earlier(one), earlier(one, 0.93), one.unit)),
      ],
    ],
    [...all.map((one) => is(one)), ...all.map((one) => waits(one.name, earlier(one)))],
  )
}

/** Blood and urine under titles, and a table of the strip with the same names. */
function specimens(index: number): Promise<Made> {
  const all = take(index + 21, 4)
  const places = [36, 220, 300, 390]
  const title = at(['URINALYSIS', 'Urine microscopy and chemistry', 'URINE, RANDOM', 'Urinalysis, Complete'], index)
  return file(
    [
      [
        say('HARBOUR CLINICAL LABORATORIES'),
        row([36, 300], 'Patient: EXAMPLE, ROBIN', 'Collected: 03/25/2026'),
        row(places, 'Test', 'Result', 'Units', 'Reference Range'),
        say('CHEMISTRY'),
        ...all.map((one) => row(places, one.name, one.text, one.unit, `${one.low}-${one.high}`)),
        say(title),
        say('Blood may be present during menstruation'),
        row(places, 'Glucose', '40', 'mg/dL', '0-15'),
        row(places, 'Protein', 'Trace', '', 'Negative'),
        row(places, 'Creatinine', '102', 'mg/dL', '20-275'),
        row(places, 'Potassium', '31', 'mmol/L', '25-125'),
        say('End of report'),
      ],
    ],
    [
      ...all.map((one) => is(one)),
      { as: 'result', biomarkerId: 'glucose_urine', text: '40', value: 40, unit: 'mg/dL', isCertain: false },
      finds('urine_protein_strip', 'Protein', 'Trace', 'trace'),
      { as: 'result', biomarkerId: 'creatinine_urine', text: '102', value: 102, unit: 'mg/dL', isCertain: false },
      { as: 'result', biomarkerId: 'potassium_urine', text: '31', value: 31, unit: 'mmol/L', isCertain: false },
    ],
  )
}

/** A column of a mean, a goal, a percentile or a population beside the value. */
function averages(index: number): Promise<Made> {
  const all = take(index + 23, 5)
  const other = at(['Average', 'Mean of last 5', 'Optimal', 'Population median', 'Percentile'], index)
  const isBefore = index % 2 === 1
  const places = [36, 190, 270, 350, 430]
  return file(
    [
      [
        say('Westbrook Wellness Laboratory'),
        row([36, 300], 'Robin Example', 'Collected 03/25/2026'),
        row(places, 'Biomarker', ...(isBefore ? [other, 'Result'] : ['Result', other]), 'Units', 'Reference Range'),
        ...all.map((one) => {
          const pair = [one.text, index % 5 === 4 ? '63' : earlier(one)]
          return row(places, one.name, ...(isBefore ? pair.reverse() : pair), one.unit, `${one.low} - ${one.high}`)
        }),
      ],
    ],
    all.map((one) => is(one)),
  )
}

/** Remarks with numbers between the rows, addresses and telephone numbers in the foot. */
function remarks(index: number): Promise<Made> {
  const all = take(index + 25, 5)
  const places = [36, 220, 280, 350, 430]
  const remark = (one: Taken, n: number) =>
    at(
      [
        `${one.name} was ${earlier(one)} ${one.unit} in September.`,
        `Values above ${one.high} ${one.unit} should be repeated within 14 days.`,
        'Method: photometry, run 4471, lot 20260301',
        `Desirable: < ${one.low} ${one.unit}; borderline: ${one.low} - ${one.high} ${one.unit}`,
        'The risk in 10 years is 4.2 % (SCORE2).',
      ],
      n + index,
    )
  return file(
    [
      [
        say('HARBOUR CLINICAL LABORATORIES'),
        row([36, 300], 'Patient: EXAMPLE, ROBIN', 'Collected: 03/25/2026'),
        row(places, 'Test', 'Result', 'Flag', 'Units', 'Reference Range'),
        ...all.flatMap((one, n) => [
          row(places, one.name, one.text, one.flag, one.unit, `${one.low}-${one.high}`),
          say(remark(one, n), 48),
        ]),
        [],
        say('14 Quay Road, Portside 04401    Tel 555-010-4400    CLIA 99D0000000    Report 4711 v 2.1'),
      ],
    ],
    all.map((one) => is(one)),
  )
}

/** The value, its unit and its range on lines below the name. */
function brokenRows(index: number): Promise<Made> {
  const all = take(index + 27, 5)
  const lines = all.flatMap((one): Printed[] =>
    at<Printed[]>(
      [
        [say(one.name), row([60, 120, 200], one.text, one.unit, `${one.low}-${one.high}`)],
        [row([36, 240], one.name, one.text), row([240, 330], one.unit, `${one.low}-${one.high}`)],
        [say(one.name), say(`Result: ${one.text} ${one.unit}`, 60), say(`Normal: ${one.low}-${one.high}`, 60)],
        [row([36, 300], one.name, `${one.text}`), say(`${one.unit}   (normal ${one.low}-${one.high})`, 300)],
      ],
      index,
    ),
  )
  return file(
    [[say('Portside Health Check'), row([36, 300], 'Robin Example', 'Collected: 25 March 2026'), [], ...lines]],
    all.map((one) => is(one)),
  )
}

/** Flags as columns of crosses, as words, as arrows, before or behind the value. */
function flags(index: number): Promise<Made> {
  const all = take(index + 29, 6)
  const [heads, cells] = at<[string[], (one: Taken) => string[]]>(
    [
      [
        ['Test', 'Low', 'Normal', 'High', 'Units', 'Limits'],
        (one) => [
          one.name,
          one.flag === 'L' ? one.text : '',
          one.flag === '' ? one.text : '',
          one.flag === 'H' ? one.text : '',
          one.unit,
          `${one.low}-${one.high}`,
        ],
      ],
      [
        ['Test', 'Result', 'Status', '', 'Units', 'Limits'],
        (one) => [
          one.name,
          one.text,
          one.flag === 'H' ? 'ABOVE RANGE' : one.flag === 'L' ? 'BELOW RANGE' : 'IN RANGE',
          '',
          one.unit,
          `${one.low}-${one.high}`,
        ],
      ],
      [
        ['Test', '', 'Result', '', 'Units', 'Limits'],
        (one) => [
          one.name,
          one.flag === 'H' ? '▲' : one.flag === 'L' ? '▼' : '',
          one.text,
          '',
          one.unit,
          `${one.low}-${one.high}`,
        ],
      ],
      [
        ['Test', 'Result', 'Abn', '', 'Units', 'Limits'],
        (one) => [one.name, one.text, one.flag ? 'A' : '', '', one.unit, `${one.low}-${one.high}`],
      ],
    ],
    index,
  )
  const places = [36, 190, 260, 330, 400, 470]
  return file(
    [
      [
        say('Harbour Laboratory'),
        row([36, 300], 'Patient: Robin Example', 'Collected: 03/25/2026'),
        row(places, ...heads),
        ...all.map((one) => row(places, ...cells(one))),
      ],
    ],
    all.map((one) => is(one)),
  )
}

/** Ranges by sex, age or phase on lines of their own. */
function tableRanges(index: number): Promise<Made> {
  const [a, b] = take(index + 31, 2, { not: ['ferritin'] }) as [Taken, Taken]
  const places = [36, 200, 270, 340]
  const phases: Printed[] = at<Printed[]>(
    [
      [
        row([340, 440], 'Follicular', '19.5-144.2'),
        row([340, 440], 'Midcycle', '63.9-356.7'),
        row([340, 440], 'Luteal', '55.8-214.2'),
        row([340, 440], 'Postmenopausal', '<32.2'),
      ],
      [say('Follicular phase: 19.5 - 144.2 pg/mL', 340), say('Luteal phase: 55.8 - 214.2 pg/mL', 340)],
      [
        say('Adult Female:', 340),
        say('Follicular phase   12.5 - 166.0', 350),
        say('Ovulation phase   85.8 - 498.0', 350),
        say('Pregnancy 1st trimester   215.0 - >4300.0', 350),
      ],
    ],
    index,
  )
  return file(
    [
      [
        say('Harbour Laboratory'),
        row([36, 300], 'Patient: Robin Example', 'Collected: 03/25/2026'),
        row(places, 'Test', 'Result', 'Units', 'Reference Range'),
        row(places, a.name, a.text, a.unit, `${a.low}-${a.high}`),
        row(places, 'Estradiol', '98.4', 'pg/mL', ''),
        ...phases,
        row(places, 'Ferritin', '44', 'ng/mL', 'M: 30-400'),
        row(places, '', '', '', 'F: 13-150'),
        row(places, b.name, b.text, b.unit, `${b.low}-${b.high}`),
      ],
    ],
    [
      is(a),
      { as: 'result', biomarkerId: 'estradiol', text: '98.4', value: 98.4, unit: 'pg/mL', isCertain: true },
      { as: 'result', biomarkerId: 'ferritin', text: '44', value: 44, unit: 'ng/mL', isCertain: true },
      is(b),
    ],
  )
}

/** Each value in conventional and in SI units, each with its range. */
function twoUnits(index: number): Promise<Made> {
  const mass = take(index + 33, 5, {
    not: ['sodium', 'potassium', 'chloride', 'alt', 'ast', 'crp', 'tsh', 'hba1c', 'ferritin', 'platelets', 'wbc'],
  })
  const si = take(index + 33, 5, {
    si: true,
    not: ['sodium', 'potassium', 'chloride', 'alt', 'ast', 'crp', 'tsh', 'hba1c', 'ferritin', 'platelets', 'wbc'],
  })
  const places = [36, 170, 220, 270, 350, 400, 460]
  return file(
    [
      [
        say('Clinica del Puerto  -  Laboratory'),
        row([36, 300], 'Patient: Robin Example', 'Collected: 25/03/2026'),
        row(places, 'Test', 'Result', 'Unit', 'Range', 'SI result', 'SI unit', 'SI range'),
        ...mass.map((one, n) => {
          const other = si[n] as Taken
          return row(
            places,
            one.name,
            one.text,
            one.unit,
            `${one.low}-${one.high}`,
            other.text,
            other.unit,
            `${other.low}-${other.high}`,
          )
        }),
      ],
    ],
    mass.map((one) => is(one, { isCertain: false })),
  )
}

/** Values that the laboratory computed, among those that it measured. */
function computed(index: number): Promise<Made> {
  const rows: [id: string | null, name: string, text: string, unit: string, range: string][] = [
    ['creatinine', 'Creatinine', '0.91', 'mg/dL', '0.60-1.20'],
    ['egfr', 'eGFR (CKD-EPI 2021)', '81', 'mL/min/1.73m2', '>59'],
    ['total_cholesterol', 'Cholesterol, Total', '204', 'mg/dL', '100-199'],
    ['hdl', 'HDL Cholesterol', '61', 'mg/dL', '>39'],
    ['triglycerides', 'Triglycerides', '95', 'mg/dL', '0-149'],
    ['ldl', 'LDL Cholesterol', '124', 'mg/dL', '0-99'],
    [
      'total_hdl_ratio',
      at(['Chol/HDL Ratio', 'Total Cholesterol:HDL Ratio', 'T. Chol/HDL Ratio'], index),
      '3.3',
      at(['ratio', '', 'ratio'], index),
      '0.0-4.4',
    ],
    [null, 'Anion Gap', '9', 'mmol/L', '5-15'],
  ]
  const places = [36, 220, 290, 390]
  return file(
    [
      [
        say('Harbour Laboratory'),
        row([36, 300], 'Patient: Robin Example', 'Collected: 03/25/2026'),
        row(places, 'Test', 'Result', 'Units', 'Reference Range'),
        ...rows.map(([, name, text, unit, range]) => row(places, name, text, unit, range)),
        say('LDL calculated by the NIH equation; not valid above triglycerides of 800 mg/dL.'),
      ],
    ],
    rows.map(([id, name, text, unit]) =>
      id === null
        ? waits(name, text)
        : {
            as: 'result',
            biomarkerId: id,
            text,
            value: Number(text),
            unit,
            isCertain: unit !== '' && unit !== 'ratio',
          },
    ),
  )
}

/** A second page about quality: controls, calibration, limits of the method. */
function quality(index: number): Promise<Made> {
  const all = take(index + 35, 4)
  const places = [36, 220, 300, 390]
  const [title, heads] = at<[string, string[]]>(
    [
      ['QUALITY CONTROL', ['Test', 'Control level 1', 'Units', 'Target']],
      ['Calibration record', ['Test', 'Result', 'Units', 'Assigned value']],
      ['Internal quality control of this run', ['Analyte', 'Value', 'Unit', 'Expected range']],
      ['Method performance', ['Test', 'LoQ', 'Units', 'CV %']],
    ],
    index,
  )
  return file(
    [
      [
        say('Harbour Laboratory'),
        row([36, 300], 'Patient: Robin Example', 'Collected: 03/25/2026'),
        row(places, 'Test', 'Result', 'Units', 'Reference Range'),
        ...all.map((one) => row(places, one.name, one.text, one.unit, `${one.low}-${one.high}`)),
      ],
      [
        say(title),
        [],
        row(places, ...heads),
        ...all.map((one) => row(places, one.name, earlier(one), one.unit, earlier(one, 1.02))),
      ],
    ],
    [...all.map((one) => is(one)), ...all.map((one) => waits(one.name, earlier(one)))],
  )
}

/** Reports of two people in one file. */
function people(index: number): Promise<Made> {
  const all = take(index + 37, 4)
  const places = [36, 220, 300, 390]
  const page = (name: string, born: string, list: readonly Taken[]): Printed[] => [
    say('Harbour Laboratory'),
    row([36, 300], `Patient: ${name}`, `DOB: ${born}`),
    say('Collected: 03/25/2026'),
    row(places, 'Test', 'Result', 'Units', 'Reference Range'),
    ...list.map((one) => row(places, one.name, one.text, one.unit, `${one.low}-${one.high}`)),
  ]
  const other = at(
    [
      ['Sample, Chris', '02/03/1991'],
      ['Example, Robin', '09/14/1987'],
    ] as const,
    index,
  )
  return file(
    [page('Example, Robin', '09/14/1978', all.slice(0, 2)), page(other[0], other[1], all.slice(2))],
    all.map((one) => waits(one.name, one.text)),
    { waits: true },
  )
}

/** Answers in words on paper. */
function answers(index: number): Promise<Made> {
  const [a] = take(index + 39, 1) as [Taken]
  const places = [36, 260, 340, 420]
  const said: [id: string, name: string, text: string, value: string][] = [
    ['hbsag', 'HBsAg', at(['Negative', 'Non-Reactive', 'Not Detected'], index), 'negative'],
    [
      'hiv_ag_ab',
      'HIV 1/2 antigen and antibody',
      at(['Non-Reactive', 'Reactive', 'NEGATIVE'], index),
      at(['negative', 'positive', 'negative'], index),
    ],
    [
      'rubella_igg',
      'Rubella IgG',
      at(['Positive', 'Immune', 'Equivocal'], index),
      at(['positive', 'positive', 'indeterminate'], index),
    ],
  ]
  return file(
    [
      [
        say('Harbour Laboratory'),
        row([36, 300], 'Patient: Robin Example', 'Collected: 03/25/2026'),
        row(places, 'Test', 'Result', 'Units', 'Reference Range'),
        row(places, a.name, a.text, a.unit, `${a.low}-${a.high}`),
        ...said.map(([, name, text]) => row(places, name, text, '', name === 'Rubella IgG' ? 'Immune' : 'Negative')),
      ],
    ],
    [is(a), ...said.map(([id, name, text, value]) => finds(id, name, text, value))],
  )
}

/** Numbers with marks of thousands and decimals on one page. */
function marks(index: number): Promise<Made> {
  const isEuropean = index % 2 === 0
  const [decimal, group] = isEuropean ? [',', '.'] : ['.', ',']
  const rows: [
    id: string,
    name: Record<'en' | 'de', string>,
    text: string,
    value: number,
    unit: string,
    range: string,
  ][] = [
    ['potassium', { en: 'Potassium', de: 'Kalium' }, `4${decimal}4`, 4.4, 'mmol/L', `3${decimal}5 - 5${decimal}1`],
    ['ferritin', { en: 'Ferritin', de: 'Ferritin' }, `1${group}250`, 1250, 'ng/mL', '30 - 300'],
    ['nt_probnp', { en: 'NT-proBNP', de: 'NT-proBNP' }, `1${group}420`, 1420, 'pg/mL', '< 125'],
    ['vitamin_b12', { en: 'Vitamin B12', de: 'Vitamin B12' }, '412', 412, 'pg/mL', '200 - 900'],
  ]
  const tongue: Tongue & ('en' | 'de') = isEuropean ? 'de' : 'en'
  const places = [36, 220, 300, 390]
  return file(
    [
      [
        say(isEuropean ? 'Labor Hafen' : 'Harbour Laboratory'),
        row([36, 300], 'Patient: Example, Robin', isEuropean ? 'Entnahme: 25.03.2026' : 'Collected: 03/25/2026'),
        row(
          places,
          ...(isEuropean
            ? ['Untersuchung', 'Ergebnis', 'Einheit', 'Referenzbereich']
            : ['Test', 'Result', 'Units', 'Reference Range']),
        ),
        ...rows.map(([, name, text, , unit, range]) => row(places, name[tongue], text, unit, range)),
      ],
    ],
    rows.map(([id, , text, value, unit]) => ({
      as: 'result',
      biomarkerId: id,
      text,
      value,
      unit,
      isCertain: !text.includes(group),
    })),
  )
}

export const freshPdf: readonly Fresh[] = [
  { name: 'pdf, American', count: 4, make: american },
  { name: 'pdf, blocks', count: 3, make: blocks },
  { name: 'pdf, British', count: 4, make: british },
  { name: 'pdf, German', count: 6, make: german },
  { name: 'pdf, French', count: 6, make: french },
  { name: 'pdf, French, two units', count: 2, make: frenchTwice },
  { name: 'pdf, Spanish', count: 4, make: spanish },
  { name: 'pdf, Dutch', count: 4, make: dutch },
  { name: 'pdf, Nordic', count: 4, make: nordic },
  { name: 'pdf, Australian', count: 4, make: cumulative },
  { name: 'pdf, history below', count: 4, make: histories },
  { name: 'pdf, blood and urine', count: 4, make: specimens },
  { name: 'pdf, averages and goals', count: 5, make: averages },
  { name: 'pdf, remarks', count: 4, make: remarks },
  { name: 'pdf, broken rows', count: 4, make: brokenRows },
  { name: 'pdf, flags', count: 4, make: flags },
  { name: 'pdf, tables of ranges', count: 3, make: tableRanges },
  { name: 'pdf, two units', count: 3, make: twoUnits },
  { name: 'pdf, computed', count: 3, make: computed },
  { name: 'pdf, quality', count: 4, make: quality },
  { name: 'pdf, people', count: 2, make: people },
  { name: 'pdf, answers', count: 3, make: answers },
  { name: 'pdf, marks of numbers', count: 2, make: marks },
]
