import type { Sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId, newSecret } from '../../../domain/ids.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import type { SignedIn } from '../../../platform/http/caller.ts'
import * as audit from '../../audit/service.ts'
import type { Role } from '../rules.ts'
import { selectScimUserOf } from '../scim/queries.ts'
import { groupNames } from '../scim/sync.ts'
import { administers, type Browser, beginSession, type NewSession } from '../sessions.ts'
import type { Open } from '../sign-in.ts'
import { findOrInsertUser, lockUser, setUserName } from '../user-queries.ts'
import { type Claims, domainOf, groupsOf, hasTooManyGroups, shownClaims, vouchedEmail } from './claims.ts'
import { recordConnection, secretPlaceOf } from './connections.ts'
import { giveRole, keepsAnAdmin, withdrawRole } from './give-role.ts'
import * as linkQueries from './link-queries.ts'
import { beginAtProvider, type Checks, type ProviderClient, readAnswer, reasonOf } from './provider.ts'
import { type ConnectionRow, selectConnection, selectConnectionOfDomain } from './queries.ts'
import { ATTEMPT_MS, type Refusal, refusalSentences, roleOf } from './rules.ts'

interface Offer {
  id: string
  name: string
  isEnforced: boolean
}

/** The connection that an address may sign in with. It depends on the domain alone: nobody learns whether an account exists. */
export async function findOffer(tx: SystemTx, email: string): Promise<Offer | undefined> {
  const found = await selectConnectionOfDomain(tx, domainOf(email.trim()))
  return found && { id: found.id, name: found.name, isEnforced: found.isEnforced }
}

const attemptPlace = (stateHash: Buffer): string => `sso_attempts.sealed/${stateHash.toString('hex')}`

/** The provider of a connection, with its secret. */
function clientOf(tx: SystemTx, row: ConnectionRow): ProviderClient {
  const { issuer, clientId, groupClaim } = row
  const clientSecret = tx.context.open(row.clientSecret, secretPlaceOf(row.id))
  return { issuer, clientId, clientSecret, groupClaim, redirectUri: `${tx.context.publicUrl ?? ''}/app/sso` }
}

/** What is kept of an attempt: a trial is of the administrator who began it, and lets nobody in. */
type Kept = Checks & { trialOf?: string | undefined }

/**
 * Begins a sign-in, or a trial of one: where the browser goes, and a secret that it keeps until it comes back. An answer that
 * another browser asked for is worth nothing here. @throws CONNECTION_NOT_FOUND, PROVIDER_UNAVAILABLE, SSO_REFUSED
 */
export async function startSignIn(
  open: Open,
  egress: Egress,
  connectionId: string,
  trialOf?: string,
): Promise<{ url: string; secret: string }> {
  const provider = await open(async (tx) => {
    const row = await selectConnection(tx, connectionId)
    if (!row) throw new AppError('CONNECTION_NOT_FOUND', 'There is no such single sign-on: reload the page')
    return clientOf(tx, row)
  })
  const { url, checks } = await beginAtProvider(provider, egress)
  const secret = newSecret()
  const stateHash = sha256(checks.state)
  await open((tx) =>
    linkQueries.insertAttempt(tx, {
      stateHash,
      connectionId,
      browserHash: sha256(secret),
      sealed: tx.context.seal(JSON.stringify({ ...checks, trialOf } satisfies Kept), attemptPlace(stateHash)),
      expiresAt: new Date(tx.now.getTime() + ATTEMPT_MS),
    }),
  )
  return { url, secret }
}

const notThisBrowser = () =>
  new AppError('SSO_FAILED', 'This sign-in was used, has expired or began in another window: start again')

/** The claims of the person whom a provider sent back with this query. @throws SSO_FAILED, SSO_REFUSED, PROVIDER_UNAVAILABLE */
async function readReturn(
  open: Open,
  egress: Egress,
  { query, secret, trialOf }: Returned,
): Promise<{ connectionId: string; claims: Claims | AppError }> {
  const stateHash = sha256(new URLSearchParams(query).get('state') ?? '')
  const begun = await open(async (tx) => {
    const attempt = await linkQueries.takeAttempt(tx, stateHash, sha256(secret))
    const row = attempt && (await selectConnection(tx, attempt.connectionId))
    const kept: Kept | undefined = attempt && JSON.parse(tx.context.open(attempt.sealed, attemptPlace(stateHash)))
    if (!row || !kept || kept.trialOf !== trialOf) {
      await refuse(tx, 'unknown', { code: 'SSO_FAILED', reason: 'unknown_attempt' })
      return undefined
    }
    return { connectionId: row.id, checks: kept, provider: clientOf(tx, row) }
  })
  if (!begun) throw notThisBrowser()
  const { connectionId, checks, provider } = begun
  const claims = await readAnswer(provider, egress, { query, checks }).catch(async (err: unknown) => {
    if (!(err instanceof AppError)) throw err
    await open((tx) => refuse(tx, 'unknown', { code: err.code, connectionId, reason: reasonOf(err) }))
    return err
  })
  return { connectionId, claims }
}

interface Returned {
  query: string
  secret: string
  trialOf?: string
}

/**
 * Ends a sign-in with the query that the provider sent the browser back with, and begins a session.
 * @throws SSO_FAILED, SSO_REFUSED, PROVIDER_UNAVAILABLE
 */
export async function finishSignIn(
  open: Open,
  egress: Egress,
  { query, secret }: Returned,
  from: Browser,
): Promise<NewSession> {
  const { connectionId, claims } = await readReturn(open, egress, { query, secret })
  if (claims instanceof AppError) throw claims
  const outcome = await open((tx) => admit(tx, connectionId, claims, from))
  if (typeof outcome !== 'string') return outcome
  throw refused(outcome)
}

const refused = (reason: Refusal): AppError =>
  new AppError('SSO_REFUSED', refusalSentences[reason], { extra: { reason } })

async function refuse(tx: SystemTx, userId: string, details: Record<string, unknown>): Promise<void> {
  await audit.recordSystem(tx, [{ action: 'session.refused', objectType: 'user', objectId: userId, details }])
}

/** Lets a person in whom a provider vouches for, with the role of their groups. */
async function admit(tx: SystemTx, connectionId: string, claims: Claims, from: Browser): Promise<NewSession | Refusal> {
  const connection = await selectConnection(tx, connectionId)
  if (!connection) throw notThisBrowser()
  const joined = await join(tx, connection, claims)
  if ('refusal' in joined) {
    const { refusal, userId = 'unknown' } = joined
    await refuse(tx, userId, { code: 'SSO_REFUSED', connectionId, reason: refusal })
    return refusal
  }
  const begun = await beginSession(tx, joined.userId, from, 'provider')
  await linkQueries.markSession(tx, sha256(begun.value), connectionId)
  const entry = { action: 'session.single_sign_on' as const, objectType: 'user', objectId: joined.userId }
  await audit.recordSystem(tx, [{ ...entry, details: { connectionId } }], `user:${joined.userId}`)
  return begun
}

type Joined = { userId: string } | { refusal: Refusal; userId?: string }

/** The user of a person, with the role that their groups have now. */
async function join(tx: SystemTx, connection: ConnectionRow, claims: Claims): Promise<Joined> {
  const { id: connectionId, side, domains, groupRoles, groupClaim } = connection
  const verified = domains.filter(({ isVerified }) => isVerified).map(({ domain }) => domain)
  const vouched = vouchedEmail(claims, { verified, issuer: connection.issuer })
  if ('refusal' in vouched) return vouched
  const known = await linkQueries.selectUserOfSubject(tx, connectionId, claims.sub)
  const provisioned = await selectScimUserOf(tx, connectionId, { email: vouched.email, userId: known })
  if (provisioned?.isActive === false) return { refusal: 'blocked', ...(known && { userId: known }) }
  const sent = groupsOf(claims, groupClaim) ?? (provisioned && groupNames(provisioned))
  if (!sent && hasTooManyGroups(claims, groupClaim)) {
    return { refusal: 'groups_not_sent', ...(known && { userId: known }) }
  }
  const role = roleOf(sent ?? [], groupRoles)
  if (!role) {
    if (known) await withdrawRole(tx, connection, known)
    return { refusal: 'no_group', ...(known && { userId: known }) }
  }
  const userId = known ?? (await findOrInsertUser(tx, newOpaqueId('usr'), vouched.email)).id
  const user = await lockUser(tx, userId)
  if (!user) throw new Error('a user who signs in is gone')
  const membership = await linkQueries.lockMembership(tx, userId, side)
  if (user.disabledAt || membership?.disabledAt) return { refusal: 'blocked', userId }
  const isEmergency = userId === connection.emergencyUserId
  if (!isEmergency && membership?.acceptedAt && !(await keepsAnAdmin(tx, side, userId, membership, role))) {
    return { refusal: 'last_admin', userId }
  }
  if (!known && !(await linkQueries.insertIdentity(tx, { connectionId, subject: claims.sub, userId }))) {
    // Two windows may have been first at once.
    const meanwhile = await linkQueries.selectUserOfSubject(tx, connectionId, claims.sub)
    if (meanwhile !== userId) return { refusal: 'address_reused', userId }
  }
  if (isEmergency) return { userId }
  const name =
    typeof claims.name === 'string'
      ? claims.name
          .replace(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, 200)
      : ''
  if (user.name === null && name) await setUserName(tx, userId, name)
  await giveRole(tx, connection, user, role)
  return { userId }
}

/** Who tries: a session, and the cookie that says what it may do. */
interface Trier {
  session: SignedIn
  cookie: string | undefined
}

/** What a sign-in would do. */
interface Trial {
  claims: { name: string; value: string }[]
  person?: { email: string; role: Role; roleNow?: Role }
  stopped?: { reason: string; message: string | Sentence }
}

async function findOwn(tx: SystemTx, connectionId: string, { cookie }: Trier): Promise<ConnectionRow> {
  const row = await selectConnection(tx, connectionId)
  if (!row || cookie === undefined || !(await administers(tx, cookie, row.side))) {
    throw new AppError('CONNECTION_NOT_FOUND', 'There is no such single sign-on that you administer')
  }
  return row
}

/** Begins a trial of a connection by one of its administrators. @throws CONNECTION_NOT_FOUND, PROVIDER_UNAVAILABLE, SSO_REFUSED */
export async function startTrial(open: Open, egress: Egress, trier: Trier, connectionId: string) {
  await open((tx) => findOwn(tx, connectionId, trier))
  return startSignIn(open, egress, connectionId, trier.session.userId)
}

/** Carries what came of a transaction that is taken back. */
class TakenBack extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('a trial was taken back')
    this.outcome = outcome
  }
}
type Outcome = AppError | { userId: string; email: string; role: Role }

/** Signs in as far as the session, says what came of it, and takes it all back. @throws CONNECTION_NOT_FOUND, SSO_FAILED */
export async function finishTrial(
  open: Open,
  egress: Egress,
  trier: Trier,
  returned: { query: string; secret: string },
): Promise<Trial> {
  const { connectionId, claims } = await readReturn(open, egress, { ...returned, trialOf: trier.session.userId })
  const outcome = claims instanceof AppError ? claims : await outcomeOf(open, trier, connectionId, claims)
  return open(async (tx) => {
    const { side } = await findOwn(tx, connectionId, trier)
    const stopped = outcome instanceof AppError && { reason: reasonOf(outcome), message: outcome.said }
    const details = { outcome: stopped ? stopped.reason : 'let in' }
    await recordConnection(tx, side, 'sso.tried', connectionId, details)
    const shown = claims instanceof AppError ? [] : shownClaims(claims)
    if (outcome instanceof AppError) return { claims: shown, ...(stopped && { stopped }) }
    const { userId, email, role } = outcome
    const roleNow = (await linkQueries.lockMembership(tx, userId, side))?.role
    return { claims: shown, person: { email, role, ...(roleNow && { roleNow }) } }
  })
}

async function outcomeOf(open: Open, trier: Trier, connectionId: string, claims: Claims): Promise<Outcome> {
  const tried = open(async (tx): Promise<never> => {
    const connection = await findOwn(tx, connectionId, trier)
    const joined = await join(tx, connection, claims)
    if ('refusal' in joined) throw new TakenBack(refused(joined.refusal))
    const user = await lockUser(tx, joined.userId)
    const membership = await linkQueries.lockMembership(tx, joined.userId, connection.side)
    if (!user || !membership) throw new Error('a person who joined is not there')
    throw new TakenBack({ userId: user.id, email: user.email, role: membership.role })
  })
  return tried.catch((err: unknown) => {
    if (err instanceof TakenBack) return err.outcome
    throw err
  })
}
