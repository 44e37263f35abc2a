import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { callKitlane } from './in-process.ts'
import type { Outcome } from './kitlane.ts'

export interface CommandLine {
  /** Where the commands run, and where they would put a `./data`. */
  folder: string
  run(...args: string[]): Promise<Outcome>
  /** On another database. */
  on(databaseUrl: string, ...args: string[]): Promise<Outcome>
  /** Its answer as JSON; standard output holds nothing else. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a script without types would
  json(...args: string[]): Promise<any>
  /** What it says on standard error with exit code 1, never a stack. */
  refusal(...args: string[]): Promise<string>
  close(): Promise<void>
}

/** The command line on a database, in an empty folder of its own. What reads people needs the service's key. */
export async function commandLine(databaseUrl: string, encryptionKey?: Buffer): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-cli-'))
  const key = encryptionKey && { ENCRYPTION_KEY: encryptionKey.toString('hex') }
  const on: CommandLine['on'] = (url, ...args) => callKitlane(args, { DATABASE_URL: url, ...key }, folder)
  const run: CommandLine['run'] = (...args) => on(databaseUrl, ...args)
  return {
    folder,
    run,
    on,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json')
      expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout)
    },
    async refusal(...args) {
      const { code, stdout, stderr } = await run(...args, '--json')
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' })
      expect(stderr).not.toMatch(/^\s+at /m)
      return stderr
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
