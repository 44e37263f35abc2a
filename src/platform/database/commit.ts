import type { PoolClient } from 'pg'
import { isConnectionLost, isUnavailable, unknownOutcome } from './unavailable.ts'

/** The work, once it has ended: not even where BEGIN fails does the connection go back while work still uses it. */
export async function after<T>(began: Promise<unknown>, working: Promise<T>): Promise<T> {
  await settled([began, working])
  return working
}

/** Waits for all, then throws the first failure: those behind it only repeat that the transaction is over. */
export async function settled(promises: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** @throws what says so where the connection was lost before it told whether the commit was done. */
export function committed(committing: Promise<unknown>): Promise<unknown> {
  return committing.catch((err: unknown) => {
    throw isConnectionLost(err) ? unknownOutcome(err) : err
  })
}

/** Rolls back. Returns why the connection must not be used again: it is gone, or its database takes no changes any more. */
export async function undo(client: PoolClient, err: unknown): Promise<Error | undefined> {
  const failed = await client.query('rollback').then(
    () => undefined,
    (rollbackError: Error) => rollbackError,
  )
  return failed ?? (isUnavailable(err) ? (err as Error) : undefined)
}
