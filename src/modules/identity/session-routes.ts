import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { publicRoute, sessionRoute } from '../../platform/http/account-route.ts'
import { accept, describeLink } from './account-links.ts'
import { requestReset } from './password-resets.ts'
import { changePassword } from './passwords.ts'
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
import { signIn as begin, confirmCodes, type Open, reauthenticate } from './sign-in.ts'
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

const begun = async (open: Open, cookie: NewSession) => ({
  status: 200 as const,
  body: await open((tx) => describe(tx, cookie.value)),
  cookie,
})

export const signIn = publicRoute({
  method: 'POST',
  path: '/session',
  id: 'signIn',
  tag,
  summary: 'Sign in',
  description:
    'Sets the cookie of a session, which ends after 15 minutes without a request and after 12 hours in any case. A request ' +
    'that a page sends on its own carries `Kitlane-Background: 1` and does not count as use.',
  body: SignIn,
  responses: { 200: Session },
  errors: ['SIGN_IN_FAILED', 'CODE_REQUIRED', 'CODE_WRONG', 'RATE_LIMITED'],
  handler: async ({ open, body, ...from }) => begun(open, await begin(open, body, from)),
})

export const getSession = sessionRoute({
  method: 'GET',
  path: '/session',
  id: 'getSession',
  tag,
  summary: 'Get the session',
  responses: { 200: Session },
  handler: async ({ open, cookie }) => ({ status: 200, body: await open((tx) => describe(tx, cookie)) }),
})

export const signOut = sessionRoute({
  method: 'DELETE',
  path: '/session',
  id: 'signOut',
  tag,
  summary: 'Sign out',
  responses: { 204: Nothing },
  handler: async ({ open, cookie }) => {
    if (cookie !== undefined) await open((tx) => endSession(tx, cookie))
    return { status: 204, body: undefined, cookie: null }
  },
})

export const setPassword = sessionRoute({
  method: 'POST',
  path: '/session/password',
  id: 'changePassword',
  tag,
  summary: 'Change the password',
  description: 'Ends every session of the user, this one too: sign in with the new password.',
  body: PasswordChange,
  responses: { 204: Nothing },
  errors: ['SIGN_IN_FAILED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  handler: async ({ open, body, session }) => {
    await changePassword(open, session, body)
    return { status: 204, body: undefined, cookie: null }
  },
})

export const setUpTotp = sessionRoute({
  method: 'POST',
  path: '/session/totp',
  id: 'setUpTotp',
  tag,
  summary: 'Set up codes of an authenticator',
  description: 'They are asked for once a first code was confirmed.',
  body: Password,
  responses: { 200: TotpSetup },
  errors: ['SIGN_IN_FAILED', 'TOTP_ENABLED', 'RATE_LIMITED'],
  handler: async ({ open, body, session }) => ({
    status: 200,
    body: await reauthenticate(open, session, body, (tx, { id }) => setUp(tx, id)),
  }),
})

export const confirmTotp = sessionRoute({
  method: 'POST',
  path: '/session/totp/confirm',
  id: 'confirmTotp',
  tag,
  summary: 'Switch codes on',
  body: Code,
  responses: { 200: RecoveryCodes },
  errors: ['CODE_WRONG', 'TOTP_ENABLED', 'RATE_LIMITED'],
  handler: async ({ open, body, session }) => ({
    status: 200,
    body: { recoveryCodes: await confirmCodes(open, session, body.code) },
  }),
})

export const switchTotpOff = sessionRoute({
  method: 'DELETE',
  path: '/session/totp',
  id: 'switchTotpOff',
  tag,
  summary: 'Switch codes off',
  body: PasswordAndCode,
  responses: { 204: Nothing },
  errors: ['SIGN_IN_FAILED', 'CODE_WRONG', 'RATE_LIMITED'],
  handler: async ({ open, body, session }) => {
    await reauthenticate(open, session, body, switchOff)
    return { status: 204, body: undefined }
  },
})

export const resetPassword = publicRoute({
  method: 'POST',
  path: '/password-resets',
  id: 'requestPasswordReset',
  tag,
  summary: 'Ask for a link to choose a new password',
  description:
    'Answers the same whether the account exists or not. An address gets three such e-mails an hour at most.',
  body: EmailOnly,
  responses: { 202: z.object({ message: z.string() }) },
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

export const readLink = publicRoute({
  method: 'POST',
  path: '/invitations/look-up',
  id: 'lookUpInvitation',
  tag,
  summary: 'See whom an invitation or a reset is for',
  body: Link,
  responses: { 200: LinkInfo },
  errors: ['LINK_NOT_VALID'],
  handler: async ({ open, body }) => ({ status: 200, body: await open((tx) => describeLink(tx, body.token)) }),
})

export const acceptInvitation = publicRoute({
  method: 'POST',
  path: '/invitations/accept',
  id: 'acceptInvitation',
  tag,
  summary: 'Accept an invitation, or choose a new password, and sign in',
  body: AcceptLink,
  responses: { 200: Session },
  errors: ['LINK_NOT_VALID', 'SIGN_IN_FAILED', 'CODE_REQUIRED', 'CODE_WRONG', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  handler: async ({ open, body, ...from }) => begun(open, await accept(open, body, from)),
})
