import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/browser/screenshots.ts'],
    globalSetup: ['test/harness/global.ts'],
    pool: 'forks',
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
})
