import { access, defineModule, defineTables, type PeopleData } from '../define-module.ts'
import { closeSupportAccesses, purgeAccounts, writeOldReset, writeReset } from './jobs.ts'
import * as ownSessions from './own-session-routes.ts'
import * as passkeys from './passkey-routes.ts'
import * as proofs from './proof-routes.ts'
import * as tokenCheck from './routes.ts'
import * as scim from './scim/routes.ts'
import * as session from './session-routes.ts'
import * as signInPolicy from './sign-in-policy-routes.ts'
import * as ssoOperator from './sso/operator-routes.ts'
import * as sso from './sso/routes.ts'
import * as ssoSession from './sso/session-routes.ts'
import * as supportOperator from './support-access-operator-routes.ts'
import { sealedVisits } from './support-access-queries.ts'
import * as support from './support-access-routes.ts'
import * as tokensOperator from './token-operator-routes.ts'
import * as tokens from './token-routes.ts'
import * as usersOperator from './user-operator-routes.ts'
import * as users from './user-routes.ts'

const aboutUsers: PeopleData = {
  in: 'staff',
  what: 'e-mail, name, roles, last sign-in',
  sealed: "clear; password argon2id; TOTP secret: secrets' key",
  kept: 'no term; disabling keeps the row',
  readBy: 'administrators of the business; *op* `staff`',
}

const aboutKnownDevices: PeopleData = {
  in: 'staff',
  what: 'what signs in',
  sealed: 'SHA-256; public keys',
  kept: '180 days; 1 or 72 hours; until removed',
  readBy: 'nobody; the user sees names of passkeys',
}

const aboutScimUsers: PeopleData = {
  in: 'staff',
  what: 'what the identity provider says of a user',
  sealed: 'clear',
  kept: 'until the provider or the connection is removed',
  readBy: 'administrators; the provider',
}

export const identity = defineModule({
  name: 'identity',
  tags: {
    Access: 'Whose token is this?',
    Account: 'Signing in, and what people do with their own account: password, second factors, sessions.',
    Users: 'The people of a business, its tokens, its single sign-on and its audit.',
    'Operator: staff': "The operator's own people, tokens, single sign-on and support access.",
  },
  routes: [
    session,
    passkeys,
    proofs,
    ownSessions,
    ssoSession,
    tokenCheck,
    users,
    signInPolicy,
    sso,
    scim,
    tokens,
    support,
    usersOperator,
    ssoOperator,
    tokensOperator,
    supportOperator,
  ],
  jobs: [purgeAccounts, closeSupportAccesses, writeReset, writeOldReset],
  tables: defineTables({
    account_links: {
      written: 'links to accounts are made and taken by account-links.ts',
      people: aboutKnownDevices,
      times: { created_at: access, expires_at: access },
    },
    known_devices: {
      written: 'browsers are remembered by sessions.ts',
      people: aboutKnownDevices,
      times: { seen_at: access },
    },
    memberships: {
      written: 'memberships are changed by members.ts and given by invitations.ts',
      people: aboutUsers,
      times: { accepted_at: access, created_at: access, disabled_at: access },
    },
    operator_tokens: {
      written: 'tokens of the operator are made and revoked by operator-tokens.ts',
      times: { created_at: access, expires_at: access, revoked_at: access },
    },
    passkey_challenges: {
      written: 'challenges are made and taken by passkeys.ts',
      times: { expires_at: access },
    },
    passkeys: {
      written: 'passkeys are added and removed by passkeys.ts',
      people: aboutKnownDevices,
      times: { created_at: access, used_at: access },
    },
    recovery_codes: {
      written: 'recovery codes are made and taken by totp.ts',
      people: aboutKnownDevices,
    },
    sessions: {
      written: 'sessions are begun and ended by sessions.ts',
      people: {
        in: 'staff',
        what: 'browser, network',
        sealed: 'clear; cookie SHA-256',
        kept: '15 minutes after the last request, 12 hours at most',
        readBy: 'the user',
      },
      times: { created_at: access, expires_at: access, factor_proved_at: access, proved_at: access, seen_at: access },
    },
    sign_in_policies: {
      written: 'what a business demands is changed by members.ts',
      times: { changed_at: access },
    },
    sign_in_failures: {
      written: 'failed attempts are counted by sign-in.ts',
      people: {
        in: 'staff',
        what: 'network, account',
        sealed: 'network clear, account keyed hash',
        kept: '15 minutes',
        readBy: 'nobody',
      },
      times: { at: access },
    },
    support_accesses: {
      written: 'accesses of the operator are made and ended by support-access.ts',
      people: {
        in: 'staff',
        what: 'who, reason, note, network',
        sealed: "reason of an access: operator's; else clear",
        kept: 'no term',
        readBy: 'the business; *op* `staff`, `audit`',
      },
      sealed: [sealedVisits],
      times: { answer_by: access, ended_at: access, ends_at: access, requested_at: access, started_at: access },
    },
    token_uses: {
      written: 'the last use of tokens is written by token-cache.ts',
      times: { used_at: access },
    },
    scim_groups: {
      written: 'groups of a provider are written by scim/groups.ts',
      times: { created_at: access, updated_at: access },
    },
    scim_members: {
      written: 'groups of a provider are written by scim/groups.ts',
    },
    scim_users: {
      written: 'users of a provider are written by scim/users.ts',
      people: aboutScimUsers,
      times: { created_at: access, updated_at: access },
    },
    sso_attempts: {
      written: 'sign-ins at a provider are begun and ended by sso/sign-in.ts',
      times: { expires_at: access },
    },
    sso_connections: {
      written: 'single sign-on is set up by sso/connections.ts',
      times: { created_at: access, scim_token_at: access },
    },
    sso_domains: {
      written: 'domains are claimed and verified by sso/connections.ts',
      times: { verified_at: access },
    },
    sso_identities: {
      written: 'people of a provider are linked to users by sso/sign-in.ts',
      people: aboutScimUsers,
      times: { created_at: access },
    },
    tokens: {
      written: 'tokens of a business are made and revoked by tokens.ts',
      staysInReset: 'a setting: programs go on with them',
      times: { created_at: access, expires_at: access, revoked_at: access },
    },
    users: {
      written: 'users are made and changed by users.ts',
      people: aboutUsers,
      times: {
        created_at: access,
        disabled_at: access,
        email_verified_at: access,
        signed_in_at: access,
        totp_enabled_at: access,
      },
    },
  }),
})
