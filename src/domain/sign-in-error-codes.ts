import type { ErrorMeaning } from './error-meaning.ts'

/** The codes of passkeys, second factors and proofs. */
export const signInErrorCodes = {
  PASSKEY_NOT_VALID: {
    status: 401,
    meaning:
      'The passkey is not known, or what it signed is not what was asked: too old, for another site, or used before.',
    remedy: 'Ask for new options and sign again, or sign in another way.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    meaning: 'The role, or the business, demands a second factor, and the signed-in account has none.',
    remedy: 'Set up a passkey or the codes of an authenticator app on the page of the account, then go on.',
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    meaning: 'The session has not proved within the last 10 minutes who uses it. Tokens are never asked.',
    remedy: 'Send a proof that `by` names to `POST /session/proof`, then send the same request again.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    meaning: 'The signed-in person has no session with this ID; perhaps it has ended.',
    remedy: 'List the sessions again.',
  },
  PASSKEY_NOT_FOUND: {
    status: 404,
    meaning: 'The signed-in person has no passkey with this ID.',
    remedy: 'List the passkeys again.',
  },
} as const satisfies Record<string, ErrorMeaning>
