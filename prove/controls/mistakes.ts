// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source
import type { Mistake } from '../broken-checkout.ts'

/** A mistake, the promise that it breaks, and the test that must find it. */
export interface Control extends Mistake {
  /** The row of the promise table. */
  promise: string
  what: string
  /** The file of the test, and a part of its title that no other test of the file has. */
  test: string
  title: string
  /** A second line of defence that hides the mistake, taken away with it. */
  also?: Mistake
}

/** An error of PostgreSQL about a value is the caller's: nothing should come that far. */
const net: Mistake = {
  file: 'src/platform/http/error-body.ts',
  from: `if (state === '22')`,
  to: `if (state === 'none')`,
}

const of = (promise: string, test: string, controls: Omit<Control, 'promise' | 'test'>[]): Control[] =>
  controls.map((one) => ({ promise, test, ...one }))

const idempotency = 'test/database/idempotency.test.ts'
const faults = 'test/process/webhook-faults.test.ts'
const webhooks = 'test/database/webhooks.test.ts'
const http = 'test/database/http.test.ts'

/** Each in one place of the service. Add one for each promise that only a test keeps. */
export const controls: readonly Control[] = [
  ...of('R1', idempotency, [
    {
      what: 'the answers of a group are not kept',
      file: 'src/platform/http/group-commit.ts',
      from: 'writes: [...decided.writes, ...keepAnswers(tx, answers, kept.expired, keyrings)]',
      to: 'writes: [...decided.writes]',
      title: 'answers byte for byte the same and does its work once',
    },
    {
      what: 'the header is not read',
      file: 'src/platform/http/idempotency.ts',
      from: 'return { key, fingerprint: fingerprintOf(request) }',
      to: 'return undefined',
      title: '200 times at once makes one order',
    },
    {
      what: 'a replay does not say that it is one',
      file: 'src/platform/http/idempotency.ts',
      from: `headers: { ...answer.headers, 'idempotent-replayed': 'true' }`,
      to: 'headers: answer.headers',
      title: 'answers byte for byte the same and does its work once',
    },
    {
      what: 'a refusal that a later change can turn is kept',
      file: 'src/platform/http/idempotency.ts',
      from: 'err.status === 422',
      to: 'err.status < 500',
      title: 'tries again what a later change can turn',
    },
    {
      what: 'keys are kept for good',
      file: 'src/platform/http/idempotency.ts',
      from: 'const KEPT_FOR_MS = 24 * 3600 * 1000',
      to: 'const KEPT_FOR_MS = 2400 * 3600 * 1000',
      title: 'is new again after 24 hours',
    },
  ]),
  ...of('R2', idempotency, [
    {
      what: 'the body is no part of what a key stands for',
      file: 'src/platform/http/idempotency.ts',
      from: 'if (request.rawBody) hash.update(request.rawBody)',
      to: '',
      title: 'is refused with 422, be it the body',
    },
    {
      what: 'the path is no part of it',
      file: 'src/platform/http/idempotency.ts',
      from: '`${method} ${url}\\n`',
      to: '`${method}\\n`',
      title: 'is refused with 422, be it the body',
    },
    {
      what: 'a twin in flight is told to be busy, not that the first still runs',
      file: 'src/platform/http/idempotency.ts',
      from: '=== LOCK_TIMEOUT ? running(err) : err',
      to: '=== LOCK_TIMEOUT ? err : err',
      title: 'is refused with 409 while the first is still running',
    },
    {
      what: 'a key of any length is taken',
      file: 'src/platform/http/idempotency.ts',
      from: '{1,255}$/',
      to: '{1,999}$/',
      title: 'is 1 to 255 visible ASCII characters',
    },
    {
      what: 'a key is claimed by a GET',
      file: 'src/platform/http/idempotency.ts',
      from: `key === undefined || request.method === 'GET' || request.method === 'HEAD'`,
      to: 'key === undefined',
      title: 'means nothing to a GET',
    },
  ]),
  ...of('R6', faults, [
    {
      what: 'a redirect counts as delivered',
      file: 'src/modules/webhooks/delivery/sender.ts',
      from: 'status >= 200 && status < 300',
      to: 'status >= 200 && status < 400',
      title: 'and answers 307 is tried again',
    },
    {
      what: 'an answer that broke off counts as delivered',
      file: 'src/modules/webhooks/delivery/sender.ts',
      from: 'status < 300 && error === null',
      to: 'status < 300',
      title: 'and resets it within the answer is tried again',
    },
    {
      what: 'Retry-After is not heard',
      file: 'src/modules/webhooks/rules.ts',
      from: 'Math.max(base * (1 + JITTER * random), wished)',
      to: 'base * (1 + JITTER * random)',
      title: 'and answers 429 with Retry-After',
    },
    {
      what: 'an endpoint that is gone stays on',
      file: 'src/modules/webhooks/delivery/outcome.ts',
      from: 'const GONE = 410',
      to: 'const GONE = 411',
      title: 'and answers 410 is switched off',
    },
    {
      what: 'an answer is read to its end',
      file: 'src/modules/webhooks/delivery/deliver.ts',
      from: 'const READ_BYTES = 16 * 1024',
      to: 'const READ_BYTES = 2 * 1024 ** 3',
      title: 'is read 2 kB far',
    },
  ]),
  ...of('R6', webhooks, [
    {
      what: 'one endpoint may take all requests in flight',
      file: 'src/modules/webhooks/delivery/dispatch-queue.ts',
      from: 'const MAX_IN_FLIGHT = 256',
      to: 'const MAX_IN_FLIGHT = 16',
      title: 'with a long queue does not delay the first attempt of another business',
    },
  ]),
  ...of('R8', webhooks, [
    {
      what: 'the signature is of another text than the body',
      file: 'src/modules/webhooks/delivery/deliver.ts',
      from: '.sign(eventId, now, body))',
      to: '.sign(eventId, now, `${body} `))',
      title: 'signed so that the published library verifies it',
    },
    {
      what: 'the old secret ends with the rotation',
      file: 'src/modules/webhooks/delivery/deliver.ts',
      from: 'const signatures = [secret, oldSecret]',
      to: 'const signatures = [secret]',
      title: 'keeps the old secret valid for 24 h after a rotation',
    },
    {
      what: 'the old secret never ends',
      file: 'src/modules/webhooks/delivery/claim-queries.ts',
      from: 'case when w.old_secret_until > ${tx.now} then w.old_secret end',
      to: 'w.old_secret',
      title: 'keeps the old secret valid for 24 h after a rotation',
    },
    {
      what: 'a retry has an id of its own',
      file: 'src/modules/webhooks/delivery/deliver.ts',
      from: `'webhook-id': eventId,`,
      to: `'webhook-id': eventId + delivery.attempt,`,
      title: 'under the same webhook-id with a fresh timestamp',
    },
    {
      what: 'a retry carries the time of the event',
      file: 'src/modules/webhooks/delivery/deliver.ts',
      from: 'const signedAt = clock.now()',
      to: 'const signedAt = delivery.occurredAt',
      title: 'under the same webhook-id with a fresh timestamp',
    },
  ]),
  ...of('R13', http, [
    {
      what: 'text that is not JSON becomes a failure of ours',
      file: 'src/platform/http/body.ts',
      from: 'if (err) throw notJson()',
      to: `if (err) throw new Error('not JSON')`,
      title: 'bodies that are no JSON, no UTF-8, too deep',
    },
    {
      what: 'a body over the limit is told as malformed',
      file: 'src/platform/http/error-body.ts',
      from: `FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE'`,
      to: `FST_ERR_CTP_BODY_TOO_LARGE: ['VALIDATION_FAILED'`,
      title: 'bodies over the limit of the route are 413',
    },
    {
      what: 'text that PostgreSQL cannot hold reaches it',
      file: 'src/domain/text.ts',
      from: `value.isWellFormed() && !value.includes('\\0')`,
      to: `value !== 'none'`,
      also: net,
      title: 'each field with each hostile value',
    },
    {
      what: 'the text of a search is not checked',
      file: 'src/platform/http/fields.ts',
      from: 'export const searchText = anyText(200)',
      to: 'export const searchText = z.string()',
      also: net,
      title: 'hostile values in each parameter of a query',
    },
  ]),
  ...of('R13', 'test/database/sockets.test.ts', [
    {
      what: 'what is not HTTP is answered with 500',
      file: 'src/platform/http/server.ts',
      from: '`HTTP/1.1 400 Bad Request',
      to: '`HTTP/1.1 500 Internal Server Error',
      title: 'is answered with 4xx or by closing, and harms nobody else',
    },
  ]),
]
