import { Client, DatabaseError } from 'pg'

const DEADLOCK = '40P01'
const TRIES = 20

/**
 * A connection of the owner as `kitlane_system`: it sees the rows of every realm. `reset role` makes it the owner.
 *
 * A test that changes tables of a running service may deadlock with the service's own jobs. PostgreSQL then rolls the
 * query back with all its statements, and it is run again. It cannot be inside a transaction of several queries.
 */
export async function connectOwner(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  const once = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const again = async (...args: unknown[]) => {
    for (let tries = 1; ; tries++) {
      try {
        return await once(...args)
      } catch (err) {
        if (tries === TRIES || !(err instanceof DatabaseError && err.code === DEADLOCK)) throw err
      }
    }
  }
  client.query = again as typeof client.query
  await client.query('set role kitlane_system')
  return client
}

/**
 * Ends the other connections of clients to the owner's database, and waits until their server processes have ended.
 * PostgreSQL's own processes work there too, such as autovacuum, and only a superuser may end those.
 */
export async function endConnections(owner: Client): Promise<void> {
  await owner.query(`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
}
