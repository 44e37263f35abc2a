import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { t } from '../language/t.ts'
import { clientOf } from './client.ts'
import { Problem } from './problem.ts'
import type { Session } from './shapes.ts'

// Browsers offer no passkeys for an IP address.
const isAddress = /^[\d.]+$|^\[/.test(location.hostname)

export const takesPasskeys = browserSupportsWebAuthn() && !isAddress
/** Where the same dashboard takes passkeys; undefined if it does here, or nobody can say. */
export const passkeyAddress =
  location.hostname === '127.0.0.1' ? `http://localhost:${location.port}${location.pathname}` : undefined

/** Makes a passkey on this device. The first one comes with recovery codes. Throws `Problem`. */
export async function addPasskey(name: string): Promise<string[] | undefined> {
  const client = clientOf()
  const { data: options } = await client.POST('/api/v1/session/passkeys/options')
  // The service sends what its counterpart of this library made.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON }).catch(refused)
  const { data } = await client.POST('/api/v1/session/passkeys', { body: { name, response: response as never } })
  return data?.recoveryCodes
}

/** Throws `Problem`. */
export async function signInWithPasskey(): Promise<Session> {
  const client = clientOf()
  const { data: options } = await client.POST('/api/v1/session/passkey/options')
  const response = await sign(options)
  const { data } = await client.POST('/api/v1/session/passkey', { body: { response: response as never } })
  if (data === undefined) throw new Error('a sign-in without a session')
  return data
}

/** Throws `Problem`. */
export async function proveWithPasskey(): Promise<void> {
  const client = clientOf()
  const { data: options } = await client.POST('/api/v1/session/proof/options')
  const passkey = await sign(options)
  await client.POST('/api/v1/session/proof', { body: { passkey: passkey as never } })
}

const sign = (options: unknown) =>
  startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }).catch(refused)

function refused(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const message =
    name === 'InvalidStateError'
      ? t('This device has a passkey of your account already.')
      : t('The device gave no passkey. Try again, or choose another way.')
  throw new Problem(0, { code: 'PASSKEY_REFUSED' }, message)
}
