import { Webhook } from 'standardwebhooks'
import type { FeedEvent } from './follow.ts'

// As long as the real sender waits.
const TIMEOUT_MS = 15_000

export interface Forwarded {
  /** Undefined if no answer came. */
  status: number | undefined
  durationMs: number
  /** Why no answer came. */
  error: string | undefined
}

/** Posts an event with the body, headers and signature of a webhook. Never throws: an error is part of what it returns. */
export async function forward(
  event: FeedEvent,
  { to, secret, signal }: { to: URL; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const { id, type, timestamp, data } = event
  const body = JSON.stringify({ type, timestamp, data })
  const now = new Date()
  const begun = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const durationMs = () => Math.round(performance.now() - begun)
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Kitlane-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    await answer.arrayBuffer()
    return { status: answer.status, durationMs: durationMs(), error: undefined }
  } catch (error) {
    const reason = timeout.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error)
    return { status: undefined, durationMs: durationMs(), error: reason }
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there'
  if (cause?.code === 'ENOTFOUND') return 'the host is unknown'
  return `no answer${cause?.code ? ` (${cause.code})` : ''}`
}
