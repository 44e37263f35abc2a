import { execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Figure } from '../record.ts'
import { Docker } from './docker.ts'
import type { Image } from './images.ts'
import { scraped } from './scraped.ts'
import { type Site, use } from './use.ts'

export interface Walk {
  root: string
  /** For everything that is written. */
  folder: string
  images: readonly Image[]
  isBroken: boolean
  say(text: string): void
}

/** Walks docs/install-container.md, and returns what was seen. */
export async function walk({ root, folder, images, isBroken, say }: Walk): Promise<Figure[]> {
  const place = join(folder, 'site')
  for (const path of ['compose.yaml', 'deploy', 'ops'])
    await cp(join(root, path), join(place, path), {
      recursive: true,
      filter: (from) => !from.endsWith('deploy/compose/secrets'),
    })
  const file = join(place, 'compose.yaml')
  // Compose 1.29, the newest that Debian 12 has, takes the name as an argument only.
  const text = (await readFile(file, 'utf8')).replace(/^name: kitlane\n/m, '')
  await writeFile(file, isBroken ? text.replaceAll('FILES_URL: file:///files', 'FILES_URL: file:///data/files') : text)
  const docker = await Docker.start(folder)
  const compose = docker.compose(file, 'kitlane')
  const drill = docker.compose(file, 'drill')
  try {
    for (const { archive } of images) docker.must('load', '--input', archive)
    say('Docker runs, and has the images')
    const began = performance.now()
    execFileSync('sh', [join(place, 'deploy/compose/secrets.sh')], { stdio: 'ignore' })
    // The images are there: a registry of packages is not reached from here.
    compose(...MONITORED, 'up', '--no-build', '--detach')
    const site: Site = { docker, compose, drill, container: (name) => `kitlane_${name}`, say }
    for (const name of RUNNING) await untilReady(docker, site.container(name))
    const seconds = Math.round((performance.now() - began) / 1000)
    say('everything is ready')
    return [
      { name: 'secrets.sh and compose up, until every container is ready', actual: seconds, unit: 's' },
      ...held(site),
      ...(await scraped(site, await readFile(join(place, 'ops/prometheus/alerts.yaml'), 'utf8'))),
      ...(await use(site)),
    ]
  } catch (err) {
    console.error(compose('logs', '--no-color', '--tail', '40'))
    throw err
  } finally {
    for (const project of [drill, compose]) project(...MONITORED, 'down', '--volumes', '--timeout', '40')
    await docker.stop()
  }
}

const MONITORED = ['--profile', 'monitoring']
const OURS = ['api_1', 'api_2', 'worker_1']
const RUNNING = [...OURS, 'pgbouncer_1', 'postgres_1']

/** PostgreSQL and PgBouncer by their health checks; a node by what its health check asks, which costs no process of its own. */
export async function untilReady(docker: Docker, container: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { State, NetworkSettings, Config } = docker.inspect(container)
    if (State.Status === 'running') {
      const [network] = Object.values<{ IPAddress: string }>(NetworkSettings.Networks)
      const isNode = Config.Image.startsWith('kitlane:')
      if (isNode ? await answers(`http://${network?.IPAddress}:9464/health/ready`) : State.Health.Status === 'healthy')
        return
    }
    if (tries === 300) throw new Error(`${container} is ${State.Status}: ${JSON.stringify(State.Health?.Log?.at(-1))}`)
    await delay(1000)
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

/** What compose.yaml promises of the containers, seen from inside of them. */
function held({ docker, container }: Site): Figure[] {
  const count = (names: readonly string[], has: (name: string) => boolean) =>
    names.filter((name) => has(container(name))).length
  const inside = (name: string, ...command: string[]) => docker.maybe('exec', '--user', '0', name, ...command)
  const writes = (name: string) => inside(name, 'sh', '-c', 'echo x > /opt/x').status === 0
  const hasOwner = (name: string) => inside(name, 'test', '-e', '/run/secrets/owner-url').status === 0
  const isRoot = (name: string) => docker.must('exec', name, 'id', '-u') === '0'
  const caps = (name: string) => docker.must('exec', name, 'sh', '-c', 'grep CapBnd /proc/1/status').split(/\s+/)[1]
  return [
    { name: 'containers that run', actual: count(RUNNING, () => true), expected: 5 },
    { name: 'exit code of the migration', actual: docker.inspect(container('migrate_1')).State.ExitCode, expected: 0 },
    { name: 'nodes that have the login of the owner', actual: count(OURS, hasOwner), expected: 0 },
    { name: 'nodes and poolers that run as root', actual: count([...OURS, 'pgbouncer_1'], isRoot), expected: 0 },
    {
      name: 'nodes and poolers whose root can be written, by root',
      actual: count([...OURS, 'pgbouncer_1'], writes),
      expected: 0,
    },
    {
      name: 'nodes and poolers with a capability',
      actual: count([...OURS, 'pgbouncer_1'], (name) => !/^0+$/.test(caps(name) ?? '')),
      expected: 0,
    },
  ]
}
