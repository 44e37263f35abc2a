import { areSpelledAlike } from '@kitlane/lab-reader/parse/names'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import { giveDay, orderedOf } from '../collection/service.ts'
import * as customers from '../customers/service.ts'
import { isTakenBack } from '../kits/consent/withdraw.ts'
import { assertStillApproved, correctRegistrations } from '../kits/correct.ts'
import { realmOfKit } from '../kits/locate.ts'
import { announceFact, lockKit } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { isSampleRecalled } from '../kits/recall-queries.ts'
import { kitNotFound, stateOf } from '../kits/records.ts'
import { allowed, exceptionOf, illegal } from '../kits/rules.ts'
import type { ActionCode, Actor, HoldCause } from './decision.ts'
import { type HoldRow, type ProposedName, saveHold } from './queries.ts'
import { begin, change, maybeFindRow, requiredOf, toHeld } from './record.ts'
import type { HeldSample, Mend } from './schema.ts'

const MAX_EXTENSION_MS = 90 * 86_400_000

/** @throws HOLD_NOT_FOUND, also for a kit that does not exist */
async function findRow(tx: Tx, kitId: string): Promise<HoldRow> {
  const row = await maybeFindRow(tx, kitId)
  if (!row) throw new AppError('HOLD_NOT_FOUND', 'The sample of such a kit was never on hold')
  return row
}

/** `withName`: with the name that the person gave, for who may read names. @throws HOLD_NOT_FOUND */
export const find = async (tx: Tx, kitId: string, show: { withName: boolean }): Promise<HeldSample> =>
  toHeld(await findRow(tx, kitId), show)

/** The live realm of a kit. @throws KIT_NOT_FOUND, also for a sandbox kit: its business moves it */
export async function liveRealmOf(tx: SystemTx, kitId: string) {
  const realm = await realmOfKit(tx, kitId)
  if (realm.mode !== 'live') throw kitNotFound()
  return realm
}

/** A live kit, locked, in its realm. */
async function lockLive(tx: SystemTx, kitId: string): Promise<{ realm: Tx; kit: KitRow }> {
  const realm = within(tx, await liveRealmOf(tx, kitId))
  return { realm, kit: await lockKit(realm, kitId) }
}

/** The same with its open hold. @throws KIT_NOT_FOUND, HOLD_NOT_FOUND; ILLEGAL_TRANSITION where it is not on hold any more */
export async function lockOpen(tx: SystemTx, kitId: string): Promise<{ realm: Tx; kit: KitRow; row: HoldRow }> {
  const locked = await lockLive(tx, kitId)
  const row = await findRow(locked.realm, kitId)
  if (row.state !== 'open') throw refused(row, `This sample is not on hold any more: it is ${row.state}`)
  return { ...locked, row }
}

/**
 * Holds a sample that a laboratory has.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION for a kit that was not shipped, or whose sample is rejected or has its results
 */
export async function holdSample(
  tx: SystemTx,
  kitId: string,
  input: { causes: readonly HoldCause[]; collectedDate?: string | undefined; note?: string | undefined },
): Promise<HeldSample> {
  const { realm, kit } = await lockLive(tx, kitId)
  if (!canBeHeld(kit)) {
    throw illegal(stateOf(kit), 'held', 'Only a sample that can still be rejected is held, of a kit that was shipped')
  }
  const notTested = await whyNotTested(realm, kit)
  if (notTested) throw illegal(stateOf(kit), 'held', notTested)
  const { collectedDate, causes, note } = input
  if (collectedDate !== undefined) assertDay(realm, kit, collectedDate)
  const held = await begin(realm, kit, causes, { collectedOn: collectedDate, note })
  if (collectedDate !== undefined) await giveDay(realm, kit, collectedDate, 'operator')
  return toHeld(held)
}

/** Why a sample is tested no more, so that nobody is asked for anything; undefined where it is. */
export async function whyNotTested(tx: Tx, kit: KitRow): Promise<string | undefined> {
  if (await isSampleRecalled(tx, kit)) return 'This sample was recalled: it is not tested'
  return (await isTakenBack(tx, kit.id)) ? 'The person took back the consent: this sample is not tested' : undefined
}

/** Whether the sample of a kit may be with a laboratory, and without results. */
export const canBeHeld = (kit: KitRow): boolean =>
  !isErased(kit) &&
  kit.progress.kitInTransit !== undefined &&
  kit.progress.reportReady === undefined &&
  (isInDoubt(kit) || allowed(stateOf(kit)).includes('sampleRejected'))

/** Whether somebody was registered who was erased: nobody is left to answer. */
export const isErased = (kit: KitRow): boolean => kit.registeredAt !== null && kit.registeredEmail === null

/** Whether the business has yet to say who is registered. */
export const isInDoubt = (kit: KitRow): boolean => exceptionOf(stateOf(kit)) === 'registrationException'

// Days begin 14 hours earlier, and end 12 hours later, somewhere on earth.
const [AHEAD_MS, BEHIND_MS] = [14 * 3_600_000, 12 * 3_600_000]
const dayAfter = (time: Date, ms: number): string => new Date(time.getTime() + ms).toISOString().slice(0, 10)

/** Why a sample was not taken on this day: it is taken after its kit was ordered, and before it is received. */
export function problemOfDay(tx: Tx, kit: KitRow, day: string): string | undefined {
  if (day < dayAfter(orderedOf(kit), -BEHIND_MS)) return 'The kit was ordered after this day'
  const last = dayAfter(new Date(kit.progress.sampleReceived ?? tx.now), AHEAD_MS)
  return day > last ? 'The laboratory had the sample before this day' : undefined
}

function assertDay(tx: Tx, kit: KitRow, day: string): void {
  const message = problemOfDay(tx, kit, day)
  if (message) refuse([{ message, path: 'collectedDate' }])
}

const codeOf = { confirm: 'confirmName', approve: 'approveName', decline: 'approveName' } as const

/**
 * Mends causes of a hold, all that are given or none.
 * @throws HOLD_NOT_FOUND; ILLEGAL_TRANSITION for what is not required, or not of this caller; VALIDATION_FAILED
 */
export async function mend(tx: Tx, kitId: string, given: Mend, by: Actor): Promise<HeldSample> {
  const kit = await lockKit(tx, kitId)
  const row = await findRow(tx, kitId)
  const { collectedDate, identified, name, isApprovedPerson } = given
  const wanted: (ActionCode | false | undefined)[] = [
    collectedDate !== undefined && 'giveCollectionDate',
    identified && 'identifySample',
    name && codeOf[name],
  ]
  if (!wanted.some(Boolean)) refuse([{ message: 'Say what is mended: see `requiredActions`', path: '' }])
  for (const code of wanted) if (code) assertRequired(row, code, by)
  if (collectedDate !== undefined) assertDay(tx, kit, collectedDate)
  const named = name === 'approve' && row.proposal ? await rename(tx, kit, row.proposal, isApprovedPerson) : kit
  const changed = await change(tx, named, row, {
    ...(collectedDate !== undefined && { collectedOn: collectedDate }),
    ...(identified && { isIdentified: true }),
    ...(name && { isNameConfirmed: name !== 'decline', proposal: null }),
  })
  if (collectedDate !== undefined) await giveDay(tx, named, collectedDate, by)
  await announceFact(tx, [kitId], 'person')
  return toHeld(changed)
}

function assertRequired(row: HoldRow, code: ActionCode, by: Actor): void {
  const can = requiredOf(row).filter((one) => one.by.includes(by))
  if (can.some((one) => one.code === code)) return
  throw refused(row, `Nothing of this kind is required of you: the hold is ${row.state}`, can)
}

const refused = (row: HoldRow, why: string, can: readonly { code: ActionCode }[] = []): AppError =>
  new AppError('ILLEGAL_TRANSITION', why, {
    extra: { current: row.state, allowed: can.map(({ code }) => code) },
  })

/**
 * The name that a person gives for themselves. One that a laboratory takes for the registered one counts at once; another one
 * may be another person, so that the business decides. @throws as `mend`
 */
export async function giveName(tx: Tx, kitId: string, name: { firstName: string; lastName: string }): Promise<void> {
  const kit = await lockKit(tx, kitId)
  const row = await findRow(tx, kitId)
  assertRequired(row, 'confirmName', 'person')
  const registered = kit.registration as Partial<ProposedName> | null
  const isSame = areSpelledAlike(
    `${name.firstName} ${name.lastName}`,
    `${registered?.firstName ?? ''} ${registered?.lastName ?? ''}`,
  )
  if (!isSame) {
    await change(tx, kit, row, { proposal: name })
    return
  }
  await change(tx, await rename(tx, kit, name), row, { isNameConfirmed: true })
  await announceFact(tx, [kitId], 'person')
}

/** Corrects the name of the person of a locked kit, and of its registration, which laboratories' messages are compared with. */
async function rename(
  tx: Tx,
  kit: KitRow,
  { firstName, lastName }: ProposedName,
  isApprovedPerson?: boolean,
): Promise<KitRow> {
  if (kit.customerId === null || !firstName || !lastName) return kit
  const registered = kit.registration as Partial<ProposedName> | null
  if (registered?.firstName === firstName && registered.lastName === lastName) return kit
  const person = await customers.find(tx, kit.customerId, 'update')
  const parts = { firstName, lastName }
  await customers.correct(tx, person, { name: `${firstName} ${lastName}`, parts }, undefined)
  const [renamed = kit] = await correctRegistrations(tx, [kit], { ...parts, isApprovedPerson })
  await assertStillApproved(tx, [kit], [renamed], { isSamePerson: isApprovedPerson })
  return renamed
}

/** The laboratory has seen how a hold ended. @throws KIT_NOT_FOUND, HOLD_NOT_FOUND; ILLEGAL_TRANSITION while it is open */
export async function acknowledge(tx: SystemTx, kitId: string): Promise<HeldSample> {
  const { realm } = await lockLive(tx, kitId)
  const row = await findRow(realm, kitId)
  if (row.state === 'open') throw refused(row, 'This sample is still on hold')
  const seen = { ...row, acknowledgedAt: row.acknowledgedAt ?? tx.now }
  await saveHold(realm, seen)
  return toHeld(seen)
}

/** Keeps a sample longer. @throws KIT_NOT_FOUND, HOLD_NOT_FOUND; ILLEGAL_TRANSITION; VALIDATION_FAILED */
export async function extend(
  tx: SystemTx,
  kitId: string,
  { discardAt, reason }: { discardAt: string; reason: string },
): Promise<HeldSample> {
  const { realm, kit, row } = await lockOpen(tx, kitId)
  const at = new Date(discardAt)
  if (at <= tx.now || at <= row.discardAt || at.getTime() > tx.now.getTime() + MAX_EXTENSION_MS) {
    refuse([{ message: 'Later than the sample is kept already, and by 90 days from now at most', path: 'discardAt' }])
  }
  return toHeld(
    await change(realm, kit, { ...row, told: Math.min(row.told, 3) }, { discardAt: at, clock: 'extension' }, reason),
  )
}
