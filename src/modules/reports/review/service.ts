import { AppError } from '../../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { lockKit } from '../../kits/move.ts'
import { realmOfReport } from '../locate.ts'
import { lockReport, selectReport } from '../queries.ts'
import { reportNotFound } from '../versions/publish.ts'
import { insertComment, selectComments } from './comment-queries.ts'
import { endHold, type HoldRow, insertHold, selectHold } from './hold-queries.ts'
import type { Comment, Hold, NewHold } from './schema.ts'

const MAX_DAYS = 90
const DAY_MS = 86_400_000

/** Holds a live report back until a time, in place of a hold that it has. @throws REPORT_NOT_FOUND, ILLEGAL_TRANSITION */
export async function holdReport(tx: SystemTx, reportId: string, { reason, untilDate }: NewHold): Promise<Hold> {
  const realm = await liveRealm(tx, reportId)
  const untilAt = new Date(untilDate)
  const days = (untilAt.getTime() - tx.now.getTime()) / DAY_MS
  if (days <= 0) refuse([{ message: 'It lies in the past', path: 'untilDate' }])
  if (days > MAX_DAYS) refuse([{ message: `It is more than ${MAX_DAYS} days away`, path: 'untilDate' }])
  // The kit first, as whatever publishes does: one of the two loses.
  const kitId = (await selectReport(realm, reportId))?.kitId ?? null
  if (kitId !== null) await lockKit(realm, kitId)
  const report = await lockReport(realm, reportId)
  if (report?.status !== 'inReview') throw illegal('Only a report that is in review can be held', report?.status)
  await endHold(realm, reportId)
  await insertHold(realm, { reportId, untilAt, reason })
  await note(realm, 'report.held', reportId, { until: untilAt.toISOString() }, { reason })
  return (await holdOf(realm, reportId)) ?? missing()
}

/** Ends the hold of a report. @throws REPORT_NOT_FOUND; ILLEGAL_TRANSITION if nobody holds it */
export async function releaseReport(tx: SystemTx, reportId: string): Promise<void> {
  const realm = await liveRealm(tx, reportId)
  if (!(await endHold(realm, reportId))) throw illegal('Nobody holds this report', 'released')
  await note(realm, 'report.released', reportId)
}

/** Adds a comment for other reviewers. @throws REPORT_NOT_FOUND */
export async function commentReport(tx: SystemTx, reportId: string, text: string): Promise<Comment[]> {
  const realm = await liveRealm(tx, reportId)
  const comment = await insertComment(realm, reportId, text)
  await note(realm, 'report.commented', reportId, { comment })
  return commentsOf(realm, reportId)
}

export const commentsOf = async (tx: Tx, reportId: string): Promise<Comment[]> =>
  (await selectComments(tx, reportId)).map(({ at, ...rest }) => ({ ...rest, date: at.toISOString() }))

/** The hold of a report, for the operator; undefined: nobody holds it. */
export async function holdOf(tx: Tx, reportId: string): Promise<Hold | undefined> {
  const row = await selectHold(tx, reportId)
  return row && holdAnswer(row, tx.actor.name)
}

export const holdAnswer = ({ reason, by, actor, heldAt, untilAt }: HoldRow, caller: string): Hold => ({
  reason,
  by,
  isMine: actor === caller,
  heldDate: heldAt.toISOString(),
  untilDate: untilAt.toISOString(),
})

/** Reviewers work on live reports; those of a sandbox are its business's. @throws REPORT_NOT_FOUND */
async function liveRealm(tx: SystemTx, reportId: string): Promise<Tx> {
  const realm = await realmOfReport(tx, reportId)
  if (realm.mode !== 'live') throw reportNotFound()
  return within(tx, realm)
}

const note = (tx: Tx, action: audit.AuditAction, objectId: string, details = {}, words?: Record<string, string>) =>
  audit.record(tx, [{ action, objectType: 'report', objectId, details, ...(words && { words }) }])

const illegal = (message: string, current = 'published') =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current, allowed: [] } })

function missing(): never {
  throw new Error('the hold that was just written is not there')
}
