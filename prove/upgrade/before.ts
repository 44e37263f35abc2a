import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const here = fileURLToPath(new URL('../../', import.meta.url))

const git = (...args: string[]): string => execFileSync('git', args, { cwd: here, encoding: 'utf8' }).trim()
const maybe = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: here, encoding: 'utf8' })
  return status === 0 ? stdout.trim() || undefined : undefined
}

/** Release 0.1.0, for a clone without its tag. */
const RELEASED = '9cf7a068'

/**
 * The commit to upgrade from: the given one, else the newest tag before this commit, else RELEASED. Returns undefined if
 * this clone does not hold it.
 */
export function commitBefore(named: string | undefined): string | undefined {
  if (named) return git('rev-parse', '--verify', `${named}^{commit}`)
  const tag = maybe('describe', '--tags', '--abbrev=0', 'HEAD^')
  if (tag) return git('rev-parse', `${tag}^{commit}`)
  return maybe('rev-parse', '--verify', '--quiet', `${RELEASED}^{commit}`)
}

export interface Checkout {
  folder: string
  launcher: string
  /** The short hash and the subject of the commit. */
  subject: string
  remove(): Promise<void>
}

/** Checks the commit out into a temporary folder. It shares this checkout's packages if these are all that it needs. */
export async function checkOut(commit: string): Promise<Checkout> {
  const parent = await mkdtemp(join(tmpdir(), 'kitlane-before-'))
  const folder = join(parent, 'checkout')
  git('worktree', 'add', '--quiet', '--detach', folder, commit)
  if (existsSync(join(here, 'node_modules')) && hasPackagesOf(folder)) sharePackages(folder)
  else {
    console.log('Its packages differ: running npm ci.')
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return {
    folder,
    launcher: join(folder, 'bin', 'kitlane.js'),
    subject: git('log', '-1', '--format=%h (%s)', commit),
    async remove() {
      git('worktree', 'remove', '--force', folder)
      await rm(parent, { recursive: true, force: true })
    },
  }
}

type Packages = Record<string, { version?: string; dev?: boolean; link?: boolean; resolved?: string }>

const packagesOf = (root: string): Packages =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** Whether this checkout has all packages of another one in the same versions. A tool of development may be missing. */
function hasPackagesOf(folder: string): boolean {
  const ours = packagesOf(here)
  return Object.entries(packagesOf(folder)).every(([path, { version, dev }]) => {
    const installed = ours[path]
    return !path.startsWith('node_modules/') || (installed ? installed.version === version : dev === true)
  })
}

/** Links each package, but those of its own workspaces to its own folders. */
function sharePackages(folder: string): void {
  const own = Object.entries(packagesOf(folder)).filter(([, { link }]) => link)
  const scopes = new Set(own.map(([path]) => path.split('/')[1]))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(here, 'node_modules')))
    if (!scopes.has(name) && name !== '.cache')
      symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  for (const [path, { resolved = '' }] of own) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(folder, resolved), join(folder, path))
  }
}
