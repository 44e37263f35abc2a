/**
 * How long this side waits for a connection, in every pool and client: the server's own limits are of no use where it has
 * vanished without a word. A connection without an answer is looked at by TCP after 10 s, and given up some 10 s later.
 */
export const patience = {
  connectionTimeoutMillis: 2000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const

// Longer than the server takes to give up by itself (a statement 5 s), so that its word comes first.
export const ANSWER_MS = 7000
/** The queue's upkeep takes longer than a request may. */
export const JOBS_ANSWER_MS = 30_000
/** A migration may rewrite a table. */
export const MIGRATION_ANSWER_MS = 30 * 60_000
