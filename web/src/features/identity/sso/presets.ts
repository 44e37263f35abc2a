import { t } from '../../../language/t.ts'

/** How one identity provider is connected. docs/sign-on.md says the same at length. */
export interface Preset {
  id: string
  name: string
  /** The shape of its issuer; without `<` it is the issuer itself. */
  issuer: string
  isIssuer: RegExp
  groupClaim: string
  /** What a group looks like in its tokens. */
  group: string
  /** Whether its word on an address is enough. */
  email: string
  /** What is set up there, after the redirect URI. */
  steps: readonly string[]
  /** What to do there about what stops a sign-in, by its reason. */
  remedies: Readonly<Record<string, string>>
}

export const presets: readonly Preset[] = [
  {
    id: 'entra',
    name: 'Microsoft Entra ID',
    issuer: 'https://login.microsoftonline.com/<tenant ID>/v2.0',
    isIssuer: /^https:\/\/(login\.(partner\.)?microsoftonline\.(com|us|cn)|sts\.windows\.net)\//,
    groupClaim: 'groups',
    group: t('The object ID of the group'),
    email: t('It sends no email_verified: your own tenant is believed for your verified domains.'),
    steps: [
      t('App registrations, New registration: accounts in this organization only, redirect URI of the kind Web.'),
      t('Overview: copy the application (client) ID, and the directory (tenant) ID for the issuer.'),
      t('Certificates & secrets, New client secret: copy its value, not its ID. Note the day on which it expires.'),
      t('Token configuration, Add groups claim: Groups assigned to the application, as group ID.'),
      t('Enterprise applications, Users and groups: assign the groups.'),
    ],
    remedies: {
      no_group: t('Check the groups claim in Token configuration, and enter the object ID of the group, not its name.'),
      groups_not_sent: t('In Token configuration choose Groups assigned to the application.'),
      email_missing: t('Give the person an e-mail address, or add the optional claim email in Token configuration.'),
      email_not_verified: t(
        'The address is not of a domain that your tenant has verified, or the tenant is another one.',
      ),
      issuer_other: t('The issuer needs the tenant ID, not the name of the tenant.'),
    },
  },
  {
    id: 'okta',
    name: 'Okta',
    issuer: 'https://<you>.okta.com',
    isIssuer: /^https:\/\/[^/]+\.okta(preview|-emea|-gov)?\.(com|mil)(\/|$)/,
    groupClaim: 'groups',
    group: t('The name of the group'),
    email: t('It sends email_verified.'),
    steps: [
      t('Applications, Create App Integration: OIDC, Web Application; the sign-in redirect URI.'),
      t('Assignments: assign the groups.'),
      t('General: copy the client ID and the secret.'),
      t('Sign On, OpenID Connect ID Token: a groups claim of the type Filter, groups, Matches regex .*'),
    ],
    remedies: {
      no_group: t('Check the filter of the groups claim under Sign On, OpenID Connect ID Token.'),
      issuer_unknown: t('The issuer is the address without -admin.'),
      email_not_verified: t('The person has not confirmed the address at Okta yet.'),
    },
  },
  {
    id: 'google',
    name: 'Google Workspace',
    issuer: 'https://accounts.google.com',
    isIssuer: /^https:\/\/accounts\.google\.com\/?$/,
    groupClaim: 'hd',
    group: t('Your domain: Google sends no groups, so all your people get one role'),
    email: t('It sends email_verified.'),
    steps: [
      t('In Google Cloud, Google Auth Platform, Audience: Internal.'),
      t('Clients, Create client: Web application; the authorized redirect URI.'),
      t('Copy the client ID and the secret: the secret is shown once.'),
    ],
    remedies: {
      no_group: t('Enter your Workspace domain as the group. Private accounts of Google have none.'),
    },
  },
  {
    id: 'keycloak',
    name: 'Keycloak',
    issuer: 'https://<host>/realms/<realm>',
    isIssuer: /^https?:\/\/[^/]+(\/auth)?\/realms\/[^/]+\/?$/,
    groupClaim: 'groups',
    group: t('The name of the group'),
    email: t('It sends email_verified: switch Email verified on for each user, or let them confirm the address.'),
    steps: [
      t('Clients, Create client: OpenID Connect; Client authentication on, Standard flow alone.'),
      t('Valid redirect URIs: the redirect URI.'),
      t('Credentials: copy the client secret. The client ID is the name that you gave.'),
      t('Client scopes, the dedicated one, Add mapper, Group Membership: claim groups, in the ID token.'),
    ],
    remedies: {
      no_group: t('Add the mapper Group Membership to the client’s dedicated scope, with Add to ID token.'),
      email_not_verified: t('Switch Email verified on for the user.'),
      issuer_unknown: t('Before version 17 the issuer had /auth before /realms.'),
    },
  },
  {
    id: 'jumpcloud',
    name: 'JumpCloud',
    issuer: 'https://oauth.id.jumpcloud.com/',
    isIssuer: /^https:\/\/oauth\.id\.jumpcloud\.com\/?$/,
    groupClaim: 'groups',
    group: t('The name of the user group'),
    email: t('It sends email_verified with the scope Email.'),
    steps: [
      t('SSO Applications, Add New Application, Custom Application: Configure SSO with OIDC.'),
      t('SSO: the redirect URI; client authentication Client Secret Basic; as login URL this dashboard.'),
      t('Attribute mapping: the standard scopes Email and Profile; Include group attribute, named groups.'),
      t('Activate: copy the client ID and the secret, which is shown once.'),
      t('User Groups: give the groups access.'),
    ],
    remedies: {
      no_group: t('Switch Include group attribute on, and name it as the claim with the groups.'),
      email_missing: t('Tick the standard scope Email.'),
    },
  },
]

export const presetOf = (issuer: string): Preset | undefined => presets.find(({ isIssuer }) => isIssuer.test(issuer))
