import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anOrder } from '../harness/orders.ts'
import { httpReceiver } from '../harness/receivers.ts'
import { read, trackedFiles, withoutComments } from '../harness/sources.ts'
import { ownWorld, type World } from '../harness/world.ts'

/** Matches an import of the module that is not type-only. */
const imported = (name: string) => new RegExp(`(import (?!type\\b)[^'"]*|import\\(|require\\()['"]${name}['"]`)

/** Every way to open a connection, with the only files that may use it. */
const doors: [string, RegExp, RegExp][] = [
  ['undici', imported('undici'), /^src\/platform\/egress\//],
  ['fetch', /(?<![.\w])fetch\(|\b(globalThis|global|window)\.fetch\b/, /^src\/cli\//],
  ['http', imported('(node:)?(https?|http2)'), /^src\/platform\/(http|egress)\//],
  ['sockets', imported('(node:)?(net|tls|dgram|dns|dns\\/promises)'), /^src\/(platform\/(egress|http|database)|cli)\//],
  ['WebSocket', /\bnew (WebSocket|EventSource|XMLHttpRequest)\b/, /^$/],
  // With several database hosts, the driver's own socket finds the right one.
  [
    'connections by hand',
    /\.(createConnection|connect)\(\s*\{?\s*(port|host)\b/,
    /^src\/platform\/database\/server\.ts$/,
  ],
  ['nodemailer', imported('nodemailer'), /^src\/modules\/emails\/smtp\.ts$/],
  ['stripe', imported('stripe'), /^src\/modules\/payments\/gateways\/stripe[\w-]*\.ts$/],
  ['pg', /\bnew (pg\.)?(Client|Pool)\(/, /^src\/(platform\/(database|jobs)|cli)\//],
]

it.each(doors)('nothing else in src opens a connection: %s', (_name, pattern, allowed) => {
  const sources = read(trackedFiles().filter((path) => /^src\/.*\.ts$/.test(path)))
  expect(sources.length).toBeGreaterThan(100)
  const found = sources.filter(({ path, text }) => !allowed.test(path) && pattern.test(withoutComments(text)))
  expect(found.map(({ path }) => path)).toEqual([])
})

it('the patterns find what they look for', () => {
  const examples = [
    "import { request } from 'undici'",
    'await globalThis.fetch(url)',
    "await import('https')",
    "import { connect } from 'node:net'",
    'new WebSocket(url)',
    'x.connect({ port: 1 })',
    "import { createTransport } from 'nodemailer'",
    "import Stripe from 'stripe'",
    'new Client({ connectionString })',
  ]
  expect(examples.map((text, index) => doors[index]?.[1].test(text))).toEqual(examples.map(() => true))
})

let world: World
beforeAll(async () => {
  world = await ownWorld('looks at every connection of the service')
})
afterAll(() => world.stop())

it("in a running service every connection is the database's, or goes through the egress agent", async () => {
  const opened: string[] = []
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => void opened.push(`${socket.remotePort} ${stacks.get(socket) ?? ''}`))
    stacks.set(socket, new Error('opened here').stack ?? '')
  }
  const stacks = new WeakMap<Socket, string>()
  const sockets = channel('net.client.socket')
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  sockets.subscribe(note)
  const hook = await httpReceiver((request, response) => {
    request.resume()
    response.end()
  })
  try {
    const clinic = await world.business()
    await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${hook.port}/` })
    await clinic.live.post('/create-order', anOrder())
    await expect.poll(hook.accepted).toBeGreaterThan(0)
  } finally {
    sockets.unsubscribe(note)
    Error.stackTraceLimit = limit
    await hook.stop()
  }
  const database = new URL(world.urls.direct).port
  const service = new URL(world.service.url).port
  const elsewhere = opened.filter((one) => !one.startsWith(`${database} `) && !one.startsWith(`${service} `))
  expect(elsewhere.length).toBeGreaterThan(0)
  expect(elsewhere.filter((one) => !one.includes('src/platform/egress/agent.ts'))).toEqual([])
})
