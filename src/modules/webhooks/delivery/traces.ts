// A few seconds of the fastest intake; about 2 MB.
const MAX_TRACES = 10_000

/** The traces of the newest events, while tracing is on, received by NOTIFY. An older event is delivered in a separate trace. */
export class EventTraces {
  readonly #byEvent = new Map<string, string>()

  /** A message of `tracesOf` (events/rules.ts). */
  note(message: string): void {
    const [trace = '', ...eventIds] = message.split(' ')
    for (const id of eventIds) this.#byEvent.set(id, trace)
    for (const id of this.#byEvent.keys()) {
      if (this.#byEvent.size <= MAX_TRACES) break
      this.#byEvent.delete(id)
    }
  }

  of(eventId: string): string | undefined {
    return this.#byEvent.get(eventId)
  }
}
