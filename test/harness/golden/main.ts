// npm run golden -- <folder>: writes what a refactoring must not change: reports, PDFs, e-mails, the OpenAPI documents, the
// schema of the database and the help of each command. Compare two checkouts: diff -r before after.
import { resolve } from 'node:path'
import { startVitest } from 'vitest/node'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder: npm run golden -- /tmp/before')
process.env.GOLDEN_FOLDER = resolve(folder)
await startVitest([], {
  config: false,
  watch: false,
  include: ['test/harness/golden/golden.ts'],
  globalSetup: 'test/harness/global.ts',
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: 900_000,
  hookTimeout: 900_000,
})
