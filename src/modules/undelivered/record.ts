import { isDeepStrictEqual } from 'node:util'
import { newSecret } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { hashToken } from '../../platform/tokens.ts'
import * as audit from '../audit/service.ts'
import * as emails from '../emails/service.ts'
import { addressWanted, parcelWaits } from '../emails/undelivered-templates.ts'
import * as events from '../events/service.ts'
import { announceFact } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { selectRecalled } from '../kits/recall-queries.ts'
import { choicesOf, type Happening, next, type Undelivered } from './decision.ts'
import { type SavedRow, saveLink, saveRows, selectOfKits, type UndeliveredRow } from './queries.ts'
import type { Postage, UndeliveredKit, UndeliveredNews } from './schema.ts'
import { todoOf } from './words.ts'

// As long as a box that came back is worth keeping for an answer.
const LINK_VALID_MS = 30 * 86_400_000

export interface Happened {
  kitId: string
  happening: Happening
  /** Default now. */
  at?: Date
  postage?: Postage | undefined
}

/** What is read of a kit, which the caller has locked. */
type Kit = Pick<
  KitRow,
  'id' | 'orderId' | 'kitStatus' | 'shipment' | 'replacedBy' | 'recipientEmail' | 'firstName' | 'notify'
>

// As the query says it of rows.
const replaceable: readonly string[] = ['inTransit', 'delivered', 'deliveryException']

interface Told extends UndeliveredRow {
  before: UndeliveredRow | undefined
}

const withPostage = (sums: UndeliveredRow['postage'], postage: Postage | undefined) =>
  postage ? { ...sums, [postage.currency]: (sums[postage.currency] ?? 0) + postage.amount } : sums

const partOf = ({ outcome, state, isHere }: Undelivered): Undelivered => ({ outcome, state, isHere })

/** The box after one thing that happened; undefined where there is none, and the same value where nothing changes. */
function after(
  tx: Tx,
  { isRecalled, ...kit }: Kit & { isRecalled: boolean },
  now: UndeliveredRow | undefined,
  { happening, at = tx.now, postage }: Happened,
) {
  const found = next(now, happening)
  if (!found) return now
  const isChanged = !now || !isDeepStrictEqual(partOf(now), partOf(found))
  if (now && !isChanged && !postage) return now
  // Settled, and in trouble again: another parcel, or the same one on its way again.
  const isNew = !now || (choicesOf(now).length === 0 && choicesOf(found).length > 0 && happening.is !== 'unsent')
  return {
    kitId: kit.id,
    orderId: kit.orderId,
    shipment: kit.shipment,
    replacedBy: kit.replacedBy,
    linkExpiresAt: now?.linkExpiresAt ?? null,
    isWithNobody: true,
    isReplaceable: now?.isReplaceable ?? (kit.replacedBy === null && replaceable.includes(kit.kitStatus)),
    isErased: now?.isErased ?? kit.recipientEmail === null,
    isRecalled: now?.isRecalled ?? isRecalled,
    ...partOf(found),
    since: isNew ? at : now.since,
    changedAt: tx.now,
    times: (now?.times ?? 0) + (isNew ? 1 : 0),
    postage: withPostage(now?.postage ?? {}, postage),
  }
}

/**
 * Records what happened to boxes of locked kits, in order, with one event and one entry of the audit for each box that
 * changes. The recipient, if the order wants e-mails, is asked for the address, or told that the parcel waits.
 */
export async function recordHappened(
  tx: Tx,
  kits: readonly Kit[],
  happened: readonly Happened[],
  { reason }: { reason?: string | undefined } = {},
): Promise<void> {
  if (happened.length === 0) return
  const byId = new Map(kits.map((kit) => [kit.id, kit]))
  const ids = [...new Set(happened.map(({ kitId }) => kitId))]
  const before = new Map((await selectOfKits(tx, ids)).map((row) => [row.kitId, row]))
  const begun = happened.filter(({ kitId, happening }) => !before.has(kitId) && next(undefined, happening))
  const recalled = await selectRecalled(
    tx,
    begun.map(({ kitId }) => kitId),
  )
  const now = new Map<string, UndeliveredRow>(before)
  for (const one of happened) {
    const kit = byId.get(one.kitId)
    const row = kit && after(tx, { ...kit, isRecalled: recalled.has(kit.id) }, now.get(one.kitId), one)
    if (row) now.set(row.kitId, row)
  }
  const changed = [...now.values()].filter((row) => row !== before.get(row.kitId))
  if (changed.length === 0) return
  await saveRows(tx, changed.map(savedPart))
  const told = changed
    .map((row): Told => ({ ...row, before: before.get(row.kitId) }))
    .filter((row) => !row.before || !isDeepStrictEqual(partOf(row), partOf(row.before)))
  await events.record(
    tx,
    told.map((row) => ({ type: 'kit.undelivered', orderId: row.orderId, kitId: row.kitId, data: newsOf(row) })),
  )
  await audit.record(
    tx,
    told.map(({ kitId, outcome, state, isHere }) => ({
      action: 'kit.undelivered',
      objectType: 'kit',
      objectId: kitId,
      details: { outcome, state, isHere },
      ...(reason && { words: { reason } }),
    })),
  )
  const done = told.filter(({ before, state }) => before?.state === 'readyToSend' && state !== 'readyToSend')
  if (done.length > 0)
    await announceFact(
      tx,
      done.map(({ kitId }) => kitId),
      'notSentAgain',
    )
  await writeToRecipients(tx, told, byId)
}

const savedPart = ({ kitId, orderId, outcome, state, isHere, since, changedAt, times, postage }: UndeliveredRow) =>
  ({ kitId, orderId, outcome, state, isHere, since, changedAt, times, postage }) satisfies SavedRow

/** One e-mail for all boxes of an order. Of a recalled one there is nothing to ask, and nothing to fetch. */
async function writeToRecipients(tx: Tx, told: readonly Told[], kits: ReadonlyMap<string, Kit>): Promise<void> {
  const isNews = ({ before, state, outcome, isRecalled }: Told) =>
    before?.state !== state && outcome !== 'labelCanceled' && !isRecalled
  const news = told.filter(isNews)
  const asked = Map.groupBy(
    news.filter(({ state }) => state === 'undecided'),
    ({ orderId }) => orderId,
  )
  for (const [first] of asked.values()) {
    const kit = first && kits.get(first.kitId)
    if (kit?.notify) await emailAddressLink(tx, kit)
  }
  const waiting = Map.groupBy(
    news.filter(({ state }) => state === 'waiting'),
    ({ orderId }) => orderId,
  )
  await emails.queue(
    tx,
    [...waiting.values()].flatMap(([first]) => {
      const kit = first && kits.get(first.kitId)
      if (!kit?.notify || kit.recipientEmail === null) return []
      const about = { orderId: kit.orderId, kitId: kit.id }
      return [
        { content: parcelWaits(kit.id, kit.shipment.toUser), to: kit.recipientEmail, name: kit.firstName, ...about },
      ]
    }),
  )
}

/** Makes the link by which a recipient says where a box goes; an earlier one of this box ends. */
export async function makeAddressLink(tx: Tx, kitId: string): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newSecret()
  const expiresAt = new Date(tx.now.getTime() + LINK_VALID_MS)
  await saveLink(tx, kitId, hashToken(secret), expiresAt)
  return { secret, expiresAt }
}

/** Sends the recipient that link. Undefined: the order has no recipient any more. */
export async function emailAddressLink(
  tx: Tx,
  kit: Pick<Kit, 'id' | 'orderId' | 'recipientEmail' | 'firstName'>,
): Promise<{ secret: string; expiresAt: Date } | undefined> {
  if (kit.recipientEmail === null) return undefined
  const link = await makeAddressLink(tx, kit.id)
  await emails.queue(tx, [
    {
      content: addressWanted(kit.id),
      to: kit.recipientEmail,
      name: kit.firstName,
      page: { path: ADDRESS_PATH, secret: link.secret },
      orderId: kit.orderId,
      kitId: kit.id,
    },
  ])
  return link
}

/** Before the secret of a link. */
export const ADDRESS_PATH = '/a/'

/** A box as the API shows it. */
export function toUndelivered(row: UndeliveredRow): UndeliveredKit {
  const { toUser } = row.shipment
  return {
    kitID: row.kitId,
    orderID: row.orderId,
    outcome: row.outcome,
    state: row.state,
    isHere: row.isHere,
    since: row.since.toISOString(),
    changedDate: row.changedAt.toISOString(),
    times: row.times,
    postage: Object.entries(row.postage).map(([currency, amount]) => ({ amount, currency })),
    choices: choicesOf(row),
    ...(toUser && { trackingNumber: toUser.trackingNumber, carrier: toUser.carrier }),
    ...(row.replacedBy !== null && { replacedBy: row.replacedBy }),
    todo: todoOf(row),
  }
}

function newsOf(row: UndeliveredRow): UndeliveredNews {
  const { kitID, orderID, outcome, state, isHere, times, choices, replacedBy } = toUndelivered(row)
  return { kitID, orderID, outcome, state, isHere, times, choices, ...(replacedBy && { replacedBy }) }
}
