import type { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { newDatedId } from '../../domain/ids.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import * as events from '../events/service.ts'
import { realmOfKit } from '../kits/locate.ts'
import { publishReleased } from '../reports/critical/service.ts'
import { assertLot, productOf, quarantine } from '../stock/lots.ts'
import { actions, plainSubject, type RecallAction, stageOf, stages, usualActions } from './decision.ts'
import { type RecallKitOfAllRow, type RecallKitRow, releaseKits, selectKits, selectKitsOfAll } from './kit-queries.ts'
import {
  closeRecall,
  countBoxes,
  countHolders,
  insertHolders,
  lockMeasured,
  type Progress,
  type RecallRow,
  reopenWorse,
  type Selector,
  saveRecall,
  selectOpenOf,
  selectPage,
  selectProgress,
  selectRecallRow,
} from './queries.ts'
import type {
  Preview,
  Recall,
  RecalledKit,
  RecalledKitOfAll,
  RecalledKitOfAllQuery,
  RecalledKitQuery,
  RecallInput,
  RecallQuery,
} from './schema.ts'
import { noteChange, RECALLS_JOB, tellReleased } from './work.ts'

type Wanted = Omit<Selector, 'subject'> & { subject?: string | undefined }

/** What only results name: before they come, a recall of it that is right finds no kit, as does one that is misspelled. */
const isMeasured = ({ kind }: Pick<Wanted, 'kind'>): boolean => kind === 'run' || kind === 'reagentLot'

/** A lot as it is stored: of GTINs all 14 digits, and laboratories and reagents in plain letters. */
function selectorOf({ kind, subject = '', lot }: Wanted): Selector {
  if (isMeasured({ kind })) return { kind, subject: plainSubject(subject), lot }
  return { kind, subject: kind === 'kitLot' ? productOf(subject) : subject, lot }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** What a recall of a lot would find now. @throws as `begin`: a lot that is misspelled is none that nobody holds */
export async function preview(tx: SystemTx, wanted: Wanted): Promise<z.input<typeof Preview>> {
  const selector = selectorOf(wanted)
  if (selector.kind === 'componentLot' || selector.kind === 'kitLot')
    await assertLot(tx, { ...selector, kind: selector.kind })
  const { rows, businesses } = await countHolders(tx, selector)
  const open = await selectOpenOf(tx, selector)
  const kits = sum(rows.map(({ count }) => count))
  return {
    kits,
    ...(kits === 0 && isMeasured(selector) && { isUnnamed: true as const }),
    businesses,
    stages: stages.flatMap((stage) => {
      const kits = sum(rows.filter((row) => stageOf(row) === stage).map(({ count }) => count))
      return kits > 0 ? [{ stage, kits }] : []
    }),
    boxesInStock: await countBoxes(tx, selector),
    ...(open && { recallID: open.id }),
  }
}

/**
 * Recalls a lot: from the commit on none of it is packed, and its kits are stopped; a job does the rest. The same lot again adds the
 * kits that hold it since. @throws LOT_NOT_FOUND for one that was never received; VALIDATION_FAILED
 */
export async function begin(tx: SystemTx, input: RecallInput): Promise<Recall> {
  const selector = selectorOf(input)
  if (selector.kind === 'componentLot' || selector.kind === 'kitLot') {
    // Takes the lock of the stock: what is packed at this moment is found, or refused.
    await quarantine(tx, { ...selector, kind: selector.kind, reason: input.reason })
  } else await lockMeasured(tx, 'alone')
  const open = await selectOpenOf(tx, selector)
  const chosen: readonly RecallAction[] = input.actions ?? usualActions[input.kind]
  if (open && input.actions && actions.some((one) => chosen.includes(one) !== open.actions.includes(one)))
    refuse([{ message: 'This lot is recalled already, with other actions: close that recall first', path: 'actions' }])
  const id = open?.id ?? newDatedId('rcl', tx.now)
  const { grade = null, reason } = input
  const written = isMeasured(input) ? (input.subject ?? '') : null
  await saveRecall(tx, {
    id,
    ...selector,
    lot: open?.lot ?? selector.lot,
    written,
    grade,
    reason,
    actions: actions.filter((one) => chosen.includes(one)),
  })
  const found = await insertHolders(tx, id, selector)
  await reopenWorse(tx)
  await audit.recordSystem(tx, [
    {
      action: open ? 'recall.extended' : 'recall.begun',
      objectType: 'recall',
      objectId: id,
      details: { ...selector, ...(grade && { grade }), kits: found, actions: chosen.join(' ') },
    },
  ])
  await tx.enqueue(RECALLS_JOB, {})
  return find(tx, id)
}

/** @throws RECALL_NOT_FOUND */
export async function find(tx: SystemTx, id: string): Promise<Recall> {
  const row = await selectRecallRow(tx, id)
  if (!row) throw recallNotFound()
  return toRecall(tx, row, true)
}

const recallNotFound = () => new AppError('RECALL_NOT_FOUND', 'There is no such recall')

export async function list(tx: SystemTx, { page, size, state }: z.output<typeof RecallQuery>) {
  const { rows, total } = await selectPage(tx, { page, size, states: state })
  const data: Recall[] = []
  for (const row of rows) data.push(await toRecall(tx, row))
  return { data, pagination: pagination(page, size, total) }
}

async function toRecall(tx: SystemTx, row: RecallRow, hasUnderWay = false): Promise<Recall> {
  const progress = await selectProgress(tx, row.id, hasUnderWay)
  const of = (key: Exclude<keyof Progress, 'stage'>) => sum(progress.map((one) => one[key] ?? 0))
  const { grade, createdBy: by, createdAt, finishedAt, closedAt, ...said } = row
  return {
    ...said,
    ...(grade !== null && { grade }),
    by,
    createdDate: createdAt.toISOString(),
    ...(finishedAt && said.state !== 'running' && { finishedDate: finishedAt.toISOString() }),
    ...(closedAt && { closedDate: closedAt.toISOString() }),
    kits: of('kits'),
    ...(of('kits') === 0 && isMeasured(row) && { isUnnamed: true as const }),
    due: of('due'),
    told: of('told'),
    replaced: of('replaced'),
    released: of('released'),
    ...(hasUnderWay && { underWay: of('underWay'), releasedUnderWay: of('releasedUnderWay') }),
    stages: stages.flatMap((stage) => {
      const found = progress.find((one) => one.stage === stage)
      return found && found.kits > found.due ? [{ stage, kits: found.kits - found.due }] : []
    }),
  }
}

/** Ends a recall: no further kit is added, and what stands stays. @throws RECALL_NOT_FOUND; ILLEGAL_TRANSITION while kits are due */
export async function close(tx: SystemTx, id: string): Promise<Recall> {
  const row = await selectRecallRow(tx, id, 'locked')
  if (!row) throw recallNotFound()
  const recall = await toRecall(tx, row)
  if (recall.due > 0)
    throw new AppError('ILLEGAL_TRANSITION', 'Kits of this recall are still due: close it once they are done', {
      extra: { current: row.state, allowed: [] },
    })
  await closeRecall(tx, id)
  await audit.recordSystem(tx, [{ action: 'recall.closed', objectType: 'recall', objectId: id }])
  return find(tx, id)
}

/**
 * Releases kits that were found to be right: their reports are marked no more, and published where they waited for nothing else.
 * @throws RECALL_NOT_FOUND; VALIDATION_FAILED for a kit that the recall does not have
 */
export async function release(tx: SystemTx, id: string, kitIds: readonly string[], reason: string): Promise<Recall> {
  if (!(await selectRecallRow(tx, id, 'locked'))) throw recallNotFound()
  const { rows } = await selectKitsOfAll(tx, { recallIds: [id], kitIds, page: 0, size: kitIds.length })
  const isKnown = (kitId: string) => rows.some((row) => row.kitId === kitId)
  const problemOf = (kitId: string, index: number) =>
    isKnown(kitId) ? [] : [{ message: `${kitId} is not in this recall`, path: `kitIDs.${index}` }]
  const problems = kitIds.flatMap(problemOf)
  if (problems.length > 0) refuse(problems)
  const released = await releaseKits(tx, id, kitIds)
  for (const { kitId, orderId } of released) {
    const realm = within(tx, await realmOfKit(tx, kitId))
    await tellReleased(realm, kitId)
    const { rows } = await selectKits(realm, { kitIds: [kitId], page: 0, size: 1000 })
    const ended = rows.filter(({ recallId }) => recallId === id)
    await events.record(
      realm,
      ended.map((row) => ({ type: 'kit.recalled', orderId, kitId, data: toRecalledKit(row) })),
    )
    await noteChange(realm, [kitId])
    await audit.record(realm, [
      { action: 'kit.recall_released', objectType: 'kit', objectId: kitId, details: { recall: id }, words: { reason } },
    ])
    // The oldest is the last.
    const heldSince = rows.at(-1)?.foundAt
    if (heldSince) await publishReleased(realm, kitId, heldSince)
  }
  return find(tx, id)
}

export function toRecalledKit(row: RecallKitRow): RecalledKit {
  return {
    kitID: row.kitId,
    orderID: row.orderId,
    recallID: row.recallId,
    ...(row.grade !== null && { grade: row.grade }),
    reason: row.reason,
    ...(row.stage !== null && { stage: row.stage }),
    done: row.deeds,
    recalledDate: row.foundAt.toISOString(),
    ...(row.replacedBy !== null && { replacedBy: row.replacedBy }),
    ...(row.releasedAt !== null && { released: true as const }),
  }
}

/** Recalled kits of this realm, those that were found last first. */
export async function listKits(tx: Tx, { page, size, isTold, kitID }: z.output<typeof RecalledKitQuery>) {
  const filter = { page, size, isTold, kitIds: kitID }
  const { rows, total } = await selectKits(tx, filter)
  return { data: rows.map(toRecalledKit), pagination: pagination(page, size, total) }
}

const toKitOfAll = (row: RecallKitOfAllRow): RecalledKitOfAll => ({
  ...toRecalledKit(row),
  business: { id: row.businessId, name: row.businessName },
  due: row.doneAt === null,
})

/** The kits of a recall. @throws RECALL_NOT_FOUND */
export async function listKitsOfAll(tx: SystemTx, id: string, query: z.output<typeof RecalledKitOfAllQuery>) {
  const { page, size, stage, isTold } = query
  if (!(await selectRecallRow(tx, id))) throw recallNotFound()
  const { rows, total } = await selectKitsOfAll(tx, { recallIds: [id], page, size, stages: stage, isTold })
  return { data: rows.map(toKitOfAll), pagination: pagination(page, size, total) }
}
