import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { accept, describeLink } from './account-links.ts'
import { requestReset } from './password-resets.ts'
import * as passwords from './passwords.ts'
import { IDLE_MS } from './rules.ts'
import {
  AcceptLink,
  Code,
  EmailOnly,
  Link,
  LinkInfo,
  Password,
  PasswordAndCode,
  PasswordChange,
  RecoveryCodes,
  Session,
  SignIn,
  TotpSetup,
} from './schema.ts'
import type { LiveSession, Membership } from './session-queries.ts'
import { endSession, findSession, type NewSession } from './sessions.ts'
import * as account from './sign-in.ts'
import { setUp, switchOff } from './totp.ts'

const tag = 'Account'
const Nothing = z.undefined()

function shown({ session, memberships }: { session: LiveSession; memberships: Membership[] }): z.infer<typeof Session> {
  const { userId: id, email, name, totpEnabled, seenAt, expiresAt } = session
  return {
    user: { id, email, ...(name !== null && { name }), totpEnabled },
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

async function describe(tx: SystemTx, cookie: string | undefined): Promise<z.infer<typeof Session>> {
  const found = cookie === undefined ? undefined : await findSession(tx, cookie, false)
  if (!found) throw new AppError('UNAUTHORIZED', 'Business session is required')
  return shown(found)
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
  description:
    'Sets the cookie of a session, which ends after 15 minutes without a request and after 12 hours in any case. A request ' +
    'that a page sends on its own carries `Kitlane-Background: 1` and does not count as use.',
  body: SignIn,
  answers: { 200: Session },
  errors: ['SIGN_IN_FAILED', 'CODE_REQUIRED', 'CODE_WRONG'],
  handler: async ({ open, body, ...from }) => begun(open, await account.signIn(open, body, from)),
})

export const getSession = defineRoute({
  audience: 'account',
  method: 'GET',
  path: '/session',
  tag,
  summary: 'Get the session',
  answers: { 200: Session },
  handler: async ({ open, cookie }) => ({ status: 200, body: await open((tx) => describe(tx, cookie)) }),
})

export const signOut = defineRoute({
  audience: 'account',
  method: 'DELETE',
  path: '/session',
  tag,
  summary: 'Sign out',
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
  description: 'Ends every session of the user, this one too: sign in with the new password.',
  body: PasswordChange,
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
  description: 'They are asked for once a first code was confirmed.',
  body: Password,
  answers: { 200: TotpSetup },
  errors: ['SIGN_IN_FAILED', 'TOTP_ENABLED'],
  handler: async ({ open, body, session }) => ({
    status: 200,
    body: await account.reauthenticate(open, session, body, (tx, { id }) => setUp(tx, id)),
  }),
})

export const confirmTotp = defineRoute({
  audience: 'account',
  method: 'POST',
  path: '/session/totp/confirm',
  tag,
  summary: 'Switch codes on',
  body: Code,
  answers: { 200: RecoveryCodes },
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
  body: PasswordAndCode,
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
  description:
    'Answers the same whether the account exists or not. An address gets three such e-mails an hour at most.',
  body: EmailOnly,
  answers: { 202: z.object({ message: z.string() }) },
  handler: async ({ open, body }) => {
    await open((tx) => requestReset(tx, body.email))
    return {
      status: 202,
      body: {
        message:
          'If the account exists, an e-mail with a link is on its way; after three within an hour, use the newest',
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
  body: Link,
  answers: { 200: LinkInfo },
  errors: ['LINK_NOT_VALID'],
  handler: async ({ open, body }) => ({ status: 200, body: await open((tx) => describeLink(tx, body.token)) }),
})

export const acceptInvitation = defineRoute({
  audience: 'anyone',
  method: 'POST',
  path: '/invitations/accept',
  tag,
  summary: 'Accept an invitation, or choose a new password, and sign in',
  body: AcceptLink,
  answers: { 200: Session },
  errors: ['LINK_NOT_VALID', 'SIGN_IN_FAILED', 'CODE_REQUIRED', 'CODE_WRONG'],
  handler: async ({ open, body, ...from }) => begun(open, await accept(open, body, from)),
})
