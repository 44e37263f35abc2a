import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomBase62 } from '../../domain/ids.ts'
import { PACKAGE_ROOT } from '../package-root.ts'
import { servePackedAssets } from './packed-assets.ts'

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
