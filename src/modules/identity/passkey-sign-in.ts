import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { takeSignature } from './passkeys.ts'
import { selectMemberships } from './session-queries.ts'
import { type Browser, beginSession, type NewSession } from './sessions.ts'
import type { Open } from './sign-in.ts'
import { selectUser } from './user-queries.ts'
import { notValid } from './webauthn.ts'

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
  if (!begun) throw notValid()
  return begun
}

const recordRefusal = (tx: SystemTx, objectId: string): Promise<void> =>
  audit.recordSystem(tx, [
    { action: 'session.refused', objectType: 'user', objectId, details: { code: 'PASSKEY_NOT_VALID' } },
  ])
