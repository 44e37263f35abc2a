import { normaliseName } from '@kitlane/lab-reader/facts/match'
import { AppError } from '../../../domain/errors.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import { type Realm, type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import { pagination } from '../../../platform/http/fields.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { modulesOf } from '../../define-module.ts'
import { lockKit } from '../../kits/move.ts'
import { stateOf } from '../../kits/records.ts'
import { illegal } from '../../kits/rules.ts'
import { raiseCriticals } from '../critical/raise.ts'
import { criticalOfUnassessed } from '../critical/rules.ts'
import { selectReportOfKit } from '../queries.ts'
import {
  countWaiting,
  countWaitingOfAll,
  realmOfUnassessed,
  selectWaiting,
  selectWaitingOfAll,
  type WaitingRow,
} from './list-queries.ts'
import {
  type CameWith,
  dismissUnassessed,
  insertUnassessed,
  replaceUnassessedOfKit,
  selectOpenUnassessed,
  selectUnassessedName,
} from './queries.ts'
import { holdsReport, isCriticalUnassessed, type NewUnassessed } from './rules.ts'
import type { AuthorityStatement, OperatorWaitingResult, WaitingFilter, WaitingResult } from './schema.ts'

/** The name under which an unassessed result is kept: a later one of the same name replaces it. */
export const unassessedKey = (name: string, loinc?: string): string => normaliseName(name) || (loinc ?? '')

/** Stores results that were not judged, until a person deals with them. `isLate`: no version of the report came with them. */
export async function keepUnassessed(
  tx: Tx,
  cameWith: CameWith,
  items: readonly NewUnassessed[],
  { isLate = false } = {},
): Promise<void> {
  const { customerId, kitId, dataId, report } = cameWith
  // A version that is published does not change: what comes after it, or that a person must see first, is of the next one.
  const isOfNext = (item: NewUnassessed) => report?.status === 'published' && (isLate || holdsReport(item))
  const rows = items.map((item) => ({
    key: unassessedKey(item.name, item.loinc),
    name: item.name,
    value: item.value,
    unit: item.unit ?? '',
    range: item.range ?? '',
    flag: item.flag ?? '',
    loinc: item.loinc ?? null,
    position: item.position,
    code: item.code,
    reason: item.reason,
    suggestions: [...item.suggestions],
    sent: item.sent ?? null,
    isCritical: isCriticalUnassessed(item),
    firstVersion: report ? report.version + Number(isOfNext(item)) : null,
  }))
  await insertUnassessed(tx, cameWith, rows)
  const critical = items.flatMap((item) => criticalOfUnassessed(unassessedKey(item.name, item.loinc), item))
  await raiseCriticals(tx, { customerId, kitId, dataId, reportId: report?.id }, critical)
  const of = { kitId: kitId ?? null, reportId: report?.id ?? null }
  for (const module of items.length > 0 ? modulesOf(tx.context) : []) await module.afterUnassessed?.(tx, of)
}

/**
 * Stores what a laboratory sent for a kit if none of it could be judged, with the kit's report if there is one. `names`:
 * the laboratory's names of all results. @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION while the kit has no person
 */
export async function keepUnassessedOfKit(
  tx: Tx,
  kitId: string,
  items: readonly NewUnassessed[],
  names: readonly { name: string; loinc?: string }[],
  receivedId?: string,
): Promise<{ customerId: number }> {
  const kit = await lockKit(tx, kitId)
  const { customerId } = kit
  if (customerId === null) {
    throw illegal(stateOf(kit), 'reportReady', 'The kit is not registered to a person, so it can have no results')
  }
  const report = await selectReportOfKit(tx, kitId)
  const keys = [...names, ...items].map(({ name, loinc }) => unassessedKey(name, loinc))
  const lastVersion = (report?.version ?? 1) - (report?.status === 'published' ? 0 : 1)
  await replaceUnassessedOfKit(tx, kitId, keys, lastVersion)
  await keepUnassessed(tx, { customerId, kitId, report, receivedId }, items, { isLate: true })
  return { customerId }
}

/** The results of a business that wait for a person, critical ones first. */
export async function listWaiting(tx: Tx, filter: WaitingFilter) {
  const data = (await selectWaiting(tx, filter)).map(toWaiting)
  return { data, pagination: pagination(filter.page, filter.size, await countWaiting(tx, filter)) }
}

/** The same over all businesses. */
export async function listWaitingOfAll(tx: SystemTx, filter: WaitingFilter & { mode: 'live' | 'sandbox' }) {
  const rows = await selectWaitingOfAll(tx, filter)
  const data = rows.map(({ business, mode, ...row }): OperatorWaitingResult => ({ ...toWaiting(row), business, mode }))
  return { data, pagination: pagination(filter.page, filter.size, await countWaitingOfAll(tx, filter)) }
}

/** What became of the health authority that may have to know what a person puts aside. */
export const authorityWords = ({ decision, reason }: AuthorityStatement): string =>
  decision === 'toldByHand'
    ? `a health authority was told by hand: ${reason}`
    : `no health authority is told: ${reason}`

/** @throws VALIDATION_FAILED */
export const refuseWithoutAuthority = () =>
  refuse([{ message: 'Say whether a health authority was told of it by hand, or why none is told', path: 'authority' }])

/**
 * Closes a result with a person's reason. @throws RESULT_NOT_FOUND, also if it is closed already; VALIDATION_FAILED where an authority
 * may have to be told of it and nobody says what became of that
 */
export async function dismissWaiting(
  tx: Tx,
  id: string,
  reason: string,
  authority: AuthorityStatement | undefined,
): Promise<void> {
  const item = await selectOpenUnassessed(tx, id, { locked: true })
  if (!item) throw resultNotFound()
  for (const module of modulesOf(tx.context)) {
    if (authority) await module.afterStatement?.(tx, item, authority)
    else if (await module.isToBeTold?.(tx, item)) refuseWithoutAuthority()
  }
  await dismissUnassessed(tx, id, [reason, ...(authority ? [authorityWords(authority)] : [])].join('; '))
  const details = authority ? { decision: authority.decision } : {}
  await audit.record(tx, [
    { action: 'unassessed_result.dismissed', objectType: 'unassessed_result', objectId: id, details },
  ])
}

/** The realm of a result, for staff of the operator, who name none. @throws RESULT_NOT_FOUND */
export async function realmOfWaiting(tx: SystemTx, id: string): Promise<Realm> {
  const realm = await realmOfUnassessed(tx, id)
  if (!realm) throw resultNotFound()
  return realm
}

/** The name that a result was sent under, open or closed. @throws RESULT_NOT_FOUND */
export async function nameOfWaiting(tx: SystemTx, id: string): Promise<string> {
  const name = await selectUnassessedName(within(tx, await realmOfWaiting(tx, id)), id)
  if (name === undefined) throw resultNotFound()
  return name
}

export const resultNotFound = () => new AppError('RESULT_NOT_FOUND', 'There is no such result that waits')

function toWaiting(row: WaitingRow): WaitingResult {
  const { customerId, kitId, reportId, dataId, docId, loinc, receivedAt, ...rest } = row
  const { sent, assigned, document, closedAt, closedBy, outcome, note, ...content } = rest
  const { bounds: _, ...asSent } = sent ?? {}
  return {
    ...content,
    ...asSent,
    reason: stored(content.reason),
    customerID: customerId,
    ...(kitId !== null && { kitID: kitId }),
    ...(reportId !== null && { reportID: reportId }),
    ...(dataId !== null && { dataID: dataId }),
    ...(docId !== null && { docID: docId }),
    ...(loinc !== null && { loinc }),
    receivedDate: receivedAt.toISOString(),
    state: closedAt === null ? 'open' : 'closed',
    ...(closedAt !== null && { closedDate: closedAt.toISOString() }),
    ...(document !== null && { document }),
    ...(closedBy !== null && { closedBy }),
    ...(outcome !== null && { outcome }),
    ...(assigned !== null && { assigned }),
    ...(note !== null && { note: stored(note) }),
  }
}
