import { intervalText } from '@kitlane/display/interval'
import { rawText, unitText } from '@kitlane/display/report-text'
import type { Interval } from '../../catalogue/schema.ts'
import type { BiomarkerEntry } from '../schema.ts'

const TERMS = 'http://terminology.hl7.org/CodeSystem'
const UCUM = 'http://unitsofmeasure.org'

export interface Circumstances {
  subject: { reference: string }
  specimen: { reference: string }
  /** `YYYY-MM-DD` */
  effective: string | undefined
  issued: string
  /** Corrected where the version before said something else; in error where a later version took it back. */
  status: 'final' | 'corrected' | 'entered-in-error'
}

/** One result of a report as a FHIR R4 Observation. */
export function observation(entry: BiomarkerEntry, { subject, specimen, effective, issued, status }: Circumstances) {
  const { interpretation } = entry
  const note = notesOf(entry)
  const referenceRange = rangesOf(entry)
  return {
    resourceType: 'Observation' as const,
    status,
    category: [{ coding: [{ system: `${TERMS}/observation-category`, code: 'laboratory' }] }],
    code: codeOf(entry),
    subject,
    ...(effective !== undefined && { effectiveDateTime: effective }),
    issued,
    ...(entry.result === null ? { dataAbsentReason: absenceOf(entry) } : { valueQuantity: quantityOf(entry) }),
    ...(interpretation !== '' && {
      interpretation: [{ coding: [{ system: `${TERMS}/v3-ObservationInterpretation`, code: interpretation }] }],
    }),
    ...(note.length > 0 && { note }),
    specimen,
    ...(referenceRange.length > 0 && { referenceRange }),
  }
}

function codeOf({ id, label, loinc }: BiomarkerEntry) {
  const own = { system: 'urn:kitlane:biomarker', code: id, display: label }
  return { coding: loinc === undefined ? [own] : [{ system: 'http://loinc.org', code: loinc }, own], text: label }
}

const measure = (value: number, { unit, displayUnit }: Pick<BiomarkerEntry, 'unit' | 'displayUnit'>) => ({
  value,
  unit: displayUnit || unit,
  system: UCUM,
  code: unit,
})

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
  const { type, result, note, unit, rawUnit } = entry
  const raw = rawText(entry)
  const isOther = result === null || rawUnit !== unit
  return [
    ...(note === undefined ? [] : [note]),
    ...(type === 'calculated' ? ['Calculated from other results of this report.'] : []),
    ...(type === 'measured' && raw !== '' && isOther ? [`As the laboratory gave it: ${raw}`] : []),
  ].map((text) => ({ text }))
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
  return all.flatMap(({ interval, type }) =>
    interval && intervalText(interval) !== '' ? [{ ...boundsOf(interval, entry), type }] : [],
  )
}

function boundsOf(interval: Interval, entry: BiomarkerEntry) {
  const { low, high } = interval
  return {
    ...(low !== null && { low: measure(low, entry) }),
    ...(high !== null && { high: measure(high, entry) }),
    text: `${intervalText(interval)} ${unitText(entry.displayUnit)}`.trim(),
  }
}
