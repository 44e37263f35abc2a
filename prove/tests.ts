// Runs the test files of a proof that is tests: node prove/tests.ts <name of the proof> [options of vitest].
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { gateProofs } from './proofs.ts'

const [name, ...options] = process.argv.slice(2)
const tests = gateProofs.find((proof) => proof.name === name)?.tests
if (!tests) throw new Error(`prove:${name} runs no test files.`)
const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...tests, ...options], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
