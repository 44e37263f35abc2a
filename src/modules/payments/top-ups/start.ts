import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as credits from '../../credits/service.ts'
import { noticeOnce } from '../notices.ts'
import { creditPrice, payingMethod, startPurchase } from '../purchases/buy.ts'
import { moneyText } from '../receipts/rules.ts'
import { failTopUp } from './finish.ts'
import { lockCeiling, selectTopUpForUpdate, sumTopUps, type TopUp, upsertTopUp } from './queries.ts'
import { monthOf } from './rules.ts'

/**
 * Starts a top-up if one is wanted now. The top-ups of a business decide one after another, so that their sum stays below
 * the ceiling, and each has one purchase at a time: its row names it until it is settled. Returns the payment to settle.
 */
export async function startTopUp(tx: Tx, kitType: string): Promise<string | undefined> {
  const ceiling = await lockCeiling(tx)
  const topUp = await selectTopUpForUpdate(tx, kitType)
  // A worker that died left it; settling it again is safe.
  if (topUp?.paymentId) return topUp.paymentId
  if (!topUp?.isOn || ceiling === null || (topUp.retryAt && topUp.retryAt > tx.now)) return undefined
  if ((await credits.available(tx, kitType)) >= topUp.below) return undefined
  try {
    return await buy(tx, topUp, ceiling)
  } catch (error) {
    // Nothing was written: there is no card, no price, or buying is switched off.
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await failTopUp(tx, topUp, error.code)
    return undefined
  }
}

/** The beginning of the next month, UTC. */
const nextMonthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

async function buy(tx: Tx, topUp: TopUp, ceiling: number): Promise<string | undefined> {
  const { kitType, amount } = topUp
  const price = await creditPrice(tx, kitType)
  const spent = await sumTopUps(tx, monthOf(tx.now))
  if (spent + amount * price.priceMinor > ceiling) {
    await upsertTopUp(tx, { ...topUp, retryAt: nextMonthOf(tx.now) })
    const month = tx.now.toISOString().slice(0, 7)
    const money = (minor: number) => moneyText(minor, price.currency)
    await noticeOnce(tx, 'top_up_ceiling', month, { month, ceiling: money(ceiling), spent: money(spent) })
    return undefined
  }
  const method = await payingMethod(tx)
  const { paymentId } = await startPurchase(tx, { purpose: 'top_up', kitType, amount, price, method })
  await upsertTopUp(tx, { ...topUp, paymentId })
  return paymentId
}
