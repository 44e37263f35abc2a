interface GateLimits {
  maxAtOnce: number
  /** Of one owner. */
  maxWaitingEach: number
  maxWaiting: number
  /** What is thrown where too many wait: of its owner, or of all. */
  refusal(tooMany: 'own' | 'all'): Error
}

export interface Gate {
  /** Waits for a place, and returns what gives it back. @throws what `refusal` makes where too many wait */
  enter(owner: string): Promise<() => void>
  /** The same for work that has begun and cannot be refused any more. */
  wait(owner: string): Promise<() => void>
  /** Refuses who has waited for so long already, except work that has begun. */
  refuse(waitedMs: number): void
}

interface Turn {
  since: number
  begin(): void
  /** Absent: it has begun and cannot be refused any more. */
  refuse?: (err: Error) => void
}

/** Lets a few in at once. Owners take turns, so that one with much work holds up another's by one piece of it. */
export function openGate({ maxAtOnce, maxWaitingEach, maxWaiting, refusal }: GateLimits): Gate {
  // In the order of whose turn it is next.
  const queues = new Map<string, Turn[]>()
  let running = 0
  let waiting = 0

  /** Hands the place over, so that `running` stays as it is. */
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
    next?.begin()
  }

  /** A place is given back once, however often it is asked for. */
  function placeOnce(): () => void {
    let isHeld = true
    return () => {
      if (isHeld) leave()
      isHeld = false
    }
  }

  async function wait(owner: string, mayRefuse = false): Promise<() => void> {
    if (running < maxAtOnce) running++
    else {
      const queue = queues.get(owner) ?? []
      queues.set(owner, queue)
      waiting++
      await new Promise<void>((begin, refuse) =>
        queue.push({ since: performance.now(), begin, ...(mayRefuse && { refuse }) }),
      )
    }
    return placeOnce()
  }

  function refuse(waitedMs: number): void {
    const before = performance.now() - waitedMs
    const isRefused = ({ since, refuse }: Turn) => refuse !== undefined && since < before
    for (const [owner, queue] of [...queues]) {
      const remaining = queue.filter((turn) => !isRefused(turn))
      if (remaining.length > 0) queues.set(owner, remaining)
      else queues.delete(owner)
      waiting -= queue.length - remaining.length
      for (const turn of queue.filter(isRefused)) turn.refuse?.(refusal('all'))
    }
  }

  return {
    async enter(owner) {
      if (running >= maxAtOnce) {
        if ((queues.get(owner)?.length ?? 0) >= maxWaitingEach) throw refusal('own')
        if (waiting >= maxWaiting) throw refusal('all')
      }
      return wait(owner, true)
    },
    wait: (owner) => wait(owner),
    refuse,
  }
}
