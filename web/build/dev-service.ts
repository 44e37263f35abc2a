// Started ahead by `npm run dev`: loads the packages, which seldom change, and runs the sources when it is told to.
const PACKAGES = [
  '@fastify/static',
  'fastify',
  'intl-messageformat',
  'kysely',
  'openid-client',
  'pg-boss',
  'pino',
  'undici',
  'zod',
]

await Promise.all(PACKAGES.map((name) => import(name)))
process.once('message', async () => {
  process.disconnect?.()
  await import('../../src/cli/main.ts')
})

export {}
