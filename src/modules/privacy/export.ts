import type { SessionScope } from '../../domain/scopes.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { type Guardian, maybeFindGuardian } from '../customers/guardians.ts'
import { shownEmail } from '../customers/rules.ts'
import * as customers from '../customers/service.ts'
import { modulesOf } from '../define-module.ts'
import { type SentEmail, selectEmailsTo } from '../emails/queries.ts'
import { selectWithdrawals, type WithdrawalRow } from '../kits/consent/withdrawal-queries.ts'
import { type ConsentRow, selectConsents } from '../kits/consent-queries.ts'
import { receivedOfCustomer } from '../lab/received/service.ts'
import { shownApproval } from '../orders/read.ts'
import { criticalsOf } from '../reports/critical/service.ts'
import {
  type AuditRow,
  type DataRow,
  type KitRow,
  type OrderRow,
  type ReportRow,
  selectAudit,
  selectData,
  selectKits,
  selectOrders,
  selectReports,
  selectUnassessed,
  selectVersions,
  type VersionRow,
} from './export-queries.ts'
import { selectRequestsOf } from './requests/queries.ts'
import { toRequest } from './requests/schema.ts'
import { type CustomerExport, partsOf, scopedParts } from './schema.ts'

/**
 * Everything kept about a person, of what the scopes let the caller read; `leftOut` names the rest. What an order says
 * about a recipient who is somebody else stays out. Audited. @throws CUSTOMER_NOT_FOUND
 */
export async function exportOf(
  tx: Tx,
  idOrExternalId: string,
  scopes: ReadonlySet<SessionScope>,
): Promise<CustomerExport> {
  const modules = modulesOf(tx.context)
  const leftOut = scopedParts(modules).filter(({ scope }) => !scopes.has(scope))
  const shows = (part: string) => !leftOut.some((left) => left.part === part)
  const showsReport = (isPublished: boolean) => shows('reports') && (isPublished || shows('unpublishedReports'))
  const person = await customers.find(tx, idOrExternalId)
  await audit.record(tx, [{ action: 'customer.exported', objectType: 'customer', objectId: String(person.id) }])
  const kits = await selectKits(tx, person.id)
  const kitIds = kits.map(({ id }) => id)
  const consents = Map.groupBy(await selectConsents(tx, kitIds), ({ kitId }) => kitId)
  const withdrawals = Map.groupBy(await selectWithdrawals(tx, kitIds), ({ kitId }) => kitId)
  const orders = await selectOrders(tx, [...new Set(kits.map(({ orderId }) => orderId))], person.email)
  const reports = (await selectReports(tx, person.id)).filter(({ readable }) => showsReport(readable !== null))
  const reportIds = reports.map(({ id }) => id)
  const versions = Map.groupBy(await selectVersions(tx, reportIds), ({ reportId }) => reportId)
  const orderIds = orders.map(({ id }) => id)
  const entries = await selectAudit(tx, {
    customerId: person.id,
    kitIds: shows('kits') ? kitIds : [],
    orderIds: shows('orders') ? orderIds : [],
    reportIds,
  })
  const data = (await selectData(tx, person.id)).filter(
    ({ kind, isPublished }) => kind === 'quiz' || showsReport(isPublished),
  )
  const elsewhere: Record<string, unknown> = {}
  for (const [name, part] of partsOf(modules))
    elsewhere[name] = shows(name) ? await part.of(tx, { ...person, orderIds }) : []
  const addresses = [person.email]
  for (const module of modules) addresses.push(...((await module.person?.addresses?.(tx, person)) ?? []))
  const emails: SentEmail[] = []
  for (const address of addresses) emails.push(...(await selectEmailsTo(tx, address)))
  const unassessed = shows('unassessedResults') ? await selectUnassessed(tx, person.id) : []
  return {
    exportedDate: tx.now.toISOString(),
    leftOut,
    customer: toPerson(person, await maybeFindGuardian(tx, person.id), await customers.languageOf(tx, person.id)),
    kits: (shows('kits') ? kits : []).map((kit) =>
      toKit(kit, consents.get(kit.id) ?? [], withdrawals.get(kit.id) ?? []),
    ),
    orders: (shows('orders') ? orders : []).map((order) => toOrder(order, person)),
    ...elsewhere,
    reports: reports.map((report) => {
      const all = versions.get(report.id) ?? []
      return toReport(report, shows('unpublishedReports') ? all : all.filter((one) => isPublished(report, one)))
    }),
    data: data.map(toData),
    unassessedResults: unassessed.map(({ kitId, reportId, receivedAt, ...result }) => ({
      ...result,
      kitID: given(kitId),
      reportID: given(reportId),
      receivedDate: receivedAt.toISOString(),
    })),
    criticalResults: shows('criticalResults') ? await criticalsOf(tx, person.id) : [],
    receivedDocuments: shows('receivedDocuments') ? await receivedOfCustomer(tx, person.id) : [],
    dataRequests: (await selectRequestsOf(tx, person.id)).map((row) => toRequest(row, person.name, tx.now)),
    emails: emails.map(({ createdAt, ...sent }) => ({
      ...sent,
      date: createdAt.toISOString(),
    })),
    auditEntries: entries.map(toEntry),
  }
}

/** The value, or nothing where the database has null. */
const given = <T>(value: T | null): T | undefined => value ?? undefined

function toPerson(
  row: customers.CustomerRow,
  guardian: Guardian | undefined,
  language: string | undefined,
): CustomerExport['customer'] {
  return {
    id: row.id,
    external_id: given(row.externalId),
    name: row.name,
    firstName: given(row.firstName),
    lastName: given(row.lastName),
    email: shownEmail(row.email),
    ...(guardian && { guardian }),
    dateOfBirth: given(row.dateOfBirth),
    gender: given(row.gender),
    phone: given(row.phone),
    address: row.address ? { ...row.address } : undefined,
    race: given(row.race),
    language,
    consentForResearch: row.research,
    customTags: row.customTags,
    createdDate: row.createdAt.toISOString(),
  }
}

function toData({ id, kind, date, payload, documents, createdAt }: DataRow): CustomerExport['data'][number] {
  const files = documents.map(({ fileName, ...file }) => ({ ...file, fileName: given(fileName) }))
  return { dataId: id, kind, date, payload, documents: files, createdDate: createdAt.toISOString() }
}

function toKit(row: KitRow, consents: ConsentRow[], withdrawals: WithdrawalRow[]): CustomerExport['kits'][number] {
  return {
    kitID: row.id,
    orderID: row.orderId,
    kitType: publicKitType(row.kitType),
    createdDate: row.createdAt.toISOString(),
    kitStatus: row.kitStatus,
    sampleStatus: row.sampleStatus,
    status: row.reportStatus,
    progress: row.progress,
    shipment: row.shipment,
    registeredToEmail: given(row.registeredEmail),
    registrationDate: row.registeredAt?.toISOString(),
    registration: given(row.registration) as Record<string, unknown> | undefined,
    consents: consents.map((consent) => ({
      consentedAt: consent.at.toISOString(),
      consentVersion: consent.consentVersion,
      kitType: consent.kitType === null ? undefined : publicKitType(consent.kitType),
      language: given(consent.language),
      sha256: consent.wordsHash?.toString('hex'),
      relation: given(consent.relation),
      consentForResearch: consent.research,
      firstName: given(consent.firstName),
      lastName: given(consent.lastName),
      email: given(consent.email),
      ip: given(consent.ip),
    })),
    consentWithdrawals: withdrawals.map(({ what, outcome, by, at }) => ({
      what,
      outcome,
      by,
      withdrawnAt: at.toISOString(),
    })),
  }
}

function toOrder(row: OrderRow, person: customers.CustomerRow): CustomerExport['orders'][number] {
  const recipient = {
    firstName: given(row.firstName),
    lastName: given(row.lastName),
    email: given(row.email),
    phone: given(row.phone),
    address: given(row.address),
  }
  return {
    orderID: row.id,
    createdDate: row.createdAt.toISOString(),
    status: row.status,
    sku: publicKitType(row.sku),
    quantity: row.quantity,
    externalID: given(row.externalId),
    externalTags: row.externalTags,
    ...(isRecipient(row, person) && {
      recipient,
      approval: row.approvalState && row.approval ? shownApproval(row.approvalState, row.approval, row.why) : undefined,
    }),
  }
}

function isRecipient(order: OrderRow, person: customers.CustomerRow): boolean {
  const isSame = (left: string | null, right: string) => left?.toLowerCase() === right.toLowerCase()
  return isSame(order.email, person.email) || isSame(`${order.firstName} ${order.lastName}`, person.name)
}

const isPublished = ({ readable, publishedVersions }: ReportRow, { version }: VersionRow): boolean =>
  readable !== null && version <= readable && (publishedVersions?.includes(version) ?? true)

function toReport(row: ReportRow, versions: VersionRow[]): CustomerExport['reports'][number] {
  return {
    id: row.id,
    kitID: given(row.kitId),
    status: row.status,
    vendorStatus: row.vendorStatus,
    collectedDate: given(row.collectedDate),
    resultedDate: given(row.resultedDate),
    publishedDate: row.publishedAt?.toISOString(),
    createdDate: row.createdAt.toISOString(),
    versions: versions.map((version) => ({
      version: version.version,
      scoreVersion: version.scoreVersion,
      createdDate: version.createdAt.toISOString(),
      reason: given(version.reason),
      axes: version.axes,
      suggestions: version.suggestions.map(({ textKept: _, ...one }) => one),
      labParamsError: [
        ...(row.status === 'inReview' && isPublished(row, version) ? ['Later Version In Review'] : []),
        ...(version.isRecalled ? ['Recalled'] : []),
        ...version.labErrors,
      ],
      biomarker: version.results.map(({ noteKept: _, ...entry }) => entry),
    })),
  }
}

function toEntry(row: AuditRow): CustomerExport['auditEntries'][number] {
  return {
    date: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    objectType: row.objectType,
    objectID: row.objectId,
    details: given(row.details),
  }
}
