import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('right-at.json', import.meta.url)

/** The commit at which each proof was last recorded as right, in any form, by name. */
export function rightAt(): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Records that proofs were right, so that the gate runs those whose files change from here on. */
export function recordRight(names: readonly string[]): void {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  const status = git('status', '--porcelain')
  if (head.status !== 0 || status.stdout !== '') {
    console.log('Not recorded: this checkout has changes, so it is no commit.')
    return
  }
  const now = { ...rightAt(), ...Object.fromEntries(names.map((name) => [name, head.stdout.trim()])) }
  const sorted = Object.fromEntries(Object.entries(now).sort(([a], [b]) => a.localeCompare(b)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  console.log('recorded in prove/right-at.json')
}
