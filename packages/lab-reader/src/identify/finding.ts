import { type AnswerReading, findingOfAnswers, isInfection } from '../facts/answers.ts'
import type { Finding, Scale } from '../facts/finding-schema.ts'
import { expectedOf, findingOf, isExpected, titreOf } from '../facts/findings.ts'
import { flagNamesAnother, readFlag } from '../facts/flag.ts'
import { plainLetters } from '../facts/letters.ts'
import type { Biomarker } from '../facts/schema.ts'
import type { Bounds, Observation } from '../parse/parsed.ts'
import type { FindingCandidate } from './duplicates.ts'
import { noteSpeaksOfFinding } from './infections.ts'
import type { Reason, Refused } from './reasons.ts'

/** A result that is a word, a step of a test strip or a text; what is not known waits for a person. */
export function considerFinding(
  observation: Observation,
  { biomarker, why }: { biomarker: Biomarker; why: string },
): FindingCandidate | Refused {
  const { valueText, rangeText, flag } = observation
  const refuse = (reason: Reason): Refused => ({ reason, suggestions: [biomarker.id] })
  const read = biomarker.scale && readFinding(biomarker.scale, observation)
  if (read === 'contradiction') return refuse('codeContradictsText')
  if (!biomarker.scale || !read || read === 'unknown') return refuse('unknownWord')
  if (isPlusOfJapan(observation)) return refuse('unknownWord')
  const finding = read
  const labExpected = expectedOf(biomarker.scale, rangeText)
  if (flagNamesAnother(finding, flag) || (isInfection(biomarker.scale) && isDoubted(finding, flag)))
    return refuse('flagContradictsValue')
  const { comment, said } = observation
  const note = comment ?? said?.comment ?? ''
  const isContradicted =
    (finding.value === 'negative' && noteSpeaksOfFinding(note)) || indexContradicts(finding.value, [valueText, note])
  if (isInfection(biomarker.scale) && isContradicted) return refuse('noteContradictsValue')
  if (labExpected && contradicts(finding, labExpected, flag)) return refuse('flagContradictsRange')
  // Neither is a positive one that is marked as normal.
  if (isInfection(biomarker.scale) && finding.value === 'positive' && readFlag(flag ?? '') === 'N')
    return refuse('flagContradictsValue')
  const words = finding.value === valueText ? [why] : [why, `"${valueText}" is read as ${finding.value}`]
  return { observation, biomarker, finding, ...(labExpected && { labExpected }), why: words }
}

/** "S/CO 4.31 (cutoff 1.00)": the signal by that of the cut-off, and what it is compared with. No sentence on how to read it. */
const index =
  /(?<![\p{L}\d])(?:s ?\/ ?c(?:\/?o)?|coi|signal (?:to|\/) cut-?off(?: ratio)?|(?:cut-?off )?index(?: value)?)(?![\p{L}\d])[\s:=]*(\d+(?:[.,]\d+)?)(?![\d.,]|\s*(?:[-–]|to\b|or\b|and\b|bis\b))(?:\W*(?:cut-?off|limit|ref\p{L}*)[\s:=<]*(\d+(?:[.,]\d+)?))?/iu

/** Whether an index that is printed beside an answer lies on the other side of its cut-off, which is 1 unless another one is named. */
function indexContradicts(value: string, texts: readonly string[]): boolean {
  const [, sent, limit = '1'] = index.exec(texts.map(plainLetters).join('. ')) ?? []
  if (sent === undefined) return false
  const [signal, cutOff] = [sent, limit].map((digits) => Number(digits.replace(',', '.'))) as [number, number]
  return (value === 'negative' && signal >= cutOff) || (value === 'positive' && signal < cutOff)
}

/** "(+)" is a trace in Germany and the step 1+ in Japan. */
const isPlusOfJapan = ({ name, valueText }: Observation): boolean =>
  /^\(\+\)$/.test(valueText.trim()) && /[\u3041-\u30ff\u4e00-\u9fff]/.test(name)

/** A text of several coded answers, such as two organisms, is all of them. True or false: whether what its code names is there. */
function readFinding(scale: Scale, { valueText, answers, loinc }: Observation): AnswerReading | undefined {
  if (scale.kind === 'presence' && loinc && !isInfection(scale) && /^(?:true|false)$/.test(valueText))
    return findingOf(scale, valueText === 'true' ? 'positive' : 'negative')
  return answers && scale.kind !== 'text' ? findingOfAnswers(scale, answers) : findingOf(scale, valueText)
}

/** Marked as anything but normal, a negative answer is not clear. */
function isDoubted({ value }: Finding, flag = ''): boolean {
  const isSaid = ['', 'N', 'NEG', 'ND', 'NR'].includes(flag.trim().toUpperCase())
  return value === 'negative' && !isSaid && readFlag(flag) !== undefined
}

/** Flag and expected result are both the laboratory's: one of them is of another row or column. */
function contradicts(finding: Finding, labExpected: readonly string[], flag: string | undefined): boolean {
  const said = readFlag(flag)
  if (said === undefined || said === 'unreadable') return false
  return (said === 'N') !== isExpected(finding, labExpected)
}

/** `1:320` as the number 320 in titers, with its printed limit. */
export function titreIn(observation: Observation): Observation {
  const titre = titreOf(observation.valueText)
  if (!titre) return observation
  const range = limitOf(observation.rangeText)
  return { ...observation, ...titre, unit: '{titer}', ...(range && { range }) }
}

/** `<1:40`, `Negative: <1:40`; a titre without a sign may be the first abnormal or the last normal one. */
function limitOf(rangeText = ''): Bounds | undefined {
  const limit = titreOf(rangeText.replace(/^\(?\s*neg(ative|ativ)?\b[\s:.(]*|\)$/i, ''))
  if (!limit?.comparator?.startsWith('<')) return undefined
  return { low: null, high: limit.value, ...(limit.comparator === '<' && { highExclusive: true }) }
}
