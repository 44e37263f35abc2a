import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ownLauncher = fileURLToPath(new URL('../../bin/kitlane.js', import.meta.url))

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** What comes first: the text on standard output (or `where`), or the end of the process as an error. */
  until(pattern: RegExp, where?: () => string): Promise<RegExpExecArray>
  ended: Promise<Outcome>
}

interface Given {
  input?: string
  launcher?: string
  /** Leaves standard input open, so that the test types while it runs. */
  staysOpen?: boolean
}

/** Runs the command line as a person would, away from the environment and the `.env` of this checkout; or that of another one. */
export function spawnKitlane(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  given: string | Given = {},
): Running {
  const {
    input,
    launcher = ownLauncher,
    staysOpen = false,
  }: Given = typeof given === 'string' ? { input: given } : given
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that ends without reading closes its side first.
  child.stdin.on('error', () => {})
  if (!staysOpen) child.stdin.end(input)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  let over = false
  const ended = new Promise<Outcome>((resolve) =>
    child.on('close', (code) => {
      over = true
      resolve({ code, stdout, stderr })
    }),
  )
  const until: Running['until'] = async (pattern, where = () => stdout) => {
    for (const deadline = performance.now() + 240_000; performance.now() < deadline; await delay(25)) {
      const found = pattern.exec(where())
      if (found) return found
      if (over) break
    }
    throw new Error(`no ${pattern} in what kitlane ${args[0]} said:\n${stdout}\n${stderr}`)
  }
  return { child, stdout: () => stdout, stderr: () => stderr, until, ended }
}

export const runKitlane = (
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  given?: string | Given,
): Promise<Outcome> => spawnKitlane(args, env, cwd, given).ended
