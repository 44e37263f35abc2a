import facts from '../facts/data/loinc.json' with { type: 'json' }
import { fastingIn } from '../parse/sample-words.ts'
import type { Observation } from '../parse/parsed.ts'

const components = facts.codes as Record<string, { component: string }>
/** LOINC says so in the component: `Glucose^post CFst`. */
const isFastingCode = (loinc: string | undefined): boolean =>
  loinc !== undefined &&
  (/\^post CFst/.test(components[loinc]?.component ?? '') || ['1558-6', '27873-9'].includes(loinc))

/** What is said of fasting of one result, by its words, its code or its name; a denial counts first. */
export function fastingOf({ fasting, name, alsoCalled = [], loinc, comment, said }: Observation): boolean | undefined {
  const told = [fasting, fastingIn(comment), fastingIn(said?.comment)]
  if (told.includes(false)) return false
  const isNamed = [name, ...alsoCalled].some((one) => /\bfasting\b|\bfpg\b|\bfbs\b|\bfbg\b/i.test(one))
  return told.includes(true) || isNamed || isFastingCode(loinc) ? true : undefined
}

/** LOINC 49541-6, or a line that only asks this. */
const isStatement = ({ name, loinc }: Observation): boolean =>
  loinc === '49541-6' || /^(?:patient )?fast(?:ing|ed)(?: status)?(?: ?- ?reported)?\s*\??$/i.test(name.trim())

/** A line that says for how long the person had not eaten. */
const isDuration = ({ name }: Observation): boolean =>
  /^(?:hours? (?:of )?(?:fasting|fasted|fast)|fasting (?:hours|duration|time)|(?:hours|time) since (?:the )?last meal)\b/i.test(
    name.trim(),
  )

/** "No caloric intake for at least 8 h": ADA, Diagnosis and Classification of Diabetes. */
const FASTING_HOURS = 8

function fastingByHours({ value, comparator, unit = '' }: Observation): boolean | undefined {
  const isHours = /^(?:|h|hr|hrs|hour|hours|std\.?)$/i.test(unit.trim())
  if (value === undefined || comparator?.startsWith('<') || !(isHours || /^min/i.test(unit.trim()))) return undefined
  return (isHours ? value : value / 60) >= FASTING_HOURS
}

const answers: [boolean, RegExp][] = [
  [false, /^(?:n|no|nf|la32-8|false|non[- ]?fasting|not fasting|no \(.*\))$/i],
  [true, /^(?:y|yes|f|fasting|la33-6|true|yes \(.*\))$/i],
]

/** LOINC 82810-3 and 11449-6, or a line that only asks this. A pregnancy test is a result. */
const asksForPregnancy = ({ name, loinc = '' }: Observation): boolean =>
  ['82810-3', '11449-6'].includes(loinc) ||
  /^(?:(?:is )?(?:the )?patient )?pregnan(?:t|cy)(?: status)?(?: ?- ?reported)?\s*\??$/i.test(name.trim())

const pregnant = /^(?:y|yes|true|pregnant|patient currently pregnant|currently pregnant|la15173-0|la33-6|77386006)$/i

/** What a line that is about the sample or the person says; undefined for a line that is a result. */
export function sampleStatement(observation: Observation): { fasting?: boolean; pregnant?: true } | undefined {
  if (asksForPregnancy(observation)) {
    const codes = (observation.answers ?? []).flatMap((answer) => answer.codes.map(({ code }) => code))
    return [observation.valueText.trim(), ...codes].some((one) => pregnant.test(one)) ? { pregnant: true } : {}
  }
  if (isDuration(observation)) {
    const fasting = fastingByHours(observation)
    return fasting === undefined ? {} : { fasting }
  }
  if (!isStatement(observation)) return undefined
  const found = answers.find(([, pattern]) => pattern.test(observation.valueText.trim()))
  return found ? { fasting: found[0] } : {}
}
