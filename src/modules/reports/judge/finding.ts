import { isCritical } from '@kitlane/display/interpretation'
import { Sentence, sentence } from '@kitlane/display/sentence'
import type { Finding, Scale } from '@kitlane/lab-reader/facts/finding-schema'
import { isExpected } from '@kitlane/lab-reader/facts/findings'
import { findingOfFlag, flagMeaning, readFlag } from '@kitlane/lab-reader/facts/flag'
import type { NewFinding } from '@kitlane/lab-reader/identify/result'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { BiomarkerEntry } from '../schema.ts'
import { besideValue, factsOf, noted, type Raw, unjudgedEntry } from './facts.ts'
import type { Sample } from './new-result.ts'
import { specimenNote } from './specimen.ts'

type Verdict = Pick<BiomarkerEntry, 'state' | 'interpretation'>

const otherScaleNote = sentence('The result is of another kind than the catalogue expects; a person must look at it')
const notExpectedNote = sentence('Nothing says which results of this biomarker are normal')
const betweenNote = sentence('The result is neither negative nor positive')
const textNote = sentence('It is not the expected text, and only a laboratory can say what it means')

/** Judges a result that is no number, by what the laboratory printed as expected, else by the catalogue. */
export function judgeFinding(biomarker: Biomarker, result: NewFinding, { subject, labErrors }: Sample): BiomarkerEntry {
  const { finding, labFlag, labExpected } = result
  const { scale } = biomarker
  const raw: Raw = {
    type: 'measured',
    rawResult: result.rawResult ?? finding.value,
    rawUnit: '',
    labRange: null,
    ...besideValue(result),
  }
  const specimen = specimenNote(labErrors, biomarker.id)
  if (!scale || scale.kind === 'titre' || scale.kind !== finding.kind) {
    return unjudgedEntry(biomarker, raw, subject, otherScaleNote)
  }
  const expected = labExpected ?? scale.expected
  const { note, ...verdict } = verdictOf(scale, finding, expected, labFlag)
  return {
    ...factsOf(biomarker, raw),
    ...raw,
    conversionEnabled: false,
    result: null,
    finding,
    expected: { values: [...expected], source: labExpected ? 'lab' : 'catalogue' },
    ranges: { optimal: null, good: [], fair: [], inRange: null, source: 'none' },
    ...verdict,
    deviationScore: null,
    ...(holds(scale, finding) && { holdsReport: true as const }),
    ...noted(specimen, note),
  }
}

/** Whether a finding keeps its report from being published without a person, regardless of who calls it normal. */
function holds(scale: Scale | undefined, finding: Finding): boolean {
  if (scale === undefined || scale.kind === 'titre' || scale.critical !== true) return false
  return !isExpected(finding, scale.expected.length > 0 ? scale.expected : ['negative'])
}

/** The laboratory's flag is never contradicted: where ours differs, its flag is the verdict and the note says both. */
function verdictOf(
  scale: Exclude<Scale, { kind: 'titre' }>,
  finding: Finding,
  expected: readonly string[],
  labFlag: string | undefined,
): Verdict & { note?: Sentence } {
  const own = ownVerdict(finding, expected, scale.critical === true)
  const flag = findingOfFlag(labFlag) ? undefined : readFlag(labFlag)
  if (flag === undefined) return own
  if (flag === 'unreadable') {
    const note = sentence('The laboratory marked it "{flag}", which is not known here: a person must read it.', {
      flag: labFlag ?? '',
    })
    return { state: 'unknown', interpretation: '', note }
  }
  const isNormal = flag === 'N'
  const interpretation = own.interpretation === 'AA' && !isNormal && !isCritical(flag) ? 'AA' : flag
  const verdict: Verdict = { state: isNormal ? 'good' : 'poor', interpretation }
  if (own.state === verdict.state) return verdict
  const marked = { meaning: new Sentence(flagMeaning(flag)), flag: labFlag ?? '' }
  if (own.state === 'unknown') {
    const note = sentence(
      'The laboratory marked it as {meaning} ({flag}), and that counts: nothing here judges it.',
      marked,
    )
    return { ...verdict, note }
  }
  const note = sentence(
    'The laboratory marked it as {meaning} ({flag}), and that counts. Expected is {expected}, so it would be {verdict, select, normal {normal} other {abnormal}}.',
    { ...marked, expected: eitherOf(expected), verdict: isNormal ? 'abnormal' : 'normal' },
  )
  return { ...verdict, note }
}

/** `negative or trace` */
function eitherOf(expected: readonly string[]): Sentence {
  const [first, ...others] = expected.map((value) =>
    sentence(
      '{value, select, negative {negative} positive {positive} indeterminate {indeterminate} trace {trace} other {{value}}}',
      { value },
    ),
  )
  return others.reduce(
    (before, then) => sentence('{before} {word, select, other {or}} {then}', { before, word: 'or', then }),
    first ?? new Sentence(''),
  )
}

function ownVerdict(
  finding: Finding,
  expected: readonly string[],
  isCriticalRule: boolean,
): Verdict & { note?: Sentence } {
  if (isExpected(finding, expected)) return { state: 'good', interpretation: 'N' }
  const none = { state: 'unknown', interpretation: '' } as const
  if (expected.length === 0) return { ...none, note: notExpectedNote }
  if (finding.value === 'indeterminate') return { ...none, note: betweenNote }
  if (finding.kind === 'text') return { ...none, note: textNote }
  return { state: 'poor', interpretation: isCriticalRule ? 'AA' : 'A' }
}

/** Whether the laboratory marked a result in a way that is not known here: a person must read it before anybody else. */
export const hasUnreadFlag = ({ labFlag, finding }: Pick<BiomarkerEntry, 'labFlag' | 'finding'>): boolean =>
  readFlag(labFlag) === 'unreadable' && !(finding && findingOfFlag(labFlag))
