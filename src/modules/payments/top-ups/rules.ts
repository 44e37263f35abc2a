// A bank that declines for want of money often accepts the same day; three tries are what card networks tolerate lightly.
const TRIES = 3
const RETRY_MS = 3_600_000

/** Whether that many failures, one after another, switch a top-up off. */
export const switchesOff = (failures: number): boolean => failures >= TRIES

/** When a top-up is tried again after a decline. */
export const retryAt = (now: Date): Date => new Date(now.getTime() + RETRY_MS)

/** The beginning of the month, UTC: the ceiling counts from then. */
export const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** The beginning of the next month, UTC. */
export const nextMonthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
