/**
 * How long this side waits for a connection, in every pool and client: a server that vanishes cannot enforce its own
 * limits. TCP probes a silent connection after 10 s and gives it up about 10 s later.
 */
export const patience = {
  connectionTimeoutMillis: 2000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const

// Longer than the server's own limit for a statement (5 s), so that the server's error arrives first.
export const ANSWER_MS = 7000
/** Maintenance of the queue takes longer than a request may. */
export const JOBS_ANSWER_MS = 30_000
/** A migration may rewrite a table. */
export const MIGRATION_ANSWER_MS = 30 * 60_000
