/** A time as a field of the type datetime-local has it. */
export const localTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
