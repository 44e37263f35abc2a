import { allScopes } from '../../domain/scopes.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import type { Business } from '../businesses/queries.ts'
import * as businesses from '../businesses/service.ts'
import * as catalogue from '../catalogue/service.ts'
import * as credits from '../credits/service.ts'
import { createToken } from '../identity/tokens.ts'
import { attachTestCard } from '../payments/methods.ts'

const sandboxCredits = 1000

export interface Onboard {
  name: string
  /** Kit types; default: every panel of the catalogue. */
  panels?: readonly string[]
  /** Live credits of each of them. Default 0. */
  credits?: number
  /** Whom people tested can ask, in both modes. */
  contactEmail?: string | undefined
}

export interface OnboardedBusiness {
  business: Business
  live: Realm
  sandbox: Realm
}

export interface Onboarded extends OnboardedBusiness {
  /** Shown only once: the database has its hash. */
  liveToken: string
  sandboxToken: string
}

/**
 * Creates a business with panels and credits, but without tokens. The sandbox starts with 1,000 credits of each panel and a
 * simulated card. @throws PANEL_NOT_FOUND
 */
export async function onboardWithoutTokens(
  tx: SystemTx,
  { name, panels, credits: amount = 0, contactEmail }: Onboard,
): Promise<OnboardedBusiness> {
  const { business, live, sandbox } = await businesses.create(tx, name)
  if (contactEmail !== undefined) await businesses.configure(tx, business.id, { contactEmail })
  await catalogue.provision(tx, business.id, panels ?? 'all')
  await equipRealm({ ...tx, realm: live }, amount)
  await equipRealm({ ...tx, realm: sandbox }, sandboxCredits)
  return { business, live, sandbox }
}

/** Creates a business with one token for each mode, so that it can order at once. @throws PANEL_NOT_FOUND */
export async function onboard(tx: SystemTx, newBusiness: Onboard): Promise<Onboarded> {
  const made = await onboardWithoutTokens(tx, newBusiness)
  return {
    ...made,
    liveToken: await firstToken({ ...tx, realm: made.live }),
    sandboxToken: await firstToken({ ...tx, realm: made.sandbox }),
  }
}

async function equipRealm(tx: SystemTx & Tx, amount: number): Promise<void> {
  const panels = amount > 0 ? await catalogue.provisioned(tx) : []
  await credits.grant(
    tx,
    panels.map(({ kitType }) => ({ kitType, amount })),
    'Onboarding',
  )
  if (tx.realm.mode === 'sandbox') await attachTestCard(tx)
  await audit.record(tx, [{ action: 'business.created', objectType: 'business', objectId: tx.realm.businessId }])
}

/** Holds every scope: who makes a business holds all of it, and a token can be granted only what its maker holds. */
async function firstToken(tx: SystemTx & Tx): Promise<string> {
  const { id, token } = await createToken(tx, tx.realm, { name: 'First token', scopes: allScopes })
  await audit.record(tx, [{ action: 'token.created', objectType: 'token', objectId: id }])
  return token
}
