import { useSyncExternalStore } from 'react'

/** Whether the service answered the last time that it was asked. */
let isReached = true
const listeners = new Set<() => void>()

// How often a page checks whether the service is back.
const ASK_AGAIN_MS = 3_000

/** A proxy answers that the service does not. */
const isGatewayError = (status: number) => status === 502 || status === 504

export function noteReached(status: number): void {
  change(!isGatewayError(status))
}

/** A request that the page itself aborted says nothing about the service. */
export function noteUnreached(error: unknown): void {
  if (!isAborted(error)) change(false)
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
  try {
    const { status } = await fetch('/api/v1/session', { headers: { 'Kitlane-Background': '1' } })
    noteReached(status)
  } catch {
    // Still away: it is asked again below.
  }
  if (!isReached) setTimeout(askAgain, ASK_AGAIN_MS)
}
