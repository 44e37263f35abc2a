import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { StartError } from '../../../domain/errors.ts'
import { give, namedAccount, takeOver } from './account.ts'
import { type Credentials, clusterUrls, databaseName, roles } from './credentials.ts'
import { openLog, readTail } from './folder.ts'
import { clusterPath, launch, type Place, type StartedPostmaster, spawnOptions, watchExit } from './launch.ts'
import { stopPostmaster } from './process.ts'

const marker = 'kitlane.ready'

/** Whether the cluster was made to its end: initdb, then roles and database, then our marker. */
export async function isComplete(cluster: string): Promise<boolean> {
  const needed = ['PG_VERSION', join('global', 'pg_control'), marker]
  const found = await Promise.allSettled(needed.map((name) => access(join(cluster, name))))
  return found.every(({ status }) => status === 'fulfilled')
}

/** Makes the cluster, its roles and its database; leaves it running. */
export async function createCluster(
  place: Place,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<StartedPostmaster> {
  await runInitdb(place, credentials)
  const postmaster = await launch(place, { signal })
  try {
    await createRoles(credentials, postmaster.port)
    const ready = join(place.folder.cluster, marker)
    await writeFile(ready, '', { mode: 0o600, flag: 'wx', flush: true })
    await give(ready, place.account)
    return postmaster
  } catch (error) {
    await stopPostmaster(place.folder.cluster, postmaster.pid)
    throw error
  }
}

async function runInitdb(place: Place, credentials: Credentials): Promise<void> {
  const { folder, binaries } = place
  const account = place.account && (await namedAccount())
  await mkdir(folder.cluster, { recursive: true, mode: 0o700 })
  await give(folder.cluster, account)
  const passwordFile = join(folder.root, 'postgres.password')
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, credentials.superPassword, { mode: 0o600, flag: 'wx' })
  await give(passwordFile, account)
  const { fd, start } = await openLog(folder.log)
  const password = openSync(passwordFile, 'r')
  try {
    const args = ['-D', clusterPath(folder.cluster), '-U', roles.super, '-A', 'scram-sha-256', '-E', 'UTF8']
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
    // Opened by us and read as standard input, since the other user may not enter the data folder.
    args.push(`--pwfile=${process.platform === 'linux' ? '/dev/stdin' : passwordFile}`)
    const child = spawn(binaries.initdb, args, {
      ...spawnOptions({ ...place, account }),
      stdio: [password, 'ignore', fd],
    })
    const exit = watchExit(child)
    await exit.gone
    if (exit.code === 0) return await takeOver(folder.cluster, place.account)
    throw new StartError(
      `The embedded PostgreSQL cannot make its files in ${folder.cluster}. Its log ends with:\n` +
        `${exit.failure ?? (await readTail(folder.log, start))}\nSet DATABASE_URL to use another PostgreSQL.`,
    )
  } finally {
    closeSync(fd)
    closeSync(password)
    await rm(passwordFile, { force: true })
  }
}

async function createRoles(credentials: Credentials, port: number): Promise<void> {
  const client = new Client({ connectionString: clusterUrls(credentials, port).superUrl })
  await client.connect()
  try {
    const { owner, app } = roles
    const password = (text: string) => client.escapeLiteral(text)
    await client.query(`CREATE ROLE ${owner} LOGIN NOSUPERUSER CREATEDB CREATEROLE
      PASSWORD ${password(credentials.ownerPassword)}`)
    await client.query(`CREATE ROLE ${app} LOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT NOCREATEDB NOCREATEROLE
      PASSWORD ${password(credentials.appPassword)}`)
    await client.query(`GRANT ${app} TO ${owner} WITH ADMIN OPTION`)
    await client.query(`CREATE DATABASE ${databaseName} OWNER ${owner}`)
  } finally {
    await client.end()
  }
}
