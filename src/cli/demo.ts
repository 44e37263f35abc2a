import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { hasEntryOf } from '../modules/audit/queries.ts'
import * as audit from '../modules/audit/service.ts'
import { DEMO_COMPANIES } from '../modules/businesses/queries.ts'
import * as businesses from '../modules/businesses/service.ts'
import { createUser, hasUsers } from '../modules/identity/users.ts'
import { onboard } from '../modules/onboarding/onboard.ts'
import { attachMethod, listMethods } from '../modules/payments/methods.ts'
import type { Actor, SystemTx, Tx } from '../platform/database/tx.ts'
import { makeFolder } from '../platform/key-file.ts'
import type { Logger } from '../platform/log.ts'
import { type RealmPorts, realmPorts } from '../platform/ports/realm-ports.ts'
import type { Service } from '../service/app.ts'
import type { Settings } from '../settings.ts'
import { createCompanies, playCompanies } from './demo-company.ts'

const actor: Actor = { name: 'demo' }
const name = 'Demo Clinic'
const email = 'admin@demo.kitlane.invalid'
const credits = 1000
const contactEmail = 'help@demo.kitlane.invalid'

const Demo = z.object({
  baseUrl: z.string(),
  business: z.object({ id: z.string(), name: z.string() }),
  liveToken: z.string(),
  sandboxToken: z.string(),
  dashboard: z.object({ url: z.string(), email: z.string(), password: z.string() }),
  /** When the half year ends that the made-up companies live through. */
  companiesUntil: z.iso.datetime().optional(),
})

/** The content of `demo.json`, which other programs read. */
type Demo = z.infer<typeof Demo>

async function maybeReadDemo(path: string): Promise<Demo | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return Demo.parse(JSON.parse(text))
  } catch (cause) {
    throw new StartError(`${path} is damaged. Remove it, or start without --demo.`, { cause })
  }
}

/** Writes the file atomically, readable by its owner only. */
async function writeDemo(path: string, demo: Demo): Promise<void> {
  makeFolder(dirname(path), 0o700)
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(demo, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

export interface Demonstrated {
  words: string
  /** Lives through the half year of the made-up companies, where it is not over. */
  play?: (signal: AbortSignal) => Promise<void>
}

/** Fills an empty database once and prints how to use it; later starts only print that again. */
export async function demo(service: Service, { dataDir }: Settings, log: Logger): Promise<Demonstrated> {
  const { database, url, quietMs } = service
  const path = join(dataDir, 'demo.json')
  const baseUrl = callable(url)
  const known = await maybeReadDemo(path)
  const found = await database.asSystem(actor, async (tx) => {
    const list = await businesses.list(tx)
    if (list.length === 0 && !(await hasUsers(tx))) return fill(tx, path, baseUrl)
    if (known && list.some(({ id }) => id === known.business.id)) return known
    return list.some((business) => business.name === name) ? 'forgotten' : 'other'
  })
  if (found === 'forgotten') {
    const words = `The database holds ${name}, but ${path} is gone: its tokens and password cannot be shown again. Create new ones with kitlane token create and kitlane user create.`
    return { words }
  }
  if (found === 'other') return { words: 'The database is not empty, so --demo changes nothing.' }

  const current: Demo = { ...found, baseUrl, dashboard: { ...found.dashboard, url: dashboardOf(baseUrl) } }
  if (found.baseUrl !== baseUrl || found.dashboard.url !== current.dashboard.url) await writeDemo(path, current)
  await tourOnce(service, log, current)
  const words = describe(current, path)
  if (!current.companiesUntil) return { words }
  const until = new Date(current.companiesUntil)
  return { words, play: (signal) => playCompanies(database, { until, isQuiet: () => quietMs() > QUIET_MS }, signal) }
}

// Whoever looks around asks for something every few seconds.
const QUIET_MS = 2000

async function fill(tx: SystemTx, path: string, baseUrl: string): Promise<Demo> {
  const { business, liveToken, sandboxToken } = await onboard(tx, { name, credits, contactEmail })
  await businesses.configure(tx, business.id, { uploadsEnabled: true })
  const { password = '' } = await createUser(tx, { email, role: 'operator-admin' })
  // One login for both sides.
  await createUser(tx, { email, role: 'business-admin', businessId: business.id })
  await createCompanies(tx, email)
  const dashboard = { url: dashboardOf(baseUrl), email, password }
  const companiesUntil = tx.now.toISOString()
  const made: Demo = { baseUrl, business, liveToken, sandboxToken, dashboard, companiesUntil }
  // Written before the commit: a crash in between leaves a file without a business, never tokens that nobody knows.
  await writeDemo(path, made)
  return made
}

const dashboardOf = (baseUrl: string) => `${baseUrl}/app/`

const action = 'demo.toured'

/** Whether the demo order was placed in this realm; still true after a reset of the sandbox. */
const wasToured = (tx: Tx): Promise<boolean> => hasEntryOf(tx, action)

/** Records that the demo order was placed, so that a later start does not place it again. */
function recordTour(tx: Tx, orderId: string): Promise<void> {
  return audit.record(tx, [{ action, objectType: 'order', objectId: orderId }])
}

const kitType = 'ED1NL4E3L'
const DAY = '2026-01-15'

const Created = z.object({ orderId: z.string() })
const Order = z.object({ kits: z.tuple([z.object({ kitID: z.string() })]) })
const Kits = z.tuple([z.object({ customerID: z.number() })])
const Customer = z.object({ reports: z.tuple([z.object({ id: z.string() })]) })
const Report = z.object({ details: z.object({ status: z.literal('published') }) })

/** Takes one sandbox order from placement to a published report through the API. Returns its ID. */
async function playOrder({ baseUrl, sandboxToken, companiesUntil: since }: Demo): Promise<string> {
  async function call<T>(answer: z.ZodType<T>, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Token ${sandboxToken}`,
        'content-type': 'application/json',
        // An interrupted tour continues with the same order.
        ...(method === 'POST' && { 'idempotency-key': `kitlane-demo:${path}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!response.ok) throw new StartError(`${method} ${path} answered ${response.status}`)
    return answer.parse(await response.json())
  }

  const recipient = {
    first_name: 'Dana',
    last_name: 'Example',
    email: 'dana@example.com',
    address: { street1: '100 Main Street', city: 'Springfield', state: 'IL', zip: '62701' },
  }
  const kit_types = [{ kitType, quantity: 1 }]
  const { orderId } = await call(Created, 'POST', '/create-order', { recipient, kit_types, externalID: 'demo-1' })
  const { kits } = await call(Order, 'GET', `/orders/${orderId}`)
  const [{ kitID }] = kits
  await call(z.unknown(), 'POST', `/sandbox/kits/${kitID}/scenario`, { scenario: 'published' })
  const [{ customerID }] = await call(Kits, 'GET', `/kits?kitID=${kitID}`)
  // For the uploads that wait for a review.
  const csv = Buffer.from('Test,Result,Unit\nHouse index,5,mg/dL\n').toString('base64')
  const file = { fileName: 'results.csv', fileBlob: `data:text/csv;base64,${csv}` }
  await call(z.unknown(), 'POST', '/customer/add-data', { type: 'file', userId: customerID, date: DAY, ...file })
  const { reports } = await call(Customer, 'GET', `/customers/${customerID}`)
  if (since) {
    // A tour that goes on later sends the same.
    const firstDate = new Date(Date.parse(since) + 30 * 86_400_000).toISOString().slice(0, 10)
    await call(z.unknown(), 'POST', '/plans', { recipient, kit_types, every: { months: 3 }, firstDate })
  }
  await call(Report, 'GET', `/customers/${customerID}/reports/${reports[0].id}`)
  return orderId
}

/** Attaches the card and places the order once, even if an earlier start was killed in between. */
async function tourOnce({ database, portsOf }: Service, log: Logger, current: Demo): Promise<void> {
  const { live, sandbox } = await database.asSystem(actor, (tx) => businesses.realmsOf(tx, current.business.id))
  if (await database.inRealm(sandbox, actor, wasToured)) return
  try {
    await attachCard(realmPorts(database, portsOf, live, actor), current.business.name)
    const orderId = await playOrder(current)
    await database.inRealm(sandbox, actor, (tx) => recordTour(tx, orderId))
  } catch (err) {
    // The service works without it: the next start tries again.
    log.error({ err }, 'the order of the demo could not be played')
  }
}

/** Attaches a simulated card, so that live card orders can be tried. With Stripe configured it does nothing. */
async function attachCard(live: RealmPorts, businessName: string): Promise<void> {
  if (live.gateway.name !== 'simulated') return
  if ((await live.open(listMethods)).length === 0) await attachMethod(live, 'pm_card_visa', businessName)
}

/** An address to call: a server that listens on all addresses is reached at the loopback address. */
function callable(url: string): string {
  const address = new URL(url)
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1'
  if (address.hostname === '[::]') address.hostname = '[::1]'
  return address.origin
}

function describe({ baseUrl, business, liveToken, sandboxToken, dashboard }: Demo, path: string): string {
  return `
  Business       ${business.name} (${business.id})
  API            ${baseUrl}/api/v1, explained on ${baseUrl}/docs
  Sandbox token  ${sandboxToken}
  Live token     ${liveToken}
  Dashboard      ${dashboard.url}
  Login          ${dashboard.email}
  Password       ${dashboard.password}

  Something to look at: ${DEMO_COMPANIES.join(', and then ')}, lives through half a year of made-up kits, in the background.

  All of this is in ${path} too.

  Try it:
  curl -H 'Authorization: Token ${sandboxToken}' ${baseUrl}/api/v1/orders
`
}
