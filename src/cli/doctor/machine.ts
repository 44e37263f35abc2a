import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { Settings } from '../../settings.ts'
import { reasonOf } from './finding.ts'

const GB = 1024 ** 3

/** The disk of the data folder. */
export async function checkDisk({ dataDir }: Settings): Promise<Finding> {
  const disk = await statfs(dataDir).catch((error: unknown) => reasonOf(error))
  if (typeof disk === 'string') {
    return warn(
      'disk',
      `The data folder cannot be read (${disk}).`,
      'Check --data or DATA_DIR; `kitlane start` makes the folder.',
    )
  }
  const [free, size] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize]
  const found = `${(free / GB).toFixed(1)} GB of ${(size / GB).toFixed(1)} GB are free in the data folder.`
  const todo = 'Enlarge the disk, or remove old backups from it. Delete nothing in the folder of the database.'
  if (free < 0.5 * GB || free / size < 0.03) return fail('disk', found, todo)
  return free < 2 * GB || free / size < 0.1 ? warn('disk', found, todo) : ok('disk', found)
}

/** Who else on this machine can read the data folder and the key in it. */
export async function checkFolder({ dataDir }: Settings): Promise<Finding> {
  const open: string[] = []
  let isThere = false
  for (const path of [dataDir, join(dataDir, 'encryption.key')]) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : error,
    )
    if (found instanceof Error) {
      return warn(
        'data folder',
        `${path} cannot be looked at (${reasonOf(found)}).`,
        'Run this as the user of the service.',
      )
    }
    isThere ||= found !== undefined
    if (found && (found.mode & 0o077) !== 0) open.push(path)
  }
  if (!isThere) return ok('data folder', `${dataDir} is not there yet: Kitlane makes it when it starts.`)
  if (open.length === 0) return ok('data folder', 'Only its owner can read it.')
  return warn(
    'data folder',
    `Others on this machine can read ${open.join(' and ')}.`,
    `Run: chmod go-rwx ${open.join(' ')}`,
  )
}

/** Settings that are right one by one, but not for a service that others rely on. */
export function checkSettings({ publicUrl }: Settings, set: ReadonlySet<string>): Finding {
  const missing = [
    !publicUrl && 'PUBLIC_URL (links in e-mails lead to this machine)',
    publicUrl?.startsWith('http:') && 'https in PUBLIC_URL (cookies and links travel in clear)',
  ].filter((text) => typeof text === 'string')
  if (missing.length === 0) return ok('settings', `All are well-formed; set are ${[...set].join(', ')}.`)
  return warn('settings', `Missing for live use: ${missing.join(', ')}.`, 'Set it in the environment or in .env.')
}
