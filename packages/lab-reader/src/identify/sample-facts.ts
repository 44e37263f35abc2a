import facts from '../facts/data/loinc.json' with { type: 'json' }
import type { Phase } from '../facts/schema.ts'
import type { Observation } from '../parse/parsed.ts'
import { fastingIn, phasesIn } from '../parse/sample-words.ts'

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

const fasted: [boolean, RegExp][] = [
  [false, /^(?:n|no|nf|la32-8|false|non[- ]?fasting|not fasting|no \(.*\))$/i],
  [true, /^(?:y|yes|f|fasting|la33-6|true|yes \(.*\))$/i],
]

/** LOINC 82810-3 and 11449-6, or a line that only asks this. A pregnancy test is a result. */
const asksForPregnancy = ({ name, loinc = '' }: Observation): boolean =>
  ['82810-3', '11449-6'].includes(loinc) ||
  /^(?:(?:is )?(?:the )?patient )?pregnan(?:t|cy)(?: status)?(?: ?- ?reported)?\s*\??$/i.test(name.trim())

const pregnancy: [boolean, RegExp][] = [
  [true, /^(?:y|yes|true|(?:(?:the )?patient )?(?:is )?(?:currently )?pregnant|la15173-0|la33-6|77386006)$/i],
  [
    false,
    /^(?:n|no|false|(?:(?:the )?patient )?(?:is )?(?:not (?:currently )?|currently not |non[- ]?)pregnant|la26683-5|la32-8|60001007)$/i,
  ],
]

/** An answer by its words or one of its codes; the first row counts first. */
function answered(rows: readonly [boolean, RegExp][], { valueText, answers = [] }: Observation): boolean | undefined {
  const codes = answers.flatMap((answer) => answer.codes.map(({ code }) => code))
  const said = [valueText.trim().replace(/\.$/, ''), ...codes]
  return rows.find(([, pattern]) => said.some((one) => pattern.test(one)))?.[0]
}

/** LOINC: menstrual status, menstrual history; or a line that only asks for the phase or for menopause. */
const asksForPhase = ({ name, loinc = '' }: Observation): boolean =>
  ['8678-5', '49033-4'].includes(loinc) ||
  /^(?:(?:menstrual )?(?:cycle )?phase|phase of (?:the )?(?:menstrual )?cycle|menstrual (?:cycle|status)|menopaus(?:e|al) status|zyklus(?:phase|stand)?|menopausenstatus|fase (?:del ciclo|menstrual)|phase du cycle|faza cyklu)(?: ?- ?reported)?\s*[:?]?$/i.test(
    name.trim(),
  )

/** SNOMED CT: after menopause. */
const AFTER_MENOPAUSE = '307429007'

function phaseAnswered({ valueText, answers = [] }: Observation): Phase[] {
  const codes = answers.flatMap((answer) => answer.codes.map(({ code }) => code))
  if (codes.includes(AFTER_MENOPAUSE)) return ['postmenopausal']
  const texts = [valueText, ...answers.flatMap((answer) => answer.texts)]
  return texts.flatMap((text) => phasesIn(`phase: ${text}`))
}

/** The phases that one line names: as its answer, or in a note beside it that is on the person. */
export function phasesOf(observation: Observation): Phase[] {
  const { phases = [], comment, said, doubt, rangeText } = observation
  if (doubt === 'notOwn') return []
  const answered = asksForPhase(observation) ? phaseAnswered(observation) : []
  return [...answered, ...phases, ...[comment, said?.comment].flatMap((text) => phasesIn(text, rangeText))]
}

export interface Statement {
  fasting?: boolean
  pregnant?: boolean
}

/** What a line that is about the sample or the person says; undefined for a line that is a result. */
export function sampleStatement(observation: Observation): Statement | undefined {
  if (asksForPregnancy(observation)) {
    const pregnant = answered(pregnancy, observation)
    return pregnant === undefined ? {} : { pregnant }
  }
  if (asksForPhase(observation) && phaseAnswered(observation).length > 0) return {}
  if (isDuration(observation)) {
    const fasting = fastingByHours(observation)
    return fasting === undefined ? {} : { fasting }
  }
  if (!isStatement(observation)) return undefined
  const fasting = answered(fasted, observation) ?? fastingIn(observation.valueText)
  return fasting === undefined ? {} : { fasting }
}
