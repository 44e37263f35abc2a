import { isEarlierOrGoal, isVetoed } from '../../facts/guarded-match.ts'
import { specimensIn } from '../../facts/specimens.ts'
import { annuls } from '../annulling.ts'
import { annulsAll, withUnknown } from '../beside.ts'
import type { Doubt, Observation } from '../parsed.ts'
import { areSeveralPeople } from '../person.ts'
import { tellsOfDraw, tellsOfState } from '../remark.ts'
import { isAfterDose, isSaidSelfMeasured, isSelfMeasured } from '../sample-words.ts'
import { isMaterialName, isNotOwn, isOfQuality, tellsOfPool } from '../specimen-words.ts'
import { withNote } from '../status.ts'
import { clean } from '../text.ts'
import { type Group, takenBack } from './collect.ts'
import type { Library } from './library.ts'
import { statusOf, wordsOf } from './observation.ts'
import { specimenOf } from './origin.ts'
import { describePatient } from './patient.ts'
import {
  type Concept,
  labelAgainst,
  type ObservationResource,
  plainReference,
  type Reference,
  type ReportResource,
  type Resource,
  type SpecimenResource,
} from './resource.ts'

export interface Held {
  doubt: Doubt
  because: string
}

const annulled = (because: string): Held => ({ doubt: 'annulled', because })
const notOwn = (because: string): Held => ({ doubt: 'notOwn', because })

/** Why all results of a report wait: its conclusion, its text, or a note on its panel or on these results. */
export function heldBy({ report, members, notes }: Group): Held | undefined {
  const forms = (report?.presentedForm ?? []).flatMap(({ contentType = '', data, title = '' }) => [
    title,
    /^text\/plain/i.test(contentType) && data ? clean(Buffer.from(data, 'base64').toString('utf8'), 20_000) : '',
  ])
  const whole = [report?.conclusion ?? '', ...(report?.conclusionCode ?? []).map(wordsOf), ...forms, ...notes]
  const narrated = narrativeOf(report).find(annulsAll)
  const beside = members.map(({ note = [] }) => note.map(({ text = '' }) => text).join(' '))
  const said = whole.find(annuls) ?? narrated ?? beside.find(annulsAll)
  return said === undefined ? undefined : annulled(said)
}

/** The results of a report with what its conclusion and its notes say of all of them. */
export const withRemarksOn = ({ report, notes }: Group, observations: readonly Observation[]): Observation[] =>
  observations.map((one) => [report?.conclusion ?? '', ...notes].reduce(withUnknown, one))

/** The texts of a report's narrative, each element by itself. */
const narrativeOf = (report: ReportResource | ObservationResource | undefined): string[] =>
  (report?.text?.div ?? '')
    .slice(0, LONGEST_NARRATIVE)
    .split(/<[^<>]*>/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
const LONGEST_NARRATIVE = 100_000

/** Whether a report's narrative says that it is preliminary; its conclusion is read with the other notes. */
export const isPreliminary = ({ report }: Group): boolean =>
  narrativeOf(report).some((said) => withNote('final', said) === 'preliminary')

/** Why one result waits: test data, an animal, control material, or what its specimens say. */
export function heldOf(
  one: ObservationResource,
  { report }: Group,
  specimens: readonly SpecimenResource[],
  library: Library,
): Held | undefined {
  const written = writtenOf(one, report, library)
  if (written) return written
  const subject = one.subject ?? report?.subject
  const said = [subject, one.specimen, ...(report?.specimen ?? []), ...(one.derivedFrom ?? [])]
  const broken = library.brokenBeside(one, said)
  if (broken) return { doubt: 'contradicted', because: broken }
  const patient = library.follow(subject, one)
  const label = [one, report, patient, ...specimens].map((resource) => labelAgainst(resource?.meta)).find(Boolean)
  if (label) return notOwn(`it is labelled as test data or control material (${label})`)
  if ([one, report, ...specimens].some((resource) => resource && isUnreliable(resource)))
    return annulled('it is labelled as unreliable')
  if (patient?.resourceType === 'Patient') {
    const isAnimal =
      patient.animal !== undefined || patient.extension?.some(({ url }) => url.endsWith('/patient-animal'))
    if (isAnimal) return notOwn('the Patient is an animal')
    const { name = '' } = describePatient(patient)
    if (isMaterialName(name)) return notOwn(`the name is ${name}`)
  }
  const other = specimens.find(
    (specimen) => specimen.subject && isOther(specimen.subject, specimen, subject, one, library),
  )
  if (other?.subject)
    return notOwn(`the specimen is of ${other.subject.display ?? other.subject.reference ?? 'another'}`)
  const asked = orderAgainst([...(one.basedOn ?? []), ...(report?.basedOn ?? [])], one, subject, library)
  if (asked) return asked
  if (specimens.some(isPooled)) return notOwn('the specimen is pooled')
  if ((one.partOf ?? []).some((to) => library.typeOf(to, one) === 'MedicationAdministration'))
    return { doubt: 'otherSpecimenSection', because: 'it is part of the administration of a drug' }
  const role = specimens.flatMap(({ role = [] }) => role).find((one) => !isOwnRole(one))
  if (role) return notOwn(`the role of the specimen is ${wordsOf(role)}`)
  const onPanel = library.panelsOf(one).flatMap(({ note = [] }) => note.map(({ text = '' }) => text))
  const against = [...onPanel, ...saidElsewhere(one, report, library)].find(annuls)
  if (against) return annulled(against)
  const corrected = report && library.list('DiagnosticReport').find((other) => leavesOut(other, one, report, library))
  if (corrected) return annulled('a corrected report of the same number does not hold it')
  const category = (one.category ?? []).flatMap(wordsIn).find((said) => isNotOwn(said))
  if (category) return notOwn(`its category is ${category}`)
  const bases = one.derivedFrom ?? []
  if (bases.some((base) => library.typeOf(base, one) === 'QuestionnaireResponse'))
    return { doubt: 'contradicted', because: 'it is derived from the answer to a questionnaire' }
  const base = bases
    .map((base) => library.follow(base, one))
    .find((from) => from?.resourceType === 'Observation' && takenBack.includes(statusOf(from.status)))
  if (base) return annulled('it is derived from a result that was taken back')
  const device =
    [...wordsIn(one.method), one.device?.display ?? ''].find(isSelfMeasured) ??
    [...(one.note ?? []).map(({ text = '' }) => text), ...(one.category ?? []).map(wordsOf)].find(isTold)
  const people = ['Patient', 'RelatedPerson']
  const isOwn = one.performer?.length && one.performer.every((by) => people.includes(library.typeOf(by, one) ?? ''))
  if (device || isOwn)
    return { doubt: 'contradicted', because: `not measured by the laboratory: ${device ?? 'the patient performed it'}` }
  const dose = (one.note ?? []).map(({ text = '' }) => text).find(isAfterDose)
  if (dose) return { doubt: 'otherSpecimenSection', because: dose }
  const condition = specimens
    .flatMap((specimen) => [
      specimenOf(specimen).condition ?? '',
      ...(specimen.note ?? []).map(({ text = '' }) => text),
      ...handlingOf(specimen),
    ])
    .find(annuls)
  return condition === undefined ? undefined : annulled(condition)
}

/** What the order of a result says against it: it was taken back, or is of somebody else. */
function orderAgainst(
  basedOn: readonly Reference[],
  one: ObservationResource,
  subject: Reference | undefined,
  library: Library,
): Held | undefined {
  for (const order of basedOn.map((to) => library.follow(to, one))) {
    if (order?.resourceType !== 'ServiceRequest') continue
    const { status = '', doNotPerform, subject: whose, note = [], reasonCode = [] } = order
    if (doNotPerform || ['revoked', 'entered-in-error'].includes(status))
      return { doubt: 'contradicted', because: `the order was cancelled (${doNotPerform ? 'doNotPerform' : status})` }
    if (whose && isOther(whose, order, subject, one, library)) return notOwn('the order is of another')
    const said = note.map(({ text = '' }) => text).find(annuls)
    if (said) return annulled(said)
    const reason = reasonCode.map(wordsOf).find(isOfQuality)
    if (reason) return notOwn(reason)
  }
  return undefined
}

/** Whether what later corrects or takes back a report, by its number, holds no result of the same name. */
function leavesOut(other: ReportResource, one: ObservationResource, report: ReportResource, library: Library): boolean {
  const numbersOf = ({ identifier = [] }: ReportResource) =>
    identifier.flatMap(({ system = '', value }) => (value ? `${system}|${value}` : []))
  if (other === report || !['corrected', 'amended', ...takenBack].includes(other.status)) return false
  const isLater = (other.issued ?? '') > (report.issued ?? '')
  if (!isLater || !numbersOf(other).some((number) => numbersOf(report).includes(number))) return false
  const held = (other.result ?? []).map((to) => library.follow(to, other))
  return !held.some((result) => result?.resourceType === 'Observation' && wordsOf(result.code) === wordsOf(one.code))
}

/** What other reports that hold the same result conclude. */
const saidElsewhere = (one: ObservationResource, report: ReportResource | undefined, library: Library): string[] =>
  library
    .reportsOn(one)
    .filter((other) => other !== report)
    .flatMap(({ conclusion = '', conclusionCode = [] }) => [conclusion, ...conclusionCode.map(wordsOf)])

/** The same, and what specimens say of how they came to be: where nothing is known of it, the result waits. */
export const remarksBeside = (
  one: ObservationResource,
  report: ReportResource | undefined,
  specimens: readonly SpecimenResource[],
  library: Library,
): string[] => [
  ...saidElsewhere(one, report, library),
  ...specimens.flatMap((one) => [
    ...(one.note ?? []).map(({ text = '' }) => text),
    ...handlingOf(one).filter(tellsOfDraw),
    ...(one.condition ?? []).map(wordsOf).filter(tellsOfState),
  ]),
]

/** How a sample was taken, kept and prepared, and in which state it came. */
/** FHIR: a specimen of several parents is pooled. */
const isPooled = (one: SpecimenResource): boolean =>
  one.combined === 'pooled' || (one.parent?.length ?? 0) > 1 || handlingOf(one).some(tellsOfPool)

const handlingOf = ({ condition = [], collection, processing = [], container = [] }: SpecimenResource): string[] => [
  ...[...condition, collection?.method, ...processing.map(({ procedure }) => procedure)].map(wordsOf),
  ...[...processing, ...container].map(({ description = '' }) => description),
]

/** HL7 table 0369: of the patient. Others are control material, replicates as a control, calibrators and pools. */
const isOwnRole = ({ coding = [], text = '' }: Concept): boolean =>
  coding.length > 0 ? coding.every(({ code = '' }) => /^P?$/i.test(code)) : !isNotOwn(text)

/** People answer surveys; laboratories do not. */
const isTold = (text: string): boolean => text.toLowerCase() === 'survey' || isSaidSelfMeasured(text)

/** By its last part: "…/fhir/result-invalid". Its own extensions say how a laboratory means a result. */
const annulling =
  /(?:^|[-_.])(?:data-absent-reason|invalid(?:ated)?|withdrawn|retracted|revoked|cancel+ed|voided|erroneous|unreliable|do-?not-?use)(?:$|[-_.])/i

/** What a document, a deletion, an extension or the narrative says against a result. */
function writtenOf(one: ObservationResource, report: ReportResource | undefined, library: Library): Held | undefined {
  if (library.isDeleted(one) || (report && library.isDeleted(report))) return annulled('the file deletes it')
  for (const { status, titles } of [one, ...(report ? [report] : [])].flatMap((of) => library.saidOfDocument(of))) {
    if (status !== undefined) return annulled(`the status of its document is ${status}`)
    const against = titles.find(annuls)
    if (against) return annulled(against)
    const title = titles.find(isEarlierOrGoal)
    if (title) return { doubt: 'earlierOrGoal', because: title }
    const other = titles.find((said) => isVetoed(said) && !specimensIn(said)?.includes('blood'))
    if (other && !specimensIn(wordsOf(one.code))?.length) return { doubt: 'otherSpecimenSection', because: other }
  }
  const own = one.extension?.find(
    ({ url, valueBoolean }) => valueBoolean !== false && annulling.test(url.split('/').at(-1) ?? ''),
  )
  if (own) return annulled(`an extension: ${own.url}`)
  const noted = one.extension?.map(({ valueString = '' }) => valueString).find(annuls)
  if (noted) return annulled(noted)
  const narrated = narrativeOf(one).find(annuls)
  if (narrated !== undefined) return annulled(narrated)
  const other = otherNumberIn(narrativeOf(one).join(' '), one)
  return other === undefined ? undefined : { doubt: 'contradicted', because: `its text says ${other}` }
}

/** A number in the unit of the value that its narrative shows instead of it: what people read is not what programs read. */
function otherNumberIn(text: string, { valueQuantity }: ObservationResource): string | undefined {
  const { value, unit, code } = valueQuantity ?? {}
  if (value === undefined || text === '') return undefined
  // The narrative may show fewer decimals.
  const isSame = (digits: string) =>
    [digits.replace(',', '.'), digits.replaceAll(',', '')].some((one) => {
      const step = 10 ** -(one.split('.')[1]?.length ?? 0)
      return Math.abs(Number(one) - value) <= 0.5 * step + 1e-9
    })
  const numbers = [...text.matchAll(/(\d[\d.,]*)\s*([^\s\d;,)]*)/g)].map(([, digits = '', behind = '']) => ({
    digits: digits.replace(/[.,]+$/, ''),
    behind,
  }))
  if (numbers.some(({ digits }) => isSame(digits))) return undefined
  const shown = /(?<![\p{L}\d.,<>≤≥–-]|[<>≤≥–-] )(\d[\d.,]*)\s*(?=\S)/gu
  const units = [unit, code].filter((one) => one !== undefined && one !== '')
  for (const found of text.matchAll(shown)) {
    const rest = text.slice(found.index + found[0].length)
    const own = units.find((one) => one && rest.startsWith(one) && !/^[\p{L}\d/]/u.test(rest.slice(one.length)))
    if (own) return `${found[1]} ${own}`
  }
  return undefined
}

const wordsIn = (concept: Concept | undefined): string[] => [
  wordsOf(concept),
  ...(concept?.coding ?? []).map(({ display = '' }) => display),
]

const isLabelled = ({ meta }: Resource, ...codes: string[]) =>
  [...(meta?.security ?? []), ...(meta?.tag ?? [])].some(({ code = '' }) => codes.includes(code))
/** HL7's codes of integrity: not to be relied on, or not known to be. */
const isUnreliable = (one: Resource) => isLabelled(one, 'UNRELIABLE', 'UNCERTREL')

/** Whether two references mean two people, each from where it stands. */
function isOther(a: Reference, fromA: Resource, b: Reference | undefined, fromB: Resource, library: Library): boolean {
  if (a.reference === undefined || b?.reference === undefined) return false
  const [one, other] = [library.find(a.reference, fromA), library.find(b.reference, fromB)]
  if (one?.resourceType === 'Patient' && other?.resourceType === 'Patient')
    return one !== other && areSeveralPeople([one, other].map(describePatient))
  return one !== other || plainReference(a.reference) !== plainReference(b.reference)
}
