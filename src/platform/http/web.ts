import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomBase62 } from '../../domain/ids.ts'
import { PACKAGE_ROOT } from '../package-root.ts'
import { accepts } from './docs.ts'

/** Where `npm run build` puts the dashboard. */
export const WEB_FOLDER = join(PACKAGE_ROOT, 'web/dist')

const PLACEHOLDER = /__CSP_NONCE__/g
// 22 characters of 62 are 131 bits; the CSP specification asks for 128.
const NONCE_LENGTH = 22

const MISSING = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Kitlane</title>
<p>The dashboard is not built. Run <code>npm run build</code> in the folder of Kitlane, then load this page again.</p>
`

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/**
 * Serves the assets of a build that it keeps with brotli alone, as `name.js.br`: with the plain and the gzipped ones beside
 * them, a package was 2.3 MB larger. Browsers take no brotli over plain http: they get gzip, made once. Names carry a hash,
 * so answers may be kept for a year.
 */
function servePackedAssets(app: FastifyInstance, prefix: string, folder: string): void {
  const gzipped = new Map<string, Promise<Buffer>>()
  const unpack = async (path: string) => promisify(brotliDecompress)(await readFile(path))
  const gzippedOf = (path: string): Promise<Buffer> => {
    const made = gzipped.get(path) ?? unpack(path).then((bytes) => promisify(gzip)(bytes))
    gzipped.set(path, made)
    // What is not there may come with the next build.
    made.catch(() => gzipped.delete(path))
    return made
  }
  const bodyFor = async (request: FastifyRequest, path: string) => {
    if (accepts(request, 'br')) return { encoding: 'br', bytes: await readFile(path) }
    if (accepts(request, 'gzip')) return { encoding: 'gzip', bytes: await gzippedOf(path) }
    return { encoding: 'identity', bytes: await unpack(path) }
  }
  // No separators and no dot in front: no name leads out of the folder.
  app.get<{ Params: { name: string } }>(
    `${prefix}:name(^[\\w-][\\w.-]*\\.(?:js|css|svg|json)$)`,
    async (request, reply) => {
      const { name } = request.params
      const body = await bodyFor(request, join(folder, `${name}.br`)).catch(onlyIfMissing)
      if (body === undefined) return reply.callNotFound()
      if (body.encoding !== 'identity') reply.header('content-encoding', body.encoding)
      return reply
        .header('content-type', TYPES[extname(name)])
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
        .send(body.bytes)
    },
  )
}

function onlyIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/**
 * The dashboard below /app/, from a folder that Vite made. Its assets carry a hash in their names and are kept for a year;
 * every other path is the page itself, which the dashboard's router reads.
 */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(async (web) => {
    servePackedAssets(web, '/app/assets/', join(folder, 'assets'))
    await web.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/app/assets/',
      decorateReply: false,
      index: false,
      immutable: true,
      maxAge: '1y',
      // A folder that appears later is served then: `npm run build` needs no restart.
      suppressWarning: true,
    })
    web.get('/', async (_request, reply) => reply.redirect('/app/'))
    web.get('/app', async (_request, reply) => reply.redirect('/app/'))
    web.get('/app/*', async (_request, reply) => {
      const path = join(folder, 'index.html')
      if (!existsSync(path)) return page(reply.code(503), MISSING, newNonce())
      const nonce = newNonce()
      return page(reply, (await readFile(path, 'utf8')).replace(PLACEHOLDER, nonce), nonce)
    })
  })
}

const newNonce = () => randomBase62(NONCE_LENGTH)

function page(reply: FastifyReply, html: string, nonce: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy(nonce))
    .send(html)
}

/** Styles need the nonce because Mantine writes its variables into a `<style>`; a business's logo is on its own https server. */
function policy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** What helmet sets, without upgrade-insecure-requests: as a list, since building and setting each one took 7 % of a read. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';" +
    "img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
