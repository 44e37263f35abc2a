import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { AppError } from '../../domain/errors.ts'
import type { Passkey } from './passkey-queries.ts'
import type { Account } from './user-queries.ts'

/** For whom a passkey signs: browsers offer it on this site only. */
export interface RelyingParty {
  /** A host name. */
  id: string
  origin: string
}

/** How long a person has for it. */
export const CHALLENGE_MS = 5 * 60_000

// Loaded with the first passkey: a worker, or a service without passkeys, never needs it.
const library = () => import('@simplewebauthn/server')

const userHandle = (userId: string) => new TextEncoder().encode(userId)

const descriptor = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: transports as AuthenticatorTransport[],
})

/** What a browser needs to make a passkey. It stands on the device, which checks who holds it. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  { id, email, name }: Account,
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Kitlane',
    rpID,
    userID: userHandle(id),
    userName: email,
    userDisplayName: name ?? email,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a browser needs to sign with one of these passkeys, or with any that the person chooses. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  allowed: readonly Passkey[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(descriptor),
  })
}

export const notValid = (cause?: unknown): AppError =>
  new AppError('PASSKEY_NOT_VALID', 'This passkey was not accepted: try again, or sign in another way', { cause })

interface Expected {
  party: RelyingParty
  challenge: string
}

/** The credential that a browser made. @throws PASSKEY_NOT_VALID */
export async function verifyCreation(
  response: RegistrationResponseJSON,
  { party, challenge }: Expected,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const { verifyRegistrationResponse } = await library()
  // The library throws plain errors for whatever does not fit.
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch((err: unknown) => {
    throw notValid(err)
  })
  if (!registrationInfo) throw notValid()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports }
}

/** The new counter of a passkey that signed. @throws PASSKEY_NOT_VALID */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  { credentialId, publicKey, counter, userId }: Passkey,
  { party, challenge }: Expected,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  const { userHandle: handle } = response.response
  if (handle && Buffer.from(handle, 'base64url').toString() !== userId) throw notValid()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch((err: unknown) => {
    throw notValid(err)
  })
  if (!verified) throw notValid()
  return authenticationInfo.newCounter
}
