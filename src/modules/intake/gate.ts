import { Refusal } from './parse/refusal.ts'

export interface Gate {
  /** Waits for a place, and returns what gives it back. @throws Refusal BUSY: this owner has too many that wait */
  enter(owner: string): Promise<() => void>
}

/** Lets a few in at once. Owners take turns, so that one with many files holds up another's by one file at most. */
export function openGate({ maxAtOnce, maxWaitingEach }: { maxAtOnce: number; maxWaitingEach: number }): Gate {
  // In the order of whose turn it is next.
  const queues = new Map<string, (() => void)[]>()
  let running = 0

  function leave(): void {
    const [turn] = queues
    if (!turn) {
      running--
      return
    }
    const [owner, queue] = turn
    queues.delete(owner)
    const next = queue.shift()
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
      if (queue.length >= maxWaitingEach) throw new Refusal('BUSY')
      queues.set(owner, queue)
      await new Promise<void>((resolve) => queue.push(resolve))
      return leave
    },
  }
}
