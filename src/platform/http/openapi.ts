import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PACKAGE_ROOT } from '../package-root.ts'

type Name = 'openapi.json' | 'openapi-operator.json'

/** Where each document is. */
const addresses: Record<string, Name> = {
  '/openapi.json': 'openapi.json',
  '/api/v1/openapi.json': 'openapi.json',
  '/docs/json': 'openapi.json',
  '/operator/v1/openapi.json': 'openapi-operator.json',
}

interface Published {
  /** Without the quotes. */
  tag: string
  /** By the name of the encoding, the shortest first. */
  bodies: [encoding: 'br' | 'gzip' | 'identity', body: Buffer][]
}

const loaded = new Map<Name, Promise<Published>>()

/** Read and compressed once for the process, beside the event loop. A running service does not see a new file. */
function load(name: Name): Promise<Published> {
  const known = loaded.get(name) ?? read(name)
  loaded.set(name, known)
  return known
}

// 11 takes 1.2 s for a tenth less.
const QUALITY = 9

async function read(name: Name): Promise<Published> {
  const text = JSON.stringify(JSON.parse(await readFile(join(PACKAGE_ROOT, name), 'utf8')))
  const body = Buffer.from(text)
  const br = promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return {
    tag,
    bodies: [
      ['br', await br],
      ['gzip', await promisify(gzip)(body, { level: 9 })],
      ['identity', body],
    ],
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, name: Name): Promise<FastifyReply> {
  const { tag, bodies } = await load(name)
  const [encoding, body] = bodies.find(([one]) => accepts(request, one)) ?? ['identity', '']
  reply.headers({ etag: `"${tag}-${encoding}"`, vary: 'accept-encoding', 'cache-control': 'public, max-age=300' })
  if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(body)
}

function accepts({ headers }: FastifyRequest, encoding: string): boolean {
  if (encoding === 'identity') return true
  const listed = String(headers['accept-encoding'] ?? '').split(',')
  const [, quality = '1'] = listed.map((one) => one.trim().split(/ *; *q=/)).find(([name]) => name === encoding) ?? [
    '',
    '0',
  ]
  return Number(quality) > 0
}

/** The OpenAPI documents, to anyone: they hold no data. And the page at /docs that shows them. */
export async function publishOpenApi(app: FastifyInstance): Promise<void> {
  // Begins now, so that the first caller does not wait. A failure is theirs to see.
  for (const name of new Set(Object.values(addresses))) load(name).catch(() => {})
  for (const [url, name] of Object.entries(addresses)) {
    if (url.startsWith('/docs')) continue
    app.get(url, (request, reply) => send(request, reply, name))
  }
  await app.register(swagger, {
    mode: 'static',
    specification: { path: join(PACKAGE_ROOT, 'openapi.json'), baseDir: PACKAGE_ROOT },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { urls: pages } as object,
    uiHooks: {
      // The page's own routes would write the document out for each request.
      onRequest: (request, reply, done) => {
        const name = addresses[request.url]
        if (name) void send(request, reply, name)
        else done()
      },
    },
  })
}

const pages = [
  { name: 'For businesses', url: '/openapi.json' },
  { name: 'For the operator', url: '/operator/v1/openapi.json' },
]
