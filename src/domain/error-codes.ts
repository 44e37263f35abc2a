import { accessErrorCodes } from './access-error-codes.ts'
import { connectionErrorCodes } from './connection-error-codes.ts'
import { consentErrorCodes } from './consent-error-codes.ts'
import { criticalErrorCodes } from './critical-error-codes.ts'
import type { ErrorMeaning } from './error-meaning.ts'
import { paymentErrorCodes } from './payment-error-codes.ts'
import { retentionErrorCodes } from './retention-error-codes.ts'
import { signInErrorCodes } from './sign-in-error-codes.ts'
import { ssoErrorCodes } from './sso-error-codes.ts'
import { stockErrorCodes } from './stock-error-codes.ts'

/** Every error code of the API, declared once. */
export const errorCodes = {
  ...accessErrorCodes,
  ...ssoErrorCodes,
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The request carries no valid token or session.',
    remedy: 'Send `Authorization: Token <token>`, or sign in again. `details` says what is missing.',
  },
  SIGN_IN_FAILED: {
    status: 401,
    meaning: 'The e-mail address and the password do not match an account.',
    remedy: 'Check both, or request a new password.',
  },
  CODE_REQUIRED: {
    status: 401,
    meaning: 'The account has a second factor, and the request has no code.',
    remedy: 'Send the code of the authenticator app too.',
  },
  CODE_WRONG: {
    status: 401,
    meaning: 'The code is wrong or was used before.',
    remedy: 'Send the next code of the authenticator app, or an unused recovery code.',
  },
  ...signInErrorCodes,
  FORBIDDEN: {
    status: 403,
    meaning: 'The token or the role does not allow this.',
    remedy: 'Use a token or a role that does. The message names what is missing.',
  },
  CROSS_SITE: {
    status: 403,
    meaning: 'A change with a session cookie, or a call of `/mcp`, came from a page of another site.',
    remedy: 'Make the change in the dashboard, or call with a token instead of a cookie, and `/mcp` from a program.',
  },
  SANDBOX_TOKEN_REQUIRED: {
    status: 403,
    meaning: 'The route works in the sandbox only, and the token is a live one.',
    remedy: 'Use a sandbox token (`kl_test_…`).',
  },
  FEATURE_NOT_ENABLED: {
    status: 403,
    meaning: 'The feature is off for this business or this installation.',
    remedy: 'Ask the operator to turn it on. The message names what is missing.',
  },
  VALIDATION_FAILED: {
    status: 400,
    meaning: 'The request, or one of its values, is not valid.',
    remedy: 'Correct the fields that `details` names, and send the request again.',
  },
  REALM_REQUIRED: {
    status: 400,
    meaning: 'The request has a session cookie and does not name a business and a mode.',
    remedy: 'Send `Kitlane-Realm: <businessId>/live` or `Kitlane-Realm: <businessId>/sandbox`.',
  },
  ...paymentErrorCodes,
  ROUTE_NOT_FOUND: {
    status: 404,
    meaning: 'No route has this method and path.',
    remedy: 'Compare both with the documentation at `/docs`.',
  },
  UNDELIVERED_NOT_FOUND: {
    status: 404,
    meaning: 'No box of such a kit was ever undeliverable.',
    remedy: 'Check the kit ID. `GET /undelivered` lists the boxes where somebody has to act.',
  },
  ...stockErrorCodes,
  HOLD_NOT_FOUND: {
    status: 404,
    meaning: 'The sample of such a kit was never on hold.',
    remedy: 'Check the kit ID. `GET /held-samples` lists the samples on hold.',
  },
  LAB_ORDER_NOT_FOUND: {
    status: 404,
    meaning: 'This kit was never ordered at a laboratory.',
    remedy: 'Check the kit ID. A kit is ordered once it is registered or received, where a laboratory takes orders.',
  },
  NOTICE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such notifiable result.',
    remedy: 'Check the ID. `GET /notices` lists the results that authorities want told.',
  },
  KIT_NEVER_ARRIVED: {
    status: 409,
    meaning: 'As far as is known the kit reached nobody: its box came back, waits somewhere, is lost, or was replaced.',
    remedy: 'Look into the box. If there is a sample in it, send the same with `"confirm": true`.',
  },
  ORDER_PACKED: {
    status: 409,
    meaning: 'A kit of the order is packed, or a packer has it in hand, so the address of the order stays.',
    remedy:
      'A packer who does not pack it lets it go after 10 minutes: try again. Else ask for a replacement of the kit.',
  },
  ORDER_NOT_FOUND: {
    status: 404,
    meaning: 'The business has no order with this ID in this mode.',
    remedy: 'Check the ID, and that the token is of the right mode.',
  },
  PLAN_NOT_FOUND: { status: 404, meaning: 'There is no such recurring plan.', remedy: 'Check the ID and the mode.' },
  KIT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no kit with this ID that the caller may see.',
    remedy: 'Check the ID, and that the token is of the right business and mode.',
  },
  CUSTOMER_NOT_FOUND: {
    status: 404,
    meaning: 'The business has no customer with this ID in this mode; perhaps the customer was erased.',
    remedy: 'Find the customer with `GET /customers`, or create one.',
  },
  REPORT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no report with this ID that the caller may read.',
    remedy: 'Check the ID, and whether the report is published.',
  },
  REVERSAL_NOT_FOUND: {
    status: 404,
    meaning: 'The payments of the business have no refund or dispute with this ID of the payment provider.',
    remedy: 'Take the ID from `GET /operator/v1/waiting-reversals`.',
  },
  BUSINESS_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such business, or several businesses have this name.',
    remedy: 'Use the ID, from `GET /operator/v1/businesses` or `kitlane business list`.',
  },
  PANEL_NOT_FOUND: {
    status: 404,
    meaning: 'There is no panel of this kit type, or the business does not have it.',
    remedy: 'Check the kit type, or provision the panel for the business first.',
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    meaning: 'There is no valid token with this ID.',
    remedy: 'List the tokens. If the token is revoked already, there is nothing to do.',
  },
  USER_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such user.',
    remedy: 'List the users, and check the ID or the e-mail address.',
  },
  LINK_NOT_VALID: {
    status: 404,
    meaning: 'The link was used, has expired or is incomplete.',
    remedy: 'Ask for a new link.',
  },
  JOB_NOT_FOUND: {
    status: 404,
    meaning: 'There is no job with this ID, or the job to retry has not failed.',
    remedy: 'Check the ID: the answer that started the job has it.',
  },
  MESSAGE_NOT_FOUND: {
    status: 404,
    meaning: 'No laboratory message with this ID waits.',
    remedy: 'List the messages: somebody may have assigned or dismissed this one.',
  },
  PERSON_DIFFERS: {
    status: 409,
    meaning: 'The person of the kit has another name, date of birth or sex than the one whom the message names.',
    remedy: 'Compare both people. If the kit is the right one, send the differences that you saw in `differences`.',
  },
  UPLOAD_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such file to review, or no picture of this page.',
    remedy: 'List the files to review, and check the ID and the page.',
  },
  RESULT_NOT_FOUND: {
    status: 404,
    meaning: 'No result with this ID waits.',
    remedy: 'List the results: somebody may have closed this one.',
  },
  BIOMARKER_NOT_FOUND: {
    status: 404,
    meaning: 'The catalogue has no biomarker with this ID.',
    remedy: 'Take the ID from `GET /operator/v1/biomarkers`.',
  },
  ALARM_NOT_FOUND: {
    status: 404,
    meaning: 'There is no alarm with this ID.',
    remedy: 'Take the ID from `GET /operator/v1/alarms`.',
  },
  ACCESS_REVIEW_CHANGED: {
    status: 409,
    meaning: 'Somebody was given a right, or lost one, since the list was shown.',
    remedy: 'Read `GET /operator/v1/access-review` again, check what is new, and sign off with its `sha256`.',
  },
  EMAIL_NOT_FOUND: {
    status: 404,
    meaning: 'There is no e-mail with this ID.',
    remedy: 'Take the ID from the list of e-mails.',
  },
  UPLOAD_CLOSED: {
    status: 409,
    meaning: 'Somebody has already confirmed or dismissed this file.',
    remedy: 'Read `state` in the answer. There is nothing left to do.',
  },
  CUSTOMER_EXISTS: {
    status: 409,
    meaning: 'The business has a customer with this e-mail address already.',
    remedy: 'Use that customer, or correct the address.',
  },
  EXTERNAL_ID_EXISTS: {
    status: 409,
    meaning: 'Another customer of the business has this `external_id`.',
    remedy: 'Use that customer, or another `external_id`.',
  },
  USER_EXISTS: {
    status: 409,
    meaning: 'There is a user with this e-mail address already.',
    remedy: 'Change the role of that user instead.',
  },
  LAST_ADMIN: {
    status: 409,
    meaning: 'The change would leave no administrator.',
    remedy: 'Make another user an administrator first.',
  },
  TOTP_ENABLED: {
    status: 409,
    meaning: 'The second factor is on already.',
    remedy: 'Switch it off before you set up another one.',
  },
  KIT_ALREADY_REGISTERED: {
    status: 409,
    meaning: 'The kit is registered already.',
    remedy: 'Check the kit ID.',
  },
  TRACKING_NUMBER_TAKEN: {
    status: 409,
    meaning: 'The tracking number is on another parcel, or on a label that this kit must not be shipped with.',
    remedy: 'Scan the labels again: each number is for one parcel. The answer says which label to take.',
  },
  KIT_CLAIMED: {
    status: 409,
    meaning: 'Another packer is packing this kit.',
    remedy: 'Take another kit, or wait until the claim ends.',
  },
  ...consentErrorCodes,
  ...retentionErrorCodes,
  ...connectionErrorCodes,
  ILLEGAL_TRANSITION: {
    status: 409,
    meaning: 'The order, kit, report or job is in a state that does not allow this.',
    remedy: 'Read the message, and `current` and `allowed` if the answer has them. Choose an allowed step.',
  },
  ...criticalErrorCodes,
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is still running.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the same request again.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    meaning: 'This Idempotency-Key was used with another request.',
    remedy: 'Use a new key for a new request.',
  },
  FILE_NOT_READABLE: {
    status: 422,
    meaning: 'The file or message cannot be read. `details` says why.',
    remedy: 'Correct the file, or send the data in another format.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body or the file is larger than the route accepts, or holds too many values.',
    remedy: 'Send less, or send it in several requests.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The route does not accept this content type or content encoding.',
    remedy: 'Send `Content-Type: application/json`, or a type that the route names, without `Content-Encoding`.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'There were too many requests or attempts.',
    remedy: 'Wait for the seconds in `Retry-After`, then try again.',
  },
  INTERNAL: {
    status: 500,
    meaning: 'The service failed for a reason that it did not expect.',
    remedy: 'Send the request again with the same Idempotency-Key. If it fails again, report the `requestId`.',
  },
  STORAGE_FULL: {
    status: 503,
    meaning: 'The disk of the database, or the store of the files, is full. Nothing was changed.',
    remedy: 'The operator gives it space. Then send the same request again with the same Idempotency-Key.',
  },
  OVERLOADED: {
    status: 503,
    meaning: 'The service is busy or stopping, or cannot reach its database or the card gateway.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the same request again with the same Idempotency-Key.',
  },
} as const satisfies Record<string, ErrorMeaning>
