import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { biomarkers } from '../../catalogue/service.ts'
import * as customers from '../../customers/service.ts'
import { lockKit } from '../../kits/move.ts'
import { lockReport, lockReportOfData, selectReportOfKit } from '../queries.ts'
import { insertRemarks } from '../remarks/queries.ts'
import type { Remark } from '../remarks/rules.ts'
import { assignedResult } from '../unassessed/assigning.ts'
import { assignUnassessed, type OpenUnassessed, selectOpenUnassessed } from '../unassessed/queries.ts'
import type { AssignWaiting } from '../unassessed/schema.ts'
import { resultNotFound } from '../unassessed/service.ts'
import { amendReport } from './amend.ts'
import { reportFromData } from './from-data.ts'
import { receiveResults } from './receive.ts'

/**
 * Makes a result that waits one of a biomarker, as a person says: it is judged, and shown in a new version of the report
 * that it came with, which is created if missing. If it is critical and its report is not published, a person
 * publishes that.
 * @throws RESULT_NOT_FOUND, also if it is closed; ILLEGAL_TRANSITION; VALIDATION_FAILED for an unknown biomarker, one that
 * the report has, a unit that cannot be converted, a value that is no number, has other digits or cannot be right
 */
export async function assignWaiting(
  tx: Tx,
  id: string,
  input: AssignWaiting,
): Promise<{ reportId: string; version: number }> {
  const { waiting, standing } = await lockWaiting(tx, id)
  const biomarker = (await biomarkers(tx)).find((one) => one.id === input.biomarker)
  if (!biomarker) refuse([{ message: 'The catalogue has no such biomarker', path: 'biomarker' }])
  if (standing?.entries.some((entry) => entry.id === biomarker.id && entry.type === 'measured')) {
    refuse([{ message: 'The report has a result of this biomarker already', path: 'biomarker' }])
  }
  const result = assignedResult(biomarker, waiting, input)
  const closing = { biomarker: biomarker.id, note: input.reason, lastVersion: standing?.version ?? 0 }
  // Closed first: what still waits then decides whether the report is held.
  await assignUnassessed(tx, id, closing)
  const made = await addToReport(tx, { waiting, standing, result, reason: reasonFor(waiting, biomarker) })
  const remembered = input.remember ? await insertRemarks(tx, waiting.customerId, remarksOf(waiting, biomarker)) : 0
  const details = {
    biomarker: biomarker.id,
    reportId: made.reportId,
    version: made.version,
    ...(remembered > 0 && { remembered }),
  }
  await audit.record(tx, [
    { action: 'unassessed_result.assigned', objectType: 'unassessed_result', objectId: id, details },
  ])
  return made
}

/** What the laboratory wrote, where a result waited for nothing else and is what the reader took it for. */
function remarksOf({ code, sent, suggestions }: OpenUnassessed, { id }: Biomarker): Remark[] {
  const { laboratory, remarks = [] } = sent ?? {}
  if (code !== 'unknownRemark' || laboratory === undefined || suggestions[0] !== id) return []
  return remarks.map((sentence) => ({ laboratory, biomarker: id, sentence }))
}

const reasonFor = ({ name }: OpenUnassessed, { label }: Biomarker) =>
  name
    ? sentence('A result that was sent as "{name}" is assessed now: a person assigned it to {label}.', { name, label })
    : sentence('A result that was sent as "no name" is assessed now: a person assigned it to {label}.', { label })

/** Locks the kit, the customer, the report and the result, in the order of `receiveResults`. */
async function lockWaiting(tx: Tx, id: string) {
  const seen = await selectOpenUnassessed(tx, id)
  if (!seen) throw resultNotFound()
  if (seen.kitId !== null) await lockKit(tx, seen.kitId)
  await customers.find(tx, String(seen.customerId), 'share')
  const standing = await standingReport(tx, seen)
  const waiting = await selectOpenUnassessed(tx, id, { locked: true })
  if (!waiting) throw resultNotFound()
  return { waiting, standing }
}

type Standing = Awaited<ReturnType<typeof lockReport>>

async function standingReport(tx: Tx, seen: OpenUnassessed): Promise<Standing> {
  if (seen.kitId !== null) return selectReportOfKit(tx, seen.kitId)
  if (seen.reportId !== null) return lockReport(tx, seen.reportId)
  return seen.dataId === null ? undefined : lockReportOfData(tx, seen.dataId, collectedOf(seen).slice(0, 10))
}

/** Results that versions before kept have no day of their own. */
const collectedOf = ({ sent, receivedAt }: OpenUnassessed) =>
  sent?.collectedDate ?? receivedAt.toISOString().slice(0, 10)

interface Addition {
  waiting: OpenUnassessed
  standing: Standing
  result: ReturnType<typeof assignedResult>
  reason: Sentence
}

async function addToReport(tx: Tx, { waiting, standing, result, reason }: Addition) {
  const { kitId, customerId, dataId, isCritical } = waiting
  if (kitId !== null) {
    const dates = standing
      ? { ...(standing.resultedDate !== null && { resultedDate: standing.resultedDate }) }
      : { collectedDate: collectedOf(waiting) }
    return receiveResults(tx, { kitId, results: [result], reason, isHeld: isCritical, ...dates })
  }
  if (standing)
    return {
      reportId: standing.id,
      version: await amendReport(tx, standing, { results: [result], reason, isByPerson: true }),
    }
  if (dataId === null) throw new Error('a result that waits belongs to a kit, a report or data')
  const data = { customerId, dataId, results: [result], collectedDate: collectedOf(waiting), isHeld: isCritical }
  return { reportId: await reportFromData(tx, data), version: 1 }
}
