import { access, defineModule, defineTables } from '../define-module.ts'
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

export const identity = defineModule({
  name: 'identity',
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
      times: { created_at: access, expires_at: access },
    },
    known_devices: {
      written: 'browsers are remembered by sessions.ts',
      times: { seen_at: access },
    },
    memberships: {
      written: 'memberships are changed by members.ts and given by invitations.ts',
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
      times: { created_at: access, used_at: access },
    },
    recovery_codes: {
      written: 'recovery codes are made and taken by totp.ts',
    },
    sessions: {
      written: 'sessions are begun and ended by sessions.ts',
      times: { created_at: access, expires_at: access, factor_proved_at: access, proved_at: access, seen_at: access },
    },
    sign_in_policies: {
      written: 'what a business demands is changed by sign-in-policy.ts',
      times: { changed_at: access },
    },
    sign_in_failures: {
      written: 'failed attempts are counted by attempts.ts',
      times: { at: access },
    },
    support_accesses: {
      written: 'accesses of the operator are made and ended by support-access.ts',
      sealed: [sealedVisits],
      times: { answer_by: access, ended_at: access, ends_at: access, requested_at: access, started_at: access },
    },
    token_uses: {
      written: 'the last use of tokens is written by token-uses.ts',
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
      times: { created_at: access },
    },
    tokens: {
      written: 'tokens of a business are made and revoked by tokens.ts',
      times: { created_at: access, expires_at: access, revoked_at: access },
    },
    users: {
      written: 'users are made and changed by users.ts',
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
