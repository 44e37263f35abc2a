// Proves that the image builds and runs to its end: npm run prove:image -- [--base <image>] [--inject-fault]
// Without --base, the base is made of Debian's packages and this Node. As root, with buildah, podman, crun and mmdebstrap.
// --inject-fault leaves out the read-only root, which must be found.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { generateX25519Identity } from 'age-encryption'
import { Client } from 'pg'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { caller } from '../test/harness/caller.ts'
import { freePort } from '../test/harness/free-port.ts'
import { anOrder } from '../test/harness/orders.ts'
import { makeBase } from './image/base.ts'
import { buildImage } from './image/build.ts'
import { mustPodman, podman } from './image/programs.ts'

const { values } = parseArgs({
  options: { base: { type: 'string' }, 'inject-fault': { type: 'boolean', default: false } },
})
const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const image = `localhost/kitlane:${version}`
const began = performance.now()
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)

function check(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`Broken: ${promise}`)
  say(promise)
}

// A machine without the right to raise limits refuses podman's own.
const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
const RIGHTS = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--tmpfs', '/data', '--tmpfs', '/tmp']
const HELD = [...LIMITS, ...RIGHTS, '--network', 'host', ...(values['inject-fault'] ? [] : ['--read-only'])]

const undo: (() => Promise<unknown> | unknown)[] = []
try {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-image-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const base = values.base ?? (await makeBase(root, folder))
  say(`the base is ${base}`)
  await buildImage(root, base, image, folder)
  const size = Number(mustPodman('image', 'inspect', '--format', '{{.Size}}', image))
  say(`the image builds: ${(size / 1e6).toFixed(0)} MB with its base`)

  const cluster = await openEmbedded({ dataDir: join(folder, 'data') })
  undo.push(() => cluster.stop())
  const places = ['files', 'backups'].map((name) => [`kitlane-proof-${name}`, `/${name}`] as const)
  for (const [volume] of places) undo.push(() => podman('volume', 'rm', '--force', volume))
  const settings = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BACKUP_KEY: await generateX25519Identity(),
    FILES_URL: 'file:///files',
    LOG_LEVEL: 'warn',
  }
  const keys = [
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ...places.flatMap(([volume, path]) => ['--volume', `${volume}:${path}`]),
  ]
  const on = (url: string, ...more: string[]) => [...HELD, ...keys, '-e', `DATABASE_URL=${url}`, ...more, image]
  mustPodman('run', '--rm', ...on(cluster.ownerUrl), 'migrate')
  say('a container migrates as the owner, and ends')
  const node = await loginOfNodes(cluster.superUrl, cluster.ownerUrl)
  const created = mustPodman(
    'run',
    '--rm',
    ...on(node),
    'business',
    'create',
    '--name',
    'A',
    '--credits',
    '9',
    '--json',
  )
  const port = String(await freePort())
  const api = start('api', on(node, '-e', 'HOST=127.0.0.1', '-e', `PORT=${port}`))
  const worker = start('worker', on(node, '-e', 'HOST=127.0.0.1', '-e', `PORT=${await freePort()}`))

  for (const [role, name] of [
    ['api', api],
    ['worker', worker],
  ] as const) {
    check(await isHealthy(name), `${role}: its health check succeeds`)
    const processes = 'for one in /proc/[0-9]*; do cat $one/comm 2>/dev/null; done | sort | uniq -c'
    const running = mustPodman('exec', name, 'sh', '-c', processes)
    check(/^\s*1 (node|kitlane|MainThread)$/m.test(running) && !/postgres/.test(running), `${role}: it is one process`)
    check(mustPodman('exec', name, 'id', '-u') === '1000', `${role}: it is not root`)
    const written = podman('exec', '--user', '0', name, 'sh', '-c', 'echo x > /opt/kitlane/x')
    check(written.status !== 0 && /Read-only/.test(written.stderr), `${role}: nobody writes to its root, root neither`)
  }
  const live = caller(`http://127.0.0.1:${port}`, JSON.parse(created).liveToken)
  check((await live.post('/create-order', anOrder())).status === 201, 'it takes an order')
  const page = await fetch(`http://127.0.0.1:${port}/app/`)
  check(page.status === 200 && (await page.text()).includes('/app/assets/'), 'it serves the dashboard')
  const backup = JSON.parse(mustPodman('exec', worker, 'node', 'bin/kitlane.js', 'backup', '/backups/', '--json'))
  const empty = await emptyDatabase(cluster.superUrl, cluster.ownerUrl)
  const elsewhere = on(empty, '-e', 'FILES_URL=file:///data/files')
  const restored = JSON.parse(mustPodman('run', '--rm', ...elsewhere, 'restore', backup.location, '--json'))
  check(restored.ok === true, `a backup is made and restored: ${restored.proofs.length} things are right`)
  for (const name of [api, worker]) {
    mustPodman('stop', '--time', '40', name)
    const code = mustPodman('inspect', '--format', '{{.State.ExitCode}}', name)
    check(code === '0', `${name}: it ends at SIGTERM by itself, with code 0`)
  }
} finally {
  for (const step of undo.reverse()) await step()
}

function start(role: string, args: string[]): string {
  const name = `kitlane-proof-${role}`
  podman('rm', '--force', name)
  mustPodman('run', '--detach', '--name', name, ...args, 'start', '--no-migrate', '--role', role)
  undo.push(() => podman('rm', '--force', name))
  return name
}

async function isHealthy(name: string): Promise<boolean> {
  for (let tries = 0; tries < 120; tries++) {
    if (podman('healthcheck', 'run', name).status === 0) return true
    if (podman('inspect', '--format', '{{.State.Status}}', name).stdout.trim() === 'exited') break
    await delay(500)
  }
  const { stdout, stderr } = podman('logs', name)
  console.error(`${stdout}${stderr}`)
  return false
}

async function emptyDatabase(superUrl: string, ownerUrl: string): Promise<string> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  await client.query('create database restored owner kitlane_owner')
  await client.end()
  return ownerUrl.replace(/\/kitlane$/, '/restored')
}

/** A login that is only a member of the program's role, as docs/database.md makes it. */
async function loginOfNodes(superUrl: string, ownerUrl: string): Promise<string> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  await client.query(`create role kitlane_node login password 'proof' in role kitlane_app`)
  await client.end()
  const url = new URL(ownerUrl)
  url.username = 'kitlane_node'
  url.password = 'proof'
  return url.href
}
