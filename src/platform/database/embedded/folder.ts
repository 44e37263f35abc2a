import { join, resolve } from 'node:path'

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
