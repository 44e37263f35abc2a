import { z } from 'zod'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { AddedPasskey, NewPasskey, PasskeyOptions, ShownPasskey } from './account-schema.ts'
import { type Passkey, selectPasskeys } from './passkey-queries.ts'
import * as passkeys from './passkeys.ts'

const tag = 'Account'

const shown = ({ id, name, createdAt, usedAt }: Passkey): z.infer<typeof ShownPasskey> => ({
  id,
  name,
  createdDate: createdAt.toISOString(),
  ...(usedAt && { lastUsedDate: usedAt.toISOString() }),
})

export const listPasskeys = defineRoute({
  audience: 'account',
  method: 'GET',
  path: '/session/passkeys',
  tag,
  summary: "List one's passkeys",
  answers: { 200: z.array(ShownPasskey) },
  handler: async ({ open, session }) => ({
    status: 200,
    body: (await open((tx) => selectPasskeys(tx, session.userId))).map(shown),
  }),
})

export const offerPasskey = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/passkeys/options',
  tag,
  summary: 'Begin to add a passkey',
  effects: [],
  description: 'What `navigator.credentials.create` takes. The device must check who holds it.',
  answers: { 200: PasskeyOptions },
  errors: ['FEATURE_NOT_ENABLED'],
  needsProof: true,
  handler: async ({ open, session, origin }) => ({
    status: 200,
    body: { ...(await passkeys.offerCreation(open, session, origin)) },
  }),
})

export const addPasskey = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/passkeys',
  tag,
  summary: 'Add a passkey',
  effects: ['lets-in'],
  description: 'From then on the password alone does not sign in any more.',
  body: NewPasskey,
  answers: { 201: AddedPasskey },
  errors: ['PASSKEY_NOT_VALID', 'FEATURE_NOT_ENABLED'],
  needsProof: true,
  handler: async ({ open, session, body, origin }) => {
    const { passkey, ...codes } = await passkeys.addPasskey(open, session, body, origin)
    return { status: 201, body: { passkey: shown(passkey), ...codes } }
  },
})

export const removePasskey = defineRoute({
  audience: 'account',
  method: 'DELETE',
  path: '/session/passkeys/:passkeyID',
  tag,
  summary: 'Remove a passkey',
  effects: ['deletes'],
  params: z.object({ passkeyID: anyText(64) }),
  answers: { 204: z.undefined() },
  errors: ['PASSKEY_NOT_FOUND'],
  needsProof: true,
  handler: async ({ open, session, params }) => {
    await open((tx) => passkeys.removePasskey(tx, session.userId, params.passkeyID))
    return { status: 204, body: undefined }
  },
})
