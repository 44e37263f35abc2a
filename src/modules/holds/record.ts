import { isDeepStrictEqual } from 'node:util'
import { maybeFindLanguage } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { findPanel } from '../catalogue/service.ts'
import { maybeFind as maybeFindCollection } from '../collection/service.ts'
import * as customers from '../customers/service.ts'
import { boxHeld, sampleHeld } from '../emails/hold-templates.ts'
import * as emails from '../emails/service.ts'
import * as events from '../events/service.ts'
import type { KitRow } from '../kits/queries.ts'
import { hasConsent } from '../kits/register.ts'
import * as links from '../links/service.ts'
import {
  actionsFor,
  DEFAULT_STABILITY_DAYS,
  discardAtOf,
  emailsDue,
  type HoldCause,
  type HoldEnd,
  type HoldFacts,
  hasResults,
  mendedOf,
} from './decision.ts'
import { type HoldRow, saveHold, selectOfKits } from './queries.ts'
import type { HeldSample, HoldNews } from './schema.ts'
import { sentences } from './words.ts'

/** Before the secret of a person's link. */
export const HOLD_PATH = '/h/'

type Given = Pick<HoldRow, 'collectedOn' | 'isNameConfirmed' | 'isIdentified'>

/** The day on which the person says that the sample was taken. */
export const saidDayOf = async (tx: Tx, kit: KitRow): Promise<string | null> =>
  (await maybeFindCollection(tx, kit))?.collectedDate.slice(0, 10) ?? null

export async function factsOf(tx: Tx, kit: KitRow, given?: Given): Promise<HoldFacts> {
  return {
    isRegistered: kit.registeredAt !== null,
    hasConsent: await hasConsent(tx, kit),
    hasCollectionDate: (given?.collectedOn ?? (await saidDayOf(tx, kit))) !== null,
    isNameConfirmed: given?.isNameConfirmed ?? false,
    isIdentified: given?.isIdentified ?? false,
  }
}

export const openCauses = ({ causes, mended }: Pick<HoldRow, 'causes' | 'mended'>): HoldCause[] =>
  causes.filter((cause) => !mended.includes(cause))

const hasProposal = ({ proposal }: HoldRow) => ({ hasProposal: proposal !== null })

/** What is still required of a hold. */
export const requiredOf = (row: HoldRow) => (row.state === 'open' ? actionsFor(openCauses(row), hasProposal(row)) : [])

/** The hold of a kit; undefined where there never was one. */
export async function maybeFindRow(tx: Tx, kitId: string): Promise<HoldRow | undefined> {
  const [row] = await selectOfKits(tx, [kitId])
  return row
}

async function clockOf(tx: Tx, kit: KitRow, collectedOn: string | null) {
  const { stabilityDays } = await findPanel(tx, kit.kitType)
  const days = stabilityDays ?? DEFAULT_STABILITY_DAYS
  const receivedAt = new Date(kit.progress.sampleReceived ?? tx.now)
  const clock = { collectedOn: collectedOn ?? undefined, receivedAt, stabilityDays: days, now: tx.now }
  return { stabilityDays: days, ...discardAtOf(clock) }
}

/**
 * Holds the sample of a locked kit, or adds causes to its open hold. What a laboratory says again is missing again, also
 * where somebody has confirmed it before.
 */
export async function begin(
  tx: Tx,
  kit: KitRow,
  found: readonly HoldCause[],
  { collectedOn, note }: { collectedOn?: string | undefined; note?: string | undefined } = {},
): Promise<HoldRow> {
  const before = await maybeFindRow(tx, kit.id)
  const open = before?.state === 'open' ? before : undefined
  const day = collectedOn ?? before?.collectedOn ?? (await saidDayOf(tx, kit))
  const clock = open && open.collectedOn === day ? {} : await clockOf(tx, kit, day)
  const fresh = {
    kitId: kit.id,
    orderId: kit.orderId,
    state: 'open' as const,
    mended: [],
    since: tx.now,
    changedAt: tx.now,
    discardAt: tx.now,
    clock: 'receipt' as const,
    stabilityDays: DEFAULT_STABILITY_DAYS,
    told: 0,
    acknowledgedAt: null,
    endedBy: null,
    proposal: null,
    replacedBy: kit.replacedBy,
    kit: { progress: kit.progress, status: kit.status },
  }
  return settle(
    tx,
    kit,
    before,
    {
      ...fresh,
      ...open,
      ...clock,
      causes: [...new Set([...(open?.causes ?? []), ...found])],
      collectedOn: day,
      isNameConfirmed: (open?.isNameConfirmed ?? false) && !found.includes('nameDiffers'),
      isIdentified: (open?.isIdentified ?? false) && !found.includes('labelUnreadable'),
    },
    note,
  )
}

/** Changes an open hold of a locked kit by what somebody gave, or by what became known of the kit. */
export async function change(
  tx: Tx,
  kit: KitRow,
  row: HoldRow,
  given: Partial<Pick<HoldRow, keyof Given | 'proposal' | 'discardAt' | 'clock'>> = {},
  reason?: string,
): Promise<HoldRow> {
  const isNewDay = given.collectedOn != null && given.collectedOn !== row.collectedOn && row.clock !== 'extension'
  const clock = isNewDay ? await clockOf(tx, kit, given.collectedOn ?? null) : {}
  return settle(tx, kit, row, { ...row, ...clock, ...given }, reason)
}

/** Ends an open hold without its causes being mended. The caller tells what is new. */
export async function close(tx: Tx, row: HoldRow, endedBy: HoldEnd): Promise<HoldRow> {
  const state = endedBy === 'tested' ? ('released' as const) : ('discarded' as const)
  const closed = { ...row, state, endedBy, changedAt: tx.now, acknowledgedAt: null, proposal: null }
  await saveHold(tx, closed)
  return closed
}

/** Writes a hold as its causes are now. It is released with the last of them. */
async function settle(
  tx: Tx,
  kit: KitRow,
  before: HoldRow | undefined,
  wanted: HoldRow,
  reason: string | undefined,
): Promise<HoldRow> {
  const mended = mendedOf(wanted.causes, await factsOf(tx, kit, wanted))
  const isReleased = wanted.causes.every((cause) => mended.includes(cause))
  const ended = isReleased ? { state: 'released' as const, endedBy: 'mended' as const, proposal: null } : {}
  const now: HoldRow = { ...wanted, mended, ...ended }
  if (before && isDeepStrictEqual(before, { ...now, changedAt: before.changedAt, told: before.told })) return before
  const isNew = before?.state !== 'open'
  const isWritten = isNew && !isReleased && (await writeToPerson(tx, kit, now))
  const row = { ...now, changedAt: tx.now, told: isWritten || isNew ? emailsDue(now, tx.now) : now.told }
  await saveHold(tx, row)
  await announce(tx, row, reason)
  return row
}

/** One event and one entry of the audit for a hold that changed. */
export async function announce(tx: Tx, row: HoldRow, reason?: string): Promise<void> {
  const { kitId, orderId, state } = row
  await events.record(tx, [{ type: 'kit.held', orderId, kitId, data: newsOf(row) }])
  await audit.record(tx, [
    {
      action: 'kit.held',
      objectType: 'kit',
      objectId: kitId,
      details: { state, open: openCauses(row).join(' ') },
      ...(reason && { words: { reason } }),
    },
  ])
}

/**
 * The address of the person who can mend it: who is registered, or else whom the kit was sent to, where the order wants
 * e-mails. Null where nobody can or may be asked.
 */
export function askedAt(kit: KitRow, row: HoldRow): string | null {
  if (!requiredOf(row).some(({ by }) => by.includes('person'))) return null
  if (kit.customerId !== null) return kit.registeredEmail
  return kit.notify && kit.registeredAt === null ? kit.recipientEmail : null
}

/** Asks that person, by a link of their own where they are registered. True where somebody was written to. */
export async function writeToPerson(tx: Tx, kit: KitRow, row: HoldRow): Promise<boolean> {
  const to = askedAt(kit, row)
  if (to === null) return false
  const [about, until] = [{ orderId: kit.orderId, kitId: kit.id }, row.discardAt.toISOString()]
  if (kit.customerId === null) {
    await emails.queue(tx, [{ content: boxHeld(kit.id, until), to, name: kit.firstName, ...about }])
    return true
  }
  const { publicUrl } = tx.context
  const [link] = publicUrl ? await links.issueLinks(tx, publicUrl, [{ customerId: kit.customerId }]) : []
  const registered = kit.registration as { firstName?: string; guardian?: { firstName: string } } | null
  await emails.queue(tx, [
    {
      content: sampleHeld(kit.id, until),
      to,
      name: registered?.guardian?.firstName ?? registered?.firstName ?? null,
      language: maybeFindLanguage([await customers.languageOf(tx, kit.customerId)]),
      ...(link && { page: { path: HOLD_PATH, secret: link.secret } }),
      ...about,
    },
  ])
  return true
}

/** A hold as the API shows it. */
export function toHeld(row: HoldRow, { withName = false } = {}): HeldSample {
  const { proposal, collectedOn, endedBy, replacedBy } = row
  const { firstName, lastName } = proposal ?? {}
  return {
    kitID: row.kitId,
    orderID: row.orderId,
    state: row.state,
    causes: row.causes,
    requiredActions: requiredOf(row).map((one) => ({ ...one, by: [...one.by], sentence: sentences[one.code] })),
    since: row.since.toISOString(),
    changedDate: row.changedAt.toISOString(),
    discardAt: row.discardAt.toISOString(),
    clock: { restsOn: row.clock, stabilityDays: row.stabilityDays },
    acknowledged: row.acknowledgedAt !== null,
    ...(collectedOn !== null && { collectedDate: collectedOn }),
    ...(withName && firstName && lastName && { proposedName: { firstName, lastName } }),
    ...(hasResults(row.kit) && { hasResults: true }),
    ...(endedBy && { endedBy }),
    ...(replacedBy !== null && { replacedBy }),
  }
}

function newsOf(row: HoldRow): HoldNews {
  const { changedDate: _, acknowledged: __, hasResults: ___, ...news } = toHeld(row)
  return { ...news, requiredActions: news.requiredActions.map(({ code, by, cause }) => ({ code, by, cause })) }
}
