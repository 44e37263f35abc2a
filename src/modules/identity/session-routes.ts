import { sentence } from '@kitlane/display/sentence'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SecondFactorPolicy } from '../../domain/second-factor.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { said } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { accept, describeLink, requestReset } from './account-links.ts'
import { PasskeyOptions, PasskeySignIn } from './account-schema.ts'
import { offerRequest, signInByPasskey } from './passkeys.ts'
import * as passwords from './passwords.ts'
import { IDLE_MS, mustSetUp } from './rules.ts'
import * as schema from './schema.ts'
import type { LiveSession, Membership } from './session-queries.ts'
import { endSession, findSession, type NewSession } from './sessions.ts'
import * as account from './sign-in.ts'
import { setUp, switchOff } from './totp.ts'

const tag = 'Account'
const Nothing = z.undefined()

function shown(
  { session, memberships }: { session: LiveSession; memberships: Membership[] },
  policy: SecondFactorPolicy,
): z.infer<typeof schema.Session> {
  const { userId: id, email, name, totpEnabled, hasPasskey, hasPassword, seenAt, expiresAt } = session
  return {
    user: { id, email, ...(name !== null && { name }), totpEnabled, hasPasskey, hasPassword },
    secondFactorMissing: session.connectionId === null && mustSetUp(policy, session, memberships),
    memberships: memberships.map(({ role, businessId, businessName, brandColor, logoUrl }) => ({
      role,
      ...(businessId !== null && {
        business: {
          id: businessId,
          name: businessName ?? '',
          ...(brandColor !== null && { brandColor }),
          ...(logoUrl !== null && { logoUrl }),
        },
      }),
    })),
    expiresDate: expiresAt.toISOString(),
    idleUntil: new Date(Math.min(seenAt.getTime() + IDLE_MS, expiresAt.getTime())).toISOString(),
  }
}

async function describe(tx: SystemTx, cookie: string | undefined): Promise<z.infer<typeof schema.Session>> {
  const found = cookie === undefined ? undefined : await findSession(tx, cookie, false)
  if (!found) throw new AppError('UNAUTHORIZED', 'Business session is required')
  return shown(found, tx.context.settings.secondFactor)
}

const begun = async (open: account.Open, cookie: NewSession) => ({
  status: 200 as const,
  body: await open((tx) => describe(tx, cookie.value)),
  cookie,
})

export const signIn = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/session',
  tag,
  summary: 'Sign in',
  effects: ['lets-in'],
  description:
    'Sets the cookie of a session, which ends after 15 minutes without a request and after 12 hours in any case. A request ' +
    'that a page sends on its own carries `Kitlane-Background: 1` and does not count as use.',
  body: schema.SignIn,
  answers: { 200: schema.Session },
  errors: ['SIGN_IN_FAILED', 'SSO_REQUIRED', 'CODE_REQUIRED', 'CODE_WRONG'],
  handler: async ({ open, body, ...from }) => begun(open, await account.signIn(open, body, from)),
})

export const offerPasskeySignIn = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/session/passkey/options',
  tag,
  summary: 'Begin to sign in with a passkey',
  effects: [],
  description: 'What `navigator.credentials.get` takes. It names no account: the person chooses one of theirs.',
  answers: { 200: PasskeyOptions },
  errors: ['FEATURE_NOT_ENABLED'],
  handler: async ({ open, origin }) => ({
    status: 200,
    body: { ...(await offerRequest(open, undefined, origin)) },
  }),
})

export const signInWithPasskey = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/session/passkey',
  tag,
  summary: 'Sign in with a passkey',
  effects: ['lets-in'],
  description: 'Sets the cookie of a session. The device checked who holds it: no password and no code are asked.',
  body: PasskeySignIn,
  answers: { 200: schema.Session },
  errors: ['PASSKEY_NOT_VALID', 'FEATURE_NOT_ENABLED'],
  handler: async ({ open, body, ...from }) => begun(open, await signInByPasskey(open, body.response, from)),
})

export const getSession = defineRoute({
  audience: 'account',
  method: 'GET',
  path: '/session',
  tag,
  summary: 'Get the session',
  answers: { 200: schema.Session },
  handler: async ({ open, cookie }) => ({ status: 200, body: await open((tx) => describe(tx, cookie)) }),
})

export const signOut = defineRoute({
  audience: 'account',
  method: 'DELETE',
  path: '/session',
  tag,
  summary: 'Sign out',
  effects: [],
  answers: { 204: Nothing },
  handler: async ({ open, cookie }) => {
    if (cookie !== undefined) await open((tx) => endSession(tx, cookie))
    return { status: 204, body: undefined, cookie: null }
  },
})

export const changePassword = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/password',
  tag,
  summary: 'Change the password',
  effects: ['lets-in'],
  description: 'Ends every session of the user, this one too: sign in with the new password.',
  body: schema.PasswordChange,
  answers: { 204: Nothing },
  errors: ['SIGN_IN_FAILED'],
  handler: async ({ open, body, session }) => {
    await passwords.changePassword(open, session, body)
    return { status: 204, body: undefined, cookie: null }
  },
})

export const setUpTotp = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/totp',
  tag,
  summary: 'Set up codes of an authenticator',
  effects: [],
  description: 'They are asked for once a first code was confirmed.',
  body: schema.Password,
  answers: { 200: schema.TotpSetup },
  errors: ['SIGN_IN_FAILED', 'TOTP_ENABLED', 'REAUTHENTICATION_REQUIRED'],
  handler: async ({ open, body, session }) => ({
    status: 200,
    body: await account.reauthenticate(open, session, body, (tx, { id }) => setUp(tx, id, session)),
  }),
})

export const confirmTotp = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/totp/confirm',
  tag,
  summary: 'Switch codes on',
  effects: [],
  body: schema.Code,
  answers: { 200: schema.RecoveryCodes },
  errors: ['CODE_WRONG', 'TOTP_ENABLED'],
  handler: async ({ open, body, session }) => ({
    status: 200,
    body: { recoveryCodes: await account.confirmCodes(open, session, body.code) },
  }),
})

export const switchTotpOff = defineRoute({
  audience: 'account',
  method: 'DELETE',
  path: '/session/totp',
  tag,
  summary: 'Switch codes off',
  effects: ['deletes'],
  body: schema.PasswordAndCode,
  answers: { 204: Nothing },
  errors: ['SIGN_IN_FAILED', 'CODE_WRONG'],
  handler: async ({ open, body, session }) => {
    await account.reauthenticate(open, session, body, switchOff)
    return { status: 204, body: undefined }
  },
})

export const requestPasswordReset = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/password-resets',
  tag,
  summary: 'Ask for a link to choose a new password',
  effects: [],
  description:
    'Answers the same whether the account exists or not. An address gets three such e-mails an hour at most.',
  body: schema.EmailOnly,
  answers: { 202: z.object({ message: said }) },
  handler: async ({ open, body }) => {
    const refusal = await open((tx) => requestReset(tx, body.email))
    return {
      status: 202,
      body: {
        message:
          refusal ??
          sentence(
            'If the account exists, an e-mail with a link is on its way; after three within an hour, use the newest',
          ),
      },
    }
  },
})

export const lookUpInvitation = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/invitations/look-up',
  tag,
  summary: 'See whom an invitation or a reset is for',
  effects: [],
  body: schema.Link,
  answers: { 200: schema.LinkInfo },
  errors: ['LINK_NOT_VALID'],
  handler: async ({ open, body }) => ({ status: 200, body: await open((tx) => describeLink(tx, body.token)) }),
})

export const acceptInvitation = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/invitations/accept',
  tag,
  summary: 'Accept an invitation, or choose a new password, and sign in',
  effects: ['lets-in'],
  body: schema.AcceptLink,
  answers: { 200: schema.Session },
  errors: ['LINK_NOT_VALID', 'SIGN_IN_FAILED', 'SSO_REQUIRED', 'CODE_REQUIRED', 'CODE_WRONG'],
  handler: async ({ open, body, ...from }) => begun(open, await accept(open, body, from)),
})
