// A few seconds of the fastest intake; about 2 MB.
const KEPT = 10_000

/** Of which trace the newest events are, while traces are on: events tell of it by NOTIFY. An older one is delivered in a trace of its own. */
export class EventTraces {
  readonly #byEvent = new Map<string, string>()

  /** A message of `tracesOf` (events/rules.ts). */
  note(message: string): void {
    const [trace = '', ...eventIds] = message.split(' ')
    for (const id of eventIds) this.#byEvent.set(id, trace)
    for (const id of this.#byEvent.keys()) {
      if (this.#byEvent.size <= KEPT) break
      this.#byEvent.delete(id)
    }
  }

  of(eventId: string): string | undefined {
    return this.#byEvent.get(eventId)
  }
}
