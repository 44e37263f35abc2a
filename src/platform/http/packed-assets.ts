import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accepts } from './docs.ts'

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
export function servePackedAssets(app: FastifyInstance, prefix: string, folder: string): void {
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
