import { z } from 'zod'
import { parseDatabaseUrl } from './platform/database-url.ts'

const postgresUrl = z.string().refine((text) => parseDatabaseUrl(text) !== undefined)
const postgres = {
  must: 'the URL of a PostgreSQL database',
  example: 'postgres://kitlane:secret@db.example.com:5432/kitlane',
}
/** Which database; config.ts includes these settings. */
export const databaseSettings = {
  DATABASE_URL: {
    schema: postgresUrl,
    ...postgres,
    help: 'a PostgreSQL database; without it Kitlane runs its own PostgreSQL',
  },
  DATABASE_DIRECT_URL: { schema: postgresUrl, ...postgres, help: 'the same database, bypassing PgBouncer' },
  DATABASE_REPLICA_URL: { schema: postgresUrl, ...postgres, help: 'a read-only replica of the database' },
}
