import { AppError, type ErrorCode } from '../../domain/errors.ts'
import type { SessionScope } from '../../domain/scopes.ts'
import { shownEmail } from '../../modules/customers/rules.ts'
import { type ListedRow, listRowsAfter } from '../../modules/customers/service.ts'
import { listKitsAfter } from '../../modules/kits/records.ts'
import type { KitRecord } from '../../modules/kits/schema.ts'
import { type KitApproval, selectApprovalsOfKits } from '../../modules/orders/queries.ts'
import { listPublishedReports, type PublishedReport } from '../../modules/reports/read/find.ts'
import * as fhir from '../../modules/reports/render/fhir.ts'
import type { Mode, Tx } from '../../platform/database/tx.ts'
import { FHIR_PATH } from '../../platform/http/route.ts'
import { choices, matcher, patientOf, tokenOf } from './match.ts'
import { pageOf, type ReadRows, type Stored } from './pages.ts'
import { type ParameterName, type ResourceType, searches } from './parameters.ts'
import type { Bundle, Resource, Search, SearchParameters } from './schema.ts'

export interface Caller {
  businessName: string
  scopes: ReadonlySet<SessionScope>
}

const notFound: Record<ResourceType, [ErrorCode, string]> = {
  Patient: ['CUSTOMER_NOT_FOUND', 'There is no such customer'],
  ServiceRequest: ['KIT_NOT_FOUND', 'There is no such kit that is registered to a person'],
  Specimen: ['REPORT_NOT_FOUND', 'There is no such specimen of a published report'],
  Observation: ['REPORT_NOT_FOUND', 'There is no such result of a published report'],
  DiagnosticReport: ['REPORT_NOT_FOUND', 'There is no such report'],
}

/** Whose resources they are. */
interface Source {
  business: { id: string; name: string; color: null }
  mode: Mode
}

/** A person tested, with the name and the e-mail that `customers:read` shows. */
function patientResource(row: ListedRow, source: Source): Resource {
  const space = fhir.identifierSpace(source)
  const { identifier, ...facts } = fhir.fhirPatient(row, space)
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
function serviceRequest(kit: KitRecord, source: Source, approval: KitApproval | undefined): Resource {
  const { kitID, kitType, orderID, customerID, createdDate, lastUpdatedDate } = kit
  return {
    resourceType: 'ServiceRequest',
    id: kitID,
    meta: { lastUpdated: lastUpdatedDate },
    identifier: [{ system: 'urn:kitlane:kit', value: kitID }],
    requisition: { system: `${fhir.identifierSpace(source)}:order`, value: orderID },
    status: requestStatus(kit),
    intent: 'order',
    code: { coding: [{ system: 'urn:kitlane:kit-type', code: kitType }], text: kitType },
    subject: { reference: `Patient/${customerID}` },
    authoredOn: createdDate,
    ...(approval && { requester: fhir.requesterOf(approval) }),
  }
}

function requestStatus({ status, kitStatus, sampleStatus, replacedBy }: KitRecord): string {
  if (status === 'published') return 'completed'
  const isOver = replacedBy !== undefined || kitStatus === 'canceled' || sampleStatus === 'canceled'
  return isOver ? 'revoked' : 'active'
}

// IDs of FHIR have no underscore. Ours have no hyphen.
const idOf = (...parts: (string | number)[]) => parts.join('.').replaceAll('_', '-')

/** A published report as its DiagnosticReport, Specimens and Observations. */
function reportResources(published: PublishedReport, source: Source): Resource[] {
  const { report, owner, changedAt } = published
  const laboratories = (report.origin?.laboratories ?? []).map(({ name }) => name)
  const references: fhir.References = {
    patient: `Patient/${owner.id}`,
    report: `DiagnosticReport/${report.id}`,
    specimen: (position) => `Specimen/${idOf(report.id, position)}`,
    observation: (biomarker) => `Observation/${idOf(report.id, biomarker)}`,
    unassessed: (id) => `Observation/${idOf(report.id, id)}`,
    laboratory: (name) => `#laboratory-${laboratories.indexOf(name) + 1}`,
    request: `ServiceRequest/${report.kitID}`,
  }
  const entries = fhir.fhirEntries({ ...published, ...source }, references)
  const organizations = entries.flatMap(({ fullUrl, resource }) =>
    resource.resourceType === 'Organization' ? [{ ...resource, id: fullUrl.slice(1) }] : [],
  )
  const meta = { versionId: fhir.versionIdOf(published), lastUpdated: changedAt.toISOString() }
  return entries.flatMap(({ fullUrl, resource }): Resource[] => {
    if (resource.resourceType === 'Organization' || resource.resourceType === 'Patient') return []
    if (resource.resourceType === 'ServiceRequest') return []
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

const sourceOf = (tx: Tx, { businessName }: Caller): Source => ({
  business: { id: tx.realm.businessId, name: businessName, color: null },
  mode: tx.realm.mode,
})

const baseOf = (tx: Tx) => `${tx.context.publicUrl ?? ''}${FHIR_PATH}`

/** @throws CUSTOMER_NOT_FOUND, KIT_NOT_FOUND, REPORT_NOT_FOUND, also for what is not published or is another realm's */
export async function read(tx: Tx, type: ResourceType, id: string, caller: Caller): Promise<Resource> {
  // One of two may be a customer whose external_id is the ID of the other.
  const rows = await rowsOf(tx, type, { _id: [id] }, caller)(undefined, 2)
  const found = rows.flatMap(({ resources }) => resources).find((one) => one.id === id)
  if (!found) throw new AppError(...notFound[type])
  return found
}

/** A page of what fits. @throws VALIDATION_FAILED */
export async function search(tx: Tx, type: ResourceType, search: Search, caller: Caller): Promise<Bundle> {
  const { _count: count, _cursor: cursor, ...parameters } = search
  const page = await pageOf(rowsOf(tx, type, parameters, caller), matcher(parameters), { count, cursor })
  const link = (relation: 'self' | 'next', at: string | undefined) => {
    const query = new URLSearchParams()
    for (const name of searches[type] as readonly ParameterName[])
      for (const value of parameters[name] ?? []) query.append(name, value)
    query.set('_count', String(count))
    if (at !== undefined) query.set('_cursor', at)
    return { relation, url: `${baseOf(tx)}/${type}?${query}` }
  }
  const links = [link('self', cursor), ...(page.cursor === undefined ? [] : [link('next', page.cursor)])]
  return bundleOf(tx, links, page.resources)
}

function bundleOf(tx: Tx, link: Bundle['link'], resources: readonly Resource[], outcome?: object): Bundle {
  const matches = resources.map((resource) => ({
    fullUrl: `${baseOf(tx)}/${resource.resourceType}/${resource.id}`,
    resource,
    search: { mode: 'match' as const },
  }))
  const words = outcome
    ? [{ resource: { resourceType: 'OperationOutcome', ...outcome }, search: { mode: 'outcome' as const } }]
    : []
  const entry = [...matches, ...words]
  return { resourceType: 'Bundle', type: 'searchset', link, ...(entry.length > 0 && { entry }) }
}

const parts = [
  { type: 'ServiceRequest', scope: 'kits:read' },
  { type: 'DiagnosticReport', scope: 'reports:read' },
] as const satisfies { type: ResourceType; scope: SessionScope }[]

/** All resources of a person that the scopes show; an OperationOutcome names the scopes of the rest. @throws CUSTOMER_NOT_FOUND */
export async function everything(tx: Tx, id: string, caller: Caller): Promise<Bundle> {
  const resources = [await read(tx, 'Patient', id, caller)]
  for (const { type, scope } of parts) {
    if (!caller.scopes.has(scope)) continue
    const rows = rowsOf(tx, type, { patient: [id] }, caller, () => true)
    for (let after: string | undefined; ; ) {
      const batch = await rows(after, EVERYTHING_ROWS)
      resources.push(...batch.flatMap((row) => row.resources))
      if (batch.length < EVERYTHING_ROWS) break
      after = batch.at(-1)?.key
    }
  }
  const lacking = parts.flatMap(({ scope }) => (caller.scopes.has(scope) ? [] : [scope]))
  const text = `Left out, because the token lacks the scopes: ${lacking.join(', ')}`
  const issue = [{ severity: 'warning', code: 'suppressed', details: { text } }]
  const url = `${baseOf(tx)}/Patient/${id}/$everything`
  return bundleOf(tx, [{ relation: 'self', url }], resources, lacking.length > 0 ? { issue } : undefined)
}

const EVERYTHING_ROWS = 100

/** Customer IDs have up to 15 digits; anything else is nobody. */
const numbers = (texts: readonly string[]) => texts.filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number)

/** The report that a resource is of. */
export const reportOf = (id: string): string => id.split('.', 1).join()

/** The rows that may hold what is asked: fewer where IDs say which. `wants` leaves resources of other types out. */
function rowsOf(
  tx: Tx,
  type: ResourceType,
  parameters: SearchParameters,
  caller: Caller,
  wants = (one: Resource) => one.resourceType === type,
): ReadRows {
  const source = sourceOf(tx, caller)
  const ids = parameters._id?.flatMap(choices)
  const persons = [...(parameters.patient ?? []), ...(parameters.subject ?? [])].flatMap(choices).map(patientOf)
  const customerIds = persons.length > 0 ? numbers(persons) : undefined
  const values = parameters.identifier?.flatMap(choices).map((text) => tokenOf(text).value)
  const identified = values?.includes('') ? undefined : values
  switch (type) {
    case 'Patient': {
      const keys = ids ?? identified
      return async (after, size) =>
        (await listRowsAfter(tx, { keys }, { id: after === undefined ? undefined : Number(after), size })).map(
          (row) => ({
            key: String(row.id),
            resources: [patientResource(row, source)],
          }),
        )
    }
    case 'ServiceRequest': {
      const kitIds = ids ?? identified
      const filter = { registeredTo: customerIds ?? ('anyone' as const), ...(kitIds && { kitIds }) }
      return async (after, size) => {
        const kits = await listKitsAfter(tx, filter, { id: after, size, isOldestFirst: false })
        const approvals = await selectApprovalsOfKits(
          tx,
          kits.map(({ kitID }) => kitID),
        )
        return kits.map((kit) => ({
          key: kit.kitID,
          resources: [serviceRequest(kit, source, approvals.get(kit.kitID))],
        }))
      }
    }
    default: {
      const reportIds = ids?.map(reportOf) ?? (type === 'DiagnosticReport' ? identified : undefined)
      const kitIds = type === 'Specimen' ? identified : undefined
      return async (after, size) =>
        (await listPublishedReports(tx, { reportIds, customerIds, kitIds, after }, size)).map(
          ({ key, published }): Stored => ({
            key,
            resources: published ? reportResources(published, source).filter(wants) : [],
          }),
        )
    }
  }
}
