import type { Webhook } from 'standardwebhooks'
import type { Egress } from '../../../platform/egress/client.ts'
import { toEgressError } from '../../../platform/egress/errors.ts'
import { thin } from '../rules.ts'
import type { Claimed } from './claim-queries.ts'

const TIMEOUT_MS = 15_000
const READ_BYTES = 16 * 1024
const KEPT_BYTES = 2048

export interface Receipt {
  status: number | null
  error: string | null
  answer: string | null
  retryAfter?: string
  durationMs: number
}

export type SignerOf = (realmId: number, endpointId: string, sealed: Buffer) => Webhook

/** The body: the same bytes on every attempt, unless the person it is about was erased in between. */
function bodyOf({ eventType, occurredAt, data, payload }: Claimed): string {
  const head = JSON.stringify({ type: eventType, timestamp: occurredAt.toISOString() })
  // The text as the database holds it: nothing is read, so no number is rounded.
  return `${head.slice(0, -1)},"data":${payload === 'thin' ? JSON.stringify(thin(JSON.parse(data))) : data}}`
}

/** The headers of Standard Webhooks; while a secret is rotated there are two signatures. */
function headersOf(signerOf: SignerOf, delivery: Claimed, body: string, now: Date): Record<string, string> {
  const { realmId, endpointId, eventId, secret, oldSecret } = delivery
  const signatures = [secret, oldSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => signerOf(realmId, endpointId, sealed).sign(eventId, now, body))
  return {
    'content-type': 'application/json',
    'user-agent': 'Kitlane-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** Sends one delivery once. Never throws: an error is part of the receipt. */
export async function deliver(egress: Egress, signerOf: SignerOf, delivery: Claimed, now: Date): Promise<Receipt> {
  const body = bodyOf(delivery)
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const {
      status,
      headers,
      body: answer,
    } = await egress.request({
      url: delivery.url,
      method: 'POST',
      headers: headersOf(signerOf, delivery, body, now),
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: READ_BYTES,
      policy: 'public',
    })
    const retryAfter = headers['retry-after']
    return {
      status,
      error: null,
      answer: readable(answer),
      ...(typeof retryAfter === 'string' && { retryAfter }),
      durationMs: elapsed(),
    }
  } catch (err) {
    const { code, status } = toEgressError(err)
    return { status: status ?? null, error: code, answer: null, durationMs: elapsed() }
  }
}

/** The beginning of an answer as text that PostgreSQL can keep. */
const readable = (answer: Buffer): string =>
  answer.subarray(0, KEPT_BYTES).toString('utf8').toWellFormed().replaceAll('\0', '\ufffd')
