import { type Finding, type PlacedStep, placedSteps } from '@kitlane/display/finding'
import { byHarm, harmOf, isHarmful } from '@kitlane/display/harm'
import type { OriginWords } from '@kitlane/display/origin'
import { areRangesSigned, conditionCode, type ValueWords } from '@kitlane/display/report-text'
import type { OpeningSentence } from '@kitlane/display/story'
import { verdictOf } from '@kitlane/display/verdict'
import type { Phase } from '@kitlane/lab-reader/facts/schema'
import { factOf } from '@kitlane/lab-reader/identify/reasons'
import { textIn } from '../../../domain/translations/sentences.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Translator } from '../../../domain/translations/translator.ts'
import type { BiomarkerEntry, Report, ShownEntry } from '../schema.ts'

const findings = new Map([
  ['negative', 'finding.negative'],
  ['positive', 'finding.positive'],
  ['indeterminate', 'finding.indeterminate'],
  ['trace', 'finding.trace'],
] as const)

/** A finding in the language, such as `Positive`; others as they are: `2+`. */
export function findingWord(t: Translator, value: string): string {
  const key = findings.get(value.toLowerCase() as 'negative')
  return key ? t(key) : value
}

/** The steps of the drawing of a result that is no plain number, in the language. */
export const stepsIn = (t: Translator, entry: BiomarkerEntry): PlacedStep[] =>
  placedSteps(entry, entry.ranges.inRange).map((step) => {
    if (step.value === undefined) return step
    // Six steps share the width of two.
    const isShort = entry.finding?.kind === 'grade' && step.value === 'negative'
    return { ...step, label: isShort ? t('finding.negativeShort') : findingWord(t, step.value) }
  })

/** How values are written in a language. */
export const valueWordsOf = (t: Translator): ValueWords => ({
  number: t.number,
  finding: ({ kind, value }: Finding) => (kind === 'text' ? value : findingWord(t, value)),
})

/** How a report opens, in sentences. */
export function openingWords(t: Translator, sentences: readonly OpeningSentence[]): string {
  const rendered = sentences.map(({ says: kind, count, total, slight }) => {
    const words = t(kind === 'othersInside' ? 'number.words' : 'number.firstWords', { count })
    return t(`opening.${kind}`, { count, total, words, slightWords: t('number.words', { count: slight }) })
  })
  return rendered.join(t.language === 'ja' ? '' : ' ')
}

const conditions = new Map([
  ['LATER_VERSION_IN_REVIEW', 'report.laterVersion'],
  ['RECALLED', 'report.recalled'],
  ['HEMOLYSIS', 'report.hemolysis'],
  ['LIPEMIA', 'report.lipemia'],
  ['ICTERUS', 'report.icterus'],
  ['QNS', 'report.quantity'],
  ['DELAYED_SAMPLE_DELIVERY', 'report.late'],
] as const)

/** The problem of a sample that the laboratory reported, as a sentence. */
export function conditionWords(t: Translator, note: string): string {
  const key = conditions.get(conditionCode(note) as 'QNS')
  return key ? t(key) : t('report.noted', { note })
}

type OfSample = Pick<BiomarkerEntry, 'phases' | 'fasting' | 'saidByPerson'>

/** For which phase of the cycle a result was judged, and who named it. */
export const judgedPhase = (t: Translator, phase: Phase, { saidByPerson }: OfSample): string =>
  t(saidByPerson?.includes('phases') ? `phase.judgedSaid.${phase}` : `phase.judged.${phase}`)

/** What is said of the sample of a result: the phase of the cycle, and what its person says of fasting. */
export function sampleWords(t: Translator, entry: OfSample): string {
  const { fasting, saidByPerson } = entry
  const isSaid = fasting && fasting !== 'notStated' && saidByPerson?.includes('fasting')
  return [phasesWords(t, entry), isSaid && t(`fasting.said.${fasting}`)].filter(Boolean).join(' ')
}

/** In which phase of the cycle the sample was taken. */
const phasesWords = (t: Translator, { phases = [] }: Pick<BiomarkerEntry, 'phases'>): string =>
  phases.length === 0 ? '' : t('phase.said', { phases: t.list(phases.map((phase) => t(`phase.name.${phase}`))) })

/** Whether a code says that a recall has marked the results of a report. */
export const isRecall = (code: string): boolean => conditionCode(code) === 'RECALLED'

/** The results that somebody must see today: those that are critical by the API, unless they were withdrawn since. */
export const urgentOf = (entries: readonly ShownEntry[]): ShownEntry[] =>
  byHarm(entries).filter((entry) => isHarmful(entry) && harmOf(entry) === 'critical' && !entry.withdrawn)

/** What the box above a report says of them, on pages and paper alike; undefined where there are none. */
export function urgentWords(
  t: Translator,
  { biomarker, unassessed }: Pick<Report, 'biomarker' | 'unassessed'>,
): { title: string; text: string } | undefined {
  const [urgent, marked] = [urgentOf(biomarker), unassessed.filter(({ critical }) => critical)]
  if (urgent.length + marked.length === 0) return undefined
  const names = t.list([
    ...urgent.map(({ simpleLabel }) => t.nameOf(simpleLabel)),
    ...marked.map(({ name }) => name || t('report.unassessed.noName')),
  ])
  const isFar = marked.length === 0 && !urgent.some(({ finding }) => finding)
  return { title: t('report.urgent'), text: t(isFar ? 'report.urgent.far' : 'report.urgent.findings', { names }) }
}

/** Whether a laboratory stands behind the ranges; empty without a verdict. */
export function rangesWords(t: Translator, biomarkers: readonly BiomarkerEntry[]): string {
  const areSigned = areRangesSigned(biomarkers)
  return areSigned === undefined ? '' : t(areSigned ? 'report.rangesSigned' : 'report.rangesUnsigned')
}

/** The words for the origin of results. */
export const originWords = (t: Translator): OriginWords => ({
  laboratory: t('origin.laboratory'),
  notStated: t('origin.notStated'),
  addressNotStated: t('origin.addressNotStated'),
  director: (name) => t('origin.director', { name }),
  specimen: t('origin.specimen'),
  specimenNumber: (number) => t('origin.specimenNumber', { number }),
  condition: t('origin.condition'),
  collected: t('origin.collected'),
  collectedSaid: t('origin.collectedSaid'),
  received: t('origin.received'),
  patientID: t('origin.patientID'),
  reported: t('origin.reported'),
  note: t('origin.note'),
  zoneNotStated: t('origin.zoneNotStated'),
  date: t.date,
  moment: (date, time, zone) => t('origin.moment', { date, time, zone }),
})

type Judged = Pick<BiomarkerEntry, 'state' | 'interpretation' | 'finding' | 'critical'>

/** A verdict as one says it inside of a sentence: `in the best range`, `a little high`, `low`. */
export const verdictWithin = (t: Translator, entry: Judged): string => t(`verdict.${verdictOf(entry)}`)

/** The same alone: `A little high`. */
export const verdictWords = (t: Translator, entry: Judged): string => t.capital(verdictWithin(t, entry))

/** Why a result was not judged, without the next step behind the colon of each known reason: that is for who checks it. */
export function factWords({ language }: Translator, reason: string): string {
  const fact = factOf(reason)
  const said = textIn(language, stored(reason))
  if (fact === reason) return said
  if (said === reason) return fact
  // Of what it rests on in English, the part that the document has: : “g/mmol” is not known.
  const grounds = fact.includes(': ') ? fact.slice(fact.indexOf(': ')).replace(/^: (“[^”]*”) .*$/s, ': $1') : ''
  return `${said.split(': ')[0]}${grounds}`
}
