import { defineConfig, mergeConfig } from 'vitest/config'
import usual from '../../../vitest.config.ts'

/** The tests as usual, and what they ask and hear is kept: see main.ts. */
export default mergeConfig(usual, defineConfig({ test: { setupFiles: ['test/harness/examples/record.ts'] } }))
