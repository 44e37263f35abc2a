import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Options } from '../../src/platform/files/s3-store.ts'
import type { GivenSettings } from '../../src/settings.ts'
import { isSigned, sha256 } from './aws-signature.ts'

const credentials = { accessKeyId: 'AKIDFILES', secretAccessKey: 'filesSecret' }
const region = 'eu-central-1'
const bucket = 'kitlane-files'

export interface S3StandIn {
  /** For the settings of a service, which keeps its files there. */
  settings: GivenSettings
  place: { s3: S3Options; loopback: boolean }
  /** What the bucket holds, by key. */
  objects: Map<string, { body: Buffer; at: Date }>
  /** What was wrong with requests, such as a signature that does not verify. */
  problems: string[]
  /** While true, every request is answered 503. */
  isDown: boolean
  /** Parts from this number on are refused. */
  refusedPart: number
  /** Uploads in parts that were neither completed nor aborted. */
  open(): number
  /** How many parts each upload that was completed had. */
  completed: number[]
  stop(): Promise<void>
}

// Small, so that lists have several pages.
const PAGE = 2

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

// What S3 refuses in a part that is not the last.
const MIN_PART_BYTES = 5 * 1024 * 1024

interface Answer {
  status: number
  body?: string | Buffer
  code?: string
  headers?: Record<string, string>
}

const etagOf = (body: Buffer) => `"${sha256(body).slice(0, 32)}"`
const textOf = (name: string, xml: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(xml)?.[1] ?? ''

/**
 * Object storage as far as the program uses it: it checks the signature (SigV4) and the hash of each body, and of an upload
 * in parts that all are there, in order, unchanged and large enough.
 */
export async function startS3(): Promise<S3StandIn> {
  const objects: S3StandIn['objects'] = new Map()
  const problems: string[] = []
  const standIn = { isDown: false, refusedPart: Number.POSITIVE_INFINITY }
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>()
  const completed: number[] = []

  function answer(request: IncomingMessage, body: Buffer): Answer {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    if (standIn.isDown) return { status: 503, code: 'ServiceUnavailable' }
    if (!isSigned(request, body, { ...credentials, region, service: 's3' }))
      return { status: 403, code: 'SignatureDoesNotMatch' }
    if (request.headers['x-amz-content-sha256'] !== sha256(body))
      return { status: 400, code: 'XAmzContentSHA256Mismatch' }
    const [, name, ...rest] = decodeURIComponent(pathname).split('/')
    if (name !== bucket) return { status: 404, code: 'NoSuchBucket' }
    const key = rest.join('/')
    if (request.method === 'GET' && key === '') return { status: 200, body: list(searchParams) }
    if (searchParams.has('uploads') || searchParams.has('uploadId')) return part(request, key, searchParams, body)
    const found = objects.get(key)
    if (request.method === 'GET' || request.method === 'HEAD')
      return found ? range(found.body, request.headers.range) : { status: 404, code: 'NoSuchKey' }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return { status: 204 }
    }
    if (request.method !== 'PUT') return { status: 405, code: 'MethodNotAllowed' }
    if (found && request.headers['if-none-match'] === '*') return { status: 412, code: 'PreconditionFailed' }
    objects.set(key, { body, at: new Date() })
    return { status: 200 }
  }

  function part({ method }: IncomingMessage, key: string, query: URLSearchParams, body: Buffer): Answer {
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, { key, parts: new Map() })
      return {
        status: 200,
        body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    const id = query.get('uploadId') ?? ''
    const upload = uploads.get(id)
    if (upload?.key !== key) return { status: 404, code: 'NoSuchUpload' }
    if (method === 'DELETE') {
      uploads.delete(id)
      return { status: 204 }
    }
    if (method === 'PUT') {
      const number = Number(query.get('partNumber'))
      if (number >= standIn.refusedPart) return { status: 403, code: 'AccessDenied' }
      upload.parts.set(number, body)
      return { status: 200, headers: { etag: etagOf(body) } }
    }
    const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, xml = '']) => xml)
    const parts = named.map((xml) => upload.parts.get(Number(textOf('PartNumber', xml))) ?? Buffer.alloc(0))
    const isInOrder = named.every((xml, n) => Number(textOf('PartNumber', xml)) === n + 1)
    const isSame = parts.every((one, n) => etagOf(one) === textOf('ETag', named[n] ?? '').replaceAll('&quot;', '"'))
    if (!isInOrder || !isSame || parts.length !== upload.parts.size) return { status: 400, code: 'InvalidPart' }
    if (parts.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) return { status: 400, code: 'EntityTooSmall' }
    objects.set(key, { body: Buffer.concat(parts), at: new Date() })
    uploads.delete(id)
    completed.push(parts.length)
    return {
      status: 200,
      body: `<CompleteMultipartUploadResult><Key>${escaped(key)}</Key></CompleteMultipartUploadResult>`,
    }
  }

  function range(body: Buffer, asked: string | undefined): Answer {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(asked ?? '') ?? []
    if (from === undefined) return { status: 200, body }
    if (Number(from) >= body.length) return { status: 416, code: 'InvalidRange' }
    return { status: 206, body: body.subarray(Number(from), Number(to) + 1) }
  }

  function list(query: URLSearchParams): string {
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const page = keys.slice(from, from + PAGE)
    const isLast = from + PAGE >= keys.length
    const contents = page.map((key) => {
      const { body, at } = objects.get(key) as { body: Buffer; at: Date }
      return `<Contents><Key>${escaped(key)}</Key><Size>${body.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
    })
    const next = isLast ? '' : `<NextContinuationToken>${from + PAGE}</NextContinuationToken>`
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { status, body, code, headers } = answer(request, Buffer.concat(chunks))
    if (status === 400 || status === 403) problems.push(`${code} ${request.method} ${request.url}`)
    const text = code ? `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` : body
    response.writeHead(status, {
      'content-type': typeof text === 'string' ? 'application/xml' : 'binary/octet-stream',
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      ...headers,
    })
    response.end(status === 204 || request.method === 'HEAD' ? undefined : text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(standIn, {
    settings: { files: { url: `s3://${bucket}/test`, region, endpointUrl: endpoint, ...credentials } },
    place: { s3: { bucket, prefix: 'test/', region, endpoint, pathStyle: true, credentials }, loopback: true },
    objects,
    problems,
    completed,
    open: () => uploads.size,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  })
}
