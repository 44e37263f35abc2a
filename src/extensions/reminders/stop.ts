import * as audit from '../../modules/audit/service.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { hashToken } from '../../platform/tokens.ts'
import { type FoundReminder, insertStop, selectByHash } from './queries.ts'

/** The reminder whose e-mail had this secret in its link; undefined for an unknown one. */
export const findReminder = (tx: SystemTx, secret: string): Promise<FoundReminder | undefined> =>
  selectByHash(tx, hashToken(secret))

/** Sends no more reminders about the kit; after one of a further test, none of further tests to that person. */
export async function stopReminders(tx: Tx, reminder: FoundReminder): Promise<void> {
  if (!(await insertStop(tx, reminder))) return
  const details = { of: reminder.stage === 'retest' ? 'person' : 'kit' }
  await audit.record(tx, [{ action: 'reminders.stopped', objectType: 'kit', objectId: reminder.kitId, details }])
}
