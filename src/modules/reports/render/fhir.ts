import { conditionText, DRAFT_NOTICE, withdrawnText } from '@kitlane/display/report-text'
import type { Report } from '../schema.ts'
import { observation } from './fhir-observation.ts'
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
  const corrected = new Set(details.changes?.flatMap(({ biomarker, before }) => (before ? [biomarker] : [])))
  const observations = report.biomarker.map((entry) => ({
    fullUrl: urn('report', report.id, details.version, entry.id),
    resource: observation(entry, {
      subject,
      specimen,
      effective,
      issued: issuedAt.toISOString(),
      status: entry.withdrawn ? 'entered-in-error' : corrected.has(entry.id) ? 'corrected' : 'final',
    }),
  }))
  const diagnosticReport = {
    resourceType: 'DiagnosticReport' as const,
    meta: { versionId: String(details.version) },
    identifier: [{ system: `${space}:report`, value: report.id }],
    status: statusOf(details),
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'LAB' }] }],
    code: { coding: [{ system: 'http://loinc.org', code: '11502-2' }], text: 'Laboratory report' },
    subject,
    ...(effective !== undefined && { effectiveDateTime: effective }),
    issued: issuedAt.toISOString(),
    specimen: [specimen],
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
      { fullUrl: subject.reference, resource: patient(owner, space) },
      { fullUrl: specimen.reference, resource: specimenOf(report, subject) },
      ...observations,
    ],
  }
}

/** What an older version was is certain only where nothing was corrected: one after a final version is a correction. */
function statusOf({ version, latestVersion, vendorStatus }: Report['details']) {
  if (version === latestVersion) return vendorStatus
  return vendorStatus === 'corrected' ? 'unknown' : 'partial'
}

function conclusionOf({ details, suggestions }: Report): string {
  const { version, latestVersion, reason, withdrawn = [] } = details
  return [
    ...(version < latestVersion ? [`Superseded by version ${latestVersion}.`] : []),
    ...(reason === undefined ? [] : [`Reason for version ${version}: ${reason}`]),
    ...withdrawn.map(withdrawnText),
    ...suggestions.map(({ text }) => text),
    DRAFT_NOTICE,
  ].join('\n')
}

/** No name: the JSON of a report has none either. */
function patient({ id, gender, dateOfBirth }: Owner, space: string) {
  return {
    resourceType: 'Patient' as const,
    identifier: [{ system: `${space}:customer`, value: String(id) }],
    ...(gender !== null && { gender: genders[gender] }),
    ...(dateOfBirth !== null && { birthDate: dateOfBirth }),
  }
}

function specimenOf({ kitID, details, labParamsError }: Report, subject: { reference: string }) {
  return {
    resourceType: 'Specimen' as const,
    ...(kitID !== undefined && { identifier: [{ system: 'urn:kitlane:kit', value: kitID }] }),
    subject,
    ...(details.collectedDate !== undefined && { collection: { collectedDateTime: details.collectedDate } }),
    ...(labParamsError.length > 0 && { note: labParamsError.map((code) => ({ text: conditionText(code) })) }),
  }
}
