import { conditionText, rangesNotice, withdrawnText } from '@kitlane/display/report-text'
import type { Laboratory, Specimen } from '../origin/schema.ts'
import type { Report } from '../schema.ts'
import { observation, unassessedObservation } from './fhir-observation.ts'
import { nameUuid } from './identity.ts'
import type { Owner, Printable } from './subject.ts'

const genders = { M: 'male', F: 'female', X: 'other' } as const

/**
 * A report as a FHIR R4 Bundle: the DiagnosticReport first, then what it refers to. The same report always gives the
 * same UUIDs, so whoever takes it in twice updates what it has.
 */
export function fhirBundle(printable: Printable) {
  const { report, owner, business, mode, issuedAt } = printable
  const { details } = report
  const space = `urn:kitlane:${business.id}:${mode}`
  const urn = (...path: (string | number)[]) => `urn:uuid:${nameUuid([space, ...path].join('/'))}`
  const subject = { reference: urn('customer', owner.id) }
  const specimen = { reference: urn('report', report.id, 'specimen') }
  const effective = details.collectedDate ?? details.resultedDate
  const organizations = (report.origin?.laboratories ?? []).map((one) => ({
    fullUrl: urn('report', report.id, 'laboratory', one.name),
    resource: organization(one),
  }))
  const performers = organizations.map(({ fullUrl, resource: { name } }) => ({ reference: fullUrl, display: name }))
  const others = (report.origin?.specimens ?? []).slice(1).map((one, index) => ({
    fullUrl: urn('report', report.id, 'specimen', index + 2),
    resource: { ...specimenFacts(one), subject },
  }))
  const corrected = new Set(details.changes?.flatMap(({ biomarker, before }) => (before ? [biomarker] : [])))
  const issued = issuedAt.toISOString()
  const unassessed = report.unassessed.map((one) => ({
    fullUrl: urn('report', report.id, details.version, 'unassessed', one.id),
    resource: unassessedObservation(one, { subject, effective, issued }),
  }))
  const assessed = report.biomarker.map((entry) => ({
    fullUrl: urn('report', report.id, details.version, entry.id),
    resource: observation(entry, {
      subject,
      specimen,
      effective,
      issued,
      performers,
      status: entry.withdrawn ? 'entered-in-error' : corrected.has(entry.id) ? 'corrected' : 'final',
    }),
  }))
  const observations = [...assessed, ...unassessed]
  const diagnosticReport = {
    resourceType: 'DiagnosticReport' as const,
    meta: { versionId: String(details.version) },
    identifier: [{ system: `${space}:report`, value: report.id }],
    status: statusOf(details),
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'LAB' }] }],
    code: { coding: [{ system: 'http://loinc.org', code: '11502-2' }], text: 'Laboratory report' },
    subject,
    ...(effective !== undefined && { effectiveDateTime: effective }),
    issued,
    ...(performers.length > 0 && { performer: performers }),
    specimen: [specimen, ...others.map(({ fullUrl }) => ({ reference: fullUrl }))],
    result: observations.map(({ fullUrl }) => ({ reference: fullUrl })),
    conclusion: conclusionOf(report),
  }
  return {
    resourceType: 'Bundle' as const,
    meta: { lastUpdated: issuedAt.toISOString() },
    identifier: { system: `${space}:report-version`, value: `${report.id}/${details.version}` },
    type: 'collection' as const,
    timestamp: issuedAt.toISOString(),
    entry: [
      { fullUrl: urn('report', report.id, details.version), resource: diagnosticReport },
      { fullUrl: subject.reference, resource: patient(owner, space, report.origin?.patientID) },
      { fullUrl: specimen.reference, resource: specimenOf(report, subject) },
      ...observations,
      ...others,
      ...organizations,
    ],
  }
}

/** What an older version was is certain only where nothing was corrected: one after a final version is a correction. */
function statusOf({ version, latestVersion, vendorStatus }: Report['details']) {
  if (version === latestVersion) return vendorStatus
  return vendorStatus === 'corrected' ? 'unknown' : 'partial'
}

function conclusionOf({ details, suggestions, origin, biomarker }: Report): string {
  const { version, latestVersion, reason, withdrawn = [] } = details
  return [
    ...(version < latestVersion ? [`Superseded by version ${latestVersion}.`] : []),
    ...(reason === undefined ? [] : [`Reason for version ${version}: ${reason}`]),
    ...withdrawn.map(withdrawnText),
    ...(origin?.notes ?? []).map((note) => `The laboratory's note: ${note}`),
    ...suggestions.map(({ text }) => text),
    rangesNotice(biomarker),
  ].join('\n')
}

/** No name: the JSON of a report has none either. */
function patient({ id, gender, dateOfBirth }: Owner, space: string, laboratorysId?: string) {
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
  const {
    collection = details.collectedDate === undefined ? undefined : { collectedDateTime: details.collectedDate },
  } = facts
  return {
    ...facts,
    ...(kitID !== undefined && { identifier: [{ system: 'urn:kitlane:kit', value: kitID }] }),
    subject,
    ...(collection && { collection }),
    ...(labParamsError.length > 0 && { note: labParamsError.map((code) => ({ text: conditionText(code) })) }),
  }
}

/** FHIR has no time without a zone: then the day alone. */
const momentOf = (date: string | undefined) =>
  date === undefined ? undefined : /T.*(Z|[+-]\d{2}:\d{2})$/.test(date) ? date : date.slice(0, 10)

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
