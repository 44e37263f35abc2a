import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { addClockAdvance, selectClockAdvance } from '../businesses/queries.ts'
import { modulesOf } from '../define-module.ts'
import { lockKits } from './queries.ts'
import { type Advanced, durationOf, type SandboxClock } from './schema.ts'

/** How far the clock of this sandbox was advanced in all. */
export const clock = async (tx: Tx): Promise<SandboxClock> => ({ total: durationOf(await selectClockAdvance(tx)) })

/**
 * Lets `ms` milliseconds pass in this sandbox: each module moves its deadlines, and the dates that an age is counted from, back
 * by so much. What became due is done at once by the usual jobs. Events, audit, credits, tokens and reports stay.
 */
export async function advanceAllModules(tx: Tx, ms: number): Promise<Advanced> {
  // First: it refuses live, and lets one advance wait for another.
  const total = await addClockAdvance(tx, ms)
  await lockKits(tx)
  const due = {}
  for (const { sandbox } of modulesOf(tx.context)) Object.assign(due, await sandbox?.advanceClock?.(tx, ms))
  const answer = { advanced: durationOf(ms), total: durationOf(total) }
  await audit.record(tx, [
    {
      action: 'sandbox.clock_advanced',
      objectType: 'business',
      objectId: tx.realm.businessId,
      details: answer,
    },
  ])
  // Each module counts what the shape of the answer names.
  return { ...answer, due: due as Advanced['due'] }
}
