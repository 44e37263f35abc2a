import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import { takeSignature } from './passkeys.ts'
import { placeOfSession } from './rules.ts'
import type { Proof } from './second-factor-rules.ts'
import { markProved } from './session-queries.ts'
import { checkCode, type Open, reauthenticate } from './sign-in.ts'
import { selectUser } from './user-queries.ts'

export interface GivenProof {
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
