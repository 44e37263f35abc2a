import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { db } from '../../platform/database/sql.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { lockNumbers } from '../businesses/counters.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { type Balances, book, lockBalances, type Transfer } from './ledger.ts'
import { warn } from './low.ts'
import { covers, type Line, needed } from './rules.ts'

export interface CreditEntry {
  type: string
  credits?: number
}

/** The balance of each provisioned kit type; `credits` is left out where none was ever granted. */
export async function entries(tx: Tx): Promise<CreditEntry[]> {
  const rows = await tx.rows(sql<{ kitType: string; available: number | null }>`
    select p.kit_type as "kitType", b.available
    from realm_panels p left join credit_balances b using (realm_id, kit_type)
    where p.realm_id = ${tx.realm.id} order by p.created_at, p.kit_type`)
  return rows.map(({ kitType, available }) => ({
    type: publicKitType(kitType),
    ...(available !== null && { credits: available }),
  }))
}

/** What can be spent now, by kit type, without locking. */
export async function available(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.rows(
    db.selectFrom('credit_balances').select(['kit_type', 'available']).where('realm_id', '=', tx.realm.id),
  )
  return new Map(rows.map((row) => [row.kit_type, row.available]))
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
  await openBalances(tx, kitTypes)
  const balances = await lockOwn(tx, kitTypes)
  const transfers = internal.map(({ kitType, amount }): OwnTransfer => {
    const type = internalKitType(kitType)
    const balance = balances.find(tx.realm.id, type)
    if (!balance) throw new AppError('PANEL_NOT_FOUND', `The business has no panel ${kitType}; provision it first`)
    if (balance.available + amount < 0) throw notEnough(400)
    return { kind: amount > 0 ? 'grant' : 'revoke', kitType: type, amount: Math.abs(amount), note }
  })
  await bookOwn(tx, balances, transfers)
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

const lockOwn = (tx: Tx, kitTypes: Iterable<string>): Promise<Balances> =>
  lockBalances(
    tx,
    [...kitTypes].map((kitType) => ({ realmId: tx.realm.id, kitType })),
  )

type OwnTransfer = Omit<Transfer, 'realm' | 'actor'>

/** Books transfers of this realm, and warns of what they use up. */
async function bookOwn(tx: Tx, balances: Balances, transfers: readonly OwnTransfer[]): Promise<void> {
  if (transfers.length === 0) return
  const numbers = await lockNumbers(tx, [tx.realm.id])
  const own = { realm: tx.realm, actor: tx.actor.name }
  const booking = book(
    balances,
    numbers,
    transfers.map((transfer) => ({ ...transfer, ...own })),
  )
  await Promise.all([...booking.write(tx), numbers.save(tx)])
  await warn(tx, booking.fallen)
}

/** A balance row for each provisioned type that has none yet. */
async function openBalances(tx: Tx, kitTypes: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into credit_balances (realm_id, kit_type, available)
    select realm_id, kit_type, 0 from realm_panels where realm_id = ${tx.realm.id} and kit_type = any(${kitTypes})
    order by kit_type on conflict do nothing`)
}

/** The refusal where credits do not suffice: 400 on a path that allows credits only, else 409. */
export const notEnough = (status: 400 | 409): AppError =>
  new AppError('NOT_ENOUGH_CREDITS', 'Not enough credits', { status })

/** Takes the credits of a pending order. @throws NOT_ENOUGH_CREDITS */
export async function spend(tx: Tx, orderId: string, items: readonly Line[]): Promise<void> {
  const balances = await lockOwn(
    tx,
    items.map((item) => item.kitType),
  )
  const availableOf = (kitType: string) => balances.find(tx.realm.id, kitType)?.available ?? 0
  if (!covers(availableOf, needed(items))) throw notEnough(409)
  await bookOwn(
    tx,
    balances,
    items.map(({ kitType, quantity }) => ({ kind: 'order', kitType, amount: quantity, orderId })),
  )
}

/** Puts credits that are covered aside for a bulk job. */
export async function reserve(tx: Tx, balances: Balances, jobId: string, lines: Iterable<Line>): Promise<void> {
  const transfers = [...needed(lines)].map(
    ([kitType, amount]): OwnTransfer => ({ kind: 'reserve', kitType, amount, jobId }),
  )
  await bookOwn(tx, balances, transfers)
}

/** Gives back whatever is still put aside for a job. */
export async function release(tx: Tx, jobId: string): Promise<void> {
  const left = await tx.rows(sql<{ kitType: string; amount: number }>`
    select kit_type as "kitType", sum(case kind when 'reserve' then amount else -amount end)::bigint as amount
    from credit_transfers
    where realm_id = ${tx.realm.id} and job_id = ${jobId} and kind in ('reserve', 'capture', 'release')
    group by kit_type having sum(case kind when 'reserve' then amount else -amount end) > 0 order by kit_type`)
  const balances = await lockOwn(
    tx,
    left.map((row) => row.kitType),
  )
  await bookOwn(
    tx,
    balances,
    left.map((row) => ({ kind: 'release', jobId, ...row })),
  )
}

/** Gives back what an order took. The ledger lets each order be refunded once. */
export async function refund(tx: Tx, orderId: string): Promise<void> {
  const spent = await tx.rows(sql<{ kitType: string; amount: number }>`
    select kit_type as "kitType", amount from credit_transfers
    where realm_id = ${tx.realm.id} and order_id = ${orderId} and kind in ('order', 'capture') order by kit_type`)
  const balances = await lockOwn(
    tx,
    spent.map((row) => row.kitType),
  )
  await bookOwn(
    tx,
    balances,
    spent.map((row) => ({ kind: 'refund', orderId, ...row })),
  )
}

/** Sandbox: back to `amount` credits of each provisioned type, by entries like any other. */
export async function resetSandbox(tx: Tx, amount: number): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only a sandbox can be reset')
  const panels = await entries(tx)
  const kitTypes = panels.map((panel) => internalKitType(panel.type))
  await openBalances(tx, kitTypes)
  const balances = await lockOwn(tx, kitTypes)
  const changes = balances.of(tx.realm.id).map(({ kitType, available }) => ({ kitType, amount: amount - available }))
  await grant(tx, changes, 'sandbox reset')
}
