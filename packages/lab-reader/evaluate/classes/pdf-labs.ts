import type { Random } from '../../../../prove/random.ts'
import type { Printed } from '../../../../test/samples/make-pdf.ts'
import { type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { documentOf, head, line, rangeText } from './pdf-lines.ts'
import { below, result } from './result.ts'

const between = ({ fact }: Measured, random: Random) =>
  print(fact.low + (fact.high - fact.low) * random.fraction(), fact.decimals)

/** As large Indian laboratories print: a column of methods before the value, the range in a block below the table. */
async function technology(random: Random): Promise<Made> {
  const at = { name: 36, method: 230, value: 330, unit: 400, range: 470 }
  const hasRange = random.between(0, 1) === 0
  const lines: Printed[] = [
    [[36, random.pick(['THYROTECH LABORATORIES', 'MERIDIAN DIAGNOSTICS', 'CITY PATH LABS'])]],
    [
      [36, 'NAME : JAMIE DOE (42Y/F)'],
      [330, 'REF. BY : SELF'],
    ],
    [[36, `Sample Collected on (SCT) : ${random.between(13, 28)} Jan 2025 08:15`]],
    [[36, `Report Released on (RRT) : ${random.between(13, 28)} Feb 2025 13:02`]],
    [
      [36, 'Sample Type : SERUM'],
      [330, `Labcode : ${random.between(100000, 999999)}/DN214`],
    ],
    [],
    line(
      { at },
      {
        name: random.pick(['TEST NAME', 'Test Name']),
        method: random.pick(['TECHNOLOGY', 'Method', 'Methodology']),
        value: random.pick(['VALUE', 'Observed Value', 'RESULT']),
        unit: 'UNITS',
        range: hasRange ? random.pick(['NORMAL RANGE', 'Bio. Ref. Interval.', 'Biological Ref. Interval']) : '',
      },
    ),
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(4, 10))) {
    const text = print(one.value, one.fact.decimals)
    const method = random.pick(['C.L.I.A', 'E.C.L.I.A', 'PHOTOMETRY', 'CALCULATED', 'H.P.L.C', 'I.S.E', 'C.M.I.A'])
    const range = hasRange ? rangeText(random, one) : ''
    lines.push(line({ at }, { name: one.name.toUpperCase(), method, value: text, unit: one.fact.unit, range }))
    expected.push(result(one, text))
    if (random.between(0, 4) === 0)
      lines.push([
        [
          36,
          random.pick(['(Kinetic, 340 nm)', 'Please correlate with clinical conditions.', 'Clinical Significance :']),
        ],
      ])
  }
  lines.push(
    [],
    [[36, 'Bio. Ref. Interval. :-']],
    [[36, 'Adults : 0.27 - 4.20']],
    [[36, 'Cord Blood : 1.0 - 39.0 ng/dl']],
    [
      [36, 'Method :'],
      [120, 'FULLY AUTOMATED CHEMI LUMINESCENT IMMUNO ASSAY'],
    ],
    [
      [36, '~~ End of report ~~'],
      [450, 'Page : 1 of 14'],
    ],
  )
  return documentOf([{ lines }], expected)
}

/** The method stands in brackets below each name; numbers of samples and doctors stand around the table. */
async function methodBelow(random: Random): Promise<Made> {
  const at = { name: 36, value: 250, unit: 340, range: 430 }
  const lines: Printed[] = [
    [
      [36, 'Name : Jamie Doe'],
      [300, `Collected : ${random.between(13, 28)}/1/2025 10:29:11AM`],
    ],
    [
      [36, `Lab No. : ${random.between(100000000, 999999999)}`],
      [300, `Reported : ${random.between(13, 28)}/2/2025 10:48:25AM`],
    ],
    [
      [36, 'Age : 42 Years'],
      [200, 'Gender : Female'],
      [300, 'Report Status : Final'],
    ],
    [],
    line({ at }, { name: 'Test Name', value: 'Results', unit: 'Units', range: 'Bio. Ref. Interval' }),
    [[36, 'SwasthFit Super 4'.replace('Swasth', 'Health')]],
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 12))) {
    const text = print(one.value, one.fact.decimals)
    lines.push(line({ at }, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one) }))
    lines.push([
      [
        36,
        random.pick([
          '(Electrical Impedance & VCS)',
          '(CLIA)',
          '(Modified Jaffe, Kinetic)',
          '(GPO-POD)',
          '(IFCC without P5P)',
        ]),
      ],
    ])
    expected.push(result(one, text))
  }
  lines.push(
    [],
    [[36, 'Note']],
    [[36, '1. Estimated values above 140 mg/dL after 2 hours need a second sample.']],
    [
      [36, `*${random.between(100000000, 999999999)}*`],
      [300, 'Page 1 of 3'],
    ],
    [
      [36, 'Dr K Rao'],
      [200, 'MD, Pathology'],
      [300, 'DMC - 80017'],
    ],
  )
  return documentOf([{ lines }], expected)
}

/** A German report: flags before or behind the value, the value before with its day, the method below the name. */
async function german(random: Random): Promise<Made> {
  const at = { name: 36, flag: 205, value: 225, unit: 290, range: 360, before: 470 }
  const flagFirst = random.between(0, 1) === 0
  const lines: Printed[] = [
    [[36, 'Medizinisches Versorgungszentrum Labor Nord']],
    [
      [36, 'Patient: Mustermann, Kim'],
      [300, 'geb.: 14.02.1980'],
    ],
    [
      [36, `Entnahme: ${random.between(13, 28)}.03.2025`],
      [300, `Befunddatum: ${random.between(13, 28)}.04.2025`],
    ],
    [[36, 'Material: Serum']],
    [],
    line(
      { at },
      {
        name: random.pick(['Untersuchung', 'Analyse']),
        value: random.pick(['Ergebnis', 'Messwert']),
        unit: 'Einheit',
        range: random.pick(['Referenzbereich', 'Normbereich']),
        before: random.pick(['Vorwert', 'Vorbefund', 'Vorwert (Datum)']),
      },
    ),
    [[36, random.pick(['Klinische Chemie', 'Hämatologie', 'Endokrinologie'])]],
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(6, 12), 'de')) {
    const { fact } = one
    const text = print(one.value, fact.decimals, { comma: true })
    const sign = one.flag === '' ? '' : one.flag === 'H' ? random.pick(['+', '++', 'H']) : random.pick(['-', 'L'])
    const before = random.between(0, 2) === 0 ? '' : `${between(one, random).replace('.', ',')} (12.03.24)`
    lines.push(
      line(
        { at },
        {
          name: one.name,
          flag: flagFirst ? sign : '',
          value: flagFirst ? text : `${text}${sign === '' ? '' : ` ${sign}`}`,
          unit: fact.unit,
          range: rangeText(random, one, true),
          before,
        },
      ),
    )
    expected.push(result(one, text))
    if (random.between(0, 3) === 0)
      lines.push([
        [
          36,
          random.pick([
            '(photometrisch)',
            'Bitte beachten: neuer Referenzbereich ab 01.01.2025',
            '(ECLIA, Fremdlabor)',
          ]),
        ],
      ])
  }
  lines.push([
    [36, 'Seite 1 von 2'],
    [300, 'Tel. 06132 781-0'],
    [420, 'Fax 06132 781-214'],
  ])
  return documentOf([{ lines }], expected)
}

/** Sometimes, below a title of another specimen or of earlier results, two more results that have to wait. */
function ofUrine(random: Random, expected: Expected[], written: (one: Measured, text: string) => Printed[]): Printed[] {
  if (random.between(0, 2) > 0) return []
  const all = measure(random, 2)
  const title = random.pick(['Urine', 'Saliva', 'Previous results', 'Specimen: Urine'])
  const lines = all.flatMap((one) => {
    const text = print(one.value, one.fact.decimals)
    expected.push(below(title, one, text))
    return written(one, text)
  })
  return [[], [[36, title]], ...lines]
}

/** As practices in the United Kingdom print: name, value and unit in one text, the range in brackets behind it. */
async function bracketed(random: Random): Promise<Made> {
  const headed = random.between(0, 1) === 0
  const [open, close] = random.pick([
    ['[', ']'],
    ['(', ')'],
  ] as const)
  const lines: Printed[] = [
    [
      [36, 'Patient: Doe, Jamie'],
      [250, 'Date of birth: 13-Feb-1980'],
      [420, 'NHS No: 999 000 0000'],
    ],
    [
      [36, `Collected: ${random.between(13, 28)}-Mar-2025`],
      [250, `Reported: ${random.between(13, 28)}-Apr-2025`],
    ],
    [[36, random.pick(['Pathology Investigations', 'Laboratory Results'])]],
    ...(headed ? [[[36, 'Serum lipids - (ABC12) - Normal - No Action'] as [number, string]] satisfies Printed] : []),
    [],
  ]
  const expected: Expected[] = []
  const apart = random.between(0, 1) === 0
  for (const one of measure(random, random.between(5, 10))) {
    const text = print(one.value, one.fact.decimals)
    const range = `${open}${print(one.fact.low, one.fact.decimals)} - ${print(one.fact.high, one.fact.decimals)}${close}`
    const said = one.flag === 'H' ? 'Above high reference limit' : one.flag === 'L' ? 'Below low reference limit' : ''
    lines.push(
      apart
        ? [
            [36, one.name],
            [250, `${text} ${one.fact.unit} ${range}`],
          ]
        : [[36, `${one.name} ${text} ${one.fact.unit} ${range}`]],
    )
    if (said) lines.push([[60, said]])
    expected.push(result(one, text))
  }
  lines.push(
    ...ofUrine(random, expected, (one, text) => [[[36, `${one.name} ${text} ${one.fact.unit} ${open}1 - 2${close}`]]]),
  )
  lines.push([
    [36, 'Filed by: reception, 04 Apr 2025 09:12'],
    [400, 'Page 1'],
  ])
  return documentOf([{ lines }], expected)
}

/** Cards of consumer reports with a badge, a legend, a goal, an average and the value before around the value. */
async function busyCards(random: Random): Promise<Made> {
  const lines = [...head(random)]
  const expected: Expected[] = []
  const valueFirst = random.between(0, 1) === 0
  const badge = random.pick([true, false])
  for (const one of measure(random, random.between(2, 4))) {
    const { fact } = one
    const text = print(one.value, fact.decimals)
    const state = one.flag === 'H' ? 'Above range' : one.flag === 'L' ? 'Below range' : 'In range'
    const [low, high] = [print(fact.low, fact.decimals), print(fact.high, fact.decimals)]
    lines.push(
      badge
        ? [
            [36, one.name, 11],
            [300, state, 8],
          ]
        : [[36, one.name, 11]],
    )
    const extra: Printed[] = [
      [[36, `Previous: ${between(one, random)} (Jan 2024)`]],
      [[36, `Goal: ${low} - ${high} ${fact.unit}`]],
      [[36, `Average for your age: ${between(one, random)} ${fact.unit}`]],
      [
        [36, 'Low'],
        [120, low],
        [200, 'Normal'],
        [300, high],
        [380, 'High'],
      ],
    ]
    const others = extra.filter(() => random.between(0, 1) === 0)
    const value: Printed = [
      [36, text, 16],
      [36 + text.length * 10 + 10, fact.unit, 9],
    ]
    const range: Printed = [[36, `Reference range: ${low} - ${high} ${fact.unit}`]]
    lines.push(...(valueFirst ? [value, range, ...others] : [value, ...others, range]), [])
    expected.push(result(one, text, { isCertain: valueFirst || others.length === 0 }))
  }
  lines.push(
    ...ofUrine(random, expected, (one, text) => [
      [[36, one.name, 11]],
      [
        [36, text, 16],
        [120, one.fact.unit, 9],
      ],
      [[36, 'Reference range: 1 - 2']],
    ]),
  )
  return documentOf([{ lines, fontSize: 10, leading: 1.6 }], expected)
}

/** Words instead of values, and a column of states. */
async function words(random: Random): Promise<Made> {
  const at = { name: 36, value: 200, flag: 260, status: 310, unit: 390, range: 450 }
  const hasStatus = random.between(0, 1) === 0
  const lines = [
    ...head(random),
    line(
      { at },
      {
        name: 'Test',
        value: 'Result',
        flag: 'Flag',
        status: hasStatus ? 'Status' : '',
        unit: 'Units',
        range: 'Reference Range',
      },
    ),
  ]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(6, 12))) {
    const text = print(one.value, one.fact.decimals)
    const range = rangeText(random, one)
    const word = random.pick([
      'Canceled',
      'CANCELLED',
      'Revoked',
      'Hemolyzed',
      'HEMOLYZED',
      'QNS',
      'TNP',
      'Pending',
      'Not done',
      'Clotted',
      'Lipemic',
      'Invalid',
      'Void',
      'See Below',
      'DNR',
    ])
    if (random.between(0, 3) === 0) {
      lines.push(line({ at }, { name: one.name, value: word, range }))
      expected.push({ as: 'wait', text: '', name: one.name })
      if (random.between(0, 1)) lines.push([[42, 'Specimen received 26 hours after 15:30; stability exceeded.']])
      continue
    }
    const status = random.pick([
      'Final',
      'Final',
      'F',
      'Corrected',
      'Canceled',
      'Revoked',
      'Pending',
      'Entered in error',
      'Void',
    ])
    lines.push(
      line(
        { at },
        { name: one.name, value: text, flag: one.flag, status: hasStatus ? status : '', unit: one.fact.unit, range },
      ),
    )
    const counts = !hasStatus || ['Final', 'F', 'Corrected'].includes(status)
    expected.push(counts ? result(one, text) : { as: 'wait', text, name: one.name })
  }
  return documentOf([{ lines }], expected)
}

export const pdfLabClasses: readonly DocumentClass[] = [
  { name: 'pdf, method before the value', make: technology },
  { name: 'pdf, method below the name', make: methodBelow },
  { name: 'pdf, German with values before', make: german },
  { name: 'pdf, range in brackets', make: bracketed },
  { name: 'pdf, busy cards', make: busyCards },
  { name: 'pdf, words for values', make: words },
]
