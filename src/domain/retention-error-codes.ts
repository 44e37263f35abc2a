import type { ErrorMeaning } from './error-meaning.ts'

/** The codes about legal holds. */
export const retentionErrorCodes = {
  LEGAL_HOLD_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such legal hold.',
    remedy: 'Check the ID: `GET /operator/v1/legal-holds?state=all` lists them.',
  },
  LEGAL_HOLD_EXISTS: {
    status: 409,
    meaning: 'A legal hold stands on this customer, or on this business, already.',
    remedy: 'Nothing: it counts until it is lifted. For another reason, lift it and set it again.',
  },
  LEGAL_HOLD_LIFTED: {
    status: 409,
    meaning: 'The legal hold was lifted before.',
    remedy: 'Set a new one if there is a reason.',
  },
} as const satisfies Record<string, ErrorMeaning>
