import type { ErrorMeaning } from './error-meaning.ts'

/** The codes about consents, and about who may be tested. */
export const consentErrorCodes = {
  CONSENT_TEXT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such consent text in this mode.',
    remedy: 'Check the ID: `GET /consent-texts` lists them.',
  },
  WITHDRAWAL_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such withdrawal of a consent.',
    remedy: 'Check the ID.',
  },
  CONSENT_REQUIRED: {
    status: 409,
    meaning:
      'The kit has no consent that counts for the person who is registered, or it was taken back, and the business requires one. A minor always needs that of a guardian; an adult their own, or a parent’s, guardian’s or caregiver’s.',
    remedy: 'Record the consent, then register the kit.',
  },
  DATA_REQUEST_NOT_FOUND: {
    status: 404,
    meaning: 'No person made such a request in this mode, or they were erased.',
    remedy: 'Check the ID, and whether it asks for a copy or for erasure: `GET /data-requests` lists them.',
  },
  DATA_REQUEST_CLOSED: {
    status: 409,
    meaning: 'The request of the person was granted or refused before.',
    remedy: 'Nothing. The person may ask again.',
  },
  NOTHING_TO_WITHDRAW: {
    status: 409,
    meaning: 'Nobody agreed to this, or the consent was taken back before.',
    remedy: 'Nothing: the person is not tested, or their results are not shared.',
  },
  AGE_NOT_ALLOWED: {
    status: 422,
    meaning: 'The panel is not for people of this age. The message says for whom it is.',
    remedy: 'Check the date of birth. If it is right, the person needs another panel.',
  },
  SEX_NOT_ALLOWED: {
    status: 422,
    meaning: 'The panel is for people of the other sex only.',
    remedy: 'Check `sex`. If it is right, the person needs another panel.',
  },
  GUARDIAN_REQUIRED: {
    status: 422,
    meaning: 'The person is under 18, and no parent or guardian registers them.',
    remedy: 'Record the consent of a guardian with its `relation`, then register the kit with `guardian`.',
  },
  TEXT_CONSENT_NOT_FOUND: {
    status: 404,
    meaning: 'The customer has not agreed to text messages.',
    remedy: 'Keep their consent with `POST /customers/{id}/text-consent`, or let them agree on their own page.',
  },
  TEXT_MESSAGES_STOPPED: {
    status: 409,
    meaning: 'The person stopped the text messages, on their own page or by answering STOP.',
    remedy: 'Nothing: only they can begin them again, by answering START or on their own page. Reminders go by e-mail.',
  },
} as const satisfies Record<string, ErrorMeaning>
