import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/global.ts'],
    pool: 'forks',
    // Two cores: a test file, its service and its database share them.
    maxWorkers: 2,
    // No test changes what its process shares, so a process loads the sources once, for all its files.
    isolate: false,
    // Node strips the types, as in production.
    experimental: { viteModuleRunner: false },
    // Not a measure of speed: a test that hangs ends, a slow machine passes.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
  },
})
