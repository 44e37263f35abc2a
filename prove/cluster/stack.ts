import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { caller } from '../../test/harness/caller.ts'
import { CORE } from '../../test/harness/orders.ts'
import type { Random } from '../random.ts'
import { type RealmReceiver, realmReceiver } from '../world/receiver.ts'
import { type Machines, makeMachines } from './machines.ts'
import { command, type Release, type ServiceNode, serviceNode } from './nodes.ts'
import { type Part, part } from './part.ts'
import { type PatroniCluster, patroniCluster } from './patroni.ts'

/** Everything that `deploy/ha` describes, running on this machine. */
export interface Stack {
  machines: Machines
  database: PatroniCluster
  pgbouncer: Part
  nodes: ServiceNode[]
  /** The API, through HAProxy. */
  url: string
  token: string
  receiver: RealmReceiver
  masterKey: Buffer
  /** A release with the owner's credentials, for `kitlane migrate` and other commands. */
  asOwner(launcher: string): Release
  /** A release as nodes run it, without them. */
  asNode(launcher: string): Release
  /** Connects to the primary as a superuser, through HAProxy. */
  connect(): Promise<Client>
  /** Waits until HAProxy sends requests to all nodes that are up. */
  untilBalanced(): Promise<void>
  stop(): Promise<void>
}

export interface StackOptions {
  random: Random
  isSynchronous: boolean
  /** What runs first. `before`: a release that still wants the owner's login. */
  launcher: string
  isBefore: boolean
  keep: boolean
}

const CREDITS = 900_000

export async function startStack({ random, isSynchronous, launcher, isBefore, keep }: StackOptions): Promise<Stack> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const machines = await makeMachines({ isSynchronous })
    if (!keep) undo.push(machines.remove)
    await mkdir(join(machines.folder, 'data'))
    const database = patroniCluster(machines, isSynchronous)
    undo.push(database.stop)
    for (const machine of database.machines) machine.start()
    const haproxy = part(machines, 'haproxy', '/usr/sbin/haproxy', ['-db', '-f', machines.configure('haproxy.cfg')])
    undo.push(haproxy.kill)
    haproxy.start()
    await writeFile(join(machines.folder, 'userlist.txt'), `"kitlane_node" "${machines.passwords.node}"\n`)
    const pgbouncer = part(machines, 'pgbouncer', '/usr/sbin/pgbouncer', [machines.configure('pgbouncer.ini')])
    await database.untilWhole()

    const { passwords } = machines
    const primaryUrl = (user: string, password: string, name: string) =>
      `postgres://${user}:${password}@${machines.address(31)}:5000/${name}`
    const connect = async (name = 'kitlane') => {
      const connectionString = primaryUrl('postgres', passwords.postgres, name)
      const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
      client.on('error', () => {})
      await client.connect()
      return client
    }
    const asSuperuser = async (name: string, ...texts: string[]) => {
      const client = await connect(name)
      try {
        for (const text of texts) await client.query(text)
      } finally {
        await client.end()
      }
    }
    await untilAnswers(connect)
    await asSuperuser(
      'postgres',
      `create role kitlane login createrole password '${passwords.owner}'`,
      'create database kitlane owner kitlane',
    )

    const masterKey = randomBytes(32)
    const env = {
      ENCRYPTION_KEY: masterKey.toString('base64'),
      LOG_LEVEL: 'info',
      ALLOW_LOOPBACK_WEBHOOKS: '1',
    }
    const asOwner = (of: string): Release => ({
      launcher: of,
      env: { ...env, DATABASE_URL: primaryUrl('kitlane', passwords.owner, 'kitlane') },
      args: [],
    })
    const asNode = (of: string): Release => ({
      launcher: of,
      env: { ...env, ...machines.nodeEnv() },
      args: ['--no-migrate'],
    })
    await command(machines, asOwner(launcher), 'migrate')
    await asSuperuser('kitlane', `create role kitlane_node login password '${passwords.node}' in role kitlane_app`)
    pgbouncer.start()
    undo.push(pgbouncer.kill)

    const { DATABASE_URL: pooled = '', STOP_DELAY_SECONDS: pause = '' } = machines.nodeEnv()
    const owner = asOwner(launcher)
    // It has no `--no-migrate`, and its reads know nothing of standbys.
    const first: Release = isBefore
      ? {
          ...owner,
          env: {
            ...owner.env,
            DATABASE_URL: pooled,
            DATABASE_DIRECT_URL: owner.env.DATABASE_URL ?? '',
            STOP_DELAY_SECONDS: pause,
          },
        }
      : asNode(launcher)
    const nodes = [
      { name: 'api-1', role: 'api' as const, last: 21 },
      { name: 'api-2', role: 'api' as const, last: 22 },
      { name: 'worker-1', role: 'worker' as const, last: 23 },
      { name: 'worker-2', role: 'worker' as const, last: 24 },
    ].map((one) => serviceNode(machines, one, first))
    for (const node of nodes) {
      undo.push(node.stop)
      node.start()
    }
    await Promise.all(nodes.map((node) => node.untilReady()))
    const untilBalanced = () => untilUp(machines.address(31))
    await untilBalanced()

    const url = `http://${machines.address(31)}:8080`
    const made = await command(
      machines,
      owner,
      ...['business', 'create', '--name', 'Cluster', '--panels', CORE, '--credits', String(CREDITS), '--json'],
    )
    await command(machines, owner, 'business', 'set', '--business', 'Cluster', 'rateLimitPerMinute=1000000')
    const { liveToken: token } = JSON.parse(made)
    // It accepts everything: that receivers fail is another proof's subject, and retries take minutes.
    const receiver = await realmReceiver({ ...random, fraction: () => 1 })
    undo.push(receiver.stop)
    const { post } = caller(url, token)
    receiver.secret = (await created(post('/webhooks', { url: receiver.url }))).secret
    await created(post('/payment-methods', { id: 'pm_card_visa' }))
    return {
      machines,
      database,
      pgbouncer,
      nodes,
      url,
      token,
      receiver,
      masterKey,
      asOwner,
      asNode,
      connect,
      untilBalanced,
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}

async function created(answer: ReturnType<ReturnType<typeof caller>['post']>): Promise<{ secret: string }> {
  const { status, body, text } = await answer
  if (status !== 201) throw new Error(`${status}: ${text}`)
  return body
}

async function untilAnswers(connect: (name: string) => Promise<Client>): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; await delay(200)) {
    try {
      const client = await connect('postgres')
      await client.end()
      return
    } catch (err) {
      // HAProxy has not asked Patroni yet.
      if (performance.now() > deadline) throw err
    }
  }
}

/** Until HAProxy has found both API nodes and one primary. */
async function untilUp(address: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; await delay(100)) {
    const answer = await fetch(`http://${address}:8404/;csv`).catch(() => undefined)
    const lines = ((await answer?.text()) ?? '').split('\n').map((line) => line.split(','))
    const up = (proxy: string, server: string) =>
      lines.filter(([of, name = '', ...rest]) => of === proxy && name.startsWith(server) && rest.includes('UP')).length
    if (up('nodes', 'api-') === 2 && up('primary', 'db-') === 1) return
    if (performance.now() > deadline) throw new Error(`HAProxy does not see all: ${lines.join('\n')}`)
  }
}
