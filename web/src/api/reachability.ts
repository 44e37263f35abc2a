import { useSyncExternalStore } from 'react'

/** Whether the service answered the last time that it was asked. */
let isReached = true
const listeners = new Set<() => void>()

// How often a page checks whether the service is back.
const ASK_AGAIN_MS = 3_000

/** A proxy answers that the service does not. */
const isGatewayError = (status: number) => status === 502 || status === 504

/** How many requests the service did not answer. */
let losses = 0

/** Like `fetch`, and notes whether the service answered. */
export async function ask(...request: Parameters<typeof fetch>): Promise<Response> {
  const lossesBefore = losses
  try {
    const response = await fetch(...request)
    if (isGatewayError(response.status)) lose()
    // What was asked before the last loss may have been answered before it too: that does not say that the service is back.
    else if (losses === lossesBefore) change(true)
    return response
  } catch (error) {
    noteUnreached(error)
    throw error
  }
}

/** A request that the page itself aborted says nothing about the service. */
export function noteUnreached(error: unknown): void {
  if (!isAborted(error)) lose()
}

function lose(): void {
  losses++
  change(false)
}

export const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, () => isReached)
}

/** Calls `listener` at each change, until the returned function is called. */
export function onReachable(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isReachable = () => isReached

function change(to: boolean): void {
  if (isReached === to) return
  isReached = to
  for (const listener of listeners) listener()
  if (!to) setTimeout(askAgain, ASK_AGAIN_MS)
}

/** Any answer shows that the service is back, even a refusal. */
async function askAgain(): Promise<void> {
  if (isReached) return
  // If it is still away, it is asked again below.
  await ask('/api/v1/session', { headers: { 'Kitlane-Background': '1' } }).catch(() => undefined)
  if (!isReached) setTimeout(askAgain, ASK_AGAIN_MS)
}
