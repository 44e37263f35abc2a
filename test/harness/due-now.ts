import type { World } from './world.ts'

const CHANNEL = `'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24)`

/** Makes the jobs that wait in a queue due at once and wakes its workers, as if their pause had passed. */
export async function dueNow(world: World, queue: string): Promise<void> {
  const owner = await world.owner()
  await owner.query(
    `with due as (update pgboss.job set start_after = now()
                  where name = $1 and state in ('created', 'retry') and start_after > now() returning 1)
     select pg_notify(${CHANNEL}, $1) from due limit 1`,
    [queue],
  )
}
