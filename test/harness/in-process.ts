import { formatWithOptions } from 'node:util'
import { run } from '../../src/cli/program.ts'
import type { Outcome } from './kitlane.ts'

let last: Promise<unknown> = Promise.resolve()

/** Runs a command in this process, as `runKitlane` does in one of its own; one at a time, as they share what a process has. */
export function callKitlane(args: readonly string[], env: Record<string, string>, cwd: string): Promise<Outcome> {
  const outcome = last.then(() => call(args, env, cwd))
  last = outcome.catch(() => {})
  return outcome
}

async function call(args: readonly string[], env: Record<string, string>, cwd: string): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  const own = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode, log: console.log, error: console.error }
  const streams = { stdout: process.stdout.write, stderr: process.stderr.write }
  process.env = { PATH: own.env.PATH, ...env }
  process.chdir(cwd)
  process.exitCode = 0
  console.log = (...said) => void (stdout += `${formatWithOptions({}, ...said)}\n`)
  console.error = (...said) => void (stderr += `${formatWithOptions({}, ...said)}\n`)
  process.stdout.write = (text: string | Uint8Array) => Boolean((stdout += text))
  process.stderr.write = (text: string | Uint8Array) => Boolean((stderr += text))
  try {
    await run(args)
    return { code: Number(process.exitCode), stdout, stderr }
  } finally {
    process.env = own.env
    process.chdir(own.cwd)
    process.exitCode = own.exitCode
    console.log = own.log
    console.error = own.error
    Object.assign(process.stdout, { write: streams.stdout })
    Object.assign(process.stderr, { write: streams.stderr })
  }
}
