import { abroad } from './answers-abroad.ts'
import type { Finding, Grade, Presence, Scale } from './finding-schema.ts'
import { plainLetters } from './letters.ts'

/** What laboratories write, in six languages, without accents and hyphens. */
const words: Record<Presence, readonly string[]> = {
  negative: [
    ...[
      'negative',
      'neg',
      'nonreactive',
      'non reactive',
      'not reactive',
      'not detected',
      'nondetected',
      'non detected',
    ],
    ...[
      'none detected',
      ...[
        'target not detected',
        'no target detected',
        'rna not detected',
        'dna not detected',
        'hiv 1 rna not detected',
      ],
      ...['hcv rna not detected', 'no growth', 'not isolated', 'not found', 'none found'],
      'undetected',
      'undetectable',
      'not detectable',
      'absent',
      'not present',
      'none seen',
      'not seen',
    ],
    ...['nil', 'not immune', 'non immune', 'nonimmune', '(-)', 'negativ', 'nicht reaktiv', 'nicht nachweisbar'],
    ...[
      'nicht nachgewiesen',
      'negatif',
      'non reactif',
      'non detecte',
      'absence',
      'negativo',
      'negativa',
      'no reactivo',
    ],
    ...[
      'no detectado',
      'no detectable',
      'ausente',
      'non reattivo',
      'non rilevato',
      'non rilevabile',
      'assente',
      'assenti',
    ],
    ...['ikke reaktiv', 'ikke pavist'],
    ...['nao reagente', 'nao reativo', 'nao detectado', 'nao detectavel', 'ausentes', 'negatief', 'niet aantoonbaar'],
    ...['niet aangetoond', 'niet gedetecteerd', 'niet reactief', 'ej pavisad', 'inte pavisad', 'ej pavisat', 'ujemny'],
    ...['ujemna', 'ujemne', 'nieobecny', 'nieobecna', 'nieobecne', 'niereaktywny', 'nie wykryto', 'saptanmadi'],
    ...['reaktif degil', 'non reaktif', 'nonreaktif', '陰性'],
  ],
  indeterminate: [
    ...['indeterminate', 'equivocal', 'borderline', 'inconclusive', 'gray zone', 'grey zone', 'grenzwertig'],
    ...['indeterminiert', 'unbestimmt', 'indetermine', 'limite', 'douteux', 'indeterminado', 'indeterminato', 'dubbio'],
    ...['dudoso', 'ubestemt', 'graensevaerdi', '+/-', '±', '(+/-)'],
  ],
  positive: [
    ...['positive', 'pos', 'reactive', 'detected', 'det', 'present', 'immune', '+', 'weakly positive', 'weak positive'],
    ...['weakly reactive', 'strongly positive', 'strong positive', 'strongly reactive', 'repeatedly reactive'],
    ...['reactive, repeatedly', 'detectable', 'positiv', 'schwach positiv', 'stark positiv', 'reaktiv', 'nachweisbar'],
    ...['nachgewiesen', 'positif', 'reactif', 'detecte', 'presence', 'positivo', 'positiva', 'reactivo', 'detectado'],
    ...['presente', 'reattivo', 'rilevato', 'presenti', 'pavist'],
    ...[
      'reagente',
      'reativo',
      'detectado',
      'presentes',
      'positief',
      'aantoonbaar',
      'aangetoond',
      'gedetecteerd',
      'pavisad',
    ],
    ...['pavisat', 'dodatni', 'dodatnia', 'dodatnie', 'obecny', 'obecna', 'obecne', 'reaktywny', 'wykryto', 'pozitif'],
    ...['saptandi', 'reaktif', '陽性'],
  ],
}

for (const value of Object.keys(abroad) as Presence[]) {
  const answers = abroad[value].split(/[;\n]/).map((answer) => wordOf(answer))
  words[value] = [...words[value], ...answers.filter((answer) => answer !== '')]
}

const presences = new Map(
  Object.entries(words).flatMap(([value, all]) => all.map((word) => [word, value as Presence] as const)),
)

/** Steps of test strips. The words are the steps of the usual strips: trace, small, moderate, large. */
const grades = new Map<string, Grade>([
  ...words.negative.map((word) => [word, 'negative'] as const),
  ...['normal', 'norm', 'normale', 'normaal', 'w normie', '正常'].map((word) => [word, 'negative'] as const),
  ...[
    'trace',
    'traces',
    'tr',
    '+/-',
    '±',
    '(+)',
    'spur',
    'spuren',
    'tracce',
    'trazas',
    'spor',
    'indicios',
    'vestigios',
    'tracos',
    'spoor',
    'slad',
    'sladowe',
    'eser',
    'spar',
    '(±)',
  ].map((word) => [word, 'trace'] as const),
  ...['small', 'moderate', 'large'].map((word, index) => [word, `${index + 1}+` as Grade] as const),
  ...[1, 2, 3, 4].flatMap((step) =>
    ['+'.repeat(step), `${step}+`, `+${step}`, `${step} +`, `(${step}+)`, `presente ${'+'.repeat(step)}`].map(
      (word) => [word, `${step}+` as Grade] as const,
    ),
  ),
])

/** A text that says that there is no result, or where it is. */
const noResult =
  /\b(see|notes?|comments?|below|attached|pending|follow|tnp|qns|dnr|n\/a|cancel\w*|not (done|performed|reported|calculated|tested|received|available|sufficient)|unable|insufficient|reject\w*|invalid|ha?emoly\w*|contaminat\w*|repeat\w*|recollect\w*|tests?|specimens?|samples?|revoked|error)\b/i

/** Without accents, hyphens between letters, a printed flag and marks at the end. */
function wordOf(text: string): string {
  const bare = text.replace(/\s+\(?(AA?|HH?|LL?|N)\)?$|\s*(\*+|!+)$/, '')
  return plainLetters(bare)
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=[a-z])-(?=[a-z])/g, ' ')
    .replace(/[.:;,]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const indexed = /^(.+?) ?\((?:(?:s\/co|coi|index):? ?)?[<>]?(\d+(?:[.,]\d+)?)(?: ?(?:s\/co|coi|index))?\)$/

/** "Negative (0.12 S/CO)": the word, where the measured share of the cut-off says the same. */
function withIndex(word: string): Presence | undefined {
  const [, said = '', share = ''] = indexed.exec(word) ?? []
  const value = presences.get(said)
  const isNamed = /s\/co|coi|index/.test(word)
  const isAbove = Number(share.replace(',', '.')) >= 1
  return isNamed && value === (isAbove ? 'positive' : 'negative') ? value : undefined
}

/** "negativ / négatif": one answer in two languages. */
function onBothSides(word: string): Presence | undefined {
  const [first, ...others] = word.split(' / ').map((side) => presences.get(side))
  return others.length > 0 && others.every((other) => other === first) ? first : undefined
}

/** What a laboratory's text means on a scale; undefined for a word that is not known, and on a titre's scale. */
export function findingOf(scale: Scale, text: string): Finding | undefined {
  if (scale.kind === 'titre') return undefined
  if (scale.kind === 'text') {
    const value = text.replace(/\s+/g, ' ').trim()
    const isResult = /\p{L}/u.test(value) && value.length <= 200 && !noResult.test(value)
    return isResult ? { kind: 'text', value } : undefined
  }
  const word = wordOf(text)
  if (scale.kind === 'presence') {
    const value = presences.get(word) ?? withIndex(word) ?? onBothSides(word)
    return value && { kind: 'presence', value }
  }
  const value = grades.get(word)
  return value && { kind: 'grade', value }
}

/** Whether a text may be a result that is no number: a table of results keeps it as one. */
export function isFindingText(text: string): boolean {
  const word = wordOf(text)
  return presences.has(word) || onBothSides(word) !== undefined || grades.has(word) || titreOf(text) !== undefined
}

/** The expected results that a laboratory printed beside its result, such as `Negative` or `Neg - Trace`. */
export function expectedOf(scale: Scale, rangeText: string | undefined): string[] | undefined {
  if (scale.kind === 'titre' || !rangeText) return undefined
  const whole = findingOf(scale, rangeText)
  if (whole) return [whole.value]
  if (scale.kind === 'text') return undefined
  const parts = rangeText
    .split(/\s*(?:\/|,|\bor\b|\bto\b|\s-\s|(?<=[a-z])-(?=[a-z]))\s*/i)
    .map((part) => findingOf(scale, part))
  const values = parts.flatMap((part) => part?.value ?? [])
  return values.length === parts.length && values.length === 2 ? between(scale, values) : undefined
}

/** From the first step of a test strip to the last. */
function between({ kind }: Scale, values: string[]): string[] {
  if (kind !== 'grade') return values
  const steps: string[] = ['negative', 'trace', '1+', '2+', '3+', '4+']
  const [from, to] = values.map((value) => steps.indexOf(value)).sort((a, b) => a - b)
  return steps.slice(from, (to ?? 0) + 1)
}

/** Whether a finding is one of the expected; a text is compared without case and accents. */
export const isExpected = ({ kind, value }: Finding, expected: readonly string[]): boolean =>
  kind === 'text' ? expected.map(wordOf).includes(wordOf(value)) : expected.includes(value)

export interface Titre {
  /** 320 of 1:320. */
  value: number
  comparator?: '<' | '<=' | '>=' | '>'
}

const titre = /^(<=|>=|<|>|≤|≥)?\s*1\s*[:/]\s*(<=|>=|<|>|≤|≥)?\s*(\d{1,7})(?:\s+\(?(?:AA?|HH?|LL?|N)\)?|\s*\*+)?$/

/** `1:320`, `<1:10`, `1:<10`; undefined for anything else. */
export function titreOf(text: string): Titre | undefined {
  const match = titre.exec(text.trim())
  const sign = match?.[1] ?? match?.[2]
  if (!match || (match[1] && match[2]) || Number(match[3]) === 0) return undefined
  const comparator = sign && (({ '≤': '<=', '≥': '>=' } as const)[sign] ?? sign)
  return { value: Number(match[3]), ...(comparator && { comparator: comparator as Titre['comparator'] }) }
}
