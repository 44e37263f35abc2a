import type { Expected, Made } from '../truth.ts'
import { at, earlier, type Fresh, finds, is, type Taken, take, waits } from './analytes.ts'

// Segments and types are those of HL7 v2, chapters 2 and 7; coded answers those of tables 0078 and 0532 and of SNOMED CT.

interface Obx {
  n?: number
  type?: string
  code: string
  sub?: string
  value: string
  unit?: string
  range?: string
  flag?: string
  status?: string
  at?: string
  rest?: string
}

const obx = ({ n = 1, type = 'NM', code, sub = '', value, unit = '', range = '', flag = '', ...more }: Obx) =>
  `OBX|${n}|${type}|${code}|${sub}|${value}|${unit}|${range}|${flag}|||${more.status ?? 'F'}|||${more.at ?? ''}${more.rest ?? ''}`

const msh = (version = '2.5.1', id = 'M1', time = '20260312104500', more = '') =>
  `MSH|^~\\&|LIS|HARBOUR LAB|KITS|OPS|${time}||ORU^R01|${id}|P|${version}${more}`
const pid = 'PID|1||H-55871^^^HARBOUR^MR||Example^Robin^T||19780914|F'
const obr = (n: number, panel: string, more: { day?: string; source?: string; status?: string; tail?: string } = {}) =>
  `OBR|${n}|P${n}|F${n}|${panel}|||${more.day ?? '202603110815'}||||||||${more.source ?? ''}|||||||202603121030||CH|${more.status ?? 'F'}${more.tail ?? ''}`

const file = (segments: readonly string[], expected: Expected[], more: Partial<Made> = {}): Made => ({
  ...{ format: 'hl7v2', bytes: Buffer.from(`${segments.join('\r')}\r`), expected },
  ...more,
})
const loinc = ({ loinc, name }: Taken) => `${loinc}^${name}^LN`
const plain = (one: Taken, n: number, more: Partial<Obx> = {}) =>
  obx({
    ...{ n, code: loinc(one), value: one.text, unit: one.unit, range: `${one.low}-${one.high}`, flag: one.flag },
    ...more,
  })

/** A reference laboratory of the older version: its own code first, notes of the performing site, segments of its own. */
function referenceLaboratory(index: number): Made {
  const all = take(index, 6)
  const [first, second, third, ...others] = all as [Taken, Taken, Taken, ...Taken[]]
  const own = (one: Taken, n: number) => `00${1200 + n}^${one.name.toUpperCase()}^L^${one.loinc}^${one.name}^LN`
  return file(
    [
      msh('2.3.1'),
      pid,
      'NTE|1|P|FASTING: YES',
      'ORC|RE|P1|F1||CM',
      obr(1, '322000^CHEMISTRY^L'),
      ...[first, second].map((one, n) => plain(one, n + 1, { type: 'ST', code: own(one, n), at: '', rest: '|01' })),
      `NTE|1|L|Previous ${first.name}: ${earlier(first)} ${first.unit} on 11/02/2025`,
      plain(third, 3, { type: 'ST', code: own(third, 3), value: `<${third.text}`, flag: 'L' }),
      obx({ n: 4, type: 'ST', code: '001999^SPECIMEN INTEGRITY^L', value: 'TNP', status: 'X' }),
      ...others.map((one, n) => plain(one, n + 5, { code: own(one, n + 5) })),
      'ZPS|1|01|HARBOUR LABORATORY|14 QUAY ROAD^^PORTSIDE|4.4|mmol/L',
    ],
    [
      is(first),
      is(second),
      is(third, { text: third.text, comparator: '<' }),
      waits('SPECIMEN INTEGRITY', 'TNP'),
      ...others.map((one) => is(one)),
    ],
    { day: '2026-03-11' },
  )
}

/** The guide of the United States for laboratory results: coded units, SN, SPM behind the results, performing organisation. */
function laboratoryResultsInterface(index: number): Made {
  const all = take(index + 2, 6)
  return file(
    [
      msh('2.5.1', 'LRI-7', '20260312104500-0500', '||||AL|NE|||||LRI_NG_RN_Profile^^2.16.840.1.113883.9.20^ISO'),
      'SFT|Harbour^L|4.1|LIS|88',
      `${pid}|||12 Main^^Portside|||||||||||||N`,
      'ORC|RE|P1^EHR|F1^LIS',
      obr(1, '24323-8^Comprehensive panel^LN', { day: '20260311081500-0500' }),
      'TQ1|1||||||20260311',
      ...all.map((one, n) =>
        plain(one, n + 1, {
          type: n % 2 ? 'SN' : 'NM',
          value: n % 2 ? `=^${one.text}` : one.text,
          unit: `${one.unit}^^UCUM^${one.unit.toUpperCase()}^^L`,
          flag: one.flag ? `${one.flag}^${one.flag === 'H' ? 'High' : 'Low'}^HL70078` : 'N^Normal^HL70078',
          at: '20260311081500-0500',
          rest: '|||||20260311150000-0500||||Harbour Laboratory^^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^99D0000000',
        }),
      ),
      'SPM|1|S1&LIS^S1&EHR||119364003^Serum specimen^SCT^SER^Serum^L|||||||P^Patient^HL70369||||||20260311081500-0500',
    ],
    all.map((one) => is(one)),
    { day: '2026-03-11' },
  )
}

const titre = (text: string, value: number, more: Partial<Expected & { as: 'result' }> = {}): Expected => ({
  ...{ as: 'result', biomarkerId: 'ana_titre', text, value, unit: '{titer}', isCertain: true },
  ...more,
})
const ANA = '5048-4^ANA titer^LN'

/** Structured numbers: comparators, titres, intervals, steps. */
function structured(index: number): Made {
  const [first, second, third, fourth] = take(index + 4, 4) as [Taken, Taken, Taken, Taken]
  const sign = at(['>', '<', '>=', '<='] as const, index)
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Panel^L'),
      plain(first, 1, { type: 'SN', value: `${sign}^${first.text}`, flag: '' }),
      plain(second, 2, { type: 'SN', value: `^${second.text}^-^${earlier(second, 1.4)}`, flag: '' }),
      plain(third, 3, { type: 'SN', value: `^${third.text}^^` }),
      obx({ n: 4, type: 'SN', code: ANA, value: at(['^1^:^320', '<^1^:^40', '^1^:^80'], index) }),
      obx({ n: 5, type: 'SN', code: '20454-5^Protein urine strip^LN', value: '^2^+' }),
      plain(fourth, 6, { type: 'SN', value: `<>^${fourth.text}`, flag: '' }),
    ],
    [
      is(first, { comparator: sign }),
      waits(second.name, second.text),
      is(third),
      at([titre('1:320', 320), titre('1:40', 40, { comparator: '<' }), titre('1:80', 80)], index),
      finds('urine_protein_strip', 'Protein urine strip', '2+', '2+'),
      waits(fourth.name, fourth.text),
    ],
  )
}

const infections = [
  ['hiv_ag_ab', '56888-1', 'HIV 1+2 Ab+HIV1 p24 Ag'],
  ['hbsag', '5196-1', 'Hepatitis B surface antigen'],
  ['hepatitis_c_antibody', '16128-1', 'Hepatitis C virus Ab'],
  ['treponema_pallidum_antibody', '22587-0', 'Treponema pallidum Ab'],
  ['rubella_igg', '25514-1', 'Rubella virus Ab IgG'],
] as const

/** Answers in all places of a coded value, which agree. */
function codedAnswers(index: number): Made {
  const values: [string, string, string][] = [
    ['10828004^Positive^SCT^POS^Reactive^L', 'Positive', 'positive'],
    ['260385009^Negative^SCT^NEG^Non-reactive^L^20250901^1', 'Negative', 'negative'],
    ['^^^NEG^Negative^L', 'Negative', 'negative'],
    ['^^^^^^^^Non reactive', 'Non reactive', 'negative'],
    ['LA6577-6^Negative^LN', 'Negative', 'negative'],
    ['131194007^Non-Reactive^SCT', 'Non-Reactive', 'negative'],
    ['11214006^Reactive^SCT^RR^Reactive^HL70078', 'Reactive', 'positive'],
    ['82334004^Indeterminate^SCT', 'Indeterminate', 'indeterminate'],
    ['NEGATIVE', 'NEGATIVE', 'negative'],
    ['^Not detected', 'Not detected', 'negative'],
  ]
  const chosen = infections.map((test, n) => ({ test, said: at(values, index * 3 + n) }))
  return file(
    [
      msh('2.5.1'),
      pid,
      obr(1, 'INF^Infections^L'),
      ...chosen.map(({ test: [, code, name], said: [value] }, n) =>
        obx({ n: n + 1, type: n % 2 ? 'CWE' : 'CE', code: `${code}^${name}^LN`, value }),
      ),
    ],
    chosen.map(({ test: [id, , name], said: [, text, value] }) => finds(id, name, text, value)),
  )
}

/** Codes, texts, repetitions and flags that say different things. */
function contradictions(index: number): Made {
  const values: [string, string, string?][] = [
    ['260373001^Not detected^SCT', 'Not detected'],
    ['260415000^Detected^SCT', 'Detected'],
    ['NEG^Negative^HL70078^POS^Positive^L', 'Negative'],
    ['131194007^Reactive^SCT', 'Reactive'],
    ['260385009^Negative^SCT~10828004^Positive^SCT', 'Negative'],
    ['260385009^^SCT^R^Reactive^L', 'Reactive'],
    ['LA6576-8^Negative^LN', 'Negative'],
    ['NEG^Negative^HL70078^^^^^^Reactive, confirmation follows', 'Negative'],
    ['260385009^Negative^SCT', 'Negative', 'POS'],
    ['', '', 'POS'],
  ]
  const chosen = infections.map((test, n) => ({ test, said: at(values, index * 3 + n) }))
  return file(
    [
      msh('2.7'),
      pid,
      obr(1, 'INF^Infections^L'),
      ...chosen.map(({ test: [, code, name], said: [value, , flag = ''] }, n) =>
        obx({ n: n + 1, type: 'CWE', code: `${code}^${name}^LN`, value, flag }),
      ),
    ],
    chosen.map(({ test: [, , name], said: [, text] }) => waits(name, text)),
  )
}

/** Answers by HL7's own tables, with and without a text. */
function tableAnswers(index: number): Made {
  const values: [string, string, string][] = [
    ['POS^Positive^HL70078', 'Positive', 'positive'],
    ['NEG^^HL70078', 'NEG', 'negative'],
    ['NR^Nonreactive^HL70078', 'Nonreactive', 'negative'],
    ['RR^^HL70078', 'RR', 'positive'],
    ['IND^Indeterminate^HL70078', 'Indeterminate', 'indeterminate'],
    ['DET^Detected^HL70078', 'Detected', 'positive'],
    ['ND^Not detected^HL70078', 'Not detected', 'negative'],
  ]
  // "No" of table 0136, "unknown" and "asked but unknown" of 0532 do not answer whether a virus was found.
  const unanswered: [string, string][] = [
    ['UNK^Unknown^HL70532', 'Unknown'],
    ['ASKU^Asked but unknown^HL70532', 'Asked but unknown'],
    ['NAV^Not available^HL70532', 'Not available'],
  ]
  const [x, y, z] = infections.slice(index % 3, (index % 3) + 3) as [
    (typeof infections)[number],
    (typeof infections)[number],
    (typeof infections)[number],
  ]
  const [a, b, c] = [at(values, index * 2), at(values, index * 2 + 1), at(unanswered, index)]
  return file(
    [
      msh('2.7'),
      pid,
      obr(1, 'INF^Infections^L'),
      obx({ n: 1, type: 'CWE', code: `${x[1]}^${x[2]}^LN`, value: a[0] }),
      obx({ n: 2, type: 'CE', code: `${y[1]}^${y[2]}^LN`, value: b[0] }),
      obx({ n: 3, type: 'CWE', code: `${z[1]}^${z[2]}^LN`, value: c[0] }),
    ],
    [finds(x[0], x[2], a[1], a[2]), finds(y[0], y[2], b[1], b[2]), waits(z[2], c[1])],
  )
}

/** Several answers in one field. */
function repetitions(index: number): Made {
  const [one, other] = take(index + 7, 2) as [Taken, Taken]
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Panel^L'),
      obx({
        ...{ n: 1, type: 'CE', code: '600-7^Bacteria identified^LN' },
        value: '112283007^Escherichia coli^SCT~3092008^Staphylococcus aureus^SCT',
      }),
      obx({
        ...{ n: 2, type: 'CWE', code: '5196-1^HBsAg^LN' },
        value: at(['260385009^Negative^SCT~NEG^Negative^HL70078', 'NEG^^HL70078~^^^N^Negative^L'], index),
      }),
      obx({ n: 3, type: 'CWE', code: '16128-1^HCV Ab^LN', value: 'NR^^HL70078~RR^^HL70078' }),
      plain(one, 4, { value: `${one.text}~${earlier(one)}`, flag: '' }),
      plain(other, 5, { type: 'ST', value: `${other.text}~Repeated on dilution`, flag: '' }),
    ],
    [
      waits('Bacteria identified', 'Escherichia coli'),
      finds('hbsag', 'HBsAg', 'Negative', 'negative'),
      waits('HCV Ab', ''),
      waits(one.name, one.text),
      waits(other.name, other.text),
    ],
  )
}

/** Escape sequences in values, units and names. */
function escapes(index: number): Made {
  const [a, b, c, d, e] = take(index + 9, 5, { not: ['platelets', 'wbc'] }) as [Taken, Taken, Taken, Taken, Taken]
  return file(
    [
      msh(),
      pid,
      obr(1, 'CHEM^Chemistry \\T\\ lipids^L'),
      obx({ n: 1, code: '777-3^Platelets^LN', value: '241', unit: '10\\S\\3/uL', range: '150-400' }),
      plain(a, 2, { type: 'FT', value: `\\H\\${a.text}\\N\\ ${a.unit}` }),
      plain(b, 3, { type: 'ST', value: `\\X3C\\${b.text}`, flag: '' }),
      plain(c, 4, { type: 'TX', value: `${c.text}\\.sp\\`, flag: c.flag }),
      plain(d, 5, { type: 'FT', value: `\\.in+4\\${d.text}\\.br\\checked twice`, flag: '' }),
      plain(e, 6, { code: `${e.loinc}^${e.name} \\F\\ ${e.name}^LN` }),
      'NTE|1|L|Goal \\X3C\\ 5.0 \\T\\ stable\\.br\\Potassium 9.9 mmol/L is critical',
    ],
    [
      {
        ...{ as: 'result', biomarkerId: 'platelets', text: '241', value: 241, unit: '10*3/uL', ucum: '10^3/uL' },
        isCertain: true,
      },
      is(a),
      is(b, { comparator: '<', text: b.text }),
      is(c),
      waits(d.name, d.text),
      is(e),
    ],
  )
}

/** Segments of the laboratory's own, and some that stand where none are expected. */
function ownSegments(index: number): Made {
  const all = take(index + 11, 4)
  return file(
    [
      msh('2.3.1'),
      'ZMH|1|2345-7|Glucose|55|mg/dL|F',
      pid,
      'PD1|||HARBOUR',
      'PV1|1|O|CLINIC',
      'ZIN|A|Insurance 4711',
      'ORC|RE',
      obr(1, 'X^Panel^L'),
      'ZBX|1|NM|2823-3^Potassium^LN||9.1|mmol/L|3.5-5.1|HH|||F',
      ...all.flatMap((one, n) => [plain(one, n + 1), `ZOB|${n + 1}|${earlier(one)}|${one.unit}|PRIOR`]),
      'CTI|Study 4.1',
      'DSP|1||Sodium 120 mmol/L',
      'DSC|',
    ],
    all.map((one) => is(one)),
  )
}

/** Notes in every place; some take a result back, most do not. */
function notes(index: number): Made {
  const [a, b, c, d] = take(index + 13, 4) as [Taken, Taken, Taken, Taken]
  const annuls = at(
    [
      'Result cancelled: specimen mislabeled, do not use',
      'Wrong patient. Please disregard this result.',
      'Reported in error',
      'Invalid result, sample contaminated with IV fluid',
      'SPECIMEN MIX-UP - RESULT VOID',
    ],
    index,
  )
  const harmless = at(
    [
      `Reference interval changed on 01/02/2026 from ${d.low}-${d.high}`,
      'Verified by repeat analysis.',
      'Test performed at Harbour Laboratory, 14 Quay Road',
      'For values below 3.5 consider repeating the test.',
      'Glucose was reported on another request.',
    ],
    index,
  )
  return file(
    [
      msh(),
      pid,
      'NTE|1|P|Patient takes biotin 5 mg daily',
      obr(1, 'X^Panel^L'),
      'NTE|1|L|Collected at home by finger prick',
      plain(a, 1),
      plain(b, 2),
      `NTE|1|L|${annuls}`,
      plain(c, 3),
      `NTE|1|L|${harmless}`,
      `NTE|2||`,
      plain(d, 4, { value: '', flag: '' }),
      'NTE|1|L|Quantity not sufficient',
    ],
    [is(a), waits(b.name, b.text), is(c), waits(d.name, '')],
  )
}

/** Blood and urine on requests of their own, the specimen as each version writes it. */
function severalRequests(index: number): Made {
  const [a, b, c] = take(index + 15, 3) as [Taken, Taken, Taken]
  const isOld = index % 2 === 0
  const urine = at(['UR', 'UR^Urine^HL70070', '^Random urine', 'U24^24 hour urine'], index)
  return file(
    [
      msh(isOld ? '2.3.1' : '2.5.1'),
      pid,
      'ORC|RE',
      obr(1, 'SER^Serum chemistry^L', isOld ? { source: 'SER' } : {}),
      plain(a, 1),
      plain(b, 2),
      ...(isOld ? [] : ['SPM|1|||SER^Serum^HL70487']),
      'ORC|RE',
      obr(2, 'UCH^Chemistry^L', isOld ? { source: urine } : {}),
      obx({ n: 1, code: '2823-3^Potassium^LN', value: '48', unit: 'mmol/L' }),
      obx({ n: 2, code: '1001^Sodium^L', value: '118', unit: 'mmol/L' }),
      obx({ n: 3, code: '2955-3^Sodium Ur^LN', value: '117', unit: 'mmol/L' }),
      ...(isOld ? [] : ['SPM|1|||UR^Urine^HL70487']),
      'ORC|RE',
      obr(3, 'HEM^Haematology^L', isOld ? { source: 'BLD' } : {}),
      plain(c, 1),
      ...(isOld ? [] : ['SPM|1|||BLD^Whole blood^HL70487']),
    ],
    [
      is(a),
      is(b),
      waits('Potassium', '48'),
      {
        ...{ as: 'result', biomarkerId: 'sodium_urine', text: '118', value: 118, unit: 'mmol/L', isCertain: false },
      },
      {
        ...{ as: 'result', biomarkerId: 'sodium_urine', text: '117', value: 117, unit: 'mmol/L', isCertain: false },
      },
      is(c),
    ],
  )
}

/** Culture and susceptibilities that hang on one of its results. */
function culture(index: number): Made {
  const one = at(take(index + 17, 1), 0)
  return file(
    [
      msh(),
      pid,
      'ORC|RE',
      obr(1, '630-4^Bacteria in urine culture^LN', { source: 'UR' }),
      obx({
        n: 1,
        type: 'CWE',
        code: '630-4^Bacteria identified in urine^LN',
        sub: '1',
        value: '112283007^E. coli^SCT',
      }),
      obx({ n: 2, type: 'SN', code: '49223-5^Colony count^LN', sub: '1', value: '>^100000', unit: 'CFU/mL' }),
      'SPM|1|||UR^Urine^HL70487',
      'ORC|RE',
      obr(2, '50545-3^Susceptibility^LN', { source: 'UR', tail: '|630-4&Bacteria&LN^1^E. coli|||P1^F1' }),
      obx({ n: 1, type: 'SN', code: '18864-9^Ampicillin^LN', sub: '1', value: '>=^32', unit: 'ug/mL', flag: 'R' }),
      obx({
        n: 2,
        type: 'ST',
        code: '18906-8^Ciprofloxacin^LN',
        sub: '1',
        value: '<=0.25 S',
        unit: 'ug/mL',
        flag: 'S',
      }),
      'SPM|1|||UR^Urine^HL70487',
      'ORC|RE',
      obr(3, 'CH^Chemistry^L', { source: 'SER' }),
      plain(one, 1),
      'SPM|1|||SER^Serum^HL70487',
    ],
    [
      waits('Bacteria identified in urine', 'E. coli'),
      waits('Colony count', '100000'),
      waits('Ampicillin', '32'),
      waits('Ciprofloxacin', '0.25'),
      is(one),
    ],
  )
}

/** The same code under several sub-IDs. */
function subIds(index: number): Made {
  const [a, b, c] = take(index + 19, 3) as [Taken, Taken, Taken]
  const [x, y] = at(
    [
      ['1', '2'],
      ['A', 'B'],
      ['1.1', '1.2'],
      ['', '2'],
    ] as const,
    index,
  )
  return file(
    [
      msh('2.7'),
      pid,
      obr(1, 'X^Panel^L'),
      plain(a, 1, { sub: x }),
      plain(a, 2, { sub: y, value: earlier(a), flag: '' }),
      plain(b, 3, { sub: x }),
      plain(b, 4, { sub: y }),
      plain(c, 5),
    ],
    [waits(a.name, a.text), waits(a.name, earlier(a)), is(b), is(c)],
  )
}

/** Every status of a result and of a request. */
function statuses(index: number): Made {
  const all = take(index + 21, 8)
  const letters = at(['FCPXWDIU', 'FNORSBVA', 'CFDXWIPF'], index)
  const expected: Expected[] = []
  const rows = all.map((one, n) => {
    const status = letters[n] ?? 'F'
    if (status === 'F' || status === 'C') expected.push(is(one))
    else if ('PSBUVA'.includes(status)) expected.push(is(one, { isCertain: false }))
    else expected.push(waits(one.name, one.text))
    return plain(one, n + 1, { status })
  })
  const cancelled = take(index + 3, 24).filter(({ id }) => !all.some((one) => one.id === id))
  const [a, b] = cancelled as [Taken, Taken]
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Panel^L', { status: at(['F', 'A', 'C'], index) }),
      ...rows,
      obr(2, 'Y^Cancelled panel^L', { status: 'X' }),
      plain(a, 1),
      plain(b, 2, { value: '', status: 'X', flag: '' }),
    ],
    [...expected, waits(a.name, a.text), waits(b.name, '')],
  )
}

/** A result and what later became of it, within one message. */
function takenBack(index: number): Made {
  const [a, b, c, d] = take(index + 23, 4) as [Taken, Taken, Taken, Taken]
  const later = (one: Taken, status: string, value: string) =>
    plain(one, 9, { status, value, flag: '', rest: '|||||20260312101500' })
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Panel^L'),
      plain(a, 1, { value: earlier(a), status: 'P', flag: '' }),
      plain(b, 2, { value: earlier(b), flag: '' }),
      plain(c, 3),
      plain(d, 4),
      later(a, 'F', a.text),
      later(b, 'C', b.text),
      later(c, at(['D', 'W', 'X'], index), at([c.text, '', '""'], index)),
    ],
    [is(a), is(b), waits(c.name, ''), is(d)],
  )
}

/** Files of several messages with heads and ends of batches. */
function batches(index: number): Made {
  const [a, b, c] = take(index + 25, 3) as [Taken, Taken, Taken]
  const isSecondOlder = index % 2 === 1
  const [early, late] = ['20260312104500', '20260312164500']
  return file(
    [
      'FHS|^~\\&|LIS|HARBOUR|KITS|OPS|20260312',
      'BHS|^~\\&|LIS|HARBOUR|KITS|OPS|20260312',
      msh('2.5.1', 'B1', isSecondOlder ? late : early),
      pid,
      obr(1, 'X^Panel^L'),
      plain(a, 1),
      plain(b, 2, { status: isSecondOlder ? 'C' : 'F' }),
      msh('2.5.1', 'B2', isSecondOlder ? early : late),
      pid,
      obr(1, 'X^Panel^L'),
      plain(b, 1, { value: earlier(b), status: isSecondOlder ? 'F' : 'C', flag: '' }),
      msh('2.5.1', 'B3', late),
      pid,
      obr(2, 'Y^Panel^L'),
      plain(c, 1),
      'BTS|3|End of 3 messages',
      'FTS|1',
    ],
    [
      is(a),
      is(b, isSecondOlder ? {} : { text: earlier(b), value: Number(earlier(b)) }),
      waits(b.name, isSecondOlder ? earlier(b) : b.text),
      is(c),
    ],
  )
}

/** Specimens that are not the person's blood, under codes of blood. */
function otherSpecimens(index: number): Made {
  const [a, b, c] = take(index + 27, 3) as [Taken, Taken, Taken]
  const other = at(
    [
      'CSF^Cerebral spinal fluid^HL70487',
      'PLR^Pleural fluid^HL70487',
      '309164002^Cord blood specimen^SCT',
      'SAL^Saliva^HL70487',
      '258441009^Exudate sample^SCT',
      'DIAF^Dialysis fluid^HL70487',
      '168139001^Peritoneal fluid sample^SCT',
      'BLDCO^Cord blood^HL70487',
    ],
    index,
  )
  return file(
    [
      msh(),
      pid,
      'ORC|RE',
      obr(1, 'A^Chemistry^L'),
      plain(a, 1),
      'SPM|1|||119297000^Blood specimen^SCT',
      'ORC|RE',
      obr(2, 'B^Chemistry^L'),
      plain(b, 1),
      plain(c, 2, { code: `55^${c.name}^L` }),
      `SPM|1|||${other}`,
    ],
    [is(a), waits(b.name, b.text), waits(c.name, c.text)],
  )
}

/** Control material, calibrators, donors, proficiency samples. */
function notThePerson(index: number): Made {
  const [a, b] = take(index + 29, 2) as [Taken, Taken]
  const spm = at(
    [
      'SPM|1|||SER^Serum^HL70487|||||||Q^Control specimen^HL70369',
      'SPM|1|||SER^Serum^HL70487|||||||C^Calibrator^HL70369',
      'SPM|1|||SER^Serum^HL70487|||||||O^Operator proficiency^HL70369',
      'SPM|1|||SER^Serum^HL70487|||||||L^Specimens from a pool^HL70369',
      'SPM|1|||SER^Serum from donor^HL70487',
      'SPM|1|||SER^Serum^HL70487|||||||V^Verifying calibrator^HL70369',
    ],
    index,
  )
  return file(
    [
      msh('2.5.1'),
      pid,
      'ORC|RE',
      obr(1, 'A^Chemistry^L'),
      plain(a, 1),
      spm,
      'ORC|RE',
      obr(2, 'B^Chemistry^L'),
      plain(b, 1),
      'SPM|2|||SER^Serum^HL70487|||||||P^Patient^HL70369',
    ],
    [waits(a.name, a.text), is(b)],
  )
}

/** Other separators, five encoding characters, other ends of lines, frames. */
function separators(index: number): Made {
  const all = take(index + 31, 4)
  const lines = [
    msh('2.7').replace('^~\\&', index % 2 ? '^~\\&#' : '^~\\&'),
    pid,
    obr(1, 'X^Panel^L'),
    ...all.map((one, n) => plain(one, n + 1, { type: n % 2 ? 'SN' : 'NM', value: n % 2 ? `^${one.text}` : one.text })),
  ]
  const other = at<Record<string, string>>(
    [{}, {}, { '^': ':', '~': '*' }, { '|': '$', '^': '@' }, { '&': '%' }],
    index,
  )
  const text = lines.join(at(['\r', '\r\n', '\n', '\r', '\r'], index)).replace(/[|^~&]/g, (mark) => other[mark] ?? mark)
  return {
    format: 'hl7v2',
    bytes: Buffer.from(index === 3 ? `\x0b${text}\x1c\r` : text),
    expected: all.map((one) => is(one)),
    day: '2026-03-11',
  }
}

/** Letters outside ASCII in the character set that MSH-18 names, or none. */
function characterSets(index: number): Made {
  const all = take(index + 33, 3, { tongue: 'de', si: true, not: ['hba1c', 'crp', 'hdl'] })
  const lines = [
    msh(
      '2.5',
      'C1',
      '20260312104500',
      `||||||${at(['8859/1', 'UNICODE UTF-8', '8859/15', '', 'UTF-8', '8859/1'], index)}`,
    ),
    'PID|1||77||Müßig^Jörg||19780914|M',
    obr(1, 'CH^Klinische Chemie^L'),
    ...all.map((one, n) =>
      obx({
        ...{ n: n + 1, code: `K${n}^${one.name}^L`, value: one.text, unit: one.unit },
        ...{ range: `${one.low} - ${one.high}`, flag: one.flag },
      }),
    ),
    'NTE|1|L|Für Rückfragen: Labor, Straße 5',
  ]
  const encoding = at(['latin1', 'utf8', 'latin1', 'utf8', 'utf8', 'latin1'] as const, index)
  return {
    format: 'hl7v2',
    bytes: Buffer.from(`${lines.join('\r')}\r`, encoding),
    expected: all.map((one) => is(one)),
  }
}

/** Several people, or one person said twice. */
function people(index: number): Made {
  const [a, b] = take(index + 35, 2) as [Taken, Taken]
  const [second, isOther] = at(
    [
      ['PID|1||H-55871^^^HARBOUR^MR||EXAMPLE^ROBIN||19780914|F', false],
      ['PID|1||H-99999^^^HARBOUR^MR||Example^Robin^T||19780914|F', true],
      ['PID|1||H-55871^^^HARBOUR^MR||Example^Robin^T||19780914|M', true],
      ['PID|1||H-90210^^^HARBOUR^MR||Sample^Chris||19910203|M', true],
    ] as const,
    index,
  )
  return file(
    [
      msh('2.5.1', 'P1'),
      pid,
      obr(1, 'X^Panel^L'),
      plain(a, 1),
      msh('2.5.1', 'P2'),
      second,
      obr(1, 'Y^Panel^L'),
      plain(b, 1),
    ],
    isOther ? [waits(a.name, a.text), waits(b.name, b.text)] : [is(a), is(b)],
    isOther ? { waits: true } : {},
  )
}

/** Results in running text, documents instead of values. */
function texts(index: number): Made {
  const [a, b, c] = take(index + 37, 3) as [Taken, Taken, Taken]
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Report^L'),
      obx({
        n: 1,
        type: 'FT',
        code: 'RPT^Report^L',
        value: `Serum chemistry.\\.br\\${a.name}: ${a.text} ${a.unit} (${a.low}-${a.high})\\.br\\Comment: stable`,
      }),
      plain(b, 2, { type: 'TX', value: `see separate report of 03/11`, flag: '' }),
      plain(b, 3, { type: 'RP', value: 'https://lab.example/report/1^LIS^Application^PDF', flag: '', unit: '' }),
      obx({
        n: 4,
        type: 'ED',
        code: 'PDF^Laboratory report^L',
        value: 'LIS^Application^PDF^Base64^JVBERi0xLjQKJcOkw7zDtsOf',
      }),
      plain(c, 5, { type: 'TX' }),
      plain(c, 6, {
        type: 'TX',
        code: `${c.loinc}C^${c.name} comment^L`,
        value: `${earlier(c)} was found in January`,
        unit: '',
        range: '',
      }),
    ],
    [
      waits('Report', a.text),
      waits(b.name, 'see separate report'),
      waits(b.name, ''),
      waits('Laboratory report', ''),
      is(c),
      waits(`${c.name} comment`, earlier(c)),
    ],
  )
}

/** The day of collection in its places, which may disagree. */
function days(index: number): Made {
  const all = take(index + 39, 3)
  const [request, observed, specimen, day] = at<[string, string, string, string | null]>(
    [
      ['20260311', '', '', '2026-03-11'],
      ['202603110815+0100', '20260311', '', '2026-03-11'],
      ['', '20260311081500', '', '2026-03-11'],
      ['', '', '20260311081500^20260311082000', '2026-03-11'],
      ['202603', '', '', null],
      ['20260311235500', '', '20260311235500', '2026-03-11'],
    ],
    index,
  )
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Panel^L', { day: request }),
      ...all.map((one, n) => plain(one, n + 1, { at: observed })),
      `SPM|1|||SER^Serum^HL70487|||||||||||||${specimen}|20260311190000`,
    ],
    all.map((one) => is(one)),
    { day },
  )
}

/** Units as laboratories write them. */
function units(index: number): Made {
  const rows: [id: string, code: string, value: string, unit: string, is: string | null][] = [
    ['wbc', '6690-2^WBC^LN', '6.4', at(['x10E3/uL', 'Thousand/uL', 'K/uL', '10*9/L', '10^9/L'], index), ''],
    ['platelets', '777-3^Platelets^LN', '243', at(['10*3/mm3', 'thou/mm3', 'x10E9/L', 'K/mm3', 'GIGA/L'], index), ''],
    [
      'hemoglobin',
      'HGB^Hemoglobin^L',
      at(['141', '14.1', '8.7', '141', '14.1'], index),
      at(['g/L', 'g/dL', 'mmol/L', 'G/L', 'GM/DL'], index),
      '',
    ],
    [
      'creatinine',
      'CRE^Creatinine^L',
      at(['79', '0.89', '79', '0.89', '79'], index),
      at(['umol/L', 'MG/DL', 'µmol/l', 'mg/dl', 'mcmol/L'], index),
      '',
    ],
    [
      'tsh',
      '3016-3^TSH^LN',
      '1.84',
      at(['uIU/mL', 'mIU/L', 'mU/L', 'uU/mL', 'MIU/ML'], index),
      index % 5 === 4 ? null : '',
    ],
    [
      'sodium',
      '2951-2^Sodium^LN',
      '140',
      at(['mEq/L', 'mmol/L^^ISO+', 'mmol/L^millimole per liter^UCUM', 'MEQ/L', 'mg/dL^^UCUM^mmol/L^^L'], index),
      index % 5 === 4 ? null : '',
    ],
    ['calcium', 'CA^Calcium^L', '9.4', '', null],
  ]
  return file(
    [msh(), pid, obr(1, 'X^Panel^L'), ...rows.map(([, code, value, unit], n) => obx({ n: n + 1, code, value, unit }))],
    rows.map(([id, code, text, unit, says]) =>
      says === null
        ? waits(code.split('^')[1] ?? '', text)
        : {
            ...{ as: 'result', biomarkerId: id, text, value: Number(text) },
            // A power that nobody escaped is still a power.
            ...{ unit: unit.startsWith('10^') ? unit : (unit.split('^')[0] ?? ''), isCertain: true },
          },
    ),
  )
}

/** Codes and names that mean different things, or nothing. */
function codesAndNames(index: number): Made {
  const [a, b, c] = take(index + 41, 3) as [Taken, Taken, Taken]
  return file(
    [
      msh(),
      pid,
      obr(1, 'X^Panel^L'),
      plain(a, 1, { code: `${a.loinc}^${b.name}^LN` }),
      plain(b, 2, { code: `${c.loinc}^${c.name}^LN^${b.loinc}^${b.name}^LN` }),
      plain(c, 3, { code: `^${c.name}` }),
      obx({
        n: 4,
        code: at(['X1^Zonulin^L', '99999-9^Unknown analyte^LN', 'Q^^L'], index),
        value: '5.5',
        unit: 'ng/mL',
      }),
      obx({ n: 5, code: '2352-3^Glucose in CSF^LN', value: '61', unit: 'mg/dL' }),
    ],
    [
      waits(b.name, a.text),
      waits(c.name, b.text),
      is(c),
      waits(at(['Zonulin', 'Unknown analyte', 'Q'], index), '5.5'),
      waits('Glucose in CSF', '61'),
    ],
  )
}

/** Numbers as the newer version and careless senders write them. */
function numbers(index: number): Made {
  const [a, b, c, d, e] = take(index + 43, 5) as [Taken, Taken, Taken, Taken, Taken]
  return file(
    [
      msh('2.7'),
      pid,
      'PRT|1|AD||SP^Specimen collector^HL70912|Nurse^Kim',
      obr(1, 'X^Panel^L'),
      plain(a, 1, { value: `+${a.text}` }),
      plain(b, 2, { value: `0${b.text}` }),
      plain(c, 3, { value: `-${c.text}`, flag: '' }),
      plain(d, 4, { value: ` ${d.text} ` }),
      plain(e, 5, { value: at(['""', 'N/A', '.', '---', 'ERR'], index), flag: '' }),
    ],
    [is(a, { isCertain: false }), is(b, { isCertain: false }), waits(c.name, c.text), is(d), waits(e.name, '')],
  )
}

/** One result on several lines, as systems send that wrap texts or number the answers. */
function severalLines(index: number): Made {
  const [a, b, c] = take(index + 45, 3) as [Taken, Taken, Taken]
  return file(
    [
      msh('2.3'),
      pid,
      obr(1, 'X^Panel^L'),
      plain(a, 1, { type: 'TX' }),
      obx({
        n: 2,
        type: 'TX',
        code: loinc(a),
        value: at(['Sample slightly lipemic', 'Checked by repetition', 'Fasting sample'], index),
      }),
      plain(b, 3),
      obx({
        n: 4,
        type: 'TX',
        code: '8251-1^Comment^LN',
        value: `Result of ${b.name} may be too high by ${c.text} ${c.unit}`,
      }),
      plain(c, 5, { type: 'ST', value: `${c.text} ${c.unit}`, unit: c.unit }),
    ],
    [is(a, { isCertain: false }), waits(a.name, ''), is(b), waits('Comment', ''), is(c)],
  )
}

export const freshHl7: readonly Fresh[] = [
  { name: 'hl7, reference laboratory, 2.3.1', count: 5, make: referenceLaboratory },
  { name: 'hl7, laboratory results interface', count: 5, make: laboratoryResultsInterface },
  { name: 'hl7, structured numbers', count: 4, make: structured },
  { name: 'hl7, coded answers', count: 6, make: codedAnswers },
  { name: 'hl7, contradictions', count: 6, make: contradictions },
  { name: 'hl7, answers of tables', count: 6, make: tableAnswers },
  { name: 'hl7, repetitions', count: 4, make: repetitions },
  { name: 'hl7, escapes', count: 4, make: escapes },
  { name: 'hl7, segments of its own', count: 3, make: ownSegments },
  { name: 'hl7, notes', count: 5, make: notes },
  { name: 'hl7, blood and urine', count: 4, make: severalRequests },
  { name: 'hl7, culture', count: 3, make: culture },
  { name: 'hl7, sub-IDs', count: 4, make: subIds },
  { name: 'hl7, every status', count: 3, make: statuses },
  { name: 'hl7, taken back', count: 3, make: takenBack },
  { name: 'hl7, batches', count: 4, make: batches },
  { name: 'hl7, other specimens', count: 8, make: otherSpecimens },
  { name: 'hl7, not the person', count: 6, make: notThePerson },
  { name: 'hl7, other separators', count: 5, make: separators },
  { name: 'hl7, character sets', count: 6, make: characterSets },
  { name: 'hl7, people', count: 4, make: people },
  { name: 'hl7, texts and documents', count: 3, make: texts },
  { name: 'hl7, places of the day', count: 6, make: days },
  { name: 'hl7, units', count: 5, make: units },
  { name: 'hl7, codes and names', count: 3, make: codesAndNames },
  { name: 'hl7, odd numbers', count: 5, make: numbers },
  { name: 'hl7, several lines', count: 3, make: severalLines },
]
