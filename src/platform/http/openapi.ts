import type { FastifyInstance } from 'fastify'
import { readShipped } from '../shipped.ts'
import { type Published, publish, sendPublished } from './docs.ts'

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
