import { defineConfig } from 'vitest/config'

// A run that lasts until it is interrupted (test/process/runner.test.ts).
// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from it
export default defineConfig({
  test: {
    include: ['test/harness/tiny-run/endless.ts'],
    globalSetup: ['test/harness/global.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    disableConsoleIntercept: true,
  },
})
