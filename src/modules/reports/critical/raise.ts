import { isDeepStrictEqual } from 'node:util'
import { readingOf } from '@kitlane/lab-reader/facts/reading'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as events from '../../events/service.ts'
import { contactsOf, USUAL_MINUTES } from './on-call.ts'
import {
  type CriticalPlace,
  type CriticalRow,
  insertCriticals,
  joinCriticalsToReport,
  lockCriticals,
  markWithdrawn,
  subjectOf,
} from './queries.ts'
import type { CriticalResult } from './rules.ts'

export const TELL_CRITICAL_JOB = 'reports.tell-critical'

type Same = Pick<CriticalResult, 'key' | 'value' | 'unit'>
const isSame = (a: Same, b: Same) => a.key === b.key && a.unit === b.unit && isSameValue(a.value, b.value)

/** 7.90 is 7.9. */
const isSameValue = (a: string, b: string) => a === b || isDeepStrictEqual(readingOf(a) ?? a, readingOf(b))

/**
 * Raises critical results, each once: an event for each, and a job that tells the on-call list. What was raised for the
 * same value of the same thing before is not raised again, also after it was acknowledged.
 */
export async function raiseCriticals(tx: Tx, place: CriticalPlace, results: readonly CriticalResult[]): Promise<void> {
  if (results.length > 0) await raiseNew(tx, place, results, await lockCriticals(tx, subjectOf(place)))
}

/**
 * The same for all results of a report's new version. Those that the report no longer shows are closed as withdrawn, and
 * what waited for the kit before it had a report joins it.
 */
export async function raiseOfVersion(
  tx: Tx,
  place: CriticalPlace & { reportId: string },
  results: readonly CriticalResult[],
): Promise<void> {
  const known = await lockCriticals(tx, subjectOf(place))
  const gone = known.filter(
    (row) => isOpen(row) && row.key.startsWith('biomarker ') && !results.some((one) => isSame(row, one)),
  )
  if (gone.length > 0) {
    await markWithdrawn(
      tx,
      gone.map(({ id }) => id),
    )
    await audit.record(
      tx,
      gone.map(({ id }) => ({ action: 'critical_result.withdrawn', objectType: 'critical_result', objectId: id })),
    )
  }
  if (known.some(({ reportId }) => reportId === null)) await joinCriticalsToReport(tx, subjectOf(place), place.reportId)
  await raiseNew(tx, place, results, known)
}

/** Closes those that could not be judged as withdrawn, by the names that they are kept under. */
export async function withdrawUnjudged(tx: Tx, subject: string, names: readonly string[]): Promise<void> {
  const keys = names.map((name) => `name ${name}`)
  const known = names.length > 0 ? await lockCriticals(tx, subject) : []
  const gone = known.filter((row) => isOpen(row) && keys.includes(row.key))
  if (gone.length > 0)
    await markWithdrawn(
      tx,
      gone.map(({ id }) => id),
    )
}

const isOpen = ({ acknowledgedAt, withdrawnAt }: CriticalRow) => acknowledgedAt === null && withdrawnAt === null

async function raiseNew(
  tx: Tx,
  place: CriticalPlace,
  results: readonly CriticalResult[],
  known: readonly CriticalRow[],
): Promise<void> {
  const standing = known.filter(({ withdrawnAt }) => withdrawnAt === null)
  const fresh = results.filter((result) => !standing.some((row) => isSame(row, result)))
  if (fresh.length === 0) return
  const [first] = await contactsOf(tx)
  const deadline = new Date(tx.now.getTime() + (first?.minutes ?? USUAL_MINUTES) * 60_000)
  const ids = await insertCriticals(tx, place, deadline, fresh)
  const { kitId, reportId, customerId } = place
  await events.record(
    tx,
    ids.map((id) => ({
      type: 'result.critical' as const,
      ...(kitId && { kitId }),
      data: {
        criticalID: id,
        customerID: customerId,
        ...(kitId && { kitID: kitId }),
        ...(reportId && { reportID: reportId }),
        raisedDate: tx.now.toISOString(),
        deadlineDate: deadline.toISOString(),
      },
    })),
  )
  await audit.record(
    tx,
    ids.map((id) => ({
      action: 'critical_result.raised',
      objectType: 'critical_result',
      objectId: id,
      details: { ...(kitId && { kitId }), ...(reportId && { reportId }) },
    })),
  )
  await tx.enqueue(TELL_CRITICAL_JOB, {})
}
