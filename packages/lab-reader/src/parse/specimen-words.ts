import { isHaemolysisIndex, mentionsHaemolysis } from './haemolysis.ts'
import type { Observation, SpecimenError } from './parsed.ts'

const negated = /\b(no|not|non|without|negative for|absence of|if|may|can|could)\b[^.;]{0,40}$/i

const words: [SpecimenError, RegExp][] = [
  [
    'QNS',
    /\bQNS\b|\b(quantity|volume|sample|specimen) (was |is )?(not sufficient|insufficient)\b|\binsufficient (quantity|volume|sample|specimen)\b/i,
  ],
  [
    'DELAYED_SAMPLE_DELIVERY',
    /\b(stability (was )?exceeded|exceed(s|ed) stability|(sample|specimen) (too old|expired|received late|delayed)|delayed (delivery|receipt|separation)|prolonged transit)\b/i,
  ],
]

/** The errors of a sample in a laboratory's text. Words after "no", "if" or "may" do not count. */
export function specimenErrorsIn(text: string): SpecimenError[] {
  const others = words.flatMap(([error, pattern]) => {
    const match = pattern.exec(text)
    return match && !negated.test(text.slice(0, match.index)) ? [error] : []
  })
  return mentionsHaemolysis(text) ? ['HEMOLYSIS', ...others] : others
}

const notOwn =
  /\b(?:donor|(?:quality |negative |positive )?controls?(?: (?:material|sample|specimen|level|serum))?|qc|eqa|calibrat(?:or|ion)|proficiency|blank|pool(?:ed)?|reference material|spender\w*|kontroll(?:e|material|probe)|kalibrator|donneur|donante|donatore|contrôle|calibrateur)\b/iu

/** Whether the words for a specimen say that it is not the person's: a donor's, control material, a calibrator. */
export const isNotOwn = (specimen: string): boolean => notOwn.test(specimen.replaceAll('_', ' '))

/** The errors of a sample that results of their own name, such as a hemolysis index. */
export const specimenErrorsOfResults = (observations: readonly Observation[]): SpecimenError[] =>
  observations.some(({ name, alsoCalled = [], ...one }) => isHaemolysisIndex({ names: [name, ...alsoCalled], ...one }))
    ? ['HEMOLYSIS']
    : []

export const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)]
