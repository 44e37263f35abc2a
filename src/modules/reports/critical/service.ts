import { AppError } from '../../../domain/errors.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { pagination } from '../../../platform/http/fields.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import { refusalOfRegistered } from '../../kits/for-whom.ts'
import { lockKit } from '../../kits/move.ts'
import { selectKitsByIds } from '../../kits/queries.ts'
import { isReportHeld } from '../../kits/recall-queries.ts'
import { type ReportRow, selectReport, selectReportOfKit } from '../queries.ts'
import { selectHeldUntil } from '../review/hold-queries.ts'
import { hasHoldingUnassessed } from '../unassessed/queries.ts'
import { publishReviewedReport } from '../versions/publish.ts'
import {
  type CriticalRow,
  countCriticals,
  countCriticalsOfAll,
  countOpenOfReport,
  lockCritical,
  lockCriticals,
  markAcknowledged,
  realmOfCritical,
  selectCriticals,
  selectCriticalsOfAll,
  selectCriticalsOfCustomer,
  selectKitOfCritical,
} from './queries.ts'
import { isCriticalEntry, isReadBack } from './rules.ts'
import type { Acknowledgement, CriticalAnswer, CriticalFilter } from './schema.ts'

/** The critical results of a business. */
export async function listCriticals(tx: Tx, filter: CriticalFilter) {
  const data = (await selectCriticals(tx, filter)).map(answerOf)
  return { data, pagination: pagination(filter.page, filter.size, await countCriticals(tx, filter)) }
}

/** All of a person, in the order in which they were raised. */
export const criticalsOf = async (tx: Tx, customerId: number): Promise<CriticalAnswer[]> =>
  (await selectCriticalsOfCustomer(tx, customerId)).map(answerOf)

/** The same over all businesses, live. */
export async function listCriticalsOfAll(tx: SystemTx, filter: CriticalFilter) {
  const rows = await selectCriticalsOfAll(tx, filter)
  const data = rows.map(({ business, ...row }) => ({ ...answerOf(row), business }))
  return { data, pagination: pagination(filter.page, filter.size, await countCriticalsOfAll(tx, filter)) }
}

/**
 * Notes that somebody takes care of a critical result and has read its value back. With the last one of a report that
 * only waited for this, the report is published where the business's settings say so. Returns how many still wait.
 * @throws RESULT_NOT_FOUND; ILLEGAL_TRANSITION if it does not wait any more; READ_BACK_MISMATCH
 */
export async function acknowledge(tx: Tx, id: string, acknowledgement: Acknowledgement): Promise<{ open: number }> {
  // The kit first, as `receiveResults` does: two at once cannot deadlock.
  const kit = await selectKitOfCritical(tx, id)
  if (kit) await lockKit(tx, kit)
  const row = await lockCritical(tx, id)
  if (!row) throw resultNotFound()
  if (stateOf(row) !== 'open') throw notOpen(stateOf(row))
  if (!isReadBack(row.value, acknowledgement.readBack)) throw mismatch()
  await note(tx, row, acknowledgement)
  const { reportId, kitId } = row
  const open = await countOpenOfReport(tx, { id: row.subject, kitId })
  if (open === 0 && reportId !== null) await publishIfWaiting(tx, reportId, acknowledgement.who)
  return { open }
}

/** The realm of a critical result, for staff of the operator, who name none and act in none of a sandbox. @throws RESULT_NOT_FOUND */
export async function realmOfCriticalResult(tx: SystemTx, id: string): Promise<Realm> {
  const realm = await realmOfCritical(tx, id)
  if (!realm) throw resultNotFound()
  return realm
}

/** Acknowledges all of a mock kit: there is nobody to read them back. */
export async function acknowledgeMock(tx: Tx, kitId: string): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only results of a sandbox are acknowledged so')
  for (const row of await lockCriticals(tx, kitId)) {
    if (stateOf(row) === 'open') await note(tx, row, { who: 'sandbox', readBack: row.value })
  }
}

async function note(tx: Tx, row: CriticalRow, { who, readBack, note: done }: Acknowledgement): Promise<void> {
  await markAcknowledged(tx, { ...row, acknowledged: { who, readBack, ...(done !== undefined && { note: done }) } })
  const details = { inTime: tx.now <= row.deadlineAt }
  const entry = { action: 'critical_result.acknowledged' as const, objectType: 'critical_result', objectId: row.id }
  await audit.record(tx, [{ ...entry, details, words: { who } }])
}

async function publishIfWaiting(tx: Tx, reportId: string, who: string): Promise<void> {
  const { publishing, publishAcknowledged } = await settings(tx)
  if (publishing !== 'auto' || !publishAcknowledged) return
  const report = await selectReport(tx, reportId)
  if (report?.status !== 'inReview' || !report.awaitsAcknowledgement || (await isHeldBack(tx, report))) return
  const notified = { person: who, at: tx.now.toISOString() }
  await publishReviewedReport(tx, reportId, { version: report.version, notified, isByItself: true })
}

/** Publishes the report of a kit that recalls held since a time, and hold no more, if meanwhile it would have been published by itself. */
export async function publishReleased(tx: Tx, kitId: string, heldSince: Date): Promise<void> {
  await lockKit(tx, kitId)
  const report = await selectReportOfKit(tx, kitId)
  if (report?.status !== 'inReview' || (await countOpenOfReport(tx, report)) > 0) return
  if (report.entries.some(isCriticalEntry)) {
    const criticals = await lockCriticals(tx, kitId)
    const one = criticals.find(({ acknowledgedAt }) => acknowledgedAt && acknowledgedAt >= heldSince)
    return one?.acknowledged ? publishIfWaiting(tx, report.id, one.acknowledged.who) : undefined
  }
  if (!report.awaitsRecall || (await isHeldBack(tx, report))) return
  if (report.publishedAt === null && (await settings(tx)).publishing !== 'auto') return
  await publishReviewedReport(tx, report.id, { version: report.version, isByItself: true })
}

/** Whether a reviewer, a recall or what waits beside it holds it, or the panel is no longer for its person. */
async function isHeldBack(tx: Tx, { id, kitId }: Pick<ReportRow, 'id' | 'kitId'>): Promise<boolean> {
  if ((await selectHeldUntil(tx, id)) !== undefined || (await isReportHeld(tx, kitId))) return true
  const [kit] = kitId === null ? [] : await selectKitsByIds(tx, [kitId])
  return (kit && (await refusalOfRegistered(tx, kit)) !== undefined) || hasHoldingUnassessed(tx, id)
}

const resultNotFound = () => new AppError('RESULT_NOT_FOUND', 'There is no such critical result')
const notOpen = (current: string) =>
  new AppError('ILLEGAL_TRANSITION', 'Only a critical result that is open can be acknowledged', {
    extra: { current, allowed: [] },
  })
const mismatch = () =>
  new AppError('READ_BACK_MISMATCH', 'What was read back is not the value that the laboratory gave')

function stateOf({ acknowledgedAt, withdrawnAt }: CriticalRow): CriticalAnswer['state'] {
  if (acknowledgedAt !== null) return 'acknowledged'
  return withdrawnAt === null ? 'open' : 'withdrawn'
}

function answerOf(row: CriticalRow): CriticalAnswer {
  const { id, customerId, kitId, reportId, name, value, unit, why, whyKept, told, acknowledged } = row
  const { raisedAt, deadlineAt, acknowledgedAt, acknowledgedBy } = row
  return {
    id,
    customerID: customerId,
    name,
    value,
    unit,
    why: stored(why, whyKept),
    state: stateOf(row),
    notified: told.map(({ step, who, at }) => ({ step, person: who, at })),
    ...(kitId !== null && { kitID: kitId }),
    ...(reportId !== null && { reportID: reportId }),
    raisedDate: raisedAt.toISOString(),
    deadlineDate: deadlineAt.toISOString(),
    ...(acknowledged &&
      acknowledgedAt && {
        acknowledged: {
          ...acknowledged,
          by: acknowledgedBy ?? '',
          at: acknowledgedAt.toISOString(),
          inTime: acknowledgedAt <= deadlineAt,
        },
      }),
  }
}
