// Measures every GET with 10,000 orders and with very many, in turns: `npm run bench:flat [-- --orders 2000000] [--only listOrders]`.
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000000' },
    /** A regular expression of the names of routes. */
    only: { type: 'string' },
  },
})
process.env.FLAT = values.orders
if (values.only) process.env.ONLY = values.only
// Not into memory, where tests have theirs.
process.env.TMPDIR ??= tmpdir()
await startVitest([], {
  config: false,
  watch: false,
  include: ['bench/growth/flat.ts'],
  globalSetup: 'test/harness/global.ts',
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: 7_200_000,
  hookTimeout: 7_200_000,
})
