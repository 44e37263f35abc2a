import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveWeb } from '../../src/platform/http/web.ts'

const html = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>'
const script = 'export const a = 1'.padEnd(2000)

let folder: string
let url: string
let app: FastifyInstance
const send = async (of: string, accepted: string) => {
  const answer = await fetch(of, { headers: { 'accept-encoding': accepted } })
  return { headers: Object.fromEntries(answer.headers), text: await answer.text() }
}
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-web-'))
  app = fastify()
  await serveWeb(app, folder)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

describe('the dashboard', () => {
  it('says how to build it where it is not built, and is there once it is', async () => {
    const missing = await get('/app/')
    expect(missing.status).toBe(503)
    expect(await missing.text()).toContain('npm run build')

    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), html)
    await writeFile(join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync(script))
    await writeFile(join(folder, 'assets', 'text-abc123.woff2'), 'a font')
    expect((await get('/app/')).status).toBe(200)
  })

  it('is where the address of the service leads', async () => {
    for (const path of ['/', '/app']) {
      const { status, headers } = await get(path)
      expect([status, headers.get('location')]).toEqual([302, '/app/'])
    }
  })

  it('answers every path below /app/ with the page, which is never cached', async () => {
    for (const path of ['/app/', '/app/orders', '/app/orders/O1?tab=kits', '/app/a/b/c.d']) {
      const { status, headers } = await get(path)
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
    }
  })

  it('runs no script but its own, and styles only with a nonce that is new for each page', async () => {
    const answers = await Promise.all([get('/app/'), get('/app/')])
    const nonces = await Promise.all(
      answers.map(async (answer) => {
        const policy = answer.headers.get('content-security-policy') ?? ''
        const nonce = /style-src 'self' 'nonce-(\w{22})'/.exec(policy)?.[1] ?? 'none'
        expect(policy.replace(nonce, 'N')).toBe(
          "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-N'; img-src 'self' data: https:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'",
        )
        expect(await answer.text()).toBe(html.replaceAll('__CSP_NONCE__', nonce))
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0', null],
    ['identity', null],
  ])(
    'sends its files as a browser takes them, to be kept for a year: to one that says %s',
    async (accepted, encoding) => {
      const { headers, text } = await send(`${url}/app/assets/main-abc123.js`, accepted)
      expect([headers['content-encoding'] ?? null, headers['content-type'], headers['cache-control']]).toEqual([
        encoding,
        'text/javascript; charset=utf-8',
        'public, max-age=31536000, immutable',
      ])
      expect(headers.vary).toBe('accept-encoding')
      expect(text).toBe(script)
    },
  )

  it('sends its fonts as they are', async () => {
    const font = await get('/app/assets/text-abc123.woff2')
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2'])
    expect(await font.text()).toBe('a font')
  })

  it('has no files but those of its folder', async () => {
    for (const path of [
      '/app/assets/none.js',
      '/app/assets/..%2findex.html',
      '/app/assets/%2e%2e/%2e%2e/package.json',
    ]) {
      expect((await get(path)).status, path).toBeGreaterThanOrEqual(400)
    }
  })
})
