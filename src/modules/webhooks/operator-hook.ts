import { Webhook } from 'standardwebhooks'
import type { OperatorHook } from '../../domain/operator-channels.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Egress } from '../../platform/egress/client.ts'

export interface OperatorHookOptions {
  egress: Egress
  clock: Clock
  url: string
  /** `whsec_…` */
  secret: string
  allowLoopback: boolean
}

const TIMEOUT_MS = 15_000
const READ_BYTES = 1024

/** A webhook of the operator: the headers of Standard Webhooks, as those of businesses. Its host is named in a setting. */
export function createOperatorHook({ egress, clock, url, secret, allowLoopback }: OperatorHookOptions): OperatorHook {
  const signer = new Webhook(secret)
  const policy = { hosts: [new URL(url).host], loopback: allowLoopback }
  return {
    async send({ id, type, at, data }) {
      const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
      const now = clock.now()
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Kitlane-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signer.sign(id, now, body),
      }
      const request = {
        url,
        method: 'POST',
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: READ_BYTES,
        policy,
      }
      const { status } = await egress.request(request)
      if (status < 200 || status > 299) throw new Error(`the webhook of the operator answered ${status}`)
    },
  }
}
