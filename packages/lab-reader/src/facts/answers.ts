import { type Answer, type AnswerCode, type Meaning, meaningOfCode } from './answer-codes.ts'
import type { Finding, Scale } from './finding-schema.ts'
import { findingOf } from './findings.ts'

export type AnswerReading = Finding | 'unknown' | 'contradiction'

/**
 * What a coded result means by all of its codes and texts, each of its repetitions by itself: they must agree. `unknown`
 * where one of its words is not known, or no part says anything.
 */
export function findingOfAnswers(scale: Scale, answers: readonly Answer[]): AnswerReading {
  const read = answers.flatMap(({ codes, texts }) => [
    ...codes.flatMap((one) => {
      const meaning = meaningOfCode(one)
      if (meaning === 'unknown') return isInfection(scale) ? ['unknown' as const] : []
      return meaning === undefined ? localWord(scale, one.code) : [byCode(scale, meaning)]
    }),
    ...texts.map((text) => findingOf(scale, withoutKind(text)) ?? yesOrNo(scale, codes, text) ?? ('unknown' as const)),
  ])
  const [first] = read
  const known = read.filter((one) => one !== 'unknown' && one !== 'somewhere')
  const isNegative = (one: Finding) => one.value === 'negative'
  if (known.some((one) => isNegative(one) !== known.some(isNegative))) return 'contradiction'
  if (read.includes('somewhere') && known.some(isNegative)) return 'contradiction'
  const hints = answers.flatMap(({ codes }) =>
    codes.flatMap((one) => (meaningOfCode(one) ? [] : (hintOf(one.code) ?? []))),
  )
  if (known.some((one) => hints.some((hint) => isNegative(one) !== (hint === 'negative')))) return 'contradiction'
  if (first === undefined || read.includes('unknown')) return 'unknown'
  const [finding] = known
  if (!finding) return 'unknown'
  return known.every(({ value }) => value === finding.value) ? finding : 'contradiction'
}

/** "Yes" and "no" answer whether something is there only beside a code of HL7's tables of yes and no. */
function yesOrNo(scale: Scale, codes: readonly AnswerCode[], text: string): Finding | undefined {
  const isAsked = codes.some(({ system }) => /0?(136|532)$/.test(system.trim()))
  const value = /^(yes|y)$/i.test(text.trim()) ? 'positive' : /^(no|n)$/i.test(text.trim()) ? 'negative' : ''
  return isAsked && value !== '' ? findingOf(scale, value) : undefined
}

/** The code of a laboratory's own list, such as POS, counts only if it is one of the known words. */
const localWord = (scale: Scale, code: string): Finding[] => {
  const finding = findingOf(scale, code)
  return finding ? [finding] : []
}

/** What a laboratory's own code stands for at most: it says nothing alone, and speaks against a text of the other side. */
export const hintOf = (code: string): 'negative' | 'positive' | undefined =>
  /^(?:n|nr|nd|nde|no?n?[-_ ]?rea\w*|nre|neg\w*|not[-_ ]?det\w*|abs\w*)$/i.test(code.trim())
    ? 'negative'
    : /^(?:p|r|rr|d|pos\w*|rea\w*|det\w*|pres\w*)$/i.test(code.trim())
      ? 'positive'
      : undefined

/** `somewhere`: positive, on the scale of a test strip, whose step another part may name. */
function byCode(scale: Scale, meaning: string): Finding | 'unknown' | 'somewhere' {
  if (scale.kind === 'grade' && meaning === 'positive') return 'somewhere'
  return findingOf(scale, meaning) ?? 'unknown'
}

/** Whether a biomarker shows an infection, of which nobody learns from a page alone. */
export const isInfection = (scale: Scale): boolean => scale.kind !== 'titre' && scale.critical === true

const words: Record<Meaning, string> = {
  negative: 'Negative',
  positive: 'Positive',
  indeterminate: 'Indeterminate',
  trace: 'Trace',
  '1+': '1+',
  '2+': '2+',
  '3+': '3+',
  '4+': '4+',
  noResult: 'No result',
}

/** An answer for people: its texts, and what a code says where no text does or where a text says something else. */
export function answerText({ codes, texts }: Answer): string {
  const said = distinctWords(texts.map(withoutKind))
  if (said.length === 0) return distinctWords(codes.map(codeText)).join(' / ')
  const meant = said.flatMap((text) => findingOf({ kind: 'presence', expected: [] }, text)?.value ?? [])
  const other = codes.filter((one) => {
    const meaning = meaningOfCode(one)
    return meaning !== undefined && isPresence(meaning) && meant.length > 0 && !meant.some((value) => value === meaning)
  })
  return distinctWords([...said, ...other.map(codeText)]).join(' / ')
}

const isPresence = (meaning: string) => ['negative', 'indeterminate', 'positive'].includes(meaning)

function codeText(one: AnswerCode): string {
  const meaning = meaningOfCode(one)
  const code = one.code.trim()
  return meaning === undefined || meaning === 'unknown' ? code : `${words[meaning]} (${code})`
}

/** SNOMED CT ends its names with the kind of thing that they are. */
const withoutKind = (text: string) => text.replace(/\s*\(qualifier value\)$/i, '')

function distinctWords(texts: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const text of texts) {
    const key = text.trim().toLowerCase()
    if (key !== '' && !byKey.has(key)) byKey.set(key, text.trim())
  }
  return [...byKey.values()]
}
