import { newSecret } from '../../domain/ids.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { networkOf } from '../../platform/http/shared-counts.ts'
import { hashToken } from '../../platform/tokens.ts'
import * as audit from '../audit/service.ts'
import {
  countRenewals,
  deleteEnded,
  deleteLinks,
  deleteSession,
  type FoundLink,
  type FoundSession,
  insertFailure,
  insertLinks,
  insertSession,
  lockLinkOfSession,
  lockNetwork,
  saveLink,
  selectFailures,
  selectLink,
  selectSession,
} from './queries.ts'
import * as rules from './rules.ts'

export type { FoundSession } from './queries.ts'

// A link is kept for 30 days after its end: its reader learns, on a page of the business, that it has ended.
const RETENTION_AFTER_END_MS = 30 * 86_400_000

export interface WantedLink {
  customerId: number
  /** The person asked for a new one. */
  isRenewal?: boolean
}

export interface IssuedLink {
  url: string
  /** The part of it that gives access. */
  secret: string
}

/** Makes personal links, valid for 90 days, and returns their addresses in order: one statement for any number. */
export async function issueLinks(tx: Tx, publicUrl: string, wanted: readonly WantedLink[]): Promise<IssuedLink[]> {
  if (wanted.length === 0) return []
  const made = wanted.map(({ customerId, isRenewal = false }) => ({ token: newSecret(), customerId, isRenewal }))
  const expiresAt = after(tx, rules.LINK_VALID_MS)
  await insertLinks(
    tx,
    made.map(({ token, ...link }) => ({ ...link, hash: hashToken(token), expiresAt })),
  )
  return made.map(({ token }) => ({ url: `${publicUrl}/r/${token}`, secret: token }))
}

/** Whether a person may have another link on request: 5 a day. */
export async function mayRenew(tx: Tx, customerId: number): Promise<boolean> {
  return (await countRenewals(tx, customerId, after(tx, -rules.RENEWAL_WINDOW_MS))) < rules.RENEWALS_A_DAY
}

/** The realm and the state of a link; undefined for an unknown one. */
export function findLink(tx: SystemTx, token: string): Promise<FoundLink | undefined> {
  return selectLink(tx, hashToken(token))
}

/** Begins a session of 30 minutes, in which the date of birth must still be given. Returns its secret, of a share without `SHARE`. */
export async function beginSession(tx: Tx, token: string): Promise<string> {
  return insert(tx, hashToken(token), { isVerified: false, isShare: token.startsWith(rules.SHARE) })
}

/** The session of a secret; undefined when it has ended. */
export function findSession(tx: SystemTx, secret: string): Promise<FoundSession | undefined> {
  return selectSession(tx, hashToken(secret))
}

/** Whether a session that has not given the date of birth may give it now. */
export async function stateOfSession(
  tx: SystemTx,
  session: FoundSession,
  ip: string,
): Promise<'open' | 'locked' | 'ended'> {
  if (rules.hasEnded(session, tx.now)) return 'ended'
  const failures = await selectFailures(tx, session, networkOf(ip), after(tx, -rules.TRIES_WINDOW_MS))
  return rules.isLocked(failures, tx.now) ? 'locked' : 'open'
}

export type DateOfBirthCheck = { is: 'right'; secret: string } | { is: 'wrong' | 'locked' | 'ended' }

// A link ends then. There are some 30,000 dates of birth: somebody who reads another's mail does not get far.
const TRIES_OF_A_LINK = 15

/** A link after one more wrong date of birth: it ends at the fifteenth. */
function afterWrongTry(link: rules.LinkState, now: Date): rules.LinkState {
  const wrongTries = link.wrongTries + 1
  return { ...link, wrongTries, ...(wrongTries >= TRIES_OF_A_LINK && { expiresAt: now }) }
}

/**
 * Compares a date of birth with the customer's. A right one begins a session with another secret, for 30 minutes. A wrong
 * one is audited and counts against the person, whichever of their own links was used, or else against the shared report; against
 * the network; and against the link, which ends at the fifteenth.
 */
export async function checkDateOfBirth(
  tx: SystemTx & Tx,
  { secret, ...session }: FoundSession & { secret: string },
  { dateOfBirth, ip }: { dateOfBirth: string; ip: string },
): Promise<DateOfBirthCheck> {
  const hash = hashToken(secret)
  await lockNetwork(tx, networkOf(ip))
  const link = await lockLinkOfSession(tx, hash)
  if (!link) return { is: 'ended' }
  const before = await stateOfSession(tx, { ...session, ...link }, ip)
  if (before !== 'open') return { is: before }
  if (link.dateOfBirth !== dateOfBirth) {
    const next = afterWrongTry(link, tx.now)
    await saveLink(tx, link.hash, next)
    const { customerId } = link
    await insertFailure(tx, { customerId, network: networkOf(ip), shareHash: session.share && link.hash })
    await audit.record(tx, [
      { action: 'customer.date_of_birth_refused', objectType: 'customer', objectId: String(customerId) },
    ])
    const now = await stateOfSession(tx, { ...session, ...next }, ip)
    return { is: now === 'open' ? 'wrong' : now }
  }
  await saveLink(tx, link.hash, { ...link, wrongTries: 0 })
  await deleteSession(tx, hash)
  const isShare = secret.startsWith(rules.SHARE)
  return { is: 'right', secret: await insert(tx, link.hash, { isVerified: true, isShare }) }
}

/** Ends all links of a person, whose e-mail has changed. */
export function endLinks(tx: Tx, customerId: number): Promise<void> {
  return deleteLinks(tx, customerId)
}

export function endSession(tx: Tx, secret: string): Promise<void> {
  return deleteSession(tx, hashToken(secret))
}

/** Deletes links, sessions and failures that no longer matter. */
export function purgeEnded(tx: SystemTx): Promise<void> {
  return deleteEnded(tx, after(tx, -RETENTION_AFTER_END_MS), after(tx, -rules.TRIES_WINDOW_MS))
}

async function insert(
  tx: Tx,
  linkHash: Buffer,
  { isVerified, isShare }: { isVerified: boolean; isShare: boolean },
): Promise<string> {
  const secret = newSecret()
  const hash = hashToken(isShare ? `${rules.SHARE}${secret}` : secret)
  await insertSession(tx, { hash, linkHash, isVerified, expiresAt: after(tx, rules.SESSION_VALID_MS) })
  return secret
}

const after = ({ now }: Pick<Tx, 'now'>, ms: number) => new Date(now.getTime() + ms)
