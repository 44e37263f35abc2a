import type { ErrorDetail } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { internalKitType, publicKitType } from '../../catalogue/kit-type.ts'
import { type ProvisionedPanel, selectProvisionedPanels } from '../../catalogue/queries.ts'
import * as credits from '../../credits/service.ts'
import { requestTopUps } from '../../credits/top-up-request.ts'
import { payingMethod } from '../purchases/buy.ts'
import {
  lockCeiling,
  selectCeiling,
  selectTopUps,
  sumTopUps,
  type TopUp,
  updateCeiling,
  upsertTopUp,
} from './queries.ts'
import { monthOf } from './rules.ts'
import type { ShownTopUps, TopUpsChange } from './schema.ts'

/** How credits of this business top themselves up, for every panel that it may order. */
export async function showTopUps(tx: Tx): Promise<ShownTopUps> {
  const panels = await selectProvisionedPanels(tx)
  const saved = new Map((await selectTopUps(tx)).map((topUp) => [topUp.kitType, topUp]))
  const ceiling = await selectCeiling(tx)
  return {
    ...(ceiling !== null && { monthlyCeiling: ceiling }),
    spentThisMonth: await sumTopUps(tx, monthOf(tx.now)),
    topUps: panels.map((panel) => shown(panel, saved.get(panel.kitType))),
  }
}

function shown({ kitType, priceMinor, currency }: ProvisionedPanel, topUp: TopUp | undefined) {
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
  const before = await lockCeiling(tx)
  const ceiling = change.monthlyCeiling === undefined ? before : change.monthlyCeiling
  if (change.monthlyCeiling !== undefined) await updateCeiling(tx, change.monthlyCeiling)
  const saved = new Map((await selectTopUps(tx)).map((topUp) => [topUp.kitType, topUp]))
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

function merged(kitType: string, wanted: Wanted, before: TopUp | undefined, index: number): TopUp {
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
  topUps: readonly TopUp[],
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

async function save(tx: Tx, topUp: TopUp): Promise<void> {
  const { kitType, below, isOn } = topUp
  await upsertTopUp(tx, topUp)
  await credits.setTopUpBelow(tx, kitType, isOn ? below : null)
  if (isOn && (await credits.available(tx, kitType)) < below) await requestTopUps(tx, [{ realm: tx.realm, kitType }])
}
