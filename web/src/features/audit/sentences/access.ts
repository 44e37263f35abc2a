import type { AuditAction } from '@kitlane/display/audit-action'
import { t } from '../../../language/t.ts'

// `who` did it, `of` is the object, other values are details; what is in <more> is left out where one of them is missing.
type Sentences = Partial<Record<AuditAction, string>>

export const ofSigningIn = {
  'session.started': t('{who} signed in'),
  'session.single_sign_on': t('{who} signed in by single sign-on'),
  'session.refused': t('{who} was refused a sign-in: {of}'),
  'session.proved': t('{who} confirmed to be the one who signed in'),
  'session.ended': t('{who} signed out'),
  'session.revoked': t('{who} ended session {of}'),
  'business.entered': t('{who} entered the business {of}'),
  'access.refused': t('{who} was refused a request: {of}'),
  'password.changed': t('{who} changed the password of user {of}'),
  'totp.enabled': t('{who} turned on the authenticator app of user {of}'),
  'totp.disabled': t('{who} turned off the authenticator app of user {of}'),
  'recovery_code.used': t('{who} used a recovery code'),
  'passkey.added': t('{who} added a passkey for user {of}'),
  'passkey.removed': t('{who} removed a passkey of user {of}'),
  'sign_in_policy.changed': t('{who} changed the rule for second factors'),
} satisfies Sentences

export const ofUsers = {
  'user.invited': t('{who} invited user {of}'),
  'user.accepted': t('{who} accepted an invitation'),
  'user.joined': t('{who} added by single sign-on user {of}'),
  'user.created': t('{who} added user {of}'),
  'user.kept': t('{who} kept a user of a support access: {of}'),
  'user.role_changed': t('{who} changed the role of user {of}'),
  'user.disabled': t('{who} disabled the account of user {of}'),
  'user.enabled': t('{who} enabled the account of user {of}'),
  'user.removed': t('{who} removed user {of}'),
  'token.created': t('{who} made token {of}'),
  'token.changed': t('{who} changed token {of}'),
  'token.rotated': t('{who} gave a new secret to token {of}'),
  'token.revoked': t('{who} revoked token {of}'),
  'sso.created': t('{who} set up single sign-on {of}'),
  'sso.changed': t('{who} changed single sign-on {of}'),
  'sso.tried': t('{who} tried single sign-on {of}'),
  'sso.domain_verified': t('{who} verified a domain of single sign-on {of}'),
  'sso.domain_refused': t('{who} refused a domain of single sign-on {of}'),
  'sso.removed': t('{who} removed single sign-on {of}'),
  'scim.token_created': t('{who} made the token by which the identity provider manages people: {of}'),
  'scim.token_revoked': t('{who} revoked the token by which the identity provider manages people: {of}'),
} satisfies Sentences

export const ofSupport = {
  'support_access.requested': t('{who} asked for support access {of}'),
  'support_access.approved': t('{who} approved support access {of}'),
  'support_access.refused': t('{who} refused support access {of}'),
  'support_access.started': t('{who} began support access {of}'),
  'support_access.used': t('{who} used support access {of}'),
  'support_access.ended': t('{who} ended support access {of}'),
  'support_access.withdrawn': t('{who} withdrew the request for support access {of}'),
  'support_access.unanswered': t('{who} closed the request for support access {of}, which nobody answered'),
  'support_access.approval_changed': t('{who} changed whether support accesses need approval'),
} satisfies Sentences
