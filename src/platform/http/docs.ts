import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { readShipped } from '../package-root.ts'

/** A file as it is answered: compressed once, then kept. */
interface Published {
  contentType: string
  /** Without the quotes. */
  tag: string
  /** By the name of the encoding, the shortest first. */
  bodies: [encoding: 'br' | 'gzip' | 'identity', body: Buffer][]
}

// 11 takes 1.2 s for a tenth less of an OpenAPI document.
const QUALITY = 9

/** Compresses a file, beside the event loop. */
async function publish({ contentType, body }: { contentType: string; body: Buffer }): Promise<Published> {
  const br = promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const bodies: Published['bodies'] = [
    ['br', await br],
    ['gzip', await promisify(gzip)(body, { level: 9 })],
    ['identity', body],
  ]
  return { contentType, tag, bodies }
}

/** Answers with what was published, or with 304 where the caller has it. */
function sendPublished(request: FastifyRequest, reply: FastifyReply, published: Published): FastifyReply {
  const { tag, bodies, contentType } = published
  const [encoding, body] = bodies.find(([one]) => accepts(request, one)) ?? ['identity', '']
  reply.headers({ etag: `"${tag}-${encoding}"`, vary: 'accept-encoding', 'cache-control': 'public, max-age=300' })
  if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(contentType).send(body)
}

/** Whether the caller takes an answer in this encoding. */
export function accepts({ headers }: FastifyRequest, encoding: string): boolean {
  if (encoding === 'identity') return true
  const listed = String(headers['accept-encoding'] ?? '').split(',')
  const [, quality = '1'] = listed.map((one) => one.trim().split(/ *; *q=/)).find(([name]) => name === encoding) ?? [
    '',
    '0',
  ]
  return Number(quality) > 0
}

/** Pages that anybody may read, by their path below the address that they are served at. */
export interface Site {
  find(path: string): Promise<{ contentType: string; body: Buffer } | undefined>
}

// Scripts of the pages are files of their own, and nothing else runs.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// What older releases served there.
const moved = /^(?:static(?:\/.*)?|index\.html)$/

/** The documentation at /docs, opened when it is first asked for. What was rendered is kept: it does not change while the process runs. */
export function serveDocs(app: FastifyInstance, open: () => Promise<Site>): void {
  let site: Promise<Site> | undefined
  const cache = new Map<string, Promise<Published | undefined>>()
  const find = async (path: string) => {
    site ??= open()
    const file = await (await site).find(path)
    return file && publish(file)
  }
  const published = async (path: string) => {
    const known = cache.get(path) ?? find(path)
    cache.set(path, known)
    const found = await known
    // Paths that lead nowhere are as many as callers think of.
    if (!found) cache.delete(path)
    return found
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const found = await published(path)
    if (!found) throw new AppError('ROUTE_NOT_FOUND', 'There is no such page; the documentation begins at /docs')
    reply.header('content-security-policy', POLICY)
    return sendPublished(request, reply, found)
  }
  // With the slash, so that pages may link relative to it.
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 308))
  app.get('/docs/', (request, reply) => answer(request, reply, ''))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const path = request.params['*']
    return moved.test(path) ? reply.redirect('/docs/', 308) : answer(request, reply, path)
  })
  app.get('/llms.txt', (request, reply) => answer(request, reply, '../llms.txt'))
}

type Name = 'openapi.json' | 'openapi-dashboard.json' | 'openapi-operator.json'

/** Where each document is. */
const addresses: Record<string, Name> = {
  '/openapi.json': 'openapi.json',
  '/api/v1/openapi.json': 'openapi.json',
  '/docs/json': 'openapi.json',
  // JSON is YAML 1.2 too.
  '/docs/yaml': 'openapi.json',
  '/openapi-dashboard.json': 'openapi-dashboard.json',
  '/operator/v1/openapi.json': 'openapi-operator.json',
}

const loaded = new Map<Name, Promise<Published>>()

/** Read and compressed once for the process, beside the event loop. A running service does not see a new file. */
function load(name: Name): Promise<Published> {
  const known = loaded.get(name) ?? read(name)
  loaded.set(name, known)
  return known
}

async function read(name: Name): Promise<Published> {
  const text = JSON.stringify(JSON.parse(await readShipped(name)))
  return publish({ contentType: 'application/json; charset=utf-8', body: Buffer.from(text) })
}

/** The OpenAPI documents, to anyone: they hold no data. */
export function publishOpenApi(app: FastifyInstance): void {
  // Begins now, so that the first caller does not wait. A failure is theirs to see.
  for (const name of new Set(Object.values(addresses))) load(name).catch(() => {})
  for (const [url, name] of Object.entries(addresses)) {
    const contentType = url.endsWith('/yaml') ? 'application/yaml; charset=utf-8' : undefined
    app.get(url, async (request, reply) => {
      const published = await load(name)
      return sendPublished(request, reply, contentType ? { ...published, contentType } : published)
    })
  }
}
