import { z } from 'zod'
import { defineRoute } from '../../platform/http/route.ts'
import { GivenProof, PasskeyOptions } from './account-schema.ts'
import { offerRequest, prove } from './passkeys.ts'

const tag = 'Account'

export const offerProof = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/proof/options',
  tag,
  summary: 'Begin to prove with a passkey who one is',
  effects: [],
  description: 'What `navigator.credentials.get` takes.',
  answers: { 200: PasskeyOptions },
  errors: ['FEATURE_NOT_ENABLED'],
  handler: async ({ open, session, origin }) => ({
    status: 200,
    body: { ...(await offerRequest(open, session, origin)) },
  }),
})

export const proveSession = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/proof',
  tag,
  summary: 'Prove once more who one is',
  effects: [],
  description:
    'With the password, a code or a passkey. It counts for 10 minutes for what answers REAUTHENTICATION_REQUIRED otherwise: ' +
    'tokens, users, exports, CSV files, the setting `publishing`. Second factors are changed with the second factor only.',
  body: GivenProof,
  answers: { 204: z.undefined() },
  errors: ['SIGN_IN_FAILED', 'CODE_WRONG', 'CODE_REQUIRED', 'PASSKEY_NOT_VALID', 'FEATURE_NOT_ENABLED'],
  handler: async ({ open, session, body, origin }) => {
    await prove(open, session, body, origin)
    return { status: 204, body: undefined }
  },
})
