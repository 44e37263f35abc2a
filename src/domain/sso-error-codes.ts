/** The codes of single sign-on: part of `errorCodes`, whose type checks them. */
export const ssoErrorCodes = {
  SSO_REQUIRED: {
    status: 403,
    meaning: 'The people of this domain sign in with single sign-on: passwords and invitations are refused.',
    remedy: 'Use the button for single sign-on on the sign-in page. To let somebody in, give them a group there.',
  },
  SSO_FAILED: {
    status: 401,
    meaning: 'The identity provider did not confirm the sign-in, or its answer was used before.',
    remedy: 'Start again at the sign-in page. If it fails again, check the settings of the single sign-on.',
  },
  SSO_REFUSED: {
    status: 403,
    meaning:
      'The person whom the identity provider names may not enter, or the issuer of the single sign-on is not the provider’s: `reason` says why.',
    remedy: 'Do what the message says, or ask the administrator to; they can try the single sign-on in the dashboard.',
  },
  CONNECTION_NOT_FOUND: {
    status: 404,
    meaning: 'There is no single sign-on with this ID, or it does not claim the domain.',
    remedy: 'List the single sign-ons, and check the ID.',
  },
  DOMAIN_TAKEN: {
    status: 409,
    meaning: 'Another single sign-on has this domain.',
    remedy: 'Take the domain back there first.',
  },
  EMERGENCY_ACCOUNT_REQUIRED: {
    status: 409,
    meaning: 'Single sign-on is enforced only with an emergency account, which is not removed while it is needed.',
    remedy: 'Name an administrator with a password in `emergencyAccount`.',
  },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    meaning: 'The card gateway, an identity provider or the host of a file did not answer.',
    remedy: 'Wait for the seconds in `Retry-After`, then try again.',
  },
} as const
