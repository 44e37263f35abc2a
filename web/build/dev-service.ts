// Started ahead by `npm run dev`: loads packages and the sources of `loaded-ahead.ts`, and runs the others when it is told to.
import { SOURCES } from './loaded-ahead.ts'

const PACKAGES = [
  '@fastify/static',
  '@opentelemetry/api',
  'age-encryption',
  'commander',
  'csv-parse',
  'fastify',
  'hyparquet-writer',
  'intl-messageformat',
  'kysely',
  'marked',
  'openid-client',
  'pg-boss',
  'pg-copy-streams',
  'pino',
  'prom-client',
  'standardwebhooks',
  'tar-stream',
  'undici',
  'zod',
]

await Promise.all(PACKAGES.map((name) => import(name)))
for (const path of SOURCES) await import(`../../${path}`)
process.once('message', async () => {
  process.disconnect?.()
  await import('../../src/cli/main.ts')
})
