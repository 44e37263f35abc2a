import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { AlarmLimits, OperatorEvent } from '../../../domain/operator-channels.ts'
import type { Actor, Database, SystemTx } from '../../../platform/database/tx.ts'
import type { VerifyOptions } from '../../../platform/database/verification.ts'
import { networkOf } from '../../../platform/http/shared-counts.ts'
import { verifyAnchors } from '../../audit/anchors.ts'
import { readOn } from '../../audit/reader.ts'
import type { SealedEntry } from '../../audit/reader-queries.ts'
import { recordSystem } from '../../audit/service.ts'
import { verifyAuditInBatches } from '../../audit/verify.ts'
import type { EmailContent } from '../../emails/layout.ts'
import * as queries from './queries.ts'
import * as rules from './rules.ts'

export const TELL_JOB = 'oversight.tell'

/**
 * Raises an alarm, and tells the operator once the transaction commits. While one about the same is open, nobody is notified
 * again: it only notes that it goes on.
 */
export async function raise(
  tx: SystemTx,
  alarm: { kind: rules.AlarmKind; subject: string; amount: number },
): Promise<void> {
  const { id, isNew } = await queries.upsertAlarm(tx, { id: newOpaqueId('alm'), ...alarm })
  if (!isNew) return
  for (const by of ['webhook', 'email']) await tx.enqueue(TELL_JOB, { alarmId: id, by })
}

/** @throws ALARM_NOT_FOUND */
export async function acknowledge(tx: SystemTx, id: string): Promise<queries.AlarmRow> {
  const isChanged = await queries.markAcknowledged(tx, id)
  const alarm = await queries.selectAlarm(tx, id)
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
export function eventOf({ id, kind, subject, amount, raisedAt }: queries.AlarmRow): OperatorEvent {
  const caller = /^(token|user|operator):/.test(subject)
  const about = caller ? { caller: subject } : !subject.startsWith(rules.networkSubject) && { about: subject }
  return { id, type: 'alarm.raised', at: raisedAt, data: { id, kind, amount, ...about } }
}

const titles: Record<rules.AlarmKind, string> = {
  refusals: 'Many attempts were refused',
  mass_read: 'One caller read the data of many people',
  new_place: 'Somebody signed in from a new place',
  broken_seal: 'The audit was changed',
  access_review_due: 'A review of access is due',
}

const sentences: Record<rules.AlarmKind, (amount: number) => string> = {
  refusals: (amount) => `${amount} attempts of one caller or network were refused within ten minutes.`,
  mass_read: (amount) => `One caller read the data of ${amount} people within an hour.`,
  new_place: () => 'A user signed in from a network that they had not used in 180 days.',
  broken_seal: () =>
    'The seals of the audit do not fit its entries. Keep the database as it is, and find out who wrote to it.',
  access_review_due: () => 'Nobody has confirmed in 90 days that everybody who has access should have it.',
}

/** An alarm as an e-mail. It names nobody. */
export const alarmEmail = ({ kind, amount }: queries.AlarmRow): EmailContent => ({
  kind: 'alarm',
  subject: `Alarm: ${titles[kind]}`,
  title: titles[kind],
  paragraphs: [sentences[kind](amount), 'Sign in to see it, and acknowledge it there.'],
  button: { label: 'Open the alarms', path: '/app/operator/alarms' },
})

// 60 ms of the database.
const AT_ONCE = 2000
const RETENTION_MS = 24 * 3_600_000
/** How long a place where somebody signed in stays a known one. */
const PLACE_MS = 180 * 24 * 3_600_000

/** Looks at the next sealed entries, and raises alarms. True while more may wait. */
export const watchEntries = (tx: SystemTx, limits: AlarmLimits): Promise<boolean> =>
  readOn(tx, 'alarms', { limit: AT_ONCE, wanted: queries.mayAlarm }, async (entries) => {
    const counts = rules.countsOf(entries, networkOf, await sizesFor(tx, entries.filter(rules.isWholeFile)))
    if (counts.length > 0) await queries.addCounts(tx, counts)
    for (const count of newestOf(counts)) await checkCount(tx, count, limits)
    for (const entry of entries) if (entry.action === 'session.started') await checkPlace(tx, entry)
  })

export const forgetCounts = (tx: SystemTx): Promise<void> =>
  queries.deleteOldCounts(tx, new Date(tx.now.getTime() - RETENTION_MS))

/** How many people a file of a whole list showed: as many as the business has of its kind. */
async function sizesFor(
  tx: SystemTx,
  files: readonly queries.WholeFile[],
): Promise<(file: queries.WholeFile) => number> {
  const businessIds = [...new Set(files.flatMap(({ businessId }) => businessId ?? []))]
  const sizes = businessIds.length > 0 ? await queries.selectSizes(tx, businessIds) : []
  return ({ businessId, mode, objectType }) => {
    const found = sizes.find((one) => one.businessId === businessId && one.mode === mode)
    if (!found) return 1
    return { customer: found.customers, order: found.orders }[objectType] ?? found.kits
  }
}

/** One count for each caller: its newest minute. */
function newestOf(counts: readonly rules.Count[]): rules.Count[] {
  const newest = new Map<string, rules.Count>()
  for (const count of counts) {
    const key = `${count.kind} ${count.subject}`
    const known = newest.get(key)
    if (!known || known.minute < count.minute) newest.set(key, count)
  }
  return [...newest.values()]
}

const limitOf = (kind: rules.CountedKind, { refusals, people }: AlarmLimits): number =>
  kind === 'refusals' ? refusals : people

async function checkCount(tx: SystemTx, { kind, subject, minute }: rules.Count, limits: AlarmLimits): Promise<void> {
  const limit = limitOf(kind, limits)
  const after = new Date(minute.getTime() - rules.windowMs[kind])
  const { amount, firstEntry } = await queries.selectSum(tx, { kind, subject }, { after, until: minute })
  if (amount < limit) return
  const exact = kind === 'refusals' ? amount : await countPeople(tx, subject, firstEntry)
  if (exact >= limit) await raise(tx, { kind, subject, amount: exact })
}

/** How many different people a caller has seen, at least: in one list it saw all of a file, or those that it names. */
async function countPeople(tx: SystemTx, caller: string, firstEntry: number): Promise<number> {
  const files = await queries.selectFiles(tx, caller, firstEntry)
  const sizeOf = await sizesFor(tx, files)
  return Math.max(await queries.countDifferent(tx, caller, firstEntry), ...files.map(sizeOf))
}

/** A sign-in from a network that the user has not signed in from, of a user who has signed in before. */
async function checkPlace(tx: SystemTx, { id, at, objectId, ip }: SealedEntry): Promise<void> {
  if (ip === null) return
  const since = new Date(at.getTime() - PLACE_MS)
  const known = await queries.selectAddresses(tx, objectId, { before: id, since })
  const isNew = known.length > 0 && !known.some((address) => networkOf(address) === networkOf(ip))
  if (isNew) await raise(tx, { kind: 'new_place', subject: `user:${objectId}`, amount: 1 })
}
