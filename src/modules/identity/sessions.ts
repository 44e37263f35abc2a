import { AppError } from '../../domain/errors.ts'
import { newOpaqueId, newSecret } from '../../domain/ids.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Database, SystemTx } from '../../platform/database/tx.ts'
import type { NewCookie } from '../../platform/http/answer.ts'
import type { Access } from '../../platform/http/caller.ts'
import type { Call, NamedRealm, Sessions } from '../../platform/http/session-cookie.ts'
import { networkOf } from '../../platform/http/shared-counts.ts'
import * as audit from '../audit/service.ts'
import { NEW_DEVICE_EMAIL, newDevice, queueAccountEmail } from './account-emails.ts'
import { countAccountEmails } from './account-link-queries.ts'
import { putDevice, selectDevice } from './attempt-queries.ts'
import type { Side } from './member-queries.ts'
import * as rules from './rules.ts'
import * as sessionQueries from './session-queries.ts'
import { maybeActive, noteUse, required } from './support-access.ts'
import { selectUser } from './user-queries.ts'

/** The first that fits: most browsers also name those that they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(\b|Headless)(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (names: typeof browsers, userAgent: string) => names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** A browser in words, such as "Firefox on Windows". Nothing that was sent is repeated: only known names. */
export function describeBrowser(userAgent: string | undefined): string {
  const browser = nameIn(browsers, userAgent ?? '')
  const system = nameIn(systems, userAgent ?? '')
  if (!browser && !system) return 'Another program'
  return system ? `${browser ?? 'A browser'} on ${system}` : (browser ?? '')
}

const isSecret = (cookie: string): boolean => /^[\w-]{43}$/.test(cookie)

/** What signs in: an address, with the cookies that it brings. */
export interface Browser {
  ip: string
  /** Of a session that may have ended. */
  cookie: string | undefined
  /** By which an account knows a browser again. */
  device: string | undefined
  userAgent: string | undefined
}

export interface NewSession extends NewCookie {
  device: NewCookie
}

/**
 * Begins a session, and remembers the browser. Whatever cookie it had before is ended: a session's ID never outlives a
 * sign-in.
 */
export async function beginSession(
  tx: SystemTx,
  userId: string,
  { cookie, device, ip, userAgent }: Browser,
  proof: rules.Beginning = 'password',
): Promise<NewSession> {
  if (cookie !== undefined && isSecret(cookie)) await sessionQueries.deleteSession(tx, sha256(cookie))
  const value = newSecret()
  const id = newOpaqueId('ses')
  const place = { browser: describeBrowser(userAgent), network: networkOf(ip) }
  const remembered = await rememberDevice(tx, userId, device)
  if (!remembered.isOwn) await mailNewDevice(tx, userId, place)
  const expiresAt = await sessionQueries.insertSession(tx, { id, hash: sha256(value), userId, proof, ...place })
  const details = { by: proof, ...(!remembered.isOwn && { newDevice: true }) }
  const entry = { action: 'session.started' as const, objectType: 'user', objectId: userId, details }
  await audit.recordSystem(tx, [entry], `user:${userId}`)
  return { value, expiresAt, device: remembered.mark }
}

/**
 * Tells the owner of an account that it signed in from a browser that it does not know. The first sign-in of all is no
 * news. A script that keeps no cookies is always new, so an address gets only so many an hour.
 */
async function mailNewDevice(tx: SystemTx, userId: string, place: { browser: string; network: string }): Promise<void> {
  const account = await selectUser(tx, userId)
  if (!account?.signedInAt) return
  const since = new Date(tx.now.getTime() - rules.EMAIL_LIMITS.windowMs)
  const count = await countAccountEmails(tx, account.email, NEW_DEVICE_EMAIL, since)
  if (count >= rules.EMAIL_LIMITS.newDevice) return
  const url = `${tx.context.publicUrl ?? ''}/app/account`
  await queueAccountEmail(tx, { content: newDevice({ ...place, at: tx.now }), to: account.email, url })
}

/** A browser keeps its mark for all users who sign in with it. An unknown browser gets a new mark, never the one it sent. */
async function rememberDevice(
  tx: SystemTx,
  userId: string,
  brought: string | undefined,
): Promise<{ mark: NewCookie; isOwn: boolean }> {
  const known = brought === undefined ? undefined : await selectDevice(tx, sha256(brought), userId)
  const value = brought !== undefined && known?.isKnown ? brought : newSecret()
  await putDevice(tx, sha256(value), userId)
  const mark = { value, expiresAt: new Date(tx.now.getTime() + rules.DEVICE_MS) }
  return { mark, isOwn: known?.isOwn ?? false }
}

export async function endSession(tx: SystemTx, cookie: string): Promise<void> {
  const ended = await sessionQueries.deleteSession(tx, sha256(cookie))
  if (!ended) return
  const entry = { action: 'session.ended' as const, objectType: 'user', objectId: ended.userId }
  await audit.recordSystem(tx, [entry], `user:${ended.userId}`)
}

/** The session of a cookie with what its user may do; undefined when it has ended, or its user may do nothing. */
export async function findSession(
  tx: SystemTx,
  cookie: string,
  isUse: boolean,
): Promise<{ session: sessionQueries.LiveSession; memberships: sessionQueries.Membership[] } | undefined> {
  if (!isSecret(cookie)) return undefined
  const network = tx.actor.ip === undefined ? null : networkOf(tx.actor.ip)
  const session = await sessionQueries.touchSession(tx, sha256(cookie), { isUse, network })
  if (!session) return undefined
  const memberships = await sessionQueries.selectMemberships(tx, session.userId, session.connectionId)
  return memberships.length > 0 ? { session, memberships } : undefined
}

/** The same for work: who must set up a second factor does that first. @throws SECOND_FACTOR_REQUIRED */
async function findWorker(tx: SystemTx, cookie: string, isUse: boolean): ReturnType<typeof findSession> {
  const found = await findSession(tx, cookie, isUse)
  // A provider decides itself what its people show.
  const isOwn = found?.session.connectionId === null
  if (found && isOwn && rules.mustSetUp(tx.context.settings.secondFactor, found.session, found.memberships)) {
    throw new AppError(
      'SECOND_FACTOR_REQUIRED',
      'Your role needs a second factor: set up a passkey or the codes of an app on the page of your account',
    )
  }
  return found
}

/** Whether the session of a cookie is of an administrator of a side: of a business, or of the operator (null). */
export async function administers(tx: SystemTx, cookie: string, side: Side): Promise<boolean> {
  const role = (await findWorker(tx, cookie, true))?.memberships.find(({ businessId }) => businessId === side)?.role
  return role === 'operator-admin' || role === 'business-admin'
}

/** Answers what cookies stand for. Nothing is cached: a role that changed or a session that ended counts at once. */
export function databaseSessions(database: Database): Sessions {
  const open = <T>({ background: _, route: __, ...origin }: Call, work: (tx: SystemTx) => Promise<T>) =>
    database.asSystem({ name: 'system', ...origin }, work)
  return {
    find: (cookie, call) =>
      open(call, async (tx) => {
        const found = await findSession(tx, cookie, !call.background)
        return (
          found && { sessionId: found.session.id, userId: found.session.userId, ...ownProof(found.session, tx.now) }
        )
      }),
    enter: (cookie, realm, call) => open(call, (tx) => enter(tx, cookie, realm, call)),
    operate: (cookie, call) =>
      open(call, async (tx) => {
        const found = await findWorker(tx, cookie, !call.background)
        if (!found) return undefined
        const { session, memberships } = found
        const role = memberships.find(({ businessId }) => businessId === null)?.role
        if (!role) throw new AppError('FORBIDDEN', "This is for the operator's staff")
        return { ...caller(session, tx.now), scopes: new Set(rules.operatorScopesFor(role)), expiresAt: null }
      }),
  }
}

/** How long a proof counts for what is sensitive. */
const PROOF_MS = 10 * 60_000

/** How an account may prove itself; `strictly`: with its second factor, if it has one. */
function proofsOf(
  account: rules.Factors & { hasPassword: boolean },
  { strictly }: { strictly: boolean },
): rules.Proof[] {
  const takesPassword = account.hasPassword && !(strictly && rules.hasSecondFactor(account))
  return [...rules.factorsOf(account), ...(takesPassword ? (['password'] as const) : [])]
}

/** Whether a proof is recent enough at this time. */
const isRecent = (provedAt: Date | null, now: Date): boolean =>
  provedAt !== null && now.getTime() - provedAt.getTime() < PROOF_MS

const caller = (session: sessionQueries.LiveSession, now: Date) => ({
  callerId: session.userId,
  actor: `user:${session.userId}`,
  countedAs: session.id,
  ...(!isRecent(session.provedAt, now) && { proofs: proofsOf(session, { strictly: false }) }),
})

/** On the own account, where second factors are changed, an account proves itself by its second factor if it has one. */
const ownProof = (session: sessionQueries.LiveSession, now: Date) => {
  // The word of a provider is good for its own side only: with a new passkey its people could enter others.
  const isProvidersWord = session.connectionId !== null && session.provedAt <= session.createdAt
  const proved = isProvidersWord ? null : session.provedAt
  const provedAt = rules.hasSecondFactor(session) ? session.factorProvedAt : proved
  return !isRecent(provedAt, now) && { proofs: proofsOf(session, { strictly: true }) }
}

async function enter(
  tx: SystemTx,
  cookie: string,
  { businessId, mode }: NamedRealm,
  call: Call,
): Promise<Access | undefined> {
  const found = await findWorker(tx, cookie, !call.background)
  if (!found) return undefined
  const { session, memberships } = found
  const own = memberships.find((membership) => membership.businessId === businessId)
  const isOperator = memberships.some(({ role }) => role === 'operator-admin')
  const entered = own || isOperator ? await sessionQueries.selectRealm(tx, businessId, mode) : undefined
  // One sentence for a business that is not there and one that is another's.
  if (!entered) throw new AppError('FORBIDDEN', 'You have no access to this business')
  const support = isOperator ? await maybeActive(tx, session.userId, businessId) : undefined
  if (!own && !support) throw await required(tx, session.userId, businessId)
  const { realmId, twinId, businessName, rateLimitPerMinute } = entered
  const realm = { id: realmId, businessId, mode }
  const actor = { ...tx.actor, name: `user:${session.userId}` }
  if (!own && (await sessionQueries.markEntered(tx, session.id, realmId))) {
    const entry = { action: 'business.entered' as const, objectType: 'business', objectId: businessId }
    await audit.record({ ...tx, actor, realm }, [entry])
  }
  const visit = support ?? visitOf(own)
  if (visit) await noteUse({ ...tx, actor }, { access: visit, realm, route: call.route })
  // Without an access, staff who are users of the business too have that role alone.
  const role = support ? 'operator-admin' : (own?.role ?? 'business-viewer')
  return {
    ...caller(session, tx.now),
    realm,
    twin: { id: twinId, businessId, mode: mode === 'live' ? 'sandbox' : 'live' },
    businessName,
    scopes: new Set(rules.scopesFor(role)),
    rateLimitPerMinute,
    ...(visit && { support: visit }),
  }
}

/** Who was invited in a support access is there by it. */
const visitOf = (own: sessionQueries.Membership | undefined): { id: string; endsAt: Date } | undefined =>
  own?.madeIn && own.madeInEndsAt ? { id: own.madeIn, endsAt: own.madeInEndsAt } : undefined

/** Forgets sessions, links, failures and browsers that can no longer matter. */
export async function purgeEnded(tx: SystemTx): Promise<void> {
  const before = (ms: number) => new Date(tx.now.getTime() - ms)
  await sessionQueries.deleteEnded(tx, { failures: before(rules.FAILURES.windowMs), devices: before(rules.DEVICE_MS) })
}
