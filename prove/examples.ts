// Proves that the shop of examples/ installs, builds and sells a kit: npm run prove:examples -- [--inject-fault]
// It needs the npm registry. --inject-fault gives the shop another secret than its webhooks, which must be found.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Kitlane } from '../client/src/index.ts'
import { launchChromium } from '../test/harness/chromium.ts'
import { freePort } from '../test/harness/free-port.ts'
import { spawnKitlane } from '../test/harness/kitlane.ts'

const { values } = parseArgs({
  options: {
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps pictures of its pages in this folder. */
    pictures: { type: 'string' },
  },
})
const root = join(import.meta.dirname, '..')
const began = performance.now()
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`)

function check(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`Broken: ${promise}`)
  say(promise)
}

const folder = await mkdtemp(join(tmpdir(), 'kitlane-examples-'))
const undo: (() => Promise<unknown> | unknown)[] = [() => rm(folder, { recursive: true, force: true })]
const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`
const WAIT_MS = 120_000
try {
  const shop = join(folder, 'shop')
  await cp(join(root, 'examples/shop'), shop, {
    recursive: true,
    filter: (path) => !/node_modules|\.next|\.tgz$/.test(path.slice(root.length)),
  })
  execFileSync('npm', ['pack', '--silent', '--workspace', 'client', '--pack-destination', shop], { cwd: root })
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: shop })
  say('the shop installs, with the packed client')

  const data = join(folder, 'data')
  const service = spawnKitlane(['start', '--demo', '--port', '0', '--data', data], { LOG_LEVEL: 'warn' }, folder)
  undo.push(() => end(service.child))
  await service.until(/^Kitlane is ready on/m)
  const { baseUrl, sandboxToken } = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
  const settings = { KITLANE_URL: baseUrl, KITLANE_TOKEN: sandboxToken }
  const secret = secretOf('of the webhooks')
  const env = {
    ...process.env,
    ...settings,
    KITLANE_WEBHOOK_SECRET: values['inject-fault'] ? secretOf('another one') : secret,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  // Not `npm run`: anyone who ends npm leaves its program running.
  const next = (...args: string[]) => [join(shop, 'node_modules/next/dist/bin/next'), ...args]
  execFileSync(process.execPath, next('build'), { cwd: shop, env, stdio: ['ignore', 'ignore', 'inherit'] })
  say('it builds')

  const port = String(await freePort())
  const child = spawn(process.execPath, next('start', '--port', port, '--hostname', '127.0.0.1'), { cwd: shop, env })
  undo.push(() => end(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text
    })
  }
  const address = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(address).catch(() => undefined))?.ok)
  const listener = spawnKitlane(
    ['listen', '--forward', `${address}/webhook`],
    { ...settings, KITLANE_WEBHOOK_SECRET: secret, XDG_CONFIG_HOME: folder },
    folder,
  )
  undo.push(() => end(listener.child))
  await listener.until(/from now on/)

  const browser = await launchChromium()
  undo.push(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  page.setDefaultTimeout(WAIT_MS)
  const picture = async (name: string) => {
    if (!values.pictures) return
    for (const [colorScheme, width] of [
      ['light', 390],
      ['dark', 1440],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await page.screenshot({ path: join(values.pictures, `${name}-${colorScheme}-${width}.png`), fullPage: true })
    }
  }
  await page.goto(address)
  await picture('kits')
  await page.locator('.kits a').first().click()
  const fields = {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.test',
    street1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
  }
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value)
  await picture('kit')
  const id = await page.inputValue('[name=id]')
  await page.dblclick('button[type=submit]')
  await page.waitForURL(`${address}/orders/${id}`)
  await picture('order')
  const kitlane = new Kitlane({ token: sandboxToken, baseUrl })
  const { data: orders } = await kitlane.orders.list({ externalID: id })
  check(orders.length === 1, 'a form that is sent by a double click is one order')

  const kitID = orders[0]?.kits[0]?.kitID ?? ''
  await kitlane.sandbox.advanceKit(kitID, { status: 'kitDelivered' })
  await until(() => output.includes(`Order ${id}: the kit is delivered`)).catch(() => undefined)
  check(output.includes(`Order ${id}: the kit is delivered`), 'the shop hears from webhooks what became of its order')
  await page.goto(`${address}/orders/${id}`)
  check(await page.getByText('Your kit was delivered.').isVisible(), 'and shows it to who has the address of the order')
  say('right')
} catch (err) {
  console.error(err)
  process.exitCode = 1
} finally {
  for (const step of undo.reverse()) await step()
}

async function until(holds: () => unknown): Promise<void> {
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; await delay(200)) {
    if (await holds()) return
  }
  throw new Error('it took too long')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
