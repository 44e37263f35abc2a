import { defineConfig } from 'vitest/config'

const project = (name: string, test: { globalSetup?: string } = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...test },
})
const withDatabase = { globalSetup: 'test/harness/global.ts' }

export default defineConfig({
  test: {
    // Each holds what takes more than the one before it: CONTRIBUTING.md says which test belongs where.
    projects: [
      project('unit'),
      project('database', withDatabase),
      project('process'),
      project('browser', withDatabase),
    ],
    pool: 'forks',
    // For two cores: tests of processes, outages and browsers mostly wait, and other files use that time.
    maxWorkers: 3,
    // No test changes what its process shares, so a process loads the sources once for all its files.
    isolate: false,
    // Node strips the types, as in production.
    experimental: { viteModuleRunner: false },
    // Not a measure of speed: a test that hangs ends, a slow machine passes.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
  },
})
