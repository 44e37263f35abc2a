import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { run } from '../../src/cli/program.ts'
import type { Outcome } from './kitlane.ts'

let last: Promise<unknown> = Promise.resolve()

/** Runs a command in this process. Commands run one at a time, because they share stdout, environment and folder. */
export function callKitlane(args: readonly string[], env: Record<string, string>, cwd: string): Promise<Outcome> {
  const outcome = last.then(() => call(args, env, cwd))
  last = outcome.catch(() => {})
  return outcome
}

async function call(args: readonly string[], env: Record<string, string>, cwd: string): Promise<Outcome> {
  const stdout = new Kept()
  const stderr = new Kept()
  const streams = Object.getOwnPropertyDescriptors(process)
  const own = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode, console: globalThis.console }
  // Commands that write data set it for the whole process.
  const mask = process.umask()
  Object.defineProperty(process, 'stdout', { ...streams.stdout, get: () => stdout })
  Object.defineProperty(process, 'stderr', { ...streams.stderr, get: () => stderr })
  globalThis.console = new Console(stdout, stderr)
  process.env = { PATH: own.env.PATH, ...env }
  process.exitCode = 0
  process.chdir(cwd)
  try {
    await run(args)
    return { code: Number(process.exitCode), stdout: stdout.text, stderr: stderr.text }
  } finally {
    Object.defineProperty(process, 'stdout', streams.stdout)
    Object.defineProperty(process, 'stderr', streams.stderr)
    globalThis.console = own.console
    process.env = own.env
    process.exitCode = own.exitCode
    process.chdir(own.cwd)
    process.umask(mask)
  }
}

class Kept extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
