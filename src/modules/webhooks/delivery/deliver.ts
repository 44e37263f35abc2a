import type { Webhook } from 'standardwebhooks'
import type { Clock } from '../../../platform/clock.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import { EgressError, toEgressError } from '../../../platform/egress/errors.ts'
import type { EgressResponse } from '../../../platform/egress/exchange.ts'
import { thin } from '../rules.ts'
import type { Claimed } from './claim-queries.ts'

const TIMEOUT_MS = 15_000
const READ_BYTES = 16 * 1024
const STORED_BYTES = 2048
// Receivers allow five minutes for what comes after it: the network, and what waits in front of them.
const SIGNED_FOR_MS = 2000

export interface Receipt {
  status: number | null
  error: string | null
  answer: string | null
  retryAfter?: string
  durationMs: number
}

export interface Sending {
  clock: Clock
  /** Whether this process may still send it. */
  isHeld(): boolean
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

/**
 * Sends one delivery once; undefined if it was too late: another process may have it. Never throws: an error is part of the
 * receipt.
 */
export async function deliver(
  egress: Egress,
  signerOf: SignerOf,
  delivery: Claimed,
  { clock, isHeld }: Sending,
): Promise<Receipt | undefined> {
  const body = bodyOf(delivery)
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)

  /** Signs again where the connection took long, or this process stood still: it is there now. */
  async function send(): Promise<EgressResponse> {
    const signedAt = clock.now()
    const isFresh = () => clock.now().getTime() - signedAt.getTime() < SIGNED_FOR_MS
    const sent = egress.request({
      url: delivery.url,
      method: 'POST',
      headers: headersOf(signerOf, delivery, body, signedAt),
      body,
      timeoutMs: TIMEOUT_MS - elapsed(),
      maxResponseBytes: READ_BYTES,
      policy: 'public',
      mayBegin: () => isHeld() && isFresh(),
    })
    return sent.catch((err) => {
      if (isTooLate(err) && isHeld()) return send()
      throw err
    })
  }

  try {
    const { status, headers, body: answer } = await send()
    const retryAfter = headers['retry-after']
    return {
      status,
      error: null,
      answer: readable(answer),
      ...(typeof retryAfter === 'string' && { retryAfter }),
      durationMs: elapsed(),
    }
  } catch (err) {
    if (isTooLate(err)) return undefined
    const { code, status } = toEgressError(err)
    return { status: status ?? null, error: code, answer: null, durationMs: elapsed() }
  }
}

const isTooLate = (err: unknown) => err instanceof EgressError && err.code === 'NOT_SENT'

/** The beginning of an answer as text that PostgreSQL can keep. */
const readable = (answer: Buffer): string =>
  answer.subarray(0, STORED_BYTES).toString('utf8').toWellFormed().replaceAll('\0', '\ufffd')
