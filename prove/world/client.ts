import { setTimeout as delay } from 'node:timers/promises'
import { caller, type Reply } from '../../test/harness/caller.ts'
import { canariesIn, realmOf } from './canaries.ts'
import type { Stack } from './stack.ts'

const GIVE_UP_MS = 20_000
const PASSES_AFTER_MS = 120_000

/** What no answer may ever be or hold. */
export interface Watch {
  breaches: string[]
  answers: Map<string, number>
}

/** Sends as a careful client does: to either API node, again with the same key until the answer is final. */
export class WorldClient {
  readonly watch: Watch = { breaches: [], answers: new Map() }
  readonly #stack: Stack
  #turn = 0

  constructor(stack: Stack) {
    this.#stack = stack
  }

  /** As the business in a realm, such as `1l`. An answer may hold canaries of this realm only. */
  business(
    realm: string,
    method: string,
    path: string,
    body?: unknown,
    key?: string,
    headers?: Record<string, string>,
  ): Promise<Reply> {
    const token = this.#stack.realms.get(realm)?.token
    return this.#final({
      token,
      prefix: '/api/v1',
      method,
      path,
      body,
      key,
      headers,
      isAllowed: (word) => realmOf(word) === realm,
    })
  }

  /** As staff of the operator, who see live realms only. */
  operator(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
    headers?: Record<string, string>,
  ): Promise<Reply> {
    const token = this.#stack.operatorToken
    return this.#final({
      token,
      prefix: '/operator/v1',
      method,
      path,
      body,
      key,
      headers,
      isAllowed: (word) => word[3] === 'l',
    })
  }

  /** Notes canaries in what somebody sees who may not see them. */
  look(where: string, text: string, isAllowed: (canary: string) => boolean): void {
    const others = canariesIn(text).filter((word) => !isAllowed(word))
    if (others.length > 0) this.watch.breaches.push(`${where} shows ${others.slice(0, 3).join(', ')}`)
  }

  async #final(asked: {
    token: string | undefined
    prefix: string
    method: string
    path: string
    body: unknown
    key: string | undefined
    headers?: Record<string, string> | undefined
    isAllowed(canary: string): boolean
  }): Promise<Reply> {
    const { token, prefix, method, path, body, key, headers } = asked
    const apis = this.#stack.nodes.filter(({ role }) => role === 'api')
    for (const deadline = performance.now() + PASSES_AFTER_MS; performance.now() < deadline; ) {
      const { url = '' } = apis[this.#turn++ % apis.length] ?? {}
      const send = caller(url, token, { prefix })
      const reply = await Promise.race([
        send.request(method, path, body, { ...headers, ...(key && { 'idempotency-key': key }) }).catch(() => undefined),
        delay(GIVE_UP_MS, undefined, { ref: false }),
      ])
      const what = reply ? `${reply.status}${reply.status >= 400 ? ` ${reply.body.code ?? ''}` : ''}` : 'no answer'
      this.watch.answers.set(what, (this.watch.answers.get(what) ?? 0) + 1)
      if (reply) {
        this.look(`${method} ${path.replace(/\?.*/, '')} of ${token?.slice(0, 8)}`, reply.text, asked.isAllowed)
        if (reply.status >= 500 && reply.status !== 503)
          this.watch.breaches.push(`${method} ${path} answered ${reply.text}`)
        if (reply.status === 503 && !reply.headers.has('retry-after'))
          this.watch.breaches.push(`${path}: 503 without Retry-After`)
        const passes = reply.status >= 500 || reply.status === 429 || reply.body?.code === 'IDEMPOTENCY_CONFLICT'
        if (!passes) return reply
      }
      await delay(200)
    }
    throw new Error(`${method} ${path} has no final answer after ${PASSES_AFTER_MS / 1000} s`)
  }
}
