import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Side } from '../member-queries.ts'
import { domainOf } from './claims.ts'
import { type ConnectionRow, selectConnectionOfDomain } from './queries.ts'

export const NO_RESET = sentence(
  'People of this domain sign in with single sign-on, so no link is sent; only the emergency account gets one',
)

/** The connection that refuses passwords to an address. It depends on the domain alone. */
export async function enforcedFor(tx: SystemTx, email: string): Promise<ConnectionRow | undefined> {
  const found = await selectConnectionOfDomain(tx, domainOf(email.trim()))
  return found?.isEnforced ? found : undefined
}

/** The refusal of a password: for a domain with enforced single sign-on always the same, whether the password was right or not. */
export async function orSingleSignOn(tx: SystemTx, email: string, refusal: AppError): Promise<AppError> {
  const enforced = await enforcedFor(tx, email)
  return enforced ? required(enforced, 'passwords are refused') : refusal
}

/** Refuses an invitation to a side whose provider decides who is in. @throws SSO_REQUIRED */
export async function refuseEnforced(tx: SystemTx, side: Side, email: string): Promise<void> {
  const enforced = await enforcedFor(tx, email)
  if (enforced?.side === side) throw required(enforced, 'to let somebody in, give them a group there')
}

const required = ({ name }: ConnectionRow, what: string) =>
  new AppError('SSO_REQUIRED', `People of this domain sign in with single sign-on (${name}): ${what}`)
