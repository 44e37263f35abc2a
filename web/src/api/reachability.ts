import { useSyncExternalStore } from 'react'

/** Whether the service answered the last time that it was asked. */
let isReached = true
const listeners = new Set<() => void>()

// Between two questions whether the service is back; a person waits no longer than that.
const ASK_AGAIN_MS = 3_000

/** What stands between the service and us says that nobody is behind it. */
const isGatewayError = (status: number) => status === 502 || status === 504

export function noteReached(status: number): void {
  change(!isGatewayError(status))
}

/** A request that was ended by us says nothing about the service. */
export function noteUnreached(error: unknown): void {
  if (!isAborted(error)) change(false)
}

export const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

export function useReachable(): boolean {
  return useSyncExternalStore(onReachable, () => isReached)
}

/** Calls `listener` at each change; returns what ends that. */
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

/** Any answer of the service will do, a refusal too. */
async function askAgain(): Promise<void> {
  if (isReached) return
  try {
    const { status } = await fetch('/api/v1/session', { headers: { 'Kitlane-Background': '1' } })
    noteReached(status)
  } catch {
    // Still away: that is what the question was about.
  }
  if (!isReached) setTimeout(askAgain, ASK_AGAIN_MS)
}
