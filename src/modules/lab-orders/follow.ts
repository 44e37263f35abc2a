import type { Tx } from '../../platform/database/tx.ts'
import { isOfDemo } from '../businesses/queries.ts'
import type { ChangedKit } from '../kits/changed-kit.ts'
import { type KitRow, lockKits } from '../kits/queries.ts'
import { contentOf } from './compose.ts'
import { selectConnections } from './connection-queries.ts'
import { digestOf } from './content.ts'
import { isFree, isOpen } from './decision.ts'
import {
  deleteOfKits,
  eraseSaid,
  type LabOrderRow,
  type MessageRow,
  saveMessage,
  selectMessages,
  selectOfKits,
  settleMessages,
} from './queries.ts'
import { announce, isToBeTested, renewed, settle } from './record.ts'

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
  const { mode } = tx.realm
  if (mode === 'sandbox' && kit.registeredAt === null && row) return deleteOfKits(tx, [kit.id])
  if (!row) {
    const isOver = kit.sampleStatus === 'resulted' || !(await isToBeTested(tx, kit, []))
    if (mode !== 'sandbox' && isTime(tx, kit) && !isOver && !(await isOfDemo(tx)))
      await announce(tx, undefined, fresh(tx, kit))
    return
  }
  const isArrived = kit.sampleStatus === 'resulted' || kit.sampleStatus === 'partiallyResulted'
  const before = isArrived && isOpen(row.state) ? await arrived(tx, kit, row) : row
  await settle(tx, kit, row, await wishes(tx, kit, before))
}

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

/** What a kit wants of its order beside what was said of it. */
async function wishes(tx: Tx, kit: KitRow, row: LabOrderRow): Promise<Partial<LabOrderRow>> {
  const { state, attention, routedOn } = row
  if (isOpen(state) && kit.sampleStatus === 'resulted') return { ...row, state: 'completed', dueAt: null }
  // A laboratory that had the sample knows that it is rejected, or sees it among the samples on hold.
  if (state === 'accepted' && kit.sampleStatus === 'rejected' && kit.progress.sampleReceived !== undefined) {
    await settleMessages(tx, kit.id)
    return { ...row, state: 'closed', dueAt: null }
  }
  const messages = await selectMessages(tx, row.kitId)
  if (state === 'completed' || !(await isToBeTested(tx, kit, messages))) return row
  // A rejection was taken back: the laboratory has the order as before.
  if (state === 'closed')
    return attention === null && routedOn !== null ? { ...row, state: 'accepted', dueAt: tx.now } : row
  if (state === 'canceled') {
    if (!isTime(tx, kit)) return row
    return row.revision === 0 ? fresh(tx, kit) : renewed(tx, row, messages)
  }
  if (isBeingCanceled(row, messages)) return { ...row, pending: 'new' }
  // What was missing may be known by now, such as where the person lives.
  if (state === 'unrouted') return { ...row, dueAt: tx.now }
  // What was to be said before the cancellation may still be new.
  const isOpenMessage = messages.some(({ outcome }) => outcome === null)
  const kept = row.pending === 'cancel' ? { ...row, pending: null, dueAt: isOpenMessage ? row.dueAt : null } : row
  if (!(await isNews(tx, kit, kept))) return kept
  if (state !== 'refused') return { ...kept, pending: 'change' }
  return isFree(messages) ? renewed(tx, row, messages) : kept
}

/** Whether the laboratory was told to cancel an order, and has not said yet whether it does. */
const isBeingCanceled = (row: LabOrderRow, messages: readonly MessageRow[]): boolean =>
  messages.some(
    ({ round, action, outcome }) =>
      round === row.round && action === 'cancel' && (outcome === null || outcome === 'received'),
  )

/** Whether a kit says something else now than the last message did. */
async function isNews(tx: Tx, kit: KitRow, row: LabOrderRow): Promise<boolean> {
  if (row.digest === null || row.pending !== null) return false
  const laboratory = (await selectConnections(tx)).find(({ id }) => id === row.laboratoryId)
  const test = laboratory?.tests.find(({ kitType }) => kitType === kit.kitType)
  if (!test) return false
  const { content } = await contentOf(tx, kit, row, test)
  return !digestOf(content).equals(row.digest)
}

/**
 * Cancels the orders of a person who is erased, whose kits are locked and empty. A message that was not answered is taken back before
 * it is sent again, so that nothing more of the person leaves.
 */
export async function eraseOrders(tx: Tx, { kitIds }: { kitIds: readonly string[] }): Promise<void> {
  const kits = new Map((await lockKits(tx, kitIds)).map((kit) => [kit.id, kit]))
  for (const row of await selectOfKits(tx, kitIds)) {
    const kit = kits.get(row.kitId)
    if (kit) await settle(tx, kit, row)
  }
  await eraseSaid(tx, kitIds)
}

/** Results show that the laboratory has the order, also where its acknowledgement was lost. */
async function arrived(tx: Tx, kit: KitRow, row: LabOrderRow): Promise<LabOrderRow> {
  const messages = await selectMessages(tx, kit.id)
  const placed = messages.find(({ round, action }) => round === row.round && action === 'new')
  if (!placed || placed.outcome === 'accepted') return row
  const seen = { outcome: 'accepted', code: 'RESULTS', body: null, answeredAt: tx.now } as const
  await saveMessage(tx, kit.id, { ...placed, ...seen })
  const isOtherOpen = messages.some((one) => one.outcome === null && one !== placed)
  return { ...row, attention: null, tries: 0, dueAt: isOtherOpen ? row.dueAt : null }
}
