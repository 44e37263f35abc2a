import type { Language } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { modulesOf } from '../define-module.ts'
import type { NewEmail } from '../emails/service.ts'
import * as events from '../events/service.ts'
import { selectLeft } from './attention-queries.ts'
import type { KitFact } from './changed-kit.ts'
import { selectStoppedKits } from './consent/withdrawal-queries.ts'
import { STOPPED } from './consent/withdrawal-rules.ts'
import { emailsOf, queueEmails } from './emails.ts'
import type { ReportStatus } from './lifecycle.ts'
import { type KitRow, lockKits, lockKitsOfOrder, updateKits } from './queries.ts'
import { type KitRecall, selectRecalled } from './recall-queries.ts'
import { kitNotFound, stateOf, toRecord } from './records.ts'
import {
  type AdvanceOptions,
  advance,
  exceptionOf,
  illegal,
  type KitEvent,
  type Progress,
  type Step,
  standing,
} from './rules.ts'
import type { KitRecord, Shipment } from './schema.ts'

export interface MoveOptions extends Omit<AdvanceOptions, 'at'> {
  /** When it happened; default now. */
  at?: Date
  /** Tracking that the move brings; a leg replaces the one known. */
  shipment?: Shipment
  /** Parcels of steps that this move takes back go with them. */
  isTakenBack?: boolean
  /** Nobody gets an e-mail: the caller tells what is new. */
  isQuiet?: boolean
  /** The person tested gets an e-mail though the order wants none. */
  isEmailWanted?: boolean
}

export interface Move extends MoveOptions {
  kitId: string
  to: KitEvent
}

export type Registration = Pick<KitRow, 'customerId' | 'registeredEmail' | 'registeredAt' | 'registration'>

/** What a kit becomes, step by step. */
export interface Change {
  kit: KitRow
  steps: readonly Step[]
  /** What the change brings besides its steps. */
  besides?: Partial<KitRow>
  /** The person, known from the step kitRegistered on. */
  registration?: Registration
  /** The person tested gets an e-mail though the order wants none. */
  isEmailWanted?: boolean
  /** Of the person tested, where none is saved with them. */
  language?: Language | undefined
  /** Nobody gets an e-mail: it tells nothing new. */
  isQuiet?: boolean
  /** Nor is there an event: it happened before the kit was here. */
  isUnannounced?: boolean
}

const IN_DOUBT =
  'The registration of this kit is in doubt: register it again with the right data, or clear the registration'

const ARRIVALS: readonly KitEvent[] = ['sampleReceived', 'reportReady', 'sampleRejected']

/** Locks a kit until the transaction ends. @throws KIT_NOT_FOUND */
export async function lockKit(tx: Tx, kitId: string): Promise<KitRow> {
  const [kit] = await lockKits(tx, [kitId])
  if (!kit) throw kitNotFound()
  return kit
}

const registrationUndone: Registration = {
  customerId: null,
  registeredEmail: null,
  registeredAt: null,
  registration: null,
}

/** The kit belongs to nobody: the data is kept for the person who clears it, and shown nowhere, since it may be another person's. */
const registrationDoubted = (kit: KitRow, registered: Partial<KitRow> = {}): Registration => ({
  customerId: null,
  registeredEmail: registered.registeredEmail ?? kit.registeredEmail,
  registeredAt: null,
  registration: registered.registration ?? kit.registration,
})

/** Writes changes of locked kits with one `kit.updated` for each step: a fixed number of statements for any number of them. */
export async function applyChanges(tx: Tx, changes: readonly Change[]): Promise<KitRecord[]> {
  const happened: events.NewEvent[] = []
  const queued: { email: NewEmail; at: number }[] = []
  const changed = changes.map((change, at) => {
    const { kit, steps, besides, registration, isEmailWanted, language, isQuiet, isUnannounced } = change
    let now: KitRow = { ...kit, ...besides, updatedAt: tx.now }
    for (const { event, state } of steps) {
      const { kitStatus, sampleStatus, status } = now
      const eventSequence = now.eventSequence + (isUnannounced ? 0 : 1)
      // What the rejection fills in is not where the sample was.
      const beforeRejection = state.sampleStatus === 'rejected' ? (kit.beforeRejection ?? stateOf(kit)) : null
      now = { ...now, ...state, reason: state.reason ?? null, beforeRejection, eventSequence }
      if (event === 'registrationException') now = { ...now, ...registrationDoubted(kit, besides) }
      else if (state.progress.kitRegistered === undefined) now = { ...now, ...registrationUndone }
      else if (event === 'kitRegistered') now = { ...now, ...registration }
      if (isUnannounced) continue
      const data = { ...toRecord(now), previous: { kitStatus, sampleStatus, status }, event, sequence: eventSequence }
      happened.push({ type: 'kit.updated', orderId: kit.orderId, kitId: kit.id, sequence: eventSequence, data })
    }
    if (!isQuiet && !isUnannounced) {
      queued.push(...emailsOf(now, steps, { isWanted: isEmailWanted, language }).map((email) => ({ email, at })))
    }
    return now
  })
  if (changed.length > 0) await updateKits(tx, changed)
  await events.record(tx, happened)
  const taken = changed.map((after, index) => ({
    before: changes[index]?.kit ?? after,
    after,
    steps: changes[index]?.steps ?? [],
    written: new Set<string>(),
  }))
  for (const module of modulesOf(tx.context)) await module.afterKitChanges?.(tx, taken)
  const recalled = await selectRecalled(tx, [...new Set(queued.flatMap(({ at }) => changed[at]?.id ?? []))])
  const left = queued.filter(({ email, at }) => {
    const { after, steps, written } = taken[at] ?? {}
    return !written?.has(email.to) && !isForbidden(steps?.at(-1)?.event, recalled.get(after?.id ?? ''))
  })
  await queueEmails(
    tx,
    left.map(({ email }) => email),
  )
  return changed.map((kit) => toRecord(kit))
}

/** Whether an e-mail about a step would ask for what a recall forbids, or to wait for a report that does not come. */
const isForbidden = (event: KitEvent | undefined, recall: KitRecall | undefined): boolean =>
  recall !== undefined &&
  (event === 'sampleReceived'
    ? recall.rejectsSample
    : recall.stopsUse && event !== 'reportReady' && event !== 'sampleRejected')

/** Tells the modules what became known of locked kits without a step. */
export async function announceFact(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void> {
  for (const module of modulesOf(tx.context)) await module.afterKitFacts?.(tx, kitIds, fact)
}

/**
 * Moves many kits, each once: three statements for any number of them. Either all move or none.
 * @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function moveKits(tx: Tx, moves: readonly Move[]): Promise<KitRecord[]> {
  const kits = new Map(
    (
      await lockKits(
        tx,
        moves.map(({ kitId }) => kitId),
      )
    ).map((kit) => [kit.id, kit]),
  )
  const stopped = await stoppedAmong(tx, moves)
  return applyChanges(
    tx,
    moves.map(
      ({ kitId, to, shipment, isTakenBack, isQuiet = false, isEmailWanted = false, at = tx.now, ...options }) => {
        const kit = kits.get(kitId)
        if (!kit) throw kitNotFound()
        const state = stateOf(kit)
        if (exceptionOf(state) === 'registrationException' && !options.force) throw illegal(state, to, IN_DOUBT)
        // A sample that arrives nevertheless is rejected. That is no news to its person.
        const isStopped = stopped.has(kitId)
        if (isStopped && to !== 'sampleRejected') throw illegal(state, to, STOPPED)
        const steps = advance(state, to, { ...options, at })
        const remaining = isTakenBack ? parcelsOf(kit.shipment, steps.at(-1)?.state.progress) : kit.shipment
        const besides = { shipment: { ...remaining, ...shipment } }
        return { kit, steps, isQuiet: isQuiet || isStopped, isEmailWanted, besides }
      },
    ),
  )
}

/** Kits whose sample has arrived though the consent was taken back. */
async function stoppedAmong(tx: Tx, moves: readonly Move[]): Promise<ReadonlySet<string>> {
  const arrived = moves.filter(({ to, force }) => !force && ARRIVALS.includes(to))
  const ids = arrived.map(({ kitId }) => kitId)
  return new Set(ids.length > 0 ? await selectStoppedKits(tx, ids) : [])
}

const parcelsOf = ({ toUser, toLab }: Shipment, progress: Progress = {}): Shipment => ({
  ...(toUser && progress.kitInTransit && { toUser }),
  ...(toLab && progress.sampleInTransit && { toLab }),
})

/**
 * Moves a kit, in live by the operator's hands and in the sandbox by the business's. Backward (force) before
 * registration takes the person off the kit; reports on it are the caller's.
 * @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function moveKit(tx: Tx, kitId: string, to: KitEvent, options: MoveOptions = {}): Promise<KitRecord> {
  const [kit] = await moveKits(tx, [{ ...options, kitId, to }])
  if (!kit) throw kitNotFound()
  return kit
}

/** Cancels the kits of an order while every one is preparing; else false, and nothing is done. */
export async function cancelKits(tx: Tx, orderId: string, reason?: string): Promise<boolean> {
  const kits = await lockKitsOfOrder(tx, orderId)
  if (kits.some(({ kitStatus }) => kitStatus !== 'preparing')) return false
  const ids = kits.map(({ id }) => id)
  if ((await selectLeft(tx, ids)).length > 0) return false
  await applyChanges(
    tx,
    kits.map((kit) => ({ kit, steps: advance(stateOf(kit), 'canceled', { at: tx.now, reason }) })),
  )
  return true
}

/** Cancels the kit that is sent in place of a locked one, which then has no replacement, unless it is packed. Returns whether it did. */
export async function cancelReplacement(tx: Tx, kit: KitRow): Promise<boolean> {
  const [sent] = kit.replacedBy === null ? [] : await lockKits(tx, [kit.replacedBy])
  if (sent?.kitStatus !== 'preparing' || (await selectLeft(tx, [sent.id])).length > 0) return false
  // In place: who looks at the kit next would write it as it was.
  const freed = { kit: Object.assign(kit, { replacedBy: null }), steps: [] }
  await applyChanges(tx, [freed, { kit: sent, steps: advance(stateOf(sent), 'canceled', { at: tx.now }) }])
  return true
}

/**
 * Says where the report of a resulted kit is (in review, published, rejected), as one `kit.updated` when that changes.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION when the kit is not at reportReady
 */
export async function setReportStatus(
  tx: Tx,
  kitId: string,
  status: Exclude<ReportStatus, 'notStarted'>,
  { isQuiet = false } = {},
): Promise<KitRecord> {
  const kit = await lockKit(tx, kitId)
  if (kit.status === status) return toRecord(kit)
  const state = stateOf(kit)
  if (standing(state) !== 'reportReady') throw illegal(state, 'reportReady', 'The kit has no results yet')
  const [record] = await applyChanges(tx, [
    { kit, isQuiet, steps: [{ event: 'reportReady', state: { ...state, status } }] },
  ])
  return record ?? toRecord(kit)
}
