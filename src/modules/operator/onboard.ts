import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { createToken } from '../access/service.ts'
import * as audit from '../audit/service.ts'
import * as businesses from '../businesses/service.ts'
import * as catalogue from '../catalogue/service.ts'
import * as credits from '../credits/service.ts'
import { attachTestCard } from '../payments/methods.ts'

const sandboxCredits = 1000

export interface Onboard {
  name: string
  /** Kit types; default: every panel of the catalogue. */
  panels?: readonly string[]
  /** Live credits of each of them. Default 0. */
  credits?: number
}

export interface Onboarded {
  business: businesses.Business
  live: Realm
  sandbox: Realm
  /** Shown now and kept nowhere. */
  liveToken: string
  sandboxToken: string
}

/**
 * Makes a business that can order at once: its panels, its credits and one token for each mode. The sandbox starts with
 * 1,000 credits of each panel and a simulated card. @throws PANEL_NOT_FOUND
 */
export async function onboard(tx: SystemTx, { name, panels, credits: amount = 0 }: Onboard): Promise<Onboarded> {
  const { business, live, sandbox } = await businesses.create(tx, name)
  await catalogue.provision(tx, business.id, panels ?? 'all')
  return {
    business,
    live,
    sandbox,
    liveToken: await equip({ ...tx, realm: live }, amount),
    sandboxToken: await equip({ ...tx, realm: sandbox }, sandboxCredits),
  }
}

async function equip(tx: SystemTx & Tx, amount: number): Promise<string> {
  const panels = amount > 0 ? await catalogue.provisioned(tx) : []
  await credits.grant(
    tx,
    panels.map(({ kitType }) => ({ kitType, amount })),
    'Onboarding',
  )
  if (tx.realm.mode === 'sandbox') await attachTestCard(tx)
  const { id, token } = await createToken(tx, tx.realm, { name: 'First token' })
  await audit.record(tx, [
    { action: 'business.created', objectType: 'business', objectId: tx.realm.businessId },
    { action: 'token.created', objectType: 'token', objectId: id },
  ])
  return token
}
