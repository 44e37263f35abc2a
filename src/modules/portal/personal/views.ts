import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { html } from '../../../platform/http/html.ts'
import type { PageAnswer } from '../../../platform/http/pages.ts'
import * as audit from '../../audit/service.ts'
import { biomarkers, findPanel } from '../../catalogue/service.ts'
import type { PanelText } from '../../catalogue/text-schema.ts'
import { panelText } from '../../catalogue/texts.ts'
import { selectCollections } from '../../collection/queries.ts'
import * as customers from '../../customers/service.ts'
import { modulesOf } from '../../define-module.ts'
import { selectTakenBack } from '../../kits/consent/withdrawal-queries.ts'
import { type KitRow, selectKitsByIds } from '../../kits/queries.ts'
import { type KitRecall, selectRecalled } from '../../kits/recall-queries.ts'
import { findPublishedReport, type PublishedReport } from '../../reports/read/find.ts'
import type { Printable } from '../../reports/render/subject.ts'
import type { Paper } from '../paper.ts'
import * as queries from '../queries.ts'
import { page } from '../view/layout.ts'
import type { Waiting } from '../words.ts'
import { missing } from './reader.ts'

/** The kits and published reports of a person, newest first. The audit records the view. */
export async function viewHome(
  tx: Tx,
  customerId: number,
): Promise<{
  firstName: string | null
  kits: KitRow[]
  panels: ReadonlyMap<string, ShownPanel>
  takenBack: ReadonlyMap<string, { isArrived: boolean }>
  waiting: ReadonlyMap<string, Waiting>
  recalled: ReadonlyMap<string, KitRecall>
  /** When samples were taken, as the person said, by the ID of the kit. */
  collected: ReadonlyMap<string, string>
  reports: queries.ReportSummary[]
  hidden: queries.HiddenReport[]
}> {
  const { firstName } = await customers.find(tx, customerId)
  const ids = await queries.selectKitIdsOfCustomer(tx, customerId)
  const kits = (await selectKitsByIds(tx, ids)).sort((a, b) => b.seq - a.seq)
  const reports = await queries.selectPublishedReportsOfCustomer(tx, customerId)
  const hidden = await queries.selectHiddenReportsOfCustomer(tx, customerId)
  await recordView(tx, 'customer.viewed', 'customer', String(customerId))
  const takenBack = new Map((await selectTakenBack(tx, ids)).map((one) => [one.kitId, one]))
  const waiting = new Map<string, Waiting>()
  for (const module of modulesOf(tx.context))
    for (const [kitId, one] of (await module.waitingOf?.(tx, customerId)) ?? []) waiting.set(kitId, one)
  const recalled = await selectRecalled(tx, ids)
  const said = await selectCollections(tx, ids)
  const collected = new Map(said.map(({ kitId, collectedDate }) => [kitId, collectedDate]))
  const panels = await shownPanels(tx, kits)
  return { firstName, kits, panels, takenBack, waiting, recalled, collected, reports, hidden }
}

/** What a person must know of a panel before the sample is taken. */
export interface ShownPanel {
  name: string
  /** In everyday words: what must be measured fasting, and what in the morning. */
  fasting: readonly string[]
  morning: readonly string[]
  text: PanelText | undefined
}

/** The panels of kits, as the catalogue has them now. */
async function shownPanels(tx: Tx, kits: readonly KitRow[]): Promise<ReadonlyMap<string, ShownPanel>> {
  const all = await biomarkers(tx)
  const shown = new Map<string, ShownPanel>()
  for (const kitType of new Set(kits.map((kit) => kit.kitType))) {
    const { name, biomarkers: ids } = await findPanel(tx, kitType)
    const members = all.filter(({ id, derived }) => ids.includes(id) && !(derived && !derived.measurable))
    const named = (flag: 'fasting_required' | 'time_of_day') =>
      members.filter(({ flags }) => flags.includes(flag)).map(({ simpleLabel }) => simpleLabel)
    const [fasting, morning] = [named('fasting_required'), named('time_of_day')]
    shown.set(kitType, { name, fasting, morning, text: await panelText(tx, kitType) })
  }
  return shown
}

/** Whether this report of this person can be read. */
export async function isPublishedReport(tx: Tx, customerId: number, reportId: string): Promise<boolean> {
  const reports = await queries.selectPublishedReportsOfCustomer(tx, customerId)
  return reports.some(({ id }) => id === reportId)
}

/** What stands in the place of a report that cannot be read. */
export async function unreadable(tx: Tx, customerId: number, reportId: string, paper: Paper): Promise<PageAnswer> {
  const hidden = await queries.selectHiddenReportsOfCustomer(tx, customerId)
  if (!hidden.some(({ id }) => id === reportId)) return missing(paper)
  const title = paper.t('kit.hidden')
  const body = html`<h1>${title}</h1><p>${paper.t('kit.hidden.next')}</p>`
  return { html: page({ title, paper, body }), status: 404, image: paper.logoUrl }
}

export interface WantedReport {
  reportId: string
  version?: number | undefined
}

/** A published report of this person; undefined if it does not exist. The audit records the view. */
export const viewReport = (tx: Tx, customerId: number, wanted: WantedReport): Promise<PublishedReport | undefined> =>
  viewPublished(tx, customerId, wanted, 'html')

/** A published report with what its PDF shows besides. */
export async function viewPrintable(
  tx: Tx,
  customerId: number,
  wanted: WantedReport,
  { name, color }: Paper,
): Promise<Printable | undefined> {
  const published = await viewPublished(tx, customerId, wanted, 'pdf')
  const business = { id: tx.realm.businessId, name, color }
  return published && { ...published, business, mode: tx.realm.mode }
}

async function viewPublished(
  tx: Tx,
  customerId: number,
  { reportId, version }: WantedReport,
  format: 'html' | 'pdf',
): Promise<PublishedReport | undefined> {
  try {
    const published = await findPublishedReport(tx, String(customerId), reportId, version)
    await recordView(tx, 'report.viewed', 'report', reportId, { format, version: published.report.details.version })
    return published
  } catch (err) {
    if (err instanceof AppError && err.code === 'REPORT_NOT_FOUND') return undefined
    throw err
  }
}

async function recordView(
  tx: Tx,
  action: audit.AuditAction,
  objectType: string,
  objectId: string,
  details?: Record<string, unknown>,
) {
  await audit.record(tx, [{ action, objectType, objectId, ...(details && { details }) }])
}
