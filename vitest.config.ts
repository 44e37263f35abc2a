import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const project = (name: string, test: { globalSetup?: string } = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...test },
})
const withDatabase = { globalSetup: 'test/harness/global.ts' }

const FIRST = ['process', 'browser']

/** Starts with the tests that mostly wait, so that others use that time instead of waiting for them at the end. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => [...FIRST, project.name].indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

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
    // For two cores: tests of processes and outages mostly wait, and others use the time.
    // For two cores: tests of processes, outages and browsers mostly wait, and other files use that time.
    maxWorkers: 4,
    sequence: { sequencer: WaitingFirst },
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
