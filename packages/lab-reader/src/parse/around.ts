import { specimensIn } from '../facts/specimens.ts'
import { footnoteIn, hasMark, isAbout, isNamedIn } from './about.ts'
import { annuls, correctionIn } from './annulling.ts'
import { annulsAbove, saysSomethingOfResults, withDoubt, withWordsBeside } from './beside.ts'
import { withOtherNumbers } from './other-number.ts'
import type { Observation } from './parsed.ts'
import { remarkOf } from './remark.ts'
import { factsIn } from './sample-words.ts'
import { isStarLegend } from './sent-text.ts'
import { isOfAnother } from './specimen-words.ts'
import { anothersIn, materialIn, standingIn, statementIn } from './statements.ts'
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
  const footnotes = others.flatMap((text) => {
    const mark = /^\*+/.exec(text.trim())?.[0] ?? footnoteIn(text)
    return mark && !isStarLegend(text) && remarkOf(text) === 'unknown' ? [{ text, mark }] : []
  })
  // A footnote of results that have its number is about those.
  const isOfSome = (text: string) =>
    footnotes.some(
      (one) => one.text === text && !one.mark.startsWith('*') && observations.some((other) => hasMark(other, one.mark)),
    )
  const unaccounted = others.find((text) => !isOfSome(text) && saysSomething(text))
  const early = texts.filter((text) => standingIn(text) === 'preliminary')
  const amended = texts.filter((text) => standingIn(text) === 'corrected')
  const standingOf = (one: Observation) => {
    const says = (text: string) => isAbout(text, one, observations)
    return early.some(says) ? ('preliminary' as const) : amended.some(says) ? ('corrected' as const) : undefined
  }
  const another = texts.find(anothersIn)
  const specimen =
    texts.map(statementIn).find((said) => said?.kind === 'specimen' && isMaterial(said.value))?.value ??
    texts.flatMap((text) => materialIn(text) ?? [])[0]
  const facts = factsIn(texts)
  const read = withOtherNumbers(withWordsBeside(observations.map((one) => ({ ...one, ...facts }))), texts)
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

/** "Prélèvement : 27/05/2026 à 08h10" says when it was taken, and not what. */
const aTime = /^\d[\d\s./:,-]+(?:(?:à|at|um|kl\.?|alle|a las)\s*\d[\dh:. ]*(?:uhr|h)?)?$/iu
const isMaterial = (value: string): boolean => specimensIn(value) !== undefined && !aTime.test(value)

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

/** Results of a section below which a note takes back several without naming one: "Thyroid results withdrawn". */
export const withNotesBelow = (observations: readonly Observation[]): Observation[] =>
  observations.map((one, at) => {
    const below = observations.slice(at + 1).find(({ comment = '' }) => annulsAbove(comment))?.comment
    return below !== undefined && isUsable(one.status) ? withDoubt(one, 'annulled', below) : one
  })
