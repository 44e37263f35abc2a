import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import * as passkeyQueries from './passkey-queries.ts'
import { hasSecondFactor, type Proof, placeOfSession } from './rules.ts'
import { markProved, selectMemberships } from './session-queries.ts'
import { type Browser, beginSession, type NewSession } from './sessions.ts'
import { checkCode, type Open, reauthenticate } from './sign-in.ts'
import { giveRecoveryCodes } from './totp.ts'
import { type Account, lockUser, selectUser } from './user-queries.ts'
import * as webauthn from './webauthn.ts'

/** More than anyone has devices. */
const MOST = 20

const tooMany = () =>
  new AppError('VALIDATION_FAILED', `An account has at most ${MOST} passkeys: remove one that is not used`)

type For = Pick<passkeyQueries.Challenge, 'purpose' | 'sessionId'>

async function keepChallenge(tx: SystemTx, challenge: string, wanted: For): Promise<void> {
  await passkeyQueries.insertChallenge(
    tx,
    { ...wanted, hash: sha256(challenge) },
    new Date(tx.now.getTime() + webauthn.CHALLENGE_MS),
  )
}

async function findAccount(tx: SystemTx, { userId }: SignedIn): Promise<Account> {
  const account = await selectUser(tx, userId)
  if (!account) throw new Error('the user of a session is gone')
  return account
}

/** What a browser needs to make a passkey for the account. @throws FEATURE_NOT_ENABLED, VALIDATION_FAILED */
export async function offerCreation(
  open: Open,
  session: SignedIn,
  origin: string | undefined,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = relyingPartyOf(origin)
  const { account, known } = await open(async (tx) => ({
    account: await findAccount(tx, session),
    known: await passkeyQueries.selectPasskeys(tx, session.userId),
  }))
  if (known.length >= MOST) throw tooMany()
  const options = await webauthn.creationOptions(party, account, known)
  await open((tx) => keepChallenge(tx, options.challenge, { purpose: 'register', sessionId: session.sessionId }))
  return options
}

/** @throws FEATURE_NOT_ENABLED where no browser offers passkeys */
function relyingPartyOf(origin: string | undefined): webauthn.RelyingParty {
  const { hostname = '', protocol = '' } = origin === undefined ? {} : new URL(origin)
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith('[')
  const isLoopback = /(^|\.)localhost$/.test(hostname)
  if (origin !== undefined && isName && (protocol === 'https:' || isLoopback)) return { id: hostname, origin }
  throw new AppError(
    'FEATURE_NOT_ENABLED',
    'Browsers offer passkeys under a host name with https, or under http://localhost: set PUBLIC_URL, or open the dashboard under http://localhost',
  )
}

/** The challenge that a browser says it signed; whether it did is checked later. @throws PASSKEY_NOT_VALID */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    if (typeof challenge === 'string') return challenge
  } catch (err) {
    throw webauthn.notValid(err)
  }
  throw webauthn.notValid()
}

/**
 * Adds a passkey that a browser made. With the first second factor of the account come recovery codes, shown now only.
 * @throws PASSKEY_NOT_VALID, FEATURE_NOT_ENABLED
 */
export async function addPasskey(
  open: Open,
  session: SignedIn,
  { name, response }: { name: string; response: RegistrationResponseJSON },
  origin: string | undefined,
): Promise<{ passkey: passkeyQueries.Passkey; recoveryCodes?: string[] }> {
  const party = relyingPartyOf(origin)
  const challenge = await takeChallengeOf(open, response, { purpose: 'register', sessionId: session.sessionId })
  const made = await webauthn.verifyCreation(response, { party, challenge })
  return open(async (tx) => {
    const account = await lockUser(tx, session.userId)
    if (!account) throw new Error('the user of a session is gone')
    // After the lock: of two that add a first passkey at once, one gets the recovery codes.
    const known = await passkeyQueries.selectPasskeys(tx, account.id)
    if (known.length >= MOST) throw tooMany()
    const id = newOpaqueId('psk')
    if (!(await passkeyQueries.insertPasskey(tx, { ...made, id, userId: account.id, name }))) throw webauthn.notValid()
    const details = { passkey: id }
    await audit.recordSystem(tx, [{ action: 'passkey.added', objectType: 'user', objectId: account.id, details }])
    const passkey = await passkeyQueries.selectPasskeyByCredential(tx, made.credentialId)
    if (!passkey) throw new Error('a new passkey is gone')
    return hasSecondFactor({ ...account, hasPasskey: known.length > 0 })
      ? { passkey }
      : { passkey, recoveryCodes: await giveRecoveryCodes(tx, account.id) }
  })
}

async function takeChallengeOf(
  open: Open,
  { response: { clientDataJSON } }: { response: { clientDataJSON: string } },
  wanted: For,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  // Committed at once: a challenge whose answer is refused is spent too.
  if (!(await open((tx) => passkeyQueries.takeChallenge(tx, { ...wanted, hash: sha256(challenge) }))))
    throw webauthn.notValid()
  return challenge
}

/** @throws PASSKEY_NOT_FOUND */
export async function removePasskey(tx: SystemTx, userId: string, id: string): Promise<void> {
  await lockUser(tx, userId)
  if (!(await passkeyQueries.deletePasskey(tx, userId, id)))
    throw new AppError('PASSKEY_NOT_FOUND', 'You have no such passkey')
  await passkeyQueries.dropIdleRecoveryCodes(tx, userId)
  const entry = { action: 'passkey.removed' as const, objectType: 'user', objectId: userId, details: { passkey: id } }
  await audit.recordSystem(tx, [entry])
}

/**
 * What a browser needs to sign with a passkey: any for a sign-in, one of the account for a proof.
 * @throws FEATURE_NOT_ENABLED
 */
export async function offerRequest(
  open: Open,
  session: SignedIn | undefined,
  origin: string | undefined,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const party = relyingPartyOf(origin)
  const allowed = session && (await open((tx) => passkeyQueries.selectPasskeys(tx, session.userId)))
  const options = await webauthn.requestOptions(party, allowed)
  await open((tx) => keepChallenge(tx, options.challenge, wantedBy(session)))
  return options
}

const wantedBy = (session: SignedIn | undefined): For =>
  session ? { purpose: 'prove', sessionId: session.sessionId } : { purpose: 'sign-in', sessionId: null }

/** The passkey that signed what was asked of this session, or for a sign-in. @throws PASSKEY_NOT_VALID */
async function takeSignature(
  open: Open,
  response: AuthenticationResponseJSON,
  session: SignedIn | undefined,
  origin: string | undefined,
): Promise<passkeyQueries.Passkey> {
  const party: webauthn.RelyingParty = relyingPartyOf(origin)
  const challenge = await takeChallengeOf(open, response, wantedBy(session))
  const passkey = await open((tx) => passkeyQueries.selectPasskeyByCredential(tx, response.id))
  if (!passkey || (session && passkey.userId !== session.userId)) throw webauthn.notValid()
  const counter = await webauthn.verifyAssertion(response, passkey, { party, challenge })
  // Two that sign at once with a copied key: one of them comes with a counter that was seen.
  if (!(await open((tx) => passkeyQueries.countUse(tx, passkey.id, counter)))) throw webauthn.notValid()
  return passkey
}

/**
 * Signs in with a passkey, which checked who holds it: no password and no code are asked.
 * @throws PASSKEY_NOT_VALID, FEATURE_NOT_ENABLED
 */
export async function signInByPasskey(
  open: Open,
  response: AuthenticationResponseJSON,
  { origin, ...from }: Browser & { origin: string | undefined },
): Promise<NewSession> {
  const userId = await takeSignature(open, response, undefined, origin).then(
    (passkey) => passkey.userId,
    async (err: unknown) => {
      if (err instanceof AppError && err.code === 'PASSKEY_NOT_VALID') await open((tx) => recordRefusal(tx, 'unknown'))
      throw err
    },
  )
  const begun = await open(async (tx) => {
    const account = await selectUser(tx, userId)
    if (!account || account.disabledAt || (await selectMemberships(tx, userId)).length === 0) {
      await recordRefusal(tx, userId)
      return undefined
    }
    return beginSession(tx, userId, from, 'passkey')
  })
  if (!begun) throw webauthn.notValid()
  return begun
}

const recordRefusal = (tx: SystemTx, objectId: string): Promise<void> =>
  audit.recordSystem(tx, [
    { action: 'session.refused', objectType: 'user', objectId, details: { code: 'PASSKEY_NOT_VALID' } },
  ])

interface GivenProof {
  password?: string | undefined
  code?: string | undefined
  passkey?: AuthenticationResponseJSON | undefined
}

/**
 * Notes that the person who uses a session has shown again who they are. Wrong passwords and codes count as failed sign-ins of
 * this session. @throws SIGN_IN_FAILED, CODE_WRONG, PASSKEY_NOT_VALID, RATE_LIMITED, VALIDATION_FAILED
 */
export async function prove(
  open: Open,
  session: SignedIn,
  { password, code, passkey }: GivenProof,
  origin: string | undefined,
): Promise<void> {
  if (passkey !== undefined) {
    await takeSignature(open, passkey, session, origin)
    return open((tx) => noteProof(tx, session, 'passkey'))
  }
  if (code !== undefined) {
    const account = await open((tx) => selectUser(tx, session.userId))
    if (!account) throw new Error('the user of a session is gone')
    await checkCode(open, account, code, placeOfSession(session))
    return open((tx) => noteProof(tx, session, 'code'))
  }
  if (password !== undefined) {
    return reauthenticate(open, session, { password }, (tx) => noteProof(tx, session, 'password'))
  }
  throw new AppError('VALIDATION_FAILED', 'Send a password, a code, or what a passkey signed')
}

async function noteProof(tx: SystemTx, { sessionId, userId }: SignedIn, by: Proof): Promise<void> {
  await markProved(tx, sessionId, by)
  await audit.recordSystem(tx, [{ action: 'session.proved', objectType: 'user', objectId: userId, details: { by } }])
}
