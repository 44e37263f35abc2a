import { plainLetters } from '../facts/letters.ts'
import { specimensIn } from '../facts/specimens.ts'
import { annuls, correctionIn } from './annulling.ts'
import { burst, ofAll } from './around-words.ts'
import { saysSomethingOfResults, withDoubt, withWordsBeside } from './beside.ts'
import { isKnownFlag } from './flags.ts'
import type { Observation } from './parsed.ts'
import { remarkOf } from './remark.ts'
import { factsIn } from './sample-words.ts'
import { isStarLegend } from './sent-text.ts'
import { isOfAnother } from './specimen-words.ts'
import { anothersIn, standingIn, statementIn } from './statements.ts'
import { isUsable } from './status.ts'

/**
 * Results as the lines of text around them say: those that may not be used or are somebody else's wait, and so do all where
 * `saysSomething` finds a sentence that may change them.
 */
export function withTextsAround(
  observations: readonly Observation[],
  texts: readonly string[],
  saysSomething: (text: string) => boolean = saysSomethingOfResults,
): Observation[] {
  const unusable = texts.filter(
    (text) => annuls(text) || correctionIn(text) || isOfAnother(text) || standingIn(text) === 'unusable',
  )
  const others = texts.filter((text) => !unusable.includes(text) && standingIn(text) === undefined)
  const unaccounted = others.find(saysSomething)
  const footnotes = others.flatMap((text) => {
    const mark = /^\*+/.exec(text.trim())?.[0]
    return mark && !isStarLegend(text) && remarkOf(text) === 'unknown' ? [{ text, mark }] : []
  })
  const early = texts.filter((text) => standingIn(text) === 'preliminary')
  const amended = texts.filter((text) => standingIn(text) === 'corrected')
  const standingOf = (one: Observation) => {
    const says = (text: string) => isAbout(text, one, observations)
    return early.some(says) ? ('preliminary' as const) : amended.some(says) ? ('corrected' as const) : undefined
  }
  const another = texts.find(anothersIn)
  const specimen = texts.map(statementIn).find((said) => said?.kind === 'specimen' && specimensIn(said.value))?.value
  const facts = factsIn(texts)
  const read = withWordsBeside(observations.map((one) => ({ ...one, ...facts })))
  return read.map((given) => {
    const standing = standingOf(given)
    const one: Observation = {
      ...given,
      ...(standing && given.status === 'final' && { status: standing }),
      ...(specimen && !given.specimen && { specimen }),
    }
    if (another) return withDoubt(one, 'notOwn', another)
    const annulling = unusable.find((text) => isAbout(text, given, observations))
    if (annulling) return withDoubt(one, 'annulled', annulling)
    const footnote = footnotes.find(({ mark }) => hasMark(given, mark))?.text ?? unaccounted
    return footnote ? withDoubt(one, 'unaccounted', footnote) : one
  })
}

/** Whether a text that annuls is about a result: it is about all, unless it has the mark of a footnote or names others. */
function isAbout(text: string, one: Observation, all: readonly Observation[]): boolean {
  const mark = footnoteIn(text)
  const marked = mark === undefined ? [] : all.filter((other) => hasMark(other, mark))
  if (marked.length > 0) return mark !== undefined && hasMark(one, mark)
  const clauses = text
    .split(/[.;!?\n]+(?=\s|$)/)
    .filter((clause) => annuls(clause) || correctionIn(clause))
    .map((clause) => plainLetters(clause).replace(burst, ' '))
  const named = all.filter(({ name }) => isNamedIn(text, name))
  if (named.length === 0 || clauses.length === 0 || clauses.some((clause) => ofAll.test(clause))) return true
  return isNamedIn(text, one.name)
}

/** "*1", "2)", "†" before a text; a mark that is a flag as well is none. */
function footnoteIn(text: string): string | undefined {
  const [, mark] = /^((?:[*†‡§#]+ ?\d{0,2}|[([]?\d{1,2}[)\]]|[¹²³⁴⁵])) ?\S/u.exec(text.trim()) ?? []
  return mark && !isKnownFlag(mark) ? mark.replaceAll(' ', '') : undefined
}
const hasMark = ({ flag = '', valueText, name }: Observation, mark: string): boolean =>
  flag === mark || [valueText, name].some((text) => text.endsWith(mark) && text !== mark)

/** "Not reported: BUN and creatinine are within range" explains why a ratio is not there. */
const ofItsOwn = /^\W*(?:test |result )?not (?:reported|performed|calculated|computed|done|tested)\b/i

/** Results that a text, whatever it stands beside, annuls by their names: "Potassium of 11 March was reported in error." */
export function withAnnulledByName(observations: readonly Observation[], texts: readonly string[]): Observation[] {
  const sentences = texts
    .flatMap((text) => text.split(/[.;!?]+(?=\s|$)|\n/))
    .filter((sentence) => annuls(sentence) && !ofItsOwn.test(sentence))
  return observations.map((one) => {
    const against = isUsable(one.status) ? sentences.find((sentence) => isNamedIn(sentence, one.name)) : undefined
    return against ? withDoubt(one, 'annulled', against) : one
  })
}

const wordsOf = (text: string): string =>
  ` ${plainLetters(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Whether the first words of a name stand in a text: "Potassium" of "Potassium, serum". */
export function isNamedIn(text: string, name: string): boolean {
  const words = wordsOf(name.split(/[,([]/)[0] ?? '')
  return words.trim().length > 2 && wordsOf(text).includes(words)
}
