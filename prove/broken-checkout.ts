import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { here } from './upgrade/before.ts'

/** A mistake that somebody could make: one place of the source, and what stands there instead. */
export interface Mistake {
  file: string
  from: string
  to: string
}

export interface BrokenCheckout {
  folder: string
  remove(): Promise<void>
}

/**
 * A copy of this checkout, as it is committed, with a mistake in it. It shares the packages of this one.
 * @throws Error if the source has not exactly one such place
 */
export async function checkoutWith({ file, from, to }: Mistake): Promise<BrokenCheckout> {
  const source = execFileSync('git', ['show', `HEAD:${file}`], { cwd: here, encoding: 'utf8' })
  const [before = '', after, ...more] = source.split(from)
  if (after === undefined || more.length > 0) throw new Error(`${file} has no single place for: ${from}`)
  const parent = await mkdtemp(join(tmpdir(), 'kitlane-broken-'))
  const folder = join(parent, 'checkout')
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, 'HEAD'], { cwd: here })
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, file), before + to + after)
  return {
    folder,
    async remove() {
      execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: here })
      await rm(parent, { recursive: true, force: true })
    },
  }
}
