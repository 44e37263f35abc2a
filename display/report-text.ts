import { type Finding, findingText } from './finding.ts'
import { type Interval, intervalText } from './interval.ts'
import { type Sentence, sentence } from './sentence.ts'

const UNSIGNED_NOTICE = sentence(
  'Not signed by a laboratory: ranges and verdicts are a draft until a laboratory director signs them.',
)
const SIGNED_NOTICE = sentence("The ranges are the laboratory's own or were signed by a laboratory director.")

type Judged = readonly { state: string; rangesSigned?: boolean }[]

/**
 * Whether a laboratory stands behind the ranges of a report; undefined without a verdict. Older reports do not say so: they count as
 * unsigned.
 */
export function areRangesSigned(biomarkers: Judged): boolean | undefined {
  const judged = biomarkers.filter(({ state }) => state !== 'unknown')
  return judged.length === 0 ? undefined : judged.every(({ rangesSigned }) => rangesSigned === true)
}
/** The same as a sentence. */
export function rangesNotice(biomarkers: Judged): Sentence | undefined {
  const areSigned = areRangesSigned(biomarkers)
  return areSigned === undefined ? undefined : areSigned ? SIGNED_NOTICE : UNSIGNED_NOTICE
}
export const SCORE_NOTICE = sentence(
  'Scores are arithmetic on these ranges. They are not clinically validated and diagnose nothing.',
)
export const LOINC_NOTICE =
  'LOINC® is a registered trademark of Regenstrief Institute, Inc.; its codes are used under http://loinc.org/license.'

const signs = { '<': '<', '<=': '≤', '>=': '≥', '>': '>' } as const
const conditions = new Map([
  [
    'LATER_VERSION_IN_REVIEW',
    sentence(
      'This is the version that was published last. A later one, with a correction or more results, is being reviewed.',
    ),
  ],
  [
    'RECALLED',
    sentence(
      'Something with which this sample was taken or tested was recalled: decide nothing by these results before they are looked into (RECALLED).',
    ),
  ],
  ['HEMOLYSIS', sentence('Red cells had burst in the sample (HEMOLYSIS).')],
  ['LIPEMIA', sentence('The sample was cloudy with fat (LIPEMIA).')],
  ['ICTERUS', sentence('The sample was yellow with bilirubin (ICTERUS).')],
  ['QNS', sentence('There was not enough of the sample for every test (QNS).')],
  ['DELAYED_SAMPLE_DELIVERY', sentence('The sample arrived late (DELAYED_SAMPLE_DELIVERY).')],
])

/** The one spelling of a laboratory's code for what was wrong with a sample. */
export const conditionCode = (code: string): string => code.toUpperCase().replaceAll(' ', '_')

/** The problem of a sample that the laboratory reported, as a sentence. */
export const conditionText = (code: string): Sentence =>
  conditions.get(conditionCode(code)) ?? sentence('The laboratory noted: {code}.', { code })

const symbols: [RegExp, string][] = [
  [/^(ratio|titer|1)$/, ''],
  [/\[IU\]/, 'IU'],
  [/^\{(\w+)\}/, '$1'],
  [/\{creat\}$/, ''],
  [/\bu(?=(g|mol|kat|L|IU)\b)/g, 'µ'],
  [/^meq\b/, 'mEq'],
  [/^(x10E|10\*)3\b/, '×10³'],
  [/^(x10E|10\*)6\b/, '×10⁶'],
  [/^10\*9\b/, '×10⁹'],
  [/^10\*12\b/, '×10¹²'],
  [/1\.73m2$/, '1.73 m²'],
]

/** A display unit as it is printed; empty for a pure number. */
export const unitText = (unit: string): string =>
  symbols.reduce((text, [pattern, symbol]) => text.replace(pattern, symbol), unit)

interface Value {
  result?: number | null
  comparator?: keyof typeof signs
  finding?: Finding | undefined
  displayUnit?: string
}

/** How a value is written where it is not in English. */
export interface ValueWords {
  number(value: number): string
  finding(finding: Finding): string
}
const english: ValueWords = { number: String, finding: findingText }

/** `≥ 90`, `1:320`, `Positive`; empty where there is no result. */
export function valueText({ result, comparator, finding, displayUnit }: Value, words: ValueWords = english): string {
  if (finding) return words.finding(finding)
  if (result === null || result === undefined) return ''
  const text = displayUnit === 'titer' ? `1:${words.number(result)}` : words.number(result)
  return comparator ? `${signs[comparator]} ${text}` : text
}

/** `70 – 99 mg/dL`, `≤ 1:40`; empty without bounds. */
export function limitsText(
  interval: Interval,
  displayUnit: string,
  { number }: Pick<ValueWords, 'number'> = english,
): string {
  if (displayUnit === 'titer') return intervalText(interval, (value) => `1:${number(value)}`)
  return `${intervalText(interval, number)} ${unitText(displayUnit)}`.trim()
}

/** `Negative`, `Negative or Trace`; empty where nothing is expected. */
export const expectedText = ({
  finding,
  expected,
}: {
  finding?: Finding | undefined
  expected?: Expected | undefined
}) => (finding && expected ? expected.values.map((value) => findingText({ ...finding, value })).join(' or ') : '')

export const rawText = ({ rawResult, rawUnit }: { rawResult: string; rawUnit: string }): string =>
  rawResult === '' ? '' : `${rawResult} ${rawUnit}`.trim()

interface Expected {
  values: readonly string[]
}

const statuses = { partial: 'Partial', final: 'Final', corrected: 'Corrected' } as const
export const vendorStatusText = (status: keyof typeof statuses): string => statuses[status]

interface Withdrawn {
  label: string
  version: number
  /** RFC 3339. */
  withdrawnDate: string
  reason: string | Sentence
}

/** Of a result that is shown in an older version. */
export const withdrawnMark = ({ version, withdrawnDate, reason }: Omit<Withdrawn, 'label'>): Sentence =>
  sentence('Withdrawn on {date} by version {version}: do not rely on this value. {reason}', {
    date: dateText(withdrawnDate),
    version,
    reason,
  })

/** Of a result that is no longer shown. */
export const withdrawnText = ({ label, withdrawnDate, reason }: Omit<Withdrawn, 'version'>): Sentence =>
  sentence('{label} was withdrawn on {date}. {reason} Do not rely on the value that was shown before.', {
    label,
    date: dateText(withdrawnDate),
    reason,
  })

/** A value of another version. */
export function thenText(value: (Value & { displayUnit: string }) | undefined): string {
  if (!value) return 'not reported'
  const text = valueText(value)
  return text === '' ? 'not usable' : `${text} ${unitText(value.displayUnit)}`.trim()
}

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `20 Nov 2026` of a date or a time. */
export function dateText(date: string): string
export function dateText(date: string | undefined): string | undefined
export function dateText(date: string | undefined): string | undefined {
  return date === undefined ? undefined : dates.format(Date.parse(date))
}
