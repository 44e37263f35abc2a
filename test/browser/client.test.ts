import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chromium } from '../harness/browser.ts'
import { httpReceiver } from '../harness/receivers.ts'
import { root } from '../harness/sources.ts'

const names = { '@kitlane/client': '/client/index.ts', 'openapi-fetch': '/openapi-fetch' }
const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports: names })}</script>`

/** The modules of the client as a browser reads them, without a bundler. */
async function moduleAt(path: string): Promise<string> {
  if (path === names['openapi-fetch']) return readFile(join(root, 'node_modules/openapi-fetch/dist/index.mjs'), 'utf8')
  return stripTypeScriptTypes(await readFile(join(root, 'client/src', path.replace('/client/', '')), 'utf8'))
}

it('in a browser the client sends a write again with the same key, and checks webhooks', async () => {
  const keys: (string | undefined)[] = []
  const peer = await httpReceiver(async ({ url = '', headers, socket }, response) => {
    if (url === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    if (!url.startsWith('/api/')) {
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(await moduleAt(url))
    }
    if (keys.push(headers['idempotency-key'] as string) === 1) return void socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"orderID":"O1"}')
  })
  const context = await (await chromium()).newContext()
  try {
    const tab = await context.newPage()
    await tab.goto(`http://127.0.0.1:${peer.port}/`)
    const seen = await tab.evaluate(`(async () => {
      const { Kitlane, Webhook } = await import('@kitlane/client')
      const kitlane = new Kitlane({ token: 'kl_test_x', baseUrl: location.origin, retryDelayMs: 1 })
      const order = await kitlane.orders.cancel('O1')
      const webhook = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAA')
      const event = await webhook.verify('{"type":"webhook.test"}', await webhook.sign('{"type":"webhook.test"}'))
      return [order.orderID, event.type]
    })()`)
    expect(seen).toEqual(['O1', 'webhook.test'])
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  } finally {
    await context.close()
    await peer.stop()
  }
})
