import type { ErrorMeaning } from './error-meaning.ts'

/** The codes about publishing, critical results, laboratories and reminders. */
export const criticalErrorCodes = {
  CONTACT_EMAIL_MISSING: {
    status: 409,
    meaning: 'The business has no contact address, to which a test would go.',
    remedy: 'Set `contactEmail` with `PATCH /settings`.',
  },
  LABORATORY_NOT_FOUND: {
    status: 404,
    meaning: 'There is no profile of a laboratory with this ID.',
    remedy: 'List them with `GET /operator/v1/laboratories`.',
  },
  REMARK_NOT_FOUND: {
    status: 404,
    meaning: 'There is no remark with this ID that passes.',
    remedy: 'List them with `GET /operator/v1/passed-remarks`.',
  },
  LAYOUT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no layout template of this name, or no such version of it.',
    remedy: 'List them with `GET /operator/v1/layout-templates`.',
  },
  CRITICAL_NOT_NOTIFIED: {
    status: 409,
    meaning: 'The report has critical results, and the request does not say who was notified of them.',
    remedy: 'Notify that person, then send `notified` with the person and the time.',
  },
  CRITICAL_NOT_ACKNOWLEDGED: {
    status: 409,
    meaning: 'The report has critical results that nobody has acknowledged.',
    remedy: 'List them with `GET /critical-results?reportID=…`, and acknowledge each with its value read back.',
  },
  REPORT_CHANGED: {
    status: 409,
    meaning:
      'The laboratory has sent more since the report was read: another version, or a result that waits. Nothing was published.',
    remedy: 'Read the report again, and publish it with the `version` and the `seen` of that.',
  },
  REPORT_HELD: {
    status: 409,
    meaning:
      'A reviewer of the operator holds the report back, until the time in `until` at most. Nothing was published.',
    remedy:
      'Wait until it is released, or ask the operator. A reviewer releases it with `POST /operator/v1/reports/{reportID}/release`.',
  },
  READ_BACK_MISMATCH: {
    status: 409,
    meaning: 'What was read back is not the value that the laboratory gave.',
    remedy: 'Read the value again, and send all of it or its last digits.',
  },
} as const satisfies Record<string, ErrorMeaning>
