/**
 * How long this side waits for a connection and for an answer, in every pool and client: a server that vanishes cannot enforce
 * its own limits. TCP probes a silent connection after 10 s and gives it up about 10 s later.
 */
export const patience = {
  connectionTimeoutMillis: 2000,
  // Longer than the server's own limit for a statement (5 s), so that the server's error arrives first.
  query_timeout: 7000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/**
 * When no connection is to be had, what has waited behind that attempt for so long fails with it: otherwise each would wait
 * for one by itself, one after the other.
 */
export const FAILS_TOO_AFTER_MS = 500

/** Maintenance of the queue takes longer than a request may. */
export const JOBS_ANSWER_MS = 30_000
/** A migration may rewrite a table. */
export const MIGRATION_ANSWER_MS = 30 * 60_000

/** A transaction that took longer is rolled back instead of committed. Only those that asked for more with `allowMs` may. */
export const MAX_TRANSACTION_MS = 2 * 60_000
/** When what a transaction dated is committed or rolled back: its last statements and COMMIT have limits of seconds. */
export const SETTLED_AFTER_MS = MAX_TRANSACTION_MS + 60_000
