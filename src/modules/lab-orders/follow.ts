import type { Tx } from '../../platform/database/tx.ts'
import type { ChangedKit } from '../kits/changed-kit.ts'
import { type KitRow, lockKits } from '../kits/queries.ts'
import { contentOf } from './compose.ts'
import { selectConnections } from './connection-queries.ts'
import { digestOf } from './content.ts'
import { isOpen, withdrawn } from './decision.ts'
import {
  deleteOfKits,
  eraseSaid,
  type LabOrderRow,
  type MessageRow,
  saveMessage,
  selectMessages,
  selectOfKits,
  selectOpenMessage,
} from './queries.ts'
import { announce, isBeingCanceled, isToBeTested, renewed } from './record.ts'

const at = (tx: Tx) => tx.context.settings.labOrders.at

/** What the steps of kits mean for their orders to laboratories, whoever caused them. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  const registered = changed.filter(({ before, after }) => (before.registeredAt ?? after.registeredAt) !== null)
  // Where no orders are made, those that are open are still followed to their end.
  const isMade = at(tx) !== 'never' || tx.realm.mode === 'sandbox'
  const ids = registered.flatMap(({ after }) => (isMade || after.hasLabOrder ? after.id : []))
  if (ids.length === 0) return
  const rows = new Map((await selectOfKits(tx, ids)).map((row) => [row.kitId, row]))
  for (const { after } of registered) await follow(tx, after, rows.get(after.id))
}

/** What became known of kits without a step. */
export async function afterKitFacts(tx: Tx, kitIds: readonly string[]): Promise<void> {
  const rows = (await selectOfKits(tx, kitIds)).filter(({ state }) => isOpen(state) || state === 'canceled')
  if (rows.length === 0) return
  const kits = await lockKits(
    tx,
    rows.map(({ kitId }) => kitId),
  )
  for (const row of rows) {
    const kit = kits.find(({ id }) => id === row.kitId)
    if (kit) await follow(tx, kit, row)
  }
}

async function follow(tx: Tx, kit: KitRow, row: LabOrderRow | undefined): Promise<void> {
  if (tx.realm.mode === 'sandbox' && kit.registeredAt === null && row) return deleteOfKits(tx, [kit.id])
  if (!row && (tx.realm.mode === 'sandbox' || !isTime(tx, kit))) return
  if (kit.sampleStatus === 'resulted') return row && isOpen(row.state) ? complete(tx, row) : undefined
  if (kit.sampleStatus === 'rejected') return row && isOpen(row.state) ? end(tx, kit, row) : undefined
  if (!(await isToBeTested(tx, kit))) return row && isOpen(row.state) ? cancel(tx, row) : undefined
  if (row && kit.sampleStatus === 'partiallyResulted') return arrived(tx, row)
  if (!row) return void (await announce(tx, undefined, fresh(tx, kit)))
  if (row.state === 'canceled' || row.state === 'closed') return placeAgain(tx, kit, row)
  if (row.state === 'completed') return
  const messages = await selectMessages(tx, row.kitId)
  const open = messages.find(({ outcome }) => outcome === null)
  if (isBeingCanceled(row, messages)) await announce(tx, row, { ...row, pending: 'new' })
  else {
    // What was to be said before the cancellation may still be new.
    const kept = row.pending === 'cancel' ? { ...row, pending: null, dueAt: open ? row.dueAt : null } : row
    await change(tx, kit, kept, { before: row, open })
  }
}

/** What is to be said waits for the answer to what was said. */
const whenFree = (tx: Tx, row: LabOrderRow, open: MessageRow | undefined) => (open ? row.dueAt : tx.now)

/** Whether an order is due for a kit that is registered. */
const isTime = (tx: Tx, { progress }: KitRow): boolean =>
  at(tx) === 'registration' || (at(tx) === 'receipt' && progress.sampleReceived !== undefined)

/** An order that was never said. */
export const fresh = (tx: Tx, { id: kitId, orderId }: Pick<KitRow, 'id' | 'orderId'>): LabOrderRow => ({
  kitId,
  orderId,
  state: 'queued',
  attention: null,
  pending: 'new',
  reason: null,
  laboratoryId: null,
  round: 1,
  revision: 0,
  digest: null,
  fillerNumber: null,
  tries: 0,
  routedOn: null,
  dueAt: tx.now,
  createdAt: tx.now,
  changedAt: tx.now,
})

async function placeAgain(tx: Tx, kit: KitRow, row: LabOrderRow): Promise<void> {
  // A rejection was taken back: the laboratory has the order as before.
  if (row.state === 'closed') {
    if (row.attention === null && row.routedOn !== null)
      await announce(tx, row, { ...row, state: 'accepted', dueAt: tx.now })
  } else if (isTime(tx, kit)) await announce(tx, row, row.revision === 0 ? fresh(tx, kit) : renewed(tx, row))
}

interface Changing {
  before: LabOrderRow
  open: MessageRow | undefined
}

/** Says what is new of a kit, if the laboratory has heard of it. What waits to be said is made when it is said. */
async function change(tx: Tx, kit: KitRow, row: LabOrderRow, { before, open }: Changing): Promise<void> {
  if (!(await isNews(tx, kit, row))) {
    if (row !== before) await announce(tx, before, row)
    return
  }
  const isRefused = row.state === 'refused'
  const next = isRefused ? renewed(tx, row) : { ...row, pending: 'change' as const, dueAt: whenFree(tx, row, open) }
  await announce(tx, before, next)
}

/** Whether a kit says something else now than the last message did. */
async function isNews(tx: Tx, kit: KitRow, row: LabOrderRow): Promise<boolean> {
  if (row.digest === null || row.pending !== null) return false
  const laboratory = (await selectConnections(tx)).find(({ id }) => id === row.laboratoryId)
  const test = laboratory?.tests.find(({ kitType }) => kitType === kit.kitType)
  if (!test) return false
  const { content } = await contentOf(tx, kit, row, test)
  return !digestOf(content).equals(row.digest)
}

async function cancel(tx: Tx, row: LabOrderRow): Promise<void> {
  if (row.pending === 'cancel') return
  const messages = await selectMessages(tx, row.kitId)
  const open = messages.find(({ outcome }) => outcome === null)
  if (isBeingCanceled(row, messages)) return void (await announce(tx, row, { ...row, pending: null }))
  const standing = withdrawn(row, row.digest !== null)
  const dueAt = standing.pending || open ? whenFree(tx, row, open) : null
  await announce(tx, row, { ...row, ...standing, reason: standing.attention && row.reason, dueAt })
}

/** A sample that a laboratory had is rejected: it knows, or sees it among the samples on hold. One that is under way is canceled. */
async function end(tx: Tx, kit: KitRow, row: LabOrderRow): Promise<void> {
  if (kit.progress.sampleReceived === undefined || row.state !== 'accepted') return cancel(tx, row)
  await announce(tx, row, { ...row, state: 'closed', attention: null, reason: null, pending: null, dueAt: null })
}

/**
 * Cancels the open orders of a person who is erased, whose kits are locked. A message that was not answered is taken back before it
 * is sent again, so that nothing more of the person leaves.
 */
export async function eraseOrders(tx: Tx, { kitIds }: { kitIds: readonly string[] }): Promise<void> {
  for (const row of await selectOfKits(tx, kitIds)) {
    if (isOpen(row.state) && row.state !== 'refused') await cancel(tx, row)
  }
  await eraseSaid(tx, kitIds)
}

/** Results show that the laboratory has the order, also where its acknowledgement was lost. */
async function arrived(tx: Tx, row: LabOrderRow): Promise<void> {
  const open = await selectOpenMessage(tx, row.kitId)
  const isNew = open?.action === 'new'
  if (isNew)
    await saveMessage(tx, row.kitId, { ...open, outcome: 'accepted', code: 'RESULTS', body: null, answeredAt: tx.now })
  if (!isNew && row.state !== 'sent' && row.state !== 'refused') return
  const dueAt = row.pending ? tx.now : open && !isNew ? row.dueAt : null
  await announce(tx, row, { ...row, state: 'accepted', attention: null, reason: null, tries: 0, dueAt })
}

async function complete(tx: Tx, row: LabOrderRow): Promise<void> {
  await arrived(tx, row)
  await announce(tx, row, { ...row, state: 'completed', attention: null, reason: null, pending: null, dueAt: null })
}
