import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { lockNumbers } from '../businesses/counters.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { type Balances, lockBalances } from './balances.ts'
import { bookTransfers, type Transfer } from './ledger.ts'
import { warnOfLowCredits } from './low-credits.ts'
import * as queries from './queries.ts'
import { covers, type Line, needed, notEnoughCredits } from './rules.ts'
import { requestTopUps } from './top-up-request.ts'

export interface CreditEntry {
  type: string
  credits?: number
}

/** The balance of each provisioned kit type; `credits` is left out where none was ever granted. */
export async function entries(tx: Tx): Promise<CreditEntry[]> {
  const rows = await queries.selectProvisionedBalances(tx)
  return rows.map(({ kitType, available }) => ({
    type: publicKitType(kitType),
    ...(available !== null && { credits: available }),
  }))
}

export interface Change {
  kitType: string
  /** Credits; negative takes them back. */
  amount: number
}

/** Gives out credits, or takes them back. @throws NOT_ENOUGH_CREDITS, PANEL_NOT_FOUND */
export async function grant(tx: Tx, changes: readonly Change[], note?: string): Promise<void> {
  const internal = changes.filter((change) => change.amount !== 0)
  const kitTypes = internal.map((change) => internalKitType(change.kitType))
  await queries.insertMissingBalances(tx, kitTypes)
  const balances = await lockOwn(tx, kitTypes)
  const transfers = internal.map(({ kitType, amount }): OwnTransfer => {
    const type = internalKitType(kitType)
    const balance = balances.find(tx.realm.id, type)
    if (!balance) throw new AppError('PANEL_NOT_FOUND', `The business has no panel ${kitType}; provision it first`)
    if (balance.available + amount < 0) throw notEnoughCredits(400)
    return { kind: amount > 0 ? 'grant' : 'revoke', kitType: type, amount: Math.abs(amount), note }
  })
  await bookOwnTransfers(tx, balances, transfers)
  await audit.record(
    tx,
    transfers.map(({ kind, kitType, amount }) => ({
      action: kind === 'grant' ? 'credits.granted' : 'credits.revoked',
      objectType: 'credits',
      objectId: kitType,
      details: { amount },
    })),
  )
}

type OwnTransfer = Omit<Transfer, 'realm' | 'actor'>

/** Books transfers of this realm, and warns of balances that they bring below the threshold. */
async function bookOwnTransfers(tx: Tx, balances: Balances, transfers: readonly OwnTransfer[]): Promise<void> {
  if (transfers.length === 0) return
  const numbers = await lockNumbers(tx, [tx.realm.id])
  const own = { realm: tx.realm, actor: tx.actor.name }
  const booking = bookTransfers(
    balances,
    numbers,
    transfers.map((transfer) => ({ ...transfer, ...own })),
  )
  await Promise.all([...booking.write(tx), numbers.save(tx)])
  await warnOfLowCredits(tx, booking.low)
  await requestTopUps(tx, booking.topUps)
}

/** Adds credits that a card has paid for. Returns the balance after it. */
export async function addPurchased(
  tx: Tx,
  { kitType, amount, paymentId }: Change & { paymentId: string },
): Promise<number> {
  await queries.insertMissingBalances(tx, [kitType])
  const balances = await lockOwn(tx, [kitType])
  await bookOwnTransfers(tx, balances, [{ kind: 'purchase', kitType, amount, paymentId }])
  return balances.find(tx.realm.id, kitType)?.available ?? 0
}

type OfPayment = Change & { paymentId: string; note: string }

/** Revokes credits whose payment was given back, as far as they are there: a balance is never negative. Returns how many. */
export async function takeBack(tx: Tx, { amount, ...transfer }: OfPayment): Promise<number> {
  const balances = await lockOwn(tx, [transfer.kitType])
  const taken = Math.min(amount, balances.find(tx.realm.id, transfer.kitType)?.available ?? 0)
  if (taken > 0) await bookOwnTransfers(tx, balances, [{ kind: 'revoke', amount: taken, ...transfer }])
  return taken
}

/** Gives out again what was taken back. */
export async function giveBack(tx: Tx, transfer: OfPayment): Promise<void> {
  const balances = await lockOwn(tx, [transfer.kitType])
  await bookOwnTransfers(tx, balances, [{ kind: 'grant', ...transfer }])
}

/** How many credits of an (internal) kit type can be spent. */
export const available = (tx: Tx, kitType: string): Promise<number> => queries.selectAvailable(tx, kitType)

/** Sets below which balance credits of an (internal) kit type are bought by themselves; null: never. */
export async function setTopUpBelow(tx: Tx, kitType: string, below: number | null): Promise<void> {
  await queries.insertMissingBalances(tx, [kitType])
  await queries.updateTopUpBelow(tx, kitType, below)
}

const lockOwn = (tx: Tx, kitTypes: Iterable<string>): Promise<Balances> =>
  lockBalances(
    tx,
    [...kitTypes].map((kitType) => ({ realmId: tx.realm.id, kitType })),
  )

/** Takes the credits of a pending order. @throws NOT_ENOUGH_CREDITS */
export async function spend(tx: Tx, orderId: string, items: readonly Line[]): Promise<void> {
  const balances = await lockOwn(
    tx,
    items.map((item) => item.kitType),
  )
  const availableOf = (kitType: string) => balances.find(tx.realm.id, kitType)?.available ?? 0
  if (!covers(availableOf, needed(items))) throw notEnoughCredits(409)
  await bookOwnTransfers(
    tx,
    balances,
    items.map(({ kitType, quantity }) => ({ kind: 'order', kitType, amount: quantity, orderId })),
  )
}

/** Reserves credits for a bulk job; the caller has checked that the balances cover them. */
export async function reserve(tx: Tx, balances: Balances, jobId: string, lines: Iterable<Line>): Promise<void> {
  const transfers = [...needed(lines)].map(
    ([kitType, amount]): OwnTransfer => ({ kind: 'reserve', kitType, amount, jobId }),
  )
  await bookOwnTransfers(tx, balances, transfers)
}

/** Releases what is still reserved for a bulk job. */
export async function release(tx: Tx, jobId: string): Promise<void> {
  const left = await queries.selectReserved(tx, jobId)
  const balances = await lockOwn(
    tx,
    left.map((row) => row.kitType),
  )
  await bookOwnTransfers(
    tx,
    balances,
    left.map((row) => ({ kind: 'release', jobId, ...row })),
  )
}

/** Gives back what an order cost. The ledger lets each order be refunded once. */
export async function refund(tx: Tx, orderId: string): Promise<void> {
  const spent = await queries.selectSpent(tx, orderId)
  const balances = await lockOwn(
    tx,
    spent.map((row) => row.kitType),
  )
  await bookOwnTransfers(
    tx,
    balances,
    spent.map((row) => ({ kind: 'refund', orderId, ...row })),
  )
}

// What a sandbox begins with, of each provisioned type.
const SANDBOX_CREDITS = 1000

/** Sandbox: back to the credits that it began with, by ordinary ledger entries. */
export async function resetSandbox(tx: Tx): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only a sandbox can be reset')
  const panels = await entries(tx)
  const kitTypes = panels.map((panel) => internalKitType(panel.type))
  await queries.insertMissingBalances(tx, kitTypes)
  const balances = await lockOwn(tx, kitTypes)
  const changes = balances
    .of(tx.realm.id)
    .map(({ kitType, available }) => ({ kitType, amount: SANDBOX_CREDITS - available }))
  await grant(tx, changes, 'sandbox reset')
}
