import { defineConfig } from 'vitest/config'

// A run that lasts until it is interrupted (test/runner.test.ts).
export default defineConfig({
  test: {
    include: ['test/harness/tiny-run/endless.ts'],
    globalSetup: ['test/harness/global.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    disableConsoleIntercept: true,
  },
})
