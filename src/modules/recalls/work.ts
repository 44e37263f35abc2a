import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { selectEmailsTo } from '../emails/person-queries.ts'
import { kitRecalled, kitsRecalled, recallReleased } from '../emails/recall-templates.ts'
import * as emails from '../emails/service.ts'
import * as events from '../events/service.ts'
import { isWithRecipient } from '../holds/discard.ts'
import { selectStoppedKits } from '../kits/consent/withdrawal-queries.ts'
import { createKits } from '../kits/create.ts'
import { emailsTo, queueEmails } from '../kits/emails.ts'
import { announceFact, applyChanges, type Change } from '../kits/move.ts'
import { type KitRow, lockKits, selectKitsByIds, touchKits } from '../kits/queries.ts'
import { stateOf } from '../kits/records.ts'
import { isTooLateToRegister } from '../kits/register.ts'
import { unsendable } from '../kits/replace.ts'
import { advance, allowed } from '../kits/rules.ts'
import { touchReports } from '../reports/queries.ts'
import {
  type Deed,
  type Effect,
  effectOf,
  isAwaited,
  type Letter,
  releaseLetter,
  type Stage,
  stageOf,
} from './decision.ts'
import {
  countUnknown,
  type DueKit,
  lockDue,
  saveWorked,
  selectDueKits,
  selectFreed,
  selectKits,
  type WorkedKit,
} from './kit-queries.ts'
import { type RecallRow, selectLeft } from './queries.ts'
import type { RecalledKit } from './schema.ts'

export const RECALLS_JOB = 'recalls.work'

interface Working {
  kit: KitRow
  stage: Stage
  effect: Effect
  before: DueKit
  replacedBy: string | null
  /** Why no free kit was sent in its place, where its panel is not offered there any more. */
  notSent?: string | undefined
}

/** Does what a recall asks for with the next kits of a realm, all in this transaction. Returns how many. */
export async function workKits(tx: Tx, recall: RecallRow, size: number): Promise<number> {
  const kits = await lockKits(tx, await selectDueKits(tx, recall.id, size))
  const ids = kits.map(({ id }) => id)
  const due = await lockDue(tx, recall, ids)
  const left = await selectLeft(tx, ids)
  const byId = new Map(kits.map((kit) => [kit.id, kit]))
  const working = due.flatMap((before): Working[] => {
    const kit = byId.get(before.kitId)
    if (!kit) return []
    const { nowhere, isRead, hasValues } = before
    // Once a recall has rejected a sample, it stays where the recall found it.
    const isRejected = before.deeds.includes('rejected') && kit.sampleStatus === 'rejected'
    const stage = isRejected ? 'atLaboratory' : stageOf({ ...kit, nowhere, isRead, hasLeft: left.has(kit.id) })
    const effect =
      before.isReleased || kit.kitStatus === 'canceled'
        ? {}
        : effectOf(stage, recall.actions, { isAwaited: isAwaited({ ...kit, nowhere }), isRead, hasValues })
    return [{ kit, stage, effect, before, replacedBy: null }]
  })
  await replace(tx, working)
  const changes = working.flatMap((one) => changeOf(tx, recall, one) ?? [])
  await applyChanges(tx, changes)
  await noteChange(tx, ids)
  const told = await tell(tx, recall.id, working)
  const worked = working.map((one): WorkedKit => {
    const { kit, stage, replacedBy } = one
    const isTold = told.has(kit.id)
    return { kitId: kit.id, stage, deeds: deedsOf(one, isTold), replacedBy, isTold }
  })
  await tellBusiness(tx, recall)
  await saveWorked(tx, recall, worked)
  await announce(tx, recall, working, worked)
  return due.length
}

/** Who asks what changed finds kits, and their reports, that are recalled from now on, or no more. */
export async function noteChange(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await touchKits(tx, kitIds)
  await touchReports(tx, kitIds)
  await announceFact(tx, kitIds, 'recall')
}

/** Free kits for those that count no more, where somebody is there to use another one. */
async function replace(tx: Tx, working: readonly Working[]): Promise<void> {
  const wanted = working.filter(({ effect, kit }) => effect.isReplaced && kit.replacedBy === null)
  const ids = wanted.map(({ kit }) => kit.id)
  const stopped = new Set(ids.length > 0 ? await selectStoppedKits(tx, ids) : [])
  const refused = await unsendable(
    tx,
    wanted.map(({ kit }) => kit),
  )
  const sent: Working[] = []
  for (const one of wanted) {
    one.notSent = refused.get(one.kit.id)
    const isErased = one.kit.registeredAt !== null && one.kit.registeredEmail === null
    if (!isErased && !one.notSent && !stopped.has(one.kit.id) && (await isWithRecipient(tx, one.kit))) sent.push(one)
  }
  const orders = sent.map(({ kit: { orderId, kitType, id } }) => ({ orderId, kitType, replacementFor: id }))
  const made = await createKits(tx, orders)
  for (const [index, one] of sent.entries()) one.replacedBy = made[index]?.id ?? null
}

function changeOf(tx: Tx, { reason }: RecallRow, { kit, effect, replacedBy }: Working): Change | undefined {
  const force = !allowed(stateOf(kit)).includes('sampleRejected')
  const isRejected = effect.isRejected && kit.sampleStatus !== 'rejected'
  const steps = isRejected ? advance(stateOf(kit), 'sampleRejected', { at: tx.now, reason, force }) : []
  if (steps.length === 0 && replacedBy === null) return undefined
  return { kit, steps, isQuiet: true, ...(replacedBy !== null && { besides: { replacedBy } }) }
}

/** Writes to each person once, also where two recalls have the same to say, and again where it is worse. Returns the kits of which somebody was written to. */
async function tell(tx: Tx, recallId: string, working: readonly Working[]): Promise<ReadonlySet<string>> {
  const kitIds = working.map(({ kit }) => kit.id)
  const { rows } = await selectKits(tx, { kitIds, isTold: true, page: 0, size: 10 * kitIds.length })
  const others = rows.filter((row) => row.recallId !== recallId && row.releasedAt === null)
  const told = new Set<string>()
  const written: emails.NewEmail[] = []
  for (const {
    kit,
    effect: { letter },
    before,
    replacedBy,
  } of working) {
    const wasTold = before.deeds.includes('told')
    if (!letter || (wasTold && !before.isWorse)) continue
    const content = kitRecalled(letter, kit.id, { newKitId: replacedBy ?? undefined, isWorse: wasTold })
    const isInDoubt = kit.registeredAt === null && kit.registeredEmail !== null
    const recipient = kit.registeredAt === null ? content : undefined
    const found = emailsTo(kit, { person: content, recipient }, { isWanted: true })
    // A registration in doubt may be of somebody who never had the kit.
    if (isInDoubt ? found.some(({ to }) => isSameAddress(to, kit.recipientEmail)) : found.length > 0) told.add(kit.id)
    const isAgain = before.deeds.length > 0 && !before.isWorse
    const mayBeKnown = !wasTold && replacedBy === null && (isAgain || others.some(({ kitId }) => kitId === kit.id))
    for (const email of found) if (!mayBeKnown || !(await isWritten(tx, email, letter))) written.push(email)
  }
  await queueEmails(tx, written)
  return told
}

const isSameAddress = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase()

/** Writes to whoever was told of a kit that it is right, while they can use it, or its results. */
export async function tellReleased(tx: Tx, kitId: string): Promise<void> {
  const found = await selectFreed(tx, kitId)
  const [kit] = found ? await selectKitsByIds(tx, [kitId]) : []
  if (!found || !kit || (await selectStoppedKits(tx, [kitId])).length > 0) return
  const hasLeft = (await selectLeft(tx, [kitId])).has(kitId)
  const letter = releaseLetter(stageOf({ ...kit, ...found, hasLeft }), kit.replacedBy !== null)
  if (!letter || (letter === 'box' && kit.registeredAt === null && (await isTooLateToRegister(tx, kit)))) return
  const content = recallReleased(letter)(kitId)
  const recipient = kit.registeredAt === null ? content : undefined
  await queueEmails(tx, emailsTo(kit, { person: content, recipient }, { isWanted: true }))
}

/** Whether one of the newest e-mails to an address says the same of a kit. A sample that is not tested needs no further word. */
async function isWritten(tx: Tx, { to, kitId }: emails.NewEmail, letter: Letter): Promise<boolean> {
  const kinds = [letter, ...(letter === 'used' ? ['sample'] : [])].map((about) => `recalled_${about}`)
  const known = await selectEmailsTo(tx, [to], 100)
  return known.some((one) => one.kitId === kitId && one.status !== 'failed' && kinds.includes(one.kind))
}

/** One e-mail for each recall, with its first kits, and one where it is worse. It names nobody. */
async function tellBusiness(tx: Tx, recall: RecallRow): Promise<void> {
  if (tx.realm.mode !== 'live') return
  const { kits, isWorse } = await countUnknown(tx, recall)
  if (kits === 0) return
  const { businessId } = tx.realm
  const { reason, actions } = recall
  const content = kitsRecalled(kits, { businessId, reason, isTold: actions.includes('tell'), isWorse })
  await emails.queue(tx, [{ content, to: 'business' }])
}

function deedsOf({ effect, before, replacedBy }: Working, isTold: boolean): Deed[] {
  const now: (Deed | false | undefined)[] = [
    effect.isHeld && 'held',
    effect.stands,
    effect.isRejected && 'rejected',
    replacedBy !== null && 'replaced',
    isTold && 'told',
  ]
  // Who knows less than there is to know has still to be told.
  const known = before.deeds.filter((deed) => deed !== 'told' || !before.isWorse || !effect.letter)
  return [...new Set([...known, ...now.flatMap((deed) => deed || [])])]
}

/** One event for each kit with which anything was done, whose person could not be told, or of which it is worse. */
async function announce(tx: Tx, recall: RecallRow, working: readonly Working[], worked: readonly WorkedKit[]) {
  const news = worked.flatMap((one, index) => {
    const { before, kit, effect } = working[index] ?? {}
    const isMore = one.deeds.length > (before?.deeds.length ?? 0)
    const isNews = isMore || before?.isWorse || (before?.isNew && effect?.letter)
    return kit && isNews ? [{ ...one, kit, notSent: working[index]?.notSent }] : []
  })
  const { id: recallID, grade, reason } = recall
  const happened = news.map(({ kit: { id: kitId, orderId }, stage, deeds, replacedBy }) => {
    const about = { kitID: kitId, orderID: orderId, recallID, ...(grade !== null && { grade }), reason, stage }
    const now = { done: [...deeds], recalledDate: tx.now.toISOString(), ...(replacedBy !== null && { replacedBy }) }
    return { type: 'kit.recalled' as const, orderId, kitId, data: { ...about, ...now } satisfies RecalledKit }
  })
  await events.record(tx, happened)
  const entries = news.map(({ kit, stage, deeds, replacedBy, notSent }) => {
    const sent = replacedBy !== null && { replacementKitId: replacedBy }
    const details = { recall: recallID, stage, done: deeds.join(' '), ...sent, ...(notSent && { notSent }) }
    return { action: 'kit.recalled' as const, objectType: 'kit', objectId: kit.id, details }
  })
  await audit.record(tx, entries)
}
