import { shownEmail } from '../../modules/customers/rules.ts'
import type { ListedRow } from '../../modules/customers/service.ts'
import type { KitRecord } from '../../modules/kits/schema.ts'
import type { PublishedReport } from '../../modules/reports/read/find.ts'
import { fhirEntries, fhirPatient, identifierSpace, type References } from '../../modules/reports/render/fhir.ts'
import type { Mode } from '../../platform/database/tx.ts'
import type { Resource } from './schema.ts'

/** Whose resources they are. */
export interface Source {
  business: { id: string; name: string; color: null }
  mode: Mode
}

/** A person tested, with the name and the e-mail that `customers:read` shows. */
export function patientResource(row: ListedRow, source: Source): Resource {
  const space = identifierSpace(source)
  const { identifier, ...facts } = fhirPatient(row, space)
  const { externalId, name, email } = row
  const address = shownEmail(email)
  return {
    ...facts,
    id: String(row.id),
    meta: { lastUpdated: row.updatedAt.toISOString() },
    identifier: [
      ...identifier,
      ...(externalId === null ? [] : [{ system: `${space}:external-customer`, value: externalId }]),
    ],
    ...(name !== '' && { name: [{ text: name }] }),
    ...(address !== '' && { telecom: [{ system: 'email', value: address }] }),
  }
}

/** A kit that is registered to a person, as what was asked of the laboratory. */
export function serviceRequest(kit: KitRecord, source: Source): Resource {
  const { kitID, kitType, orderID, customerID, createdDate, lastUpdatedDate } = kit
  return {
    resourceType: 'ServiceRequest',
    id: kitID,
    meta: { lastUpdated: lastUpdatedDate },
    identifier: [{ system: 'urn:kitlane:kit', value: kitID }],
    requisition: { system: `${identifierSpace(source)}:order`, value: orderID },
    status: requestStatus(kit),
    intent: 'order',
    code: { coding: [{ system: 'urn:kitlane:kit-type', code: kitType }], text: kitType },
    subject: { reference: `Patient/${customerID}` },
    authoredOn: createdDate,
  }
}

function requestStatus({ status, kitStatus, sampleStatus, replacedBy }: KitRecord): string {
  if (status === 'published') return 'completed'
  const isOver = replacedBy !== undefined || kitStatus === 'canceled' || sampleStatus === 'canceled'
  return isOver ? 'revoked' : 'active'
}

// IDs of FHIR have no underscore. Ours have no hyphen.
const idOf = (...parts: (string | number)[]) => parts.join('.').replaceAll('_', '-')

/** The report that a resource is of. */
export const reportOf = (id: string): string => id.split('.', 1).join()

/** A published report as its DiagnosticReport, Specimens and Observations. */
export function reportResources({ report, owner, issuedAt }: PublishedReport, source: Source): Resource[] {
  const laboratories = (report.origin?.laboratories ?? []).map(({ name }) => name)
  const references: References = {
    patient: `Patient/${owner.id}`,
    report: `DiagnosticReport/${report.id}`,
    specimen: (position) => `Specimen/${idOf(report.id, position)}`,
    observation: (biomarker) => `Observation/${idOf(report.id, biomarker)}`,
    unassessed: (id) => `Observation/${idOf(report.id, id)}`,
    laboratory: (name) => `#laboratory-${laboratories.indexOf(name) + 1}`,
  }
  const entries = fhirEntries({ report, owner, issuedAt, ...source }, references)
  const organizations = entries.flatMap(({ fullUrl, resource }) =>
    resource.resourceType === 'Organization' ? [{ ...resource, id: fullUrl.slice(1) }] : [],
  )
  const meta = { versionId: String(report.details.version), lastUpdated: issuedAt.toISOString() }
  return entries.flatMap(({ fullUrl, resource }): Resource[] => {
    if (resource.resourceType === 'Organization' || resource.resourceType === 'Patient') return []
    const named = { ...resource, id: fullUrl.slice(fullUrl.indexOf('/') + 1), meta }
    if (resource.resourceType === 'Specimen') return [named]
    const performers = 'performer' in resource ? (resource.performer ?? []) : []
    const contained = organizations.filter(({ id }) => performers.some(({ reference }) => reference === `#${id}`))
    const isOfKit = resource.resourceType === 'DiagnosticReport' && report.kitID !== undefined
    return [
      {
        ...named,
        ...(contained.length > 0 && { contained }),
        ...(isOfKit && { basedOn: [{ reference: `ServiceRequest/${report.kitID}` }] }),
      },
    ]
  })
}
