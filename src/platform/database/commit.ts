import type { PoolClient } from 'pg'
import { isEnded, isUnavailable, unknownOutcome } from './unavailable.ts'

/** Waits for the work. The connection is kept until the work ends, even if BEGIN fails. */
export async function after<T>(began: Promise<unknown>, working: Promise<T>): Promise<T> {
  await settled([began, working])
  return working
}

/** Waits for all promises, then throws the first failure. Later failures only repeat that the transaction is aborted. */
export async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** @throws an error of its own if the connection is lost before the answer to COMMIT arrives: the outcome is unknown. */
export function committed(committing: Promise<unknown>): Promise<unknown> {
  return committing.catch((err: unknown) => {
    throw isEnded(err) ? unknownOutcome(err) : err
  })
}

/** Rolls back. Returns an error if the connection must not be reused: it is lost, or its database has become read-only. */
export async function undo(client: PoolClient, err: unknown): Promise<Error | undefined> {
  const failed = await client.query('rollback').then(
    () => undefined,
    (rollbackError: Error) => rollbackError,
  )
  return failed ?? (isUnavailable(err) ? (err as Error) : undefined)
}
