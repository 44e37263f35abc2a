import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Params, refuse, StripeObjects } from './stripe-stand-in-objects.ts'
import { StripeEvents, type WebhookTarget } from './stripe-stand-in-webhooks.ts'

export interface Fault {
  /** The prefix of method and path, such as `POST /v1/payment_intents`. */
  on: string
  /**
   * `lose_reply`: performs the call and disconnects. `fail_after`, `fail_before`: 500 after or without performing it,
   * repeated for the same key as Stripe does. `lock_timeout`: 409, not stored. `slow`: answers after `ms`. `decline`:
   * declines with `code`. `processing`: the charge stays in processing until `completeCharges`.
   */
  fault: 'lose_reply' | 'fail_after' | 'fail_before' | 'lock_timeout' | 'slow' | 'decline' | 'processing'
  /** 1 by default. */
  times?: number
  ms?: number
  code?: string
}

export interface Call {
  method: string
  path: string
  key?: string
  params: Params
  status: number
  replayed: boolean
}

export interface StandInState {
  calls: Call[]
  charges: { ref: string; amount: number; refunded: number; currency: string; metadata: Record<string, string> }[]
  intents: { ref: string; status: string; amount: number; metadata: Record<string, string> }[]
  events: { id: string; type: string }[]
}

export interface StripeStandIn {
  url: string
  secretKey: string
  state(): StandInState
  plan(fault: Fault): void
  webhooks(target: WebhookTarget): void
  flush(options?: { reversed?: boolean }): Promise<number[]>
  completeCharges(): void
  refundByHand(ref: string, amount: number): { id: string }
  /** The ID of the last refund of a charge. */
  refundOf(ref: string): string
  failRefund(id: string): void
  dispute(ref: string, status: string, of?: { id: string; amount?: number }): string
  /** What Stripe's element does in a browser: `isHolder` is what the holder answers the bank. */
  confirmSetup(entered: { secret: string; kind: string; isHolder?: boolean }): {
    status: string
    code?: string | undefined
  }
  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  stop(): Promise<void>
}

interface Kept {
  fingerprint: string
  answer?: Answer
}

/** Serves the parts of Stripe's API that Kitlane uses, validates strictly, and fails as planned. */
export async function startStripeStandIn(options: { port?: number } = {}): Promise<StripeStandIn> {
  const secretKey = 'sk_test_standin'
  const events = new StripeEvents()
  const objects = new StripeObjects((type, object) => events.add(type, object))
  const kept = new Map<string, Kept>()
  const calls: Call[] = []
  const faults: Fault[] = []

  function takeFault(route: string): Fault | undefined {
    const index = faults.findIndex(({ on }) => route.startsWith(on))
    const fault = faults[index]
    if (!fault) return undefined
    fault.times = (fault.times ?? 1) - 1
    if (fault.times === 0) faults.splice(index, 1)
    return fault
  }

  /** Returns undefined to disconnect without an answer. */
  async function perform(method: string, path: string, params: Params, save: (answer: Answer) => void) {
    const fault = takeFault(`${method} ${path}`)
    if (fault?.fault === 'lock_timeout') return refuse(409, 'invalid_request_error', 'lock_timeout')
    const failed = refuse(500, 'api_error', 'server_fault')
    if (fault?.fault !== 'fail_before') {
      const forced = fault?.fault === 'decline' ? (fault.code ?? 'card_declined') : undefined
      const done = objects.handle(method, path, params, fault?.fault === 'processing' ? 'processing' : forced)
      const answer = done ?? refuse(404, 'invalid_request_error', 'url_invalid')
      if (events.target?.when === 'before_reply') await events.flush()
      if (fault?.fault !== 'fail_after') {
        // Stripe does not store the answer of a request that fails validation.
        if (![400, 404].includes(answer.status)) save(answer)
        if (fault?.fault === 'slow') await delay(fault.ms ?? 30_000)
        return fault?.fault === 'lose_reply' ? undefined : answer
      }
    }
    save(failed)
    return failed
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? ''
    const url = new URL(request.url ?? '', 'http://stand-in')
    const text = await bodyOf(request)
    if (url.pathname.startsWith('/_')) return control(url.pathname, text, response)
    const params = parseForm(method === 'GET' ? url.search.slice(1) : text)
    const key = request.headers['idempotency-key']?.toString()
    const call: Call = { method, path: url.pathname, key, params, status: 0, replayed: false }
    calls.push(call)
    const answer = await decide(request, call, text)
    if (!answer) return void request.socket.destroy()
    call.status = answer.status
    reply(response, answer, call.replayed)
    if (events.target?.when === 'after_reply') void events.flush()
  }

  async function decide(request: IncomingMessage, call: Call, text: string): Promise<Answer | undefined> {
    const { method, path, key, params } = call
    const problem = problemOf(request, secretKey, text)
    if (problem) return problem
    if (!key) {
      if (method === 'POST') return refuse(400, 'invalid_request_error', 'idempotency_key_expected')
      return perform(method, path, params, () => {})
    }
    const fingerprint = `${method} ${path}?${text}`
    const before = kept.get(key)
    if (before && before.fingerprint !== fingerprint) return refuse(400, 'idempotency_error', 'idempotency_key_reused')
    if (before && !before.answer) return refuse(409, 'idempotency_error', 'idempotency_key_in_use')
    if (before?.answer) {
      call.replayed = true
      return before.answer
    }
    const mine: Kept = { fingerprint }
    kept.set(key, mine)
    const answer = await perform(method, path, params, (made) => {
      mine.answer = structuredClone(made)
    })
    if (!mine.answer) kept.delete(key)
    return answer
  }

  const state = (): StandInState => ({
    calls,
    charges: [...objects.intents.values()]
      .filter((one) => one.status === 'succeeded')
      .map(({ id, amount_received: amount, currency, metadata }) => ({
        ref: id,
        amount,
        refunded: objects.refundedOf(id),
        currency,
        metadata,
      })),
    intents: [...objects.intents.values()].map(({ id, status, amount, metadata }) => ({
      ref: id,
      status,
      amount,
      metadata,
    })),
    events: events.all.map(({ id, type }) => ({ id, type })),
  })
  const webhooks = (target: WebhookTarget) => {
    events.target = target
  }

  /** Serves the control routes, for tests in another process. */
  async function control(path: string, text: string, response: ServerResponse): Promise<void> {
    const input = text ? JSON.parse(text) : {}
    if (path === '/_plan') faults.push(input)
    if (path === '/_webhooks') webhooks(input)
    if (path === '/_complete-charges') objects.completeCharges()
    if (path === '/_forget') kept.clear()
    const body = path === '/_flush' ? await events.flush(input) : state()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((err: Error) => reply(response, refuse(500, 'api_error', err.message), false))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey,
    state,
    plan: (fault) => void faults.push({ ...fault }),
    webhooks,
    flush: (flushing) => events.flush(flushing),
    completeCharges: () => objects.completeCharges(),
    refundByHand: (ref, amount) => objects.refundByHand(ref, amount),
    refundOf: (ref) => objects.refunds.findLast((one) => one.payment_intent === ref)?.id ?? '',
    failRefund: (id) => objects.failRefund(id),
    dispute: (ref, status, of) => objects.dispute(ref, status, of),
    confirmSetup: (entered) => {
      const { status, last_setup_error: error } = objects.setups.confirm(entered)
      return { status, code: error?.code }
    },
    forgetKeys: () => kept.clear(),
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function problemOf(request: IncomingMessage, secretKey: string, text: string): Answer | undefined {
  const { authorization, 'content-type': type, 'stripe-version': version } = request.headers
  if (authorization !== `Bearer ${secretKey}`) return refuse(401, 'invalid_request_error', 'api_key_invalid')
  if (!version) return refuse(400, 'invalid_request_error', 'version_expected')
  const isForm = type?.startsWith('application/x-www-form-urlencoded')
  if (request.method === 'POST' && (!isForm || /^\s*[{[]/.test(text))) {
    return refuse(400, 'invalid_request_error', 'form_expected')
  }
  return undefined
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Parses `a=1&b[c]=2&d[0]=3`. All values are strings. */
function parseForm(text: string): Params {
  const params: Params = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer = name, inner] = /^(\w+)\[(\w*)\]$/.exec(name) ?? []
    if (inner === undefined) params[outer] = value
    else if (/^\d*$/.test(inner)) params[outer] = [...((params[outer] as string[] | undefined) ?? []), value]
    else params[outer] = { ...(params[outer] as object | undefined), [inner]: value }
  }
  return params
}

function reply(response: ServerResponse, { status, body }: Answer, replayed: boolean): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_standin',
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
  })
  response.end(JSON.stringify(body))
}

if (import.meta.main) {
  const standIn = await startStripeStandIn({ port: Number(process.env.PORT ?? 0) })
  process.stdout.write(`${JSON.stringify({ url: standIn.url, secretKey: standIn.secretKey })}\n`)
}
