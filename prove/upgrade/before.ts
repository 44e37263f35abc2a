import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const here = fileURLToPath(new URL('../../', import.meta.url))

const git = (...args: string[]): string => execFileSync('git', args, { cwd: here, encoding: 'utf8' }).trim()
const maybe = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: here, encoding: 'utf8' })
  return status === 0 ? stdout.trim() || undefined : undefined
}

/**
 * What installations run while there is no tag. A commit in the middle of a piece of work would not do: its migrations
 * may still have been edited afterwards.
 */
const DEPLOYED = '563fac0'

/**
 * The commit to upgrade from: the given one, else the newest tag before this commit, else DEPLOYED. Returns undefined if
 * this clone does not hold it.
 */
export function commitBefore(asked: string | undefined): string | undefined {
  if (asked) return git('rev-parse', '--verify', `${asked}^{commit}`)
  const tag = maybe('describe', '--tags', '--abbrev=0', 'HEAD^')
  if (tag) return git('rev-parse', `${tag}^{commit}`)
  return maybe('rev-parse', '--verify', '--quiet', `${DEPLOYED}^{commit}`)
}

export interface Checkout {
  launcher: string
  /** The short hash and the subject of the commit. */
  subject: string
  remove(): Promise<void>
}

/** Checks the commit out into a temporary folder. It shares this checkout's packages if the lock files are equal. */
export async function checkOut(commit: string): Promise<Checkout> {
  const parent = await mkdtemp(join(tmpdir(), 'kitlane-before-'))
  const folder = join(parent, 'checkout')
  git('worktree', 'add', '--quiet', '--detach', folder, commit)
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(here) && existsSync(join(here, 'node_modules')))
    symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
  else {
    console.log('Its packages differ: running npm ci.')
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return {
    launcher: join(folder, 'bin', 'kitlane.js'),
    subject: git('log', '-1', '--format=%h (%s)', commit),
    async remove() {
      git('worktree', 'remove', '--force', folder)
      await rm(parent, { recursive: true, force: true })
    },
  }
}
