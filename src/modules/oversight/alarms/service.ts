import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { OperatorEvent } from '../../../domain/operator-channels.ts'
import type { Actor, Database, SystemTx } from '../../../platform/database/tx.ts'
import type { VerifyOptions } from '../../../platform/database/verification.ts'
import { verifyAnchors } from '../../audit/anchors.ts'
import { recordSystem } from '../../audit/service.ts'
import { verifyAuditInBatches } from '../../audit/verify.ts'
import type { EmailContent } from '../../emails/layout.ts'
import { type AlarmRow, markAcknowledged, selectAlarm, upsertAlarm } from './queries.ts'
import { type AlarmKind, networkSubject } from './rules.ts'

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

/** @throws ALARM_NOT_FOUND */
export async function acknowledge(tx: SystemTx, id: string): Promise<AlarmRow> {
  const isChanged = await markAcknowledged(tx, id)
  const alarm = await selectAlarm(tx, id)
  if (!alarm) throw new AppError('ALARM_NOT_FOUND', 'There is no such alarm')
  if (isChanged) await recordSystem(tx, [{ action: 'alarm.acknowledged', objectType: 'alarm', objectId: id }])
  return alarm
}

/** Recomputes seals and anchors, and raises an alarm if one does not fit. Returns what is broken. */
export async function verifyNightly(
  database: Database,
  actor: Actor,
  options: VerifyOptions,
): Promise<string | undefined> {
  const seals = await verifyAuditInBatches(database, actor, options)
  const brokenAt = seals.brokenAt ?? (await database.asSystem(actor, (tx) => verifyAnchors(tx, []))).brokenAt
  // A separate transaction: the verification may run for minutes, and one that has written delays the feed of events.
  if (brokenAt) await database.asSystem(actor, (tx) => raise(tx, { kind: 'broken_seal', subject: brokenAt, amount: 1 }))
  return brokenAt
}

/** An alarm for other systems. A network address may be a person's, so that it stays here. */
export function eventOf({ id, kind, subject, amount, raisedAt }: AlarmRow): OperatorEvent {
  const caller = /^(token|user|operator):/.test(subject)
  const about = caller ? { caller: subject } : !subject.startsWith(networkSubject) && { about: subject }
  return { id, type: 'alarm.raised', at: raisedAt, data: { id, kind, amount, ...about } }
}

const titles: Record<AlarmKind, string> = {
  refusals: 'Many attempts were refused',
  mass_read: 'One caller read the data of many people',
  new_place: 'Somebody signed in from a new place',
  broken_seal: 'The audit was changed',
  access_review_due: 'A review of access is due',
}

const sentences: Record<AlarmKind, (amount: number) => string> = {
  refusals: (amount) => `${amount} attempts of one caller or network were refused within ten minutes.`,
  mass_read: (amount) => `One caller read the data of ${amount} people within an hour.`,
  new_place: () => 'A user signed in from a network that they had not used in 180 days.',
  broken_seal: () =>
    'The seals of the audit do not fit its entries. Keep the database as it is, and find out who wrote to it.',
  access_review_due: () => 'Nobody has confirmed in 90 days that everybody who has access should have it.',
}

/** An alarm as an e-mail. It names nobody. */
export const alarmEmail = ({ kind, amount }: AlarmRow): EmailContent => ({
  kind: 'alarm',
  subject: `Alarm: ${titles[kind]}`,
  title: titles[kind],
  paragraphs: [sentences[kind](amount), 'Sign in to see it, and acknowledge it there.'],
  button: { label: 'Open the alarms', path: '/app/operator/alarms' },
})
