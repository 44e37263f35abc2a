import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type InstalledClient, installClient, onPath, otherNode } from '../harness/client-package.ts'
import { type Running, spawnKitlane } from '../harness/kitlane.ts'
import { root } from '../harness/sources.ts'

const run = promisify(execFile)
const older = await otherNode()
const [bun] = onPath('bun')
const [deno] = onPath('deno')
let folder: string
let service: Running
let client: InstalledClient
let env: Record<string, string | undefined>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-client-'))
  const data = join(folder, 'data')
  service = spawnKitlane(['start', '--demo', '--port', '0', '--data', data], { LOG_LEVEL: 'warn' }, folder)
  const ready = service.until(/^Kitlane is ready on/m)
  client = await installClient(folder)
  await ready
  const { baseUrl, sandboxToken } = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
  env = { PATH: process.env.PATH, HOME: folder, KITLANE_URL: baseUrl, KITLANE_TOKEN: sandboxToken }
})
afterAll(async () => {
  service.child.kill('SIGTERM')
  await service.ended
  await rm(folder, { recursive: true, force: true })
})

const body = `
  const kitlane = new Kitlane({ token: process.env.KITLANE_TOKEN, baseUrl: process.env.KITLANE_URL })
  const webhook = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  async function main() {
    const said = [(await kitlane.tokens.verify()).message]
    for await (const order of kitlane.orders.list({ size: 1 })) said.push(typeof order.orderID)
    const event = JSON.stringify({ type: 'webhook.test' })
    said.push((await webhook.verify(event, await webhook.sign(event))).type)
    const missing = await kitlane.orders.get('O00000000').catch((err) => err)
    said.push(missing instanceof KitlaneError, missing.code)
    console.log(JSON.stringify(said))
  }
  void main()`

async function runsIn(program: string, ...args: string[]): Promise<void> {
  await writeFile(
    join(client.project, 'shop.mjs'),
    `import { Kitlane, KitlaneError, Webhook } from '@kitlane/client'${body}`,
  )
  await writeFile(
    join(client.project, 'shop.cjs'),
    `const { Kitlane, KitlaneError, Webhook } = require('@kitlane/client')${body}`,
  )
  for (const name of ['shop.mjs', 'shop.cjs']) {
    const { stdout } = await run(program, [...args, name], { cwd: client.project, env })
    const said = JSON.parse(stdout)
    expect(new Set(said.slice(1, -3)), name).toEqual(new Set(['string']))
    expect([said[0], ...said.slice(-3)], name).toEqual(['OK', 'webhook.test', true, 'ORDER_NOT_FOUND'])
  }
}

test('the packed client runs in an empty project, imported and required', () => runsIn(process.execPath))

test.skipIf(!older)('so it does on another supported version of Node.js; skipped where there is none', () =>
  runsIn(older ?? ''),
)

test.skipIf(!bun)('so it does in Bun; skipped where there is none', () => runsIn(bun ?? ''))

test.skipIf(!deno)('so it does in Deno; skipped where there is none', () => runsIn(deno ?? '', 'run', '-A'))

test('it is small: below 40 kB of code without a byte of types, and one dependency', async () => {
  const dist = join(client.project, 'node_modules/@kitlane/client/dist')
  const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(scripts.map(async (name) => (await stat(join(dist, name))).size))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(40_000)
  expect(scripts).not.toContain('schema.gen.js')
  expect(client.tarballBytes).toBeLessThan(250_000)
  const { dependencies } = JSON.parse(await readFile(join(dist, '../package.json'), 'utf8'))
  expect(Object.keys(dependencies)).toEqual(['openapi-fetch'])
})

const misused = `
import { Kitlane, KitlaneError, type WebhookEvent } from '@kitlane/client'
const kitlane = new Kitlane({ token: 'kl_test_x', baseUrl: 'http://127.0.0.1' })
// @ts-expect-error a sorting that does not exist
void kitlane.kits.list({ sort: 'color' })
// @ts-expect-error a body that is missing
void kitlane.kits.register('K1')
// @ts-expect-error a list is no array before it is awaited
kitlane.orders.list().length
export const status = (err: unknown): 400 | 409 | undefined =>
  err instanceof KitlaneError && err.code === 'NOT_ENOUGH_CREDITS' ? err.status : undefined
// @ts-expect-error a code that does not exist
export const isWrong = (err: KitlaneError) => err.code === 'NO_SUCH_CODE'
export const changed = (event: WebhookEvent): string[] => (event.type === 'customer.updated' ? event.data.changed : [])
// @ts-expect-error only orders have items
export const items = (event: WebhookEvent) => event.type === 'kit.updated' && event.data.items
`

test('every example of the README and the quickstart type-checks, strictly, with node16 and bundler, and runs against a service', async () => {
  const blocks = [...(await codeOf('client/README.md')), ...(await codeOf('docs/quickstart/first-order.md'))]
  expect(blocks.length).toBeGreaterThan(8)
  const names = await Promise.all(
    [...blocks, misused].map(async (code, i) => {
      await writeFile(join(client.project, `block-${i}.ts`), code)
      return `block-${i}.ts`
    }),
  )
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const strict = [...types, '--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
  const typescript = join(root, 'node_modules/.bin/tsc')
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ]) {
    const options = [...strict, '--module', module ?? '', '--moduleResolution', resolution ?? '', ...names]
    const checked = await run(typescript, options, { cwd: client.project }).catch((err) => err)
    expect(checked.stdout, resolution).toBe('')
  }
  // One process for all of them, one after the other.
  const imports = names.slice(0, -1).map((name) => `await import('./${name}')`)
  await writeFile(join(client.project, 'all.ts'), imports.join('\n'))
  const ran = await run(process.execPath, ['all.ts'], { cwd: client.project, env }).catch((err) => err)
  expect(ran.code, ran.stderr).toBeUndefined()
})
