import { type ErrorDetail, KitlaneError } from './errors.ts'
import { delayAfter, mayPass, retryAfterOf, sleep } from './retries.ts'
import type { CallOptions } from './shapes.ts'

/** One try of a request, as hooks see it. `headers` may be changed before it is sent; they hold the token. */
export interface SentRequest {
  method: string
  url: string
  headers: Headers
  requestId: string
  /** 1 for the first try. */
  attempt: number
}

export interface ReceivedAnswer extends Omit<SentRequest, 'headers'> {
  /** Undefined where no answer came. */
  status: number | undefined
  headers: Headers | undefined
  durationMs: number
  error: KitlaneError | undefined
  /** When it is sent again; undefined if this was the last try. */
  retryInMs: number | undefined
}

export interface TransportOptions {
  /** How often a request is sent again after its first try. */
  maxRetries?: number
  /** The most before the second try, in milliseconds; twice as much before each later one. */
  retryDelayMs?: number
  /** For each try, until its answer is read to the end. */
  timeoutMs?: number
  fetch?: typeof globalThis.fetch
  /** Called before each try. */
  onRequest?: (request: SentRequest) => void | Promise<void>
  /** Called after each try, also one without an answer. */
  onResponse?: (answer: ReceivedAnswer) => void | Promise<void>
}

export type Transport = (request: Request, options?: CallOptions) => Promise<Response>

const isRead = (method: string) => method === 'GET' || method === 'HEAD'
// These routes act for somebody who is not signed in yet, and know no keys: what may have been done is not sent again.
const WITHOUT_KEY = /\/api\/v1\/(sessions?|invitations|password-resets)(\/|$)/

/** Sends requests until they are answered, each write with one Idempotency-Key. Throws `KitlaneError` for what is no success. */
export function createTransport(given: TransportOptions = {}): Transport {
  return async (request, options = {}) => {
    const {
      signal = request.signal,
      maxRetries = given.maxRetries ?? 3,
      timeoutMs = given.timeoutMs ?? 60_000,
    } = options
    signal.throwIfAborted()
    const firstMs = given.retryDelayMs ?? 500
    const { method, url } = request
    const headers = new Headers(request.headers)
    const takesKey = !isRead(method) && !WITHOUT_KEY.test(new URL(url).pathname)
    if (takesKey && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', randomId())
    if (!headers.has('X-Request-Id')) headers.set('X-Request-Id', randomId())
    const idempotencyKey = headers.get('Idempotency-Key') ?? undefined
    const requestId = headers.get('X-Request-Id') ?? ''
    const body = isRead(method) ? undefined : await request.arrayBuffer()
    const fetch = given.fetch ?? globalThis.fetch

    for (let attempt = 1; ; attempt++) {
      const sent = { method, url, requestId, attempt, headers: new Headers(headers) }
      await given.onRequest?.(sent)
      const begun = performance.now()
      const { answer, error } = await tryOnce(sent, { fetch, body, signal, timeoutMs, idempotencyKey })
      signal.throwIfAborted()
      const mayRepeat = error && attempt <= maxRetries && (isRead(method) || takesKey) && mayPass(error)
      const retryInMs = mayRepeat ? delayAfter(attempt, { firstMs, retryAfterMs: error.retryAfterMs }) : undefined
      const durationMs = performance.now() - begun
      await given.onResponse?.({
        ...sent,
        status: answer?.status,
        headers: answer?.headers,
        durationMs,
        error,
        retryInMs,
      })
      if (!error) return answer
      if (retryInMs === undefined) throw error
      await sleep(retryInMs, signal)
    }
  }
}

interface Try {
  fetch: typeof globalThis.fetch
  body: ArrayBuffer | undefined
  signal: AbortSignal
  timeoutMs: number
  idempotencyKey: string | undefined
}

async function tryOnce(sent: SentRequest, { fetch, body, signal, timeoutMs, idempotencyKey }: Try): Promise<Outcome> {
  const { method, url, headers, requestId, attempt: attempts } = sent
  const facts = { requestId, idempotencyKey, attempts }
  const timeout = AbortSignal.timeout(timeoutMs)
  let answer: Response
  try {
    const init = { method, headers, redirect: 'manual' as const, signal: AbortSignal.any([signal, timeout]) }
    const live = await fetch(url, body?.byteLength ? { ...init, body } : init)
    // Read within the try: an answer that breaks off in the middle is lost too.
    const bytes = await live.arrayBuffer()
    if (live.status < 200) throw new TypeError('The service redirects to an address that the browser does not tell')
    answer = new Response(bytes.byteLength > 0 ? bytes : null, live)
  } catch (cause) {
    const code = timeout.aborted ? 'TIMED_OUT' : 'NO_ANSWER'
    const message = timeout.aborted ? `No answer within ${timeoutMs} ms` : `No answer from ${new URL(url).origin}`
    return { error: new KitlaneError({ ...facts, code, message, cause }) }
  }
  // The API never answers with a page: a proxy does.
  const isPage = answer.headers.get('content-type')?.startsWith('text/html')
  return answer.ok && !isPage ? { answer } : { answer, error: await errorOf(answer, facts) }
}

type Outcome = { answer: Response; error?: undefined } | { answer?: Response; error: KitlaneError }

interface ErrorBody {
  message?: string
  code?: string
  details?: ErrorDetail[]
  requestId?: string
  retryAfterSeconds?: number
}

async function errorOf(
  answer: Response,
  facts: { requestId: string; idempotencyKey: string | undefined; attempts: number },
): Promise<KitlaneError> {
  const { status, headers } = answer
  const body = asObject(await answer.clone().text()) as ErrorBody & Record<string, unknown>
  const { code = 'UNEXPECTED_ANSWER', details, retryAfterSeconds } = body
  const where = status >= 300 && status < 400 ? `, a redirect to ${headers.get('location')}: is baseUrl right?` : ''
  return new KitlaneError({
    ...facts,
    code,
    status,
    details,
    body,
    message: body.message ?? `The answer was ${status}${where}`,
    requestId: body.requestId ?? headers.get('x-request-id') ?? facts.requestId,
    // A browser does not show the header to other origins.
    retryAfterMs: retryAfterOf(headers.get('retry-after')) ?? (retryAfterSeconds && retryAfterSeconds * 1000),
  })
}

function asObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** 128 random bits. `randomUUID` is missing from pages without https. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
