import { join, resolve } from 'node:path'
import { StartError } from '../../../domain/errors.ts'
import { makePrivateFolder } from '../../private-folder.ts'

/** Where things are inside the service's data folder. */
export interface DataFolder {
  root: string
  /** PostgreSQL's own folder. */
  cluster: string
  credentials: string
  log: string
  lock: string
  lockHolder: string
}

export function dataFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir)
  return {
    root,
    cluster: join(root, 'postgres'),
    credentials: join(root, 'postgres.json'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'kitlane.lock'),
    lockHolder: join(root, 'kitlane.lock.json'),
  }
}

export function makeDataFolder(folder: DataFolder): void {
  try {
    makePrivateFolder(folder.root)
  } catch (cause) {
    throw new StartError(
      `The data folder ${folder.root} cannot be made (${errorCode(cause)}). Choose another folder with --data.`,
      { cause },
    )
  }
}

/** The system's name of an error, such as ENOENT or EACCES. */
export function errorCode(error: unknown): string {
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return String(error)
}
