import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Debian puts the programs of PostgreSQL 15. */
export const POSTGRES_15 = '/usr/lib/postgresql/15/bin'

const NOBODY = 65_534

export interface Cluster {
  folder: string
  data: string
  /** For `spawn`: PostgreSQL refuses to run as root. */
  account: { uid?: number; gid?: number }
  /** Changes the owner of a file to the account of the cluster. */
  give(path: string): void
  /** Runs a program of PostgreSQL and returns its output. */
  run(program: string, args: readonly string[], input?: string): string
  /** `settings`: options of `postgres`. */
  start(port: number, settings: string): void
  stop(): void
  remove(): Promise<void>
}

/** Empty folders for the data and the log of a cluster, outside of its own. */
export interface Place {
  data: string
  wal: string
}

/**
 * Creates a cluster in a temporary folder with the programs in `bin`. Its superuser is `kitlane`. Without `password`
 * everyone on this machine may connect as that user.
 */
export async function createCluster(bin: string, password?: string, place?: Place): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-cluster-'))
  const data = place?.data ?? join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const cluster: Cluster = {
    folder,
    data,
    account,
    give: (path) => {
      if (isRoot) chownSync(path, NOBODY, NOBODY)
    },
    run(program, args, input) {
      const options = { ...account, cwd: folder, input, encoding: 'utf8', maxBuffer: 2 ** 28 } as const
      const { status, stdout, stderr, error } = spawnSync(join(bin, program), args, options)
      if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
      return stdout
    },
    start(port, settings) {
      const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 ${settings}`
      cluster.run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start'])
    },
    stop: () => void cluster.run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  cluster.give(folder)
  const common = ['-D', data, '-U', 'kitlane', '-E', 'UTF8', '--locale=C.UTF-8']
  if (place) {
    cluster.give(place.data)
    cluster.give(place.wal)
    common.push(`--waldir=${place.wal}`)
  }
  if (password === undefined) {
    cluster.run('initdb', [...common, '-A', 'trust'])
  } else {
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, password)
    cluster.give(passwordFile)
    cluster.run('initdb', [...common, '-A', 'scram-sha-256', '--pwfile', passwordFile])
  }
  return cluster
}
