import { AppError } from '../../domain/errors.ts'
import { newOpaqueId, newSecret } from '../../domain/ids.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Database, SystemTx } from '../../platform/database/tx.ts'
import type { NewCookie } from '../../platform/http/answer.ts'
import type { Access } from '../../platform/http/caller.ts'
import type { Call, NamedRealm, Sessions } from '../../platform/http/session-cookie.ts'
import * as audit from '../audit/service.ts'
import { putDevice, selectDevice } from './attempt-queries.ts'
import { DEVICE_MS, FAILURES, operatorScopesFor, scopesFor } from './rules.ts'
import {
  deleteEnded,
  deleteSession,
  insertSession,
  type LiveSession,
  type Membership,
  markEntered,
  selectMemberships,
  selectRealm,
  touchSession,
} from './session-queries.ts'

const isSecret = (cookie: string): boolean => /^[\w-]{43}$/.test(cookie)

/** What signs in: an address, with the cookies that it brings. */
export interface Browser {
  ip: string
  /** Of a session that may have ended. */
  cookie: string | undefined
  /** By which an account knows a browser again. */
  device: string | undefined
}

export interface NewSession extends NewCookie {
  device: NewCookie
}

/**
 * Begins a session, and remembers the browser. Whatever cookie it had before is ended: a session's ID never outlives a
 * sign-in.
 */
export async function beginSession(tx: SystemTx, userId: string, { cookie, device }: Browser): Promise<NewSession> {
  if (cookie !== undefined && isSecret(cookie)) await deleteSession(tx, sha256(cookie))
  const value = newSecret()
  const id = newOpaqueId('ses')
  const expiresAt = await insertSession(tx, { id, hash: sha256(value), userId })
  const entry = { action: 'session.started', objectType: 'user', objectId: userId }
  await audit.recordSystem(tx, [entry], `user:${userId}`)
  return { value, expiresAt, device: await rememberDevice(tx, userId, device) }
}

/** A browser keeps its mark for all users who sign in with it. An unknown browser gets a new mark, never the one it sent. */
async function rememberDevice(tx: SystemTx, userId: string, brought: string | undefined): Promise<NewCookie> {
  const isKnown = brought !== undefined && (await selectDevice(tx, sha256(brought), userId)).isKnown
  const value = isKnown ? brought : newSecret()
  await putDevice(tx, sha256(value), userId)
  return { value, expiresAt: new Date(tx.now.getTime() + DEVICE_MS) }
}

/** Ends the session of a cookie, if there is one. */
export async function endSession(tx: SystemTx, cookie: string): Promise<void> {
  const ended = await deleteSession(tx, sha256(cookie))
  if (!ended) return
  const entry = { action: 'session.ended', objectType: 'user', objectId: ended.userId }
  await audit.recordSystem(tx, [entry], `user:${ended.userId}`)
}

/** The session of a cookie with what its user may do; undefined when it has ended, or its user may do nothing. */
export async function findSession(
  tx: SystemTx,
  cookie: string,
  isUse: boolean,
): Promise<{ session: LiveSession; memberships: Membership[] } | undefined> {
  if (!isSecret(cookie)) return undefined
  const session = await touchSession(tx, sha256(cookie), isUse)
  if (!session) return undefined
  const memberships = await selectMemberships(tx, session.userId)
  return memberships.length > 0 ? { session, memberships } : undefined
}

/** Answers what cookies stand for. Nothing is cached: a role that changed or a session that ended counts at once. */
export function sessionKeeper(database: Database): Sessions {
  const open = <T>({ background: _, ...origin }: Call, work: (tx: SystemTx) => Promise<T>) =>
    database.asSystem({ name: 'system', ...origin }, work)
  return {
    find: (cookie, call) =>
      open(call, async (tx) => {
        const found = await findSession(tx, cookie, !call.background)
        return found && { sessionId: found.session.id, userId: found.session.userId }
      }),
    enter: (cookie, realm, call) => open(call, (tx) => enter(tx, cookie, realm, call)),
    operate: (cookie, call) =>
      open(call, async (tx) => {
        const found = await findSession(tx, cookie, !call.background)
        if (!found) return undefined
        const { session, memberships } = found
        const role = memberships.find(({ businessId }) => businessId === null)?.role
        if (!role) throw new AppError('FORBIDDEN', "This is for the operator's staff")
        return { ...caller(session), scopes: new Set(operatorScopesFor(role)), expiresAt: null }
      }),
  }
}

const caller = ({ id, userId }: LiveSession) => ({ callerId: userId, actor: `user:${userId}`, countedAs: id })

async function enter(
  tx: SystemTx,
  cookie: string,
  { businessId, mode }: NamedRealm,
  call: Call,
): Promise<Access | undefined> {
  const found = await findSession(tx, cookie, !call.background)
  if (!found) return undefined
  const { session, memberships } = found
  const own = memberships.find((membership) => membership.businessId === businessId)
  const isOperator = memberships.some(({ role }) => role === 'operator-admin')
  const entered = own || isOperator ? await selectRealm(tx, businessId, mode) : undefined
  // One sentence for a business that is not there and one that is another's.
  if (!entered) throw new AppError('FORBIDDEN', 'You have no access to this business')
  const { realmId, twinId, businessName, rateLimitPerMinute } = entered
  const realm = { id: realmId, businessId, mode }
  if (!own && (await markEntered(tx, session.id, realmId))) {
    const actor = { ...tx.actor, name: `user:${session.userId}` }
    const entry = { action: 'business.entered', objectType: 'business', objectId: businessId }
    await audit.record({ ...tx, actor, realm }, [entry])
  }
  const role = isOperator ? 'operator-admin' : (own?.role ?? 'business-viewer')
  return {
    ...caller(session),
    realm,
    twin: { id: twinId, businessId, mode: mode === 'live' ? 'sandbox' : 'live' },
    businessName,
    scopes: new Set(scopesFor(role)),
    rateLimitPerMinute,
  }
}

/** Forgets sessions, links, failures and browsers that can no longer matter. */
export async function purgeEnded(tx: SystemTx): Promise<void> {
  const before = (ms: number) => new Date(tx.now.getTime() - ms)
  await deleteEnded(tx, { failures: before(FAILURES.windowMs), devices: before(DEVICE_MS) })
}
