import { setTimeout as delay } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'

// Autovacuum may be in the database for a moment: only a superuser may end it, and what is in use is not dropped.
const PASSING = new Set(['42501', '55006'])
const TRIES = 300

/** Drops a database with the connections to it, as soon as the server's own workers have left it. */
export async function dropDatabase(admin: Client, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await admin.query(`drop database ${name} with (force)`)
      return
    } catch (err) {
      if (tries === TRIES || !(err instanceof DatabaseError && PASSING.has(err.code ?? ''))) throw err
      await delay(100)
    }
  }
}
