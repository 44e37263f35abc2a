import { AppError, type ErrorDetail } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { internalKitType, publicKitType } from '../../catalogue/kit-type.ts'
import { type ProvisionedPanel, selectProvisionedPanels } from '../../catalogue/queries.ts'
import * as credits from '../../credits/service.ts'
import { requestTopUps } from '../../credits/top-up-request.ts'
import { noticeOnce } from '../notices.ts'
import { creditPrice, payingMethod, startPurchase } from '../purchases/buy.ts'
import { moneyText } from '../receipts/rules.ts'
import * as queries from './queries.ts'
import type { ShownTopUps, TopUpsChange } from './schema.ts'

// A bank that declines for want of money often accepts the same day; three tries are what card networks tolerate lightly.
const TRIES = 3
const RETRY_MS = 3_600_000

/** Whether that many failures, one after another, switch a top-up off. */
const switchesOff = (failures: number): boolean => failures >= TRIES

/** When a top-up is tried again after a decline. */
const retryAt = (now: Date): Date => new Date(now.getTime() + RETRY_MS)

/** Notes a failed try: the next one comes later, and after three the top-up is off and the administrators are told. */
export async function failTopUp(tx: Tx, topUp: queries.TopUp, reason: string): Promise<void> {
  const failures = topUp.failures + 1
  if (!switchesOff(failures)) {
    return queries.upsertTopUp(tx, { ...topUp, failures, paymentId: null, retryAt: retryAt(tx.now) })
  }
  await switchOff(tx, { ...topUp, failures, paymentId: null }, reason)
}

/** Switches top-ups off, of one kit type or all: the money of a purchase went back. A purchase under way is still settled. */
export async function switchTopUpsOff(tx: Tx, reason: 'disputed' | 'refunded', kitType?: string): Promise<void> {
  await queries.lockCeiling(tx)
  for (const topUp of await queries.selectTopUps(tx))
    if (topUp.isOn && (kitType === undefined || topUp.kitType === kitType)) await switchOff(tx, topUp, reason)
}

async function switchOff(tx: Tx, topUp: queries.TopUp, reason: string): Promise<void> {
  const { kitType } = topUp
  await queries.upsertTopUp(tx, { ...topUp, retryAt: null, isOn: false, offReason: reason })
  await credits.setTopUpBelow(tx, kitType, null)
  await audit.record(tx, [
    { action: 'top_up.switched_off', objectType: 'credits', objectId: kitType, details: { reason } },
  ])
  const type = publicKitType(kitType)
  await noticeOnce(tx, 'top_up_off', `${type} ${tx.now.toISOString()}`, { kitType: type, reason })
}

/** The beginning of the month, UTC: the ceiling counts from then. */
const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/**
 * Starts a top-up if one is wanted now. The top-ups of a business decide one after another, so that their sum stays below
 * the ceiling, and each has one purchase at a time: its row names it until it is settled. Returns the payment to settle.
 */
export async function startTopUp(tx: Tx, kitType: string): Promise<string | undefined> {
  const ceiling = await queries.lockCeiling(tx)
  const topUp = await queries.selectTopUpForUpdate(tx, kitType)
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

async function buy(tx: Tx, topUp: queries.TopUp, ceiling: number): Promise<string | undefined> {
  const { kitType, amount } = topUp
  const price = await creditPrice(tx, kitType)
  const spent = await queries.sumTopUps(tx, monthOf(tx.now))
  if (spent + amount * price.priceMinor > ceiling) {
    await queries.upsertTopUp(tx, { ...topUp, retryAt: nextMonthOf(tx.now) })
    const month = tx.now.toISOString().slice(0, 7)
    const money = (minor: number) => moneyText(minor, price.currency)
    await noticeOnce(tx, 'top_up_ceiling', month, { month, ceiling: money(ceiling), spent: money(spent) })
    return undefined
  }
  const method = await payingMethod(tx)
  const { paymentId } = await startPurchase(tx, { purpose: 'top_up', kitType, amount, price, method })
  await queries.upsertTopUp(tx, { ...topUp, paymentId })
  return paymentId
}

/** How credits of this business top themselves up, for every panel that it may order. */
export async function showTopUps(tx: Tx): Promise<ShownTopUps> {
  const panels = await selectProvisionedPanels(tx)
  const saved = new Map((await queries.selectTopUps(tx)).map((topUp) => [topUp.kitType, topUp]))
  const ceiling = await queries.selectCeiling(tx)
  return {
    ...(ceiling !== null && { monthlyCeiling: ceiling }),
    spentThisMonth: await queries.sumTopUps(tx, monthOf(tx.now)),
    topUps: panels.map((panel) => shown(panel, saved.get(panel.kitType))),
  }
}

function shown({ kitType, priceMinor, currency }: ProvisionedPanel, topUp: queries.TopUp | undefined) {
  const price = { type: publicKitType(kitType), price: priceMinor, currency }
  if (!topUp) return { ...price, on: false }
  const { below, amount, isOn, offReason, paymentId, retryAt } = topUp
  return {
    ...price,
    on: isOn,
    below,
    amount,
    ...(offReason !== null && { offReason }),
    ...(paymentId !== null && { settling: true as const }),
    ...(retryAt !== null && { retryDate: retryAt.toISOString() }),
  }
}

/**
 * Changes the ceiling and the top-ups of panels; what is not sent stays.
 * @throws VALIDATION_FAILED, PAYMENT_METHOD_MISSING, PURCHASING_DISABLED where one is switched on and nothing could pay
 */
export async function changeTopUps(tx: Tx, change: TopUpsChange): Promise<ShownTopUps> {
  const before = await queries.lockCeiling(tx)
  const ceiling = change.monthlyCeiling === undefined ? before : change.monthlyCeiling
  if (change.monthlyCeiling !== undefined) await queries.updateCeiling(tx, change.monthlyCeiling)
  const saved = new Map((await queries.selectTopUps(tx)).map((topUp) => [topUp.kitType, topUp]))
  const panels = await selectProvisionedPanels(tx)
  const changed = (change.topUps ?? []).map((wanted, index) => {
    const kitType = internalKitType(wanted.type)
    const panel = panels.find((one) => one.kitType === kitType)
    if (!panel) refuse([{ message: 'The business has no such panel', path: `topUps.${index}.type` }])
    return merged(kitType, wanted, saved.get(kitType), index)
  })
  for (const topUp of changed) saved.set(topUp.kitType, topUp)
  const problems = problemsOf([...saved.values()], panels, ceiling)
  if (problems.length > 0) refuse(problems)
  if (changed.some(({ isOn }) => isOn)) await payingMethod(tx)
  // A raised ceiling counts at once.
  const waiting = change.monthlyCeiling === undefined ? changed : [...saved.values()]
  for (const topUp of waiting) await save(tx, { ...topUp, retryAt: null })
  await audit.record(tx, [
    { action: 'top_up.changed', objectType: 'business', objectId: tx.realm.businessId, details: change },
  ])
  return showTopUps(tx)
}

type Wanted = NonNullable<TopUpsChange['topUps']>[number]

function merged(kitType: string, wanted: Wanted, before: queries.TopUp | undefined, index: number): queries.TopUp {
  const below = wanted.below ?? before?.below
  const amount = wanted.amount ?? before?.amount
  if (below === undefined || amount === undefined) {
    const name = below === undefined ? 'below' : 'amount'
    return refuse([{ message: 'Send it with the first settings of a panel', path: `topUps.${index}.${name}` }])
  }
  const isOn = wanted.on ?? before?.isOn ?? false
  const paymentId = before?.paymentId ?? null
  return { kitType, below, amount, isOn, offReason: null, failures: 0, paymentId, retryAt: null }
}

/** Why these top-ups cannot be on together. */
function problemsOf(
  topUps: readonly queries.TopUp[],
  panels: readonly ProvisionedPanel[],
  ceiling: number | null,
): ErrorDetail[] {
  const on = topUps.filter(({ isOn }) => isOn)
  if (on.length === 0) return []
  if (ceiling === null) return [{ message: 'Set what may be spent in a month first', path: 'monthlyCeiling' }]
  const prices = on.flatMap(({ kitType, amount }) => {
    const panel = panels.find((one) => one.kitType === kitType)
    return panel ? [{ type: publicKitType(kitType), cost: amount * panel.priceMinor, currency: panel.currency }] : []
  })
  if (new Set(prices.map(({ currency }) => currency)).size > 1) {
    return [{ message: 'Panels with prices in several currencies cannot share a ceiling', path: 'topUps' }]
  }
  return prices.flatMap(({ type, cost }) => {
    if (cost === 0) return [{ message: `${type} has no price; the operator sets one`, path: 'topUps' }]
    return cost > ceiling
      ? [{ message: `One purchase of ${type} costs more than the ceiling`, path: 'monthlyCeiling' }]
      : []
  })
}

async function save(tx: Tx, topUp: queries.TopUp): Promise<void> {
  const { kitType, below, isOn } = topUp
  await queries.upsertTopUp(tx, topUp)
  await credits.setTopUpBelow(tx, kitType, isOn ? below : null)
  if (isOn && (await credits.available(tx, kitType)) < below) await requestTopUps(tx, [{ realm: tx.realm, kitType }])
}
