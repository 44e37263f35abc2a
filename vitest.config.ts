import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/global.ts'],
    pool: 'forks',
    // Two cores: a test file, its service and its database share them.
    maxWorkers: 2,
    // Not a measure of speed: a test that hangs ends, a slow machine passes.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
  },
})
