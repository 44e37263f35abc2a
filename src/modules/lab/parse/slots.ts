import { Refusal } from './refusal.ts'

interface GateLimits {
  maxAtOnce: number
  /** Of one owner. */
  maxWaitingEach: number
  maxWaiting: number
}

export interface Gate {
  /** Waits for a place, and returns what gives it back. @throws Refusal BUSY where too many wait */
  enter(owner: string): Promise<() => void>
}

/**
 * Lets a few in at once. Owners take turns, so that one with many files holds up another's by one file at most: p-limit
 * has one queue for all.
 */
export function openGate({ maxAtOnce, maxWaitingEach, maxWaiting }: GateLimits): Gate {
  // In the order of whose turn it is next.
  const queues = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  function leave(): void {
    const [turn] = queues
    if (!turn) {
      running--
      return
    }
    const [owner, queue] = turn
    queues.delete(owner)
    const next = queue.shift()
    waiting--
    if (queue.length > 0) queues.set(owner, queue)
    // The one that leaves hands over its place, so `running` stays as it is.
    next?.()
  }

  return {
    async enter(owner) {
      if (running < maxAtOnce) {
        running++
        return leave
      }
      const queue = queues.get(owner) ?? []
      if (queue.length >= maxWaitingEach || waiting >= maxWaiting) throw new Refusal('BUSY')
      queues.set(owner, queue)
      waiting++
      await new Promise<void>((resolve) => queue.push(resolve))
      return leave
    },
  }
}
