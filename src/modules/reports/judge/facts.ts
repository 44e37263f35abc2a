import { type Sentence, sentence } from '@kitlane/display/sentence'
import { rangesFor } from '@kitlane/lab-reader/facts/ranges'
import { categoryLabels } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { BiomarkerEntry } from '../schema.ts'
import type { Subject } from './formulas.ts'

/** What a laboratory gave. */
export type Raw = Pick<
  BiomarkerEntry,
  | 'type'
  | 'rawResult'
  | 'rawValue'
  | 'rawUnit'
  | 'labRange'
  | 'labFlag'
  | 'said'
  | 'fasting'
  | 'pregnant'
  | 'phases'
  | 'saidByPerson'
  | 'sent'
  | 'preliminary'
>

/** What stands beside a value, however it is judged. */
export const besideValue = ({
  labFlag,
  said,
  sent,
  preliminary,
  pregnant,
  phases,
  saidByPerson,
}: Omit<Raw, 'type' | 'rawResult' | 'rawUnit' | 'labRange' | 'rawValue' | 'fasting'>) => ({
  ...(labFlag && { labFlag }),
  ...(said && { said }),
  ...(sent && { sent }),
  ...(preliminary && { preliminary }),
  ...(pregnant !== undefined && { pregnant }),
  ...(phases && phases.length > 0 && { phases }),
  ...(saidByPerson && { saidByPerson }),
})

/** The notes of an entry in one: as text, and what it was made of. */
export function noted(...said: (Sentence | undefined)[]): Pick<BiomarkerEntry, 'note' | 'noteKept'> {
  const [first, ...others] = said.filter((one) => one !== undefined)
  if (!first) return {}
  const whole = others.reduce((before, then) => sentence('{before} {then}', { before, then }), first)
  return { note: String(whole), noteKept: whole.kept() }
}

/** A result that is kept as it came, with the reason why it has no verdict. */
export function unjudgedEntry(biomarker: Biomarker, raw: Raw, subject: Subject, note: Sentence): BiomarkerEntry {
  const ranges = rangesFor(biomarker, subject)
  const verdict = { state: 'unknown', interpretation: '', deviationScore: null } as const
  return {
    ...factsOf(biomarker, raw),
    ...raw,
    result: null,
    ranges,
    ...verdict,
    conversionEnabled: false,
    ...noted(note),
  }
}

/** The same as `biomarkerFacts`, with the laboratory's own LOINC code, and "fasting" only where the sample was. */
export function factsOf(biomarker: Biomarker, { sent, fasting }: Pick<Raw, 'sent' | 'fasting'>) {
  const known = biomarkerFacts(biomarker)
  const own = sent?.codes.find(({ system }) => system === 'http://loinc.org')?.code
  const isFasting = fasting === 'yes' && biomarker.flags.includes('fasting_required')
  return {
    ...known,
    ...(own && { loinc: own }),
    ...(isFasting && { label: `${known.label} (fasting)` }),
  }
}

/** What a report repeats of the catalogue beside a result. */
function biomarkerFacts(biomarker: Biomarker) {
  const { id, loinc, label, shortLabel, simpleLabel, unit, displayUnit, direction, scale, text } = biomarker
  // A unit that only holds below some value is for reading results, not for showing them.
  const shown = biomarker.conversions.filter(({ below }) => below === undefined)
  const inverse = (x: number) => Number(x.toPrecision(10))
  const commonAlternativeUnits = shown.map(({ unit, factor, offset = 0 }) => ({
    unit,
    factor: inverse(1 / factor),
    offset: offset === 0 ? 0 : inverse(-offset / factor),
  }))
  return {
    id,
    ...(loinc && { loinc }),
    label,
    shortLabel,
    simpleLabel,
    ...(scale && { kind: scale.kind }),
    ...(text && { textVersion: text.version }),
    category: { name: categoryLabels[biomarker.category], weight: 0 },
    unit,
    displayUnit,
    targetType: direction,
    commonAlternativeUnits,
    conversionEnabled: commonAlternativeUnits.length > 0,
  }
}
