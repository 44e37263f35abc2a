import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { announceFact, moveKits } from '../kits/move.ts'
import { type KitRow, lockKitsOfOrder } from '../kits/queries.ts'
import { kitNotFound, stateOf } from '../kits/records.ts'
import { replaceKit, unsendable } from '../kits/replace.ts'
import { allowed } from '../kits/rules.ts'
import { correctAddress } from '../orders/address.ts'
import { lockOrder } from '../orders/lock.ts'
import { type Choice, choicesOf, next } from './decision.ts'
import { isInPackersHand, selectOfOrder, type UndeliveredRow } from './queries.ts'
import { recordHappened } from './record.ts'
import type { ChooseUndelivered, UndeliveredKit } from './schema.ts'
import { find, findRow } from './service.ts'
import { reasons } from './words.ts'

type Wanted = Omit<ChooseUndelivered, 'choice'>

/**
 * Chooses that a box goes out again, or that nothing more is done. Where it goes again, the other boxes of its order that
 * came back go with it. The same choice again changes nothing but a new address.
 * @throws UNDELIVERED_NOT_FOUND; ILLEGAL_TRANSITION with the `choices`; ORDER_PACKED while a packer has a kit of the order in hand; ORDER_NOT_ALLOWED
 */
export async function choose(
  tx: Tx,
  kitId: string,
  { choice, ...wanted }: Wanted & { choice: Exclude<Choice, 'replace'> },
): Promise<UndeliveredKit> {
  const { kits, rows } = await lockForChoice(tx, kitId, choice)
  if (choice === 'sendAgain') await assertSendable(tx, kits, wanted)
  if (choice === 'sendAgain') await correctOf(tx, kits, wanted)
  const others =
    choice === 'sendAgain' ? rows.filter(({ state, isRecalled }) => state === 'undecided' && !isRecalled) : []
  const ids = new Set([kitId, ...others.map((one) => one.kitId)])
  await recordHappened(
    tx,
    kits,
    [...ids].map((id) => ({ kitId: id, happening: { is: choice } })),
    { reason: wanted.reason },
  )
  return find(tx, kitId)
}

/**
 * Sends a new kit in place of a box, once.
 * @throws as `choose`; ILLEGAL_TRANSITION also for a kit that somebody registered
 */
export async function replaceBox(tx: Tx, kitId: string, wanted: Wanted): Promise<UndeliveredKit> {
  const { kits, row } = await lockForChoice(tx, kitId, 'replace')
  if (row.state === 'replaced') return find(tx, kitId)
  await correctOf(tx, kits, wanted)
  const reason = wanted.reason ?? reasons[row.outcome]
  // A kit whose carrier has reported no exception, such as one whose label was canceled, has not arrived either.
  const kit = kits.find(({ id }) => id === kitId)
  if (kit && allowed(stateOf(kit)).includes('deliveryException')) {
    await moveKits(tx, [{ kitId, to: 'deliveryException', reason, isQuiet: true }])
  }
  await replaceKit(tx, kitId, reason)
  return find(tx, kitId)
}

async function lockForChoice(tx: Tx, kitId: string, choice: Choice) {
  const { orderId } = await findRow(tx, kitId)
  const kits = await lockKitsOfOrder(tx, orderId)
  const rows = await selectOfOrder(tx, orderId)
  const row = rows.find((one) => one.kitId === kitId)
  if (!row) throw kitNotFound()
  if (!next(row, { is: choice })) throw refused(row, choice)
  if (choice !== 'close' && row.isErased) throw refused(row, choice)
  if (choice === 'sendAgain' && row.isRecalled) throw refused(row, choice)
  return { kits, rows, row }
}

/** A panel may be offered in fewer places than when a box went out the first time. @throws ORDER_NOT_ALLOWED */
async function assertSendable(tx: Tx, kits: readonly KitRow[], { recipientAddress }: Wanted): Promise<void> {
  const [refusal] = (
    await unsendable(
      tx,
      kits.map((kit) => ({ ...kit, sentTo: recipientAddress ?? kit.sentTo })),
    )
  ).values()
  if (refusal) throw new AppError('ORDER_NOT_ALLOWED', refusal)
}

/** Corrects where the locked kits of an order go, unless a packer has one of them in hand. */
async function correctOf(tx: Tx, kits: readonly KitRow[], { recipientAddress, reason }: Wanted): Promise<void> {
  const [first] = kits
  if (!recipientAddress || !first) return
  await lockOrder(tx, first.orderId)
  const ids = kits.map(({ id }) => id)
  if (await isInPackersHand(tx, ids)) {
    throw new AppError('ORDER_PACKED', 'A kit of this order is being packed at this moment, so its address stays')
  }
  await correctAddress(tx, first.orderId, recipientAddress, reason)
  await announceFact(tx, ids, 'person')
}

function refused(row: UndeliveredRow, choice: Choice): AppError {
  const can = choicesOf(row)
  const why = row.isErased
    ? 'The person of this order was erased: nothing is sent any more'
    : choice === 'sendAgain' && row.isRecalled
      ? 'This box was recalled: it is not sent again'
      : can.length === 0
        ? `Nothing is left to choose: this box is ${row.state}`
        : `A box that is ${row.state} after ${row.outcome} cannot be chosen to ${choice}`
  return new AppError('ILLEGAL_TRANSITION', why, { extra: { current: row.state, allowed: can } })
}
