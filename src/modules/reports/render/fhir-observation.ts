import { findingText } from '@kitlane/display/finding'
import { intervalText } from '@kitlane/display/interval'
import { expectedText, limitsText, rawText } from '@kitlane/display/report-text'
import type { Interval, Phase } from '@kitlane/lab-reader/facts/schema'
import { factOf } from '@kitlane/lab-reader/identify/reasons'
import { translatorOf } from '../../../domain/translations/translator.ts'
import { type BiomarkerEntry, isUsable } from '../schema.ts'
import type { ReportedUnassessed } from '../unassessed/schema.ts'
import { judgedPhase } from './words.ts'

const TERMS = 'http://terminology.hl7.org/CodeSystem'
const UCUM = 'http://unitsofmeasure.org'

export interface Circumstances {
  subject: { reference: string }
  specimen: { reference: string }
  /** `YYYY-MM-DD` */
  effective: string | undefined
  issued: string
  /** The laboratories. */
  performers: readonly { reference: string; display: string }[]
  /** Corrected if the version before had another final value; in error where a later version took it back. */
  status: 'preliminary' | 'final' | 'corrected' | 'entered-in-error'
  /** What holds for every result of the report: readers of single results see nothing else of it. */
  remarks: readonly string[]
}

/** One result of a report as a FHIR R4 Observation. */
export function observation(
  entry: BiomarkerEntry,
  { subject, specimen, effective, issued, performers, status, remarks }: Circumstances,
) {
  const { interpretation, said } = entry
  const own = performers.filter(({ display }) => display === said?.laboratory)
  const performer = own.length > 0 ? own : performers
  const note = [...remarks.map((text) => ({ text })), ...notesOf(entry)]
  const referenceRange = rangesOf(entry)
  return {
    resourceType: 'Observation' as const,
    status,
    category: [{ coding: [{ system: `${TERMS}/observation-category`, code: 'laboratory' }] }],
    code: codeOf(entry),
    subject,
    ...(effective !== undefined && { effectiveDateTime: effective }),
    issued,
    ...(performer.length > 0 && { performer }),
    ...resultOf(entry),
    ...(interpretation !== '' && {
      interpretation: [{ coding: [{ system: `${TERMS}/v3-ObservationInterpretation`, code: interpretation }] }],
    }),
    ...(note.length > 0 && { note }),
    ...(said?.method && { method: { text: said.method } }),
    specimen,
    ...(referenceRange.length > 0 && { referenceRange }),
  }
}

/** The laboratory's own codes and name, and ours beside them. */
function codeOf({ id, label, loinc, sent }: BiomarkerEntry) {
  const own = { system: 'urn:kitlane:biomarker', code: id, display: label }
  const isLoinc = ({ code }: { code: string }) => code === loinc
  const theirs = (sent?.codes ?? [])
    .filter((one) => !isLoinc(one))
    .map(({ code, system, display }) => ({ ...uriOf(system), code, ...(display && { display }) }))
  const known = loinc === undefined ? [] : [{ system: 'http://loinc.org', code: loinc }]
  return { coding: [...known, ...theirs, own], text: sent?.name || label }
}

/** The name of a code system as FHIR has it; the list of a laboratory has no address. */
function uriOf(system: string | undefined): { system?: string } {
  if (system === undefined) return {}
  return /^(?:https?:|urn:)/.test(system)
    ? { system }
    : /^\d+(?:\.\d+)+$/.test(system)
      ? { system: `urn:oid:${system}` }
      : {}
}

const measure = (value: number, { unit, displayUnit }: Pick<BiomarkerEntry, 'unit' | 'displayUnit'>) => ({
  value,
  unit: displayUnit || unit,
  system: UCUM,
  code: unit,
})

/** A number, a titre as 1 to its number, a finding by our code, a text, or why there is none. */
function resultOf(entry: BiomarkerEntry) {
  const { finding, kind, result, comparator } = entry
  if (finding?.kind === 'text') return { valueString: finding.value }
  if (finding) {
    const coding = [{ system: 'urn:kitlane:finding', code: finding.value, display: findingText(finding) }]
    return { valueCodeableConcept: { coding, text: findingText(finding) } }
  }
  if (result === null) return { dataAbsentReason: absenceOf(entry) }
  if (kind !== 'titre') return { valueQuantity: quantityOf(entry) }
  return { valueRatio: { numerator: { value: 1 }, denominator: { value: result, ...(comparator && { comparator }) } } }
}

function quantityOf(entry: BiomarkerEntry) {
  const { result, comparator } = entry
  return { ...measure(result ?? Number.NaN, entry), ...(comparator && { comparator }) }
}

/** A result that the sample's condition forbids is an error; one whose unit or value could not be used is unsupported. */
function absenceOf(entry: BiomarkerEntry) {
  const code = rawText(entry) === '' ? 'error' : 'unsupported'
  return { coding: [{ system: `${TERMS}/data-absent-reason`, code }] }
}

function notesOf(entry: BiomarkerEntry): { text: string }[] {
  const { type, note, unit, rawUnit, finding, rawResult, said, phases } = entry
  const raw = rawText(entry)
  const isOther = finding ? rawResult !== findingText(finding) : !isUsable(entry) || rawUnit !== unit
  return [
    ...(note === undefined ? [] : [note]),
    ...(phases ? [phaseNote(entry, phases)] : []),
    ...saidNotes(entry),
    ...(said?.comment ? [`The laboratory's note: ${said.comment}`] : []),
    ...(type === 'calculated' ? ['Calculated from other results of this report.'] : []),
    ...(type === 'measured' && raw !== '' && isOther ? [`As the laboratory gave it: ${raw}`] : []),
  ].map((text) => ({ text }))
}

/** The phase of the cycle that the laboratory stated, and whether it judged. */
function phaseNote(entry: BiomarkerEntry, phases: readonly Phase[]): string {
  const { ranges, saidByPerson } = entry
  const who = saidByPerson?.includes('phases') ? 'person tested' : 'laboratory'
  const t = translatorOf('en')
  const [phase] = phases
  return ranges.source === 'phase' && phase
    ? `Judged ${judgedPhase(t, phase, entry)}.`
    : `The ${who} says: ${phases.map((one) => t(`phase.name.${one}`)).join(', ')}.`
}

/** What the person tested says of the sample, where the laboratory says nothing. */
function saidNotes({ fasting, pregnant, saidByPerson = [] }: BiomarkerEntry): string[] {
  const t = translatorOf('en')
  const isSaid = fasting && fasting !== 'notStated' && saidByPerson.includes('fasting')
  return [
    ...(isSaid ? [t(`fasting.said.${fasting}`)] : []),
    ...(pregnant && saidByPerson.includes('pregnant') ? ['The person tested says that they are pregnant.'] : []),
  ]
}

const meaning = (code: string, text: string) => ({
  coding: [{ system: `${TERMS}/referencerange-meaning`, code }],
  text,
})
const own = (code: string, text: string) => ({ coding: [{ system: 'urn:kitlane:range', code }], text })

function rangesOf(entry: BiomarkerEntry) {
  const { ranges, labRange } = entry
  const { inRange, optimal, good, fair, source } = ranges
  const all = [
    { interval: inRange, type: meaning('normal', 'Reference interval') },
    { interval: source === 'lab' ? null : labRange, type: own('laboratory', "The laboratory's own interval") },
    { interval: optimal, type: meaning('recommended', 'Optimal') },
    ...good.map((interval) => ({ interval, type: own('good', 'Good') })),
    ...fair.map((interval) => ({ interval, type: own('fair', 'Fair') })),
  ]
  const expected = expectedText(entry)
  return [
    ...(expected === '' ? [] : [{ type: meaning('normal', 'Expected result'), text: expected }]),
    ...all.flatMap(({ interval, type }) =>
      interval && intervalText(interval) !== '' ? [{ ...boundsOf(interval, entry), type }] : [],
    ),
  ]
}

function boundsOf(interval: Interval, entry: BiomarkerEntry) {
  const { low, high } = interval
  return {
    ...(low !== null && { low: measure(low, entry) }),
    ...(high !== null && { high: measure(high, entry) }),
    text: limitsText(interval, entry.displayUnit),
  }
}

const statuses: Record<string, string> = {
  final: 'final',
  preliminary: 'preliminary',
  corrected: 'corrected',
  cancelled: 'cancelled',
  'not-done': 'cancelled',
  pending: 'registered',
}

/** Codes that were sent and cannot be right. */
const doubtfulCodes = ['wrongCheckDigit', 'codeContradictsName', 'unknownNameOfCode']

/** What was received and not judged as a FHIR R4 Observation: the value as text, the reason, and no verdict. */
export function unassessedObservation(
  one: ReportedUnassessed,
  { subject, effective, issued, remarks }: Pick<Circumstances, 'subject' | 'effective' | 'issued' | 'remarks'>,
) {
  const { name, value, unit, range, flag, code, reason, loinc, sent } = one
  const coding = loinc !== null && !doubtfulCodes.includes(code) ? [{ system: 'http://loinc.org', code: loinc }] : []
  const notes = [
    ...remarks,
    `Not assessed: ${factOf(reason)}.`,
    ...(flag === '' ? [] : [`The laboratory's flag: ${flag}`]),
  ]
  return {
    resourceType: 'Observation' as const,
    status: code === 'withdrawn' ? 'entered-in-error' : (statuses[sent?.status ?? 'final'] ?? 'unknown'),
    category: [{ coding: [{ system: `${TERMS}/observation-category`, code: 'laboratory' }] }],
    code: { ...(coding.length > 0 && { coding }), text: name || 'No name' },
    subject,
    ...(effective !== undefined && { effectiveDateTime: effective }),
    issued,
    ...(value === ''
      ? { dataAbsentReason: { coding: [{ system: `${TERMS}/data-absent-reason`, code: 'unknown' }] } }
      : { valueString: [value, unit].filter(Boolean).join(' ') }),
    note: notes.map((text) => ({ text })),
    ...(sent?.specimen && { specimen: { display: sent.specimen } }),
    ...(range !== '' && { referenceRange: [{ text: range }] }),
  }
}
