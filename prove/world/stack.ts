import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { type Caller, caller } from '../../test/harness/caller.ts'
import { runKitlane } from '../../test/harness/kitlane.ts'
import { CORE } from '../../test/harness/orders.ts'
import { type MailServer, startMailServer } from '../../test/harness/smtp.ts'
import { type StripeStandIn, startStripeStandIn } from '../../test/harness/stripe-stand-in.ts'
import { connect, right } from '../lab-orders/connect.ts'
import { type FaultyLaboratory, faultyLaboratory } from '../lab-orders/laboratory.ts'
import { makeServers, type Server } from '../outage/servers.ts'
import { randomOf } from '../random.ts'
import { Hurry } from './hurry.ts'
import { Mailbox } from './mailbox.ts'
import { startNode, type WorldNode } from './node.ts'
import { BUSINESSES } from './plan.ts'
import { type RealmReceiver, realmReceiver } from './receiver.ts'

export interface Realm {
  /** Such as `1l`: the second business, live. */
  name: string
  token: string
  receiver: RealmReceiver
}

/** Two API nodes and two workers, each behind a proxy of its own, and everything that they talk to. */
export interface Stack {
  server: Server
  nodes: WorldNode[]
  mail: MailServer
  mailbox: Mailbox
  stripe: StripeStandIn
  realms: Map<string, Realm>
  laboratory: FaultyLaboratory
  /** When kits are ordered there. */
  labOrdersAt: 'registration' | 'receipt'
  hurry: Hurry
  operatorToken: string
  /** Runs a command beside the nodes. */
  command(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Connects as a superuser, without row-level security. */
  connect(): Promise<Client>
  stop(): Promise<void>
}

export const CREDITS = 5000
/** Of the product whose sealed boxes are in stock. */
export const GTIN = '09506000134352'
/** What moves a kit of the sandbox to a stage. */
export const SANDBOX = {
  shipped: 'kitInTransit',
  delivered: 'kitDelivered',
  received: 'sampleReceived',
  rejected: 'sampleRejected',
} as const
const STRIPE_SECRET = 'whsec_of_the_world'

export async function startStack({
  seed,
  bin,
  checkout,
}: {
  seed: number
  bin: string
  checkout: string
}): Promise<Stack> {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kitlane-world-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'data'))
    const { primary: server, standby, remove } = await makeServers(bin)
    undo.push(remove)
    await standby.kill()
    const mail = await startMailServer()
    undo.push(mail.stop)
    const stripe = await startStripeStandIn()
    undo.push(stripe.stop)
    const laboratory = await faultyLaboratory(randomOf(seed + 1000), false)
    undo.push(laboratory.stop)
    const labOrdersAt = seed % 2 === 0 ? 'registration' : 'receipt'
    const env = {
      LAB_ORDERS_AT: labOrdersAt,
      LAB_ORDERS_HOSTS: [...new Set(Object.values(laboratory.urls).map((url) => new URL(url).host))].join(),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'info',
      SMTP_URL: mail.url,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
      STRIPE_API_URL: stripe.url,
      ALLOW_LOOPBACK_WEBHOOKS: '1',
      STOP_DELAY_SECONDS: '0',
    }
    const launcher = join(checkout, 'bin', 'kitlane.js')
    const command = (...args: string[]) => runKitlane(args, { ...env, DATABASE_URL: server.url }, folder, { launcher })
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await command(...args)
      if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
      return args.includes('--json') ? JSON.parse(stdout) : stdout
    }
    await run('migrate')
    const nodes: WorldNode[] = []
    for (const role of ['api', 'api', 'worker', 'worker'] as const) {
      const node = await startNode(role, { databaseUrl: server.url, env, folder, checkout })
      undo.push(node.stop)
      nodes.push(node)
    }
    await Promise.all(nodes.map((node) => node.untilReady()))
    const [api] = nodes
    stripe.webhooks({ url: `${api?.url}/hooks/stripe`, secret: STRIPE_SECRET, copies: 2, when: 'after_reply' })

    const realms = new Map<string, Realm>()
    const scopes = allOperatorScopes.join(',')
    const operator = await run('operator-token', 'create', '--name', 'world', '--scopes', scopes, '--json')
    const ofOperator = caller(api?.url ?? '', operator.token, { prefix: '/operator/v1' })
    await furnish(ofOperator, laboratory)
    for (let business = 0; business < BUSINESSES; business++) {
      const made = right(await ofOperator.post('/businesses', { name: `World ${business}`, credits: CREDITS })).body
      const settings = { rateLimitPerMinute: 1_000_000, publishing: 'manual' }
      right(await ofOperator.request('PATCH', `/businesses/${made.business.id}`, settings))
      for (const [letter, token] of [
        ['l', made.liveToken],
        ['s', made.sandboxToken],
      ] as const) {
        const receiver = await realmReceiver(randomOf(seed + business * 2 + (letter === 'l' ? 0 : 1)))
        undo.push(receiver.stop)
        const { post } = caller(api?.url ?? '', token)
        receiver.secret = right(await post('/webhooks', { url: receiver.url })).body.secret
        if (letter === 'l') right(await post('/payment-methods', { id: 'pm_card_visa' }))
        realms.set(`${business}${letter}`, { name: `${business}${letter}`, token, receiver })
      }
    }
    const hurry = new Hurry(server)
    undo.push(() => hurry.stop())
    return {
      server,
      nodes,
      mail,
      mailbox: new Mailbox(mail),
      laboratory,
      labOrdersAt,
      hurry,
      stripe,
      realms,
      operatorToken: operator.token,
      command,
      connect: server.connect,
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}

/** Sealed boxes of one product, samples that keep for two weeks, and a laboratory on each line. */
async function furnish(operator: Caller, laboratory: FaultyLaboratory): Promise<void> {
  right(await operator.post(`/stock/products/${GTIN}`, { kitType: CORE }))
  right(await operator.request('PATCH', `/panels/${CORE}`, { stabilityDays: 14 }))
  await connect(operator, laboratory)
}
