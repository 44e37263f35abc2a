import { createHmac, randomBytes } from 'node:crypto'

export interface WebhookTarget {
  url: string
  secret: string
  /** How often each event is sent. 1 by default. */
  copies?: number
  /** `held` events wait for `flush`. `before_reply` events come before the answer to the call that caused them. */
  when: 'before_reply' | 'after_reply' | 'held'
}

export interface StripeEventObject {
  id: string
  object: 'event'
  type: string
  created: number
  livemode: boolean
  data: { object: object }
}

/** Signs as Stripe does: https://docs.stripe.com/webhooks#verify-manually */
export function signStripeEvent(payload: string, secret: string, at = new Date()): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex')}`
}

/** Keeps events as they were when they happened, and sends them once or more, now or later, in order or reversed. */
export class StripeEvents {
  readonly all: StripeEventObject[] = []
  target: WebhookTarget | undefined
  #waiting: StripeEventObject[] = []

  add(type: string, object: object): void {
    const event: StripeEventObject = {
      id: `evt_${randomBytes(9).toString('hex')}`,
      object: 'event',
      type,
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: { object: structuredClone(object) },
    }
    this.all.push(event)
    this.#waiting.push(event)
  }

  /** Sends the waiting events. Returns the statuses of the answers, 0 for none. */
  async flush(options: { reversed?: boolean } = {}): Promise<number[]> {
    const events = this.#waiting
    this.#waiting = []
    if (options.reversed) events.reverse()
    const statuses: number[] = []
    for (const event of events) {
      for (let copy = 0; copy < (this.target?.copies ?? 1); copy++) statuses.push(await this.#send(event))
    }
    return statuses
  }

  async #send(event: StripeEventObject): Promise<number> {
    if (!this.target) return 0
    const body = JSON.stringify(event)
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': signStripeEvent(body, this.target.secret),
    }
    const signal = AbortSignal.timeout(10_000)
    return fetch(this.target.url, { method: 'POST', headers, body, signal }).then(
      ({ status }) => status,
      () => 0,
    )
  }
}
