import { createHash } from 'node:crypto'
import { conditionText, rangesNotice, withdrawnText } from '@kitlane/display/report-text'
import type { Laboratory, Specimen } from '@kitlane/lab-reader/parse/origin'
import { translatorOf } from '../../../domain/translations/translator.ts'
import type { KitApproval } from '../../orders/queries.ts'
import type { Report, ShownEntry } from '../schema.ts'
import { observation, unassessedObservation } from './fhir-observation.ts'
import type { Owner, Printable } from './subject.ts'

// A name space of this program, drawn once at random: the same thing gets the same UUID in every document.
const NAMESPACE = Buffer.from('8f3c52d1a6f14c0f9a2e6b0d6f6f1b57', 'hex')

/** RFC 9562, version 5: a UUID made of a name. */
function nameUuid(name: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const english = translatorOf('en')

const genders = { M: 'male', F: 'female', X: 'other' } as const

/** How the resources of one report refer to each other. */
export interface References {
  patient: string
  report: string
  /** From 1; the first one is the kit's. */
  specimen(position: number): string
  /** By the catalogue ID of its biomarker. */
  observation(biomarker: string): string
  unassessed(id: string): string
  /** By its name. */
  laboratory(name: string): string
  /** What was asked of the laboratory. */
  request: string
}

/** The name space of the identifiers of a realm. */
export const identifierSpace = ({ business, mode }: Pick<Printable, 'business' | 'mode'>) =>
  `urn:kitlane:${business.id}:${mode}`

/**
 * A report as a FHIR R4 Bundle: the DiagnosticReport first, then what it refers to. The same report always gives the
 * same UUIDs, so a receiver that imports it twice updates what it has.
 */
export function fhirBundle(printable: Printable) {
  const { report, owner, changedAt } = printable
  const { version } = report.details
  const space = identifierSpace(printable)
  const urn = (...path: (string | number)[]) => `urn:uuid:${nameUuid([space, ...path].join('/'))}`
  return {
    resourceType: 'Bundle' as const,
    meta: { lastUpdated: changedAt.toISOString() },
    identifier: { system: `${space}:report-version`, value: `${report.id}/${version}` },
    type: 'collection' as const,
    timestamp: changedAt.toISOString(),
    entry: fhirEntries(printable, {
      patient: urn('customer', owner.id),
      report: urn('report', report.id, version),
      specimen: (position) => urn('report', report.id, 'specimen', ...(position > 1 ? [position] : [])),
      observation: (biomarker) => urn('report', report.id, version, biomarker),
      unassessed: (id) => urn('report', report.id, version, 'unassessed', id),
      laboratory: (name) => urn('report', report.id, 'laboratory', name),
      request: urn('kit', report.kitID ?? report.id, 'request'),
    }),
  }
}

/** Of the version, and when its marks changed since. */
export const versionIdOf = ({ report, issuedAt, changedAt }: Pick<Printable, 'report' | 'issuedAt' | 'changedAt'>) =>
  `${report.details.version}${changedAt > issuedAt ? `.${changedAt.getTime()}` : ''}`

/** The resources of a report, each under the reference to it. */
export function fhirEntries(printable: Printable, references: References) {
  const { report, owner, issuedAt } = printable
  const { details } = report
  const space = identifierSpace(printable)
  const subject = { reference: references.patient }
  const specimen = { reference: references.specimen(1) }
  const effective = momentOf(details.collectedDate ?? details.resultedDate)
  const organizations = (report.origin?.laboratories ?? []).map((one) => ({
    fullUrl: references.laboratory(one.name),
    resource: organization(one),
  }))
  const performers = organizations.map(({ fullUrl, resource: { name } }) => ({ reference: fullUrl, display: name }))
  const others = (report.origin?.specimens ?? []).slice(1).map((one, index) => ({
    fullUrl: references.specimen(index + 2),
    resource: { ...specimenFacts(one), subject },
  }))
  const corrected = new Set(
    details.changes?.flatMap(({ biomarker, before }) => (before && !before.preliminary ? [biomarker] : [])),
  )
  const issued = issuedAt.toISOString()
  const remarks = reportRemarks(report)
  const unassessed = report.unassessed.map((one) => ({
    fullUrl: references.unassessed(one.id),
    resource: unassessedObservation(one, { subject, effective, issued, remarks }),
  }))
  const assessed = report.biomarker.map((entry) => ({
    fullUrl: references.observation(entry.id),
    resource: observation(entry, {
      subject,
      specimen,
      effective,
      issued,
      performers,
      status: observationStatus(entry, corrected),
      remarks,
    }),
  }))
  const observations = [...assessed, ...unassessed]
  const conclusion = conclusionOf(report)
  const diagnosticReport = {
    resourceType: 'DiagnosticReport' as const,
    meta: { versionId: versionIdOf(printable) },
    identifier: [{ system: `${space}:report`, value: report.id }],
    status: statusOf(report),
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'LAB' }] }],
    code: { coding: [{ system: 'http://loinc.org', code: '11502-2' }], text: 'Laboratory report' },
    subject,
    ...(report.approval && { basedOn: [{ reference: references.request }] }),
    ...(effective !== undefined && { effectiveDateTime: effective }),
    issued,
    ...(performers.length > 0 && { performer: performers }),
    specimen: [specimen, ...others.map(({ fullUrl }) => ({ reference: fullUrl }))],
    result: observations.map(({ fullUrl }) => ({ reference: fullUrl })),
    ...(conclusion !== '' && { conclusion }),
  }
  return [
    { fullUrl: references.report, resource: diagnosticReport },
    { fullUrl: subject.reference, resource: fhirPatient(owner, space, report.origin?.patientID) },
    { fullUrl: specimen.reference, resource: specimenOf(report, subject) },
    ...observations,
    ...others,
    ...organizations,
    ...requestOf(report, references),
  ]
}

/** The provider who asked for the test, as R4 has it: the requester of the request that the report is based on. */
export const requesterOf = ({ provider, npi }: KitApproval) => ({
  type: 'Practitioner' as const,
  identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: npi },
  display: provider,
})

function requestOf({ kitID, approval }: Report, { request, patient }: References) {
  if (!approval || kitID === undefined) return []
  const resource = {
    resourceType: 'ServiceRequest' as const,
    identifier: [{ system: 'urn:kitlane:kit', value: kitID }],
    status: 'completed',
    intent: 'order',
    subject: { reference: patient },
    requester: requesterOf(approval),
  }
  return [{ fullUrl: request, resource }]
}

/** What an older version was is certain only where nothing was corrected: one after a final version is a correction. */
function statusOf({ details: { version, latestVersion, vendorStatus }, biomarker }: Report) {
  const isPreliminary = vendorStatus === 'partial' && biomarker.some(({ preliminary }) => preliminary)
  if (version === latestVersion) return isPreliminary ? 'preliminary' : vendorStatus
  return vendorStatus === 'corrected' ? 'unknown' : 'partial'
}

function observationStatus({ id, withdrawn, preliminary }: ShownEntry, corrected: ReadonlySet<string>) {
  if (withdrawn) return 'entered-in-error'
  if (preliminary) return 'preliminary'
  return corrected.has(id) ? 'corrected' : 'final'
}

// They are about the report; the others are about its sample.
const aboutReport = ['LATER_VERSION_IN_REVIEW', 'RECALLED']

const reportRemarks = ({ labParamsError }: Report): string[] =>
  labParamsError.filter((code) => aboutReport.includes(code)).map((code) => String(conditionText(code)))

function conclusionOf(report: Report): string {
  const { details, suggestions, origin, biomarker } = report
  const { version, latestVersion, reason, personCorrected = [], withdrawn = [] } = details
  return [
    ...reportRemarks(report),
    ...(version < latestVersion ? [`Superseded by version ${latestVersion}.`] : []),
    ...(reason === undefined ? [] : [`Reason for version ${version}: ${reason}`]),
    ...personCorrected.map(({ field, date }) => english(`report.person.${field}`, { date: date.slice(0, 10) })),
    ...withdrawn.map((one) => String(withdrawnText(one))),
    ...(origin?.notes ?? []).map((note) => `The laboratory's note: ${note}`),
    ...suggestions.map(({ text }) => text),
    ...[rangesNotice(biomarker) ?? []].flat().map(String),
  ].join('\n')
}

/** No name: the JSON of a report has none either. */
export function fhirPatient({ id, gender, dateOfBirth }: Omit<Owner, 'name'>, space: string, laboratorysId?: string) {
  return {
    resourceType: 'Patient' as const,
    identifier: [
      { system: `${space}:customer`, value: String(id) },
      ...(laboratorysId ? [{ system: `${space}:laboratory-patient`, value: laboratorysId }] : []),
    ],
    ...(gender !== null && { gender: genders[gender] }),
    ...(dateOfBirth !== null && { birthDate: dateOfBirth }),
  }
}

function specimenOf({ kitID, details, labParamsError, origin }: Report, subject: { reference: string }) {
  const facts = specimenFacts(origin?.specimens[0] ?? {})
  const collected = momentOf(details.collectedDate)
  const notes = [
    ...labParamsError.filter((code) => code !== 'LATER_VERSION_IN_REVIEW').map((code) => String(conditionText(code))),
    ...(details.collectedSaid === undefined ? [] : ['The person tested said when it was collected.']),
  ]
  const { collection = collected === undefined ? undefined : { collectedDateTime: collected } } = facts
  return {
    ...facts,
    ...(kitID !== undefined && { identifier: [{ system: 'urn:kitlane:kit', value: kitID }] }),
    subject,
    ...(collection && { collection }),
    ...(notes.length > 0 && { note: notes.map((text) => ({ text })) }),
  }
}

/** FHIR has no time without a zone: then the day alone. */
const momentOf = (date: string | undefined) =>
  date === undefined
    ? undefined
    : /T.*(Z|[+-]\d{2}:\d{2})$/.test(date)
      ? date.replace(/(T\d{2}:\d{2})(?=Z|[+-])/, '$1:00')
      : date.slice(0, 10)

function specimenFacts({ id, source, condition, collectedDate, receivedDate }: Specimen) {
  const [collected, received] = [momentOf(collectedDate), momentOf(receivedDate)]
  return {
    resourceType: 'Specimen' as const,
    ...(id !== undefined && { accessionIdentifier: { value: id } }),
    ...(source !== undefined && { type: { text: source } }),
    ...(received !== undefined && { receivedTime: received }),
    ...(collected !== undefined && { collection: { collectedDateTime: collected } }),
    ...(condition !== undefined && { condition: [{ text: condition }] }),
  }
}

function organization({ name, address, clia, director }: Laboratory) {
  return {
    resourceType: 'Organization' as const,
    ...(clia !== undefined && { identifier: [{ system: 'urn:oid:2.16.840.1.113883.4.7', value: clia }] }),
    name,
    ...(address !== undefined && { address: [{ text: address }] }),
    ...(director !== undefined && {
      contact: [{ purpose: { text: 'Laboratory director' }, name: { text: director } }],
    }),
  }
}
