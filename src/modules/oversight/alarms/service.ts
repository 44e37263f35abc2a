import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { recordSystem } from '../../audit/service.ts'
import { type AlarmRow, markAcknowledged, markKindAcknowledged, selectAlarm, upsertAlarm } from './queries.ts'
import type { AlarmKind } from './rules.ts'

export const TELL_JOB = 'oversight.tell'

/**
 * Raises an alarm, and tells the operator once the transaction commits. While one about the same is open, nobody is notified
 * again: it only notes that it goes on.
 */
export async function raise(tx: SystemTx, alarm: { kind: AlarmKind; subject: string; amount: number }): Promise<void> {
  const { id, isNew } = await upsertAlarm(tx, { id: newOpaqueId('alm'), ...alarm })
  if (!isNew) return
  for (const by of ['webhook', 'email']) await tx.enqueue(TELL_JOB, { alarmId: id, by })
}

/** Acknowledges the alarms of a kind, for anyone who did what they ask for. */
export const acknowledgeKind = (tx: SystemTx, kind: AlarmKind): Promise<void> => markKindAcknowledged(tx, kind)

/** @throws ALARM_NOT_FOUND */
export async function acknowledge(tx: SystemTx, id: string): Promise<AlarmRow> {
  const isChanged = await markAcknowledged(tx, id)
  const alarm = await selectAlarm(tx, id)
  if (!alarm) throw new AppError('ALARM_NOT_FOUND', 'There is no such alarm')
  if (isChanged) await recordSystem(tx, [{ action: 'alarm.acknowledged', objectType: 'alarm', objectId: id }])
  return alarm
}
