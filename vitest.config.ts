import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { EvenOrder } from './test/harness/order.ts'

// Stripping types and compiling is kept for all processes and later runs: one file of tests took 9.8 s of CPU, and 7.7 with it.
const compiled = join(import.meta.dirname, 'node_modules/.cache/compiled')
enableCompileCache(compiled)
process.env.NODE_COMPILE_CACHE = compiled

const project = (
  name: string,
  folders: string[],
  { globalSetup, setupFile }: { globalSetup?: string; setupFile?: string } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    setupFiles: ['test/harness/seed.ts', ...(setupFile ? [setupFile] : [])],
    globalSetup,
  },
})

export default defineConfig({
  test: {
    // CONTRIBUTING.md says which test belongs into which folder. All but the unit tests are one project: a process that has
    // loaded the sources takes the next file of its project, and there is no last file of a folder that the others wait for.
    projects: [
      project('unit', ['unit']),
      project('service', ['database', 'integrations', 'process', 'browser'], {
        globalSetup: 'test/harness/global.ts',
        setupFile: 'test/harness/compiled-children.ts',
      }),
    ],
    pool: 'forks',
    // For two cores: of four files, about two compute (see EvenOrder).
    maxWorkers: 4,
    sequence: { sequencer: EvenOrder },
    // No test changes what its process shares, so a process loads the sources once for all its files.
    isolate: false,
    // Node strips the types, as in production; no test needs the loader for `vi.mock`.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Not a measure of speed: a test that hangs ends, a slow machine passes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 240_000 } },
    reporters: ['default', ['json', { outputFile: 'coverage/tests.json' }]],
  },
})
