import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { awsRequestHandler } from '../egress/aws.ts'
import type { Egress } from '../egress/client.ts'

/** Where objects are kept, by the protocol of AWS S3. */
export interface S3Settings {
  region: string
  /** Default: AWS, in the region. */
  endpoint?: string | undefined
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
}

export interface S3 {
  /** Appears as a whole, or not at all. */
  write(key: string, bytes: Readable): Promise<void>
  /** @throws an error named NotFound */
  read(key: string): Promise<Readable>
  list(prefix: string): Promise<{ key: string; bytes: number; at: Date }[]>
  remove(key: string): Promise<void>
}

// Of one request. An upload has 10,000 parts at most: 160 GB.
const PART_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 5 * 60_000
const MAX_LIST_BYTES = 4 * 1024 * 1024

/** One bucket. Requests go through the program's one client; the credentials come from the settings only. */
export function openS3(bucket: string, { region, endpoint, credentials }: S3Settings, egress: Egress): S3 {
  const url = endpoint ?? `https://s3.${region}.amazonaws.com`
  const { hostname, host, protocol } = new URL(url)
  const { sessionToken, ...pair } = credentials
  const client = new S3Client({
    region,
    endpoint: url,
    forcePathStyle: endpoint !== undefined,
    credentials: { ...pair, ...(sessionToken && { sessionToken }) },
    maxAttempts: 5,
    // The program's client sends no header `Expect`, which the SDK would add above 2 MB.
    expectContinueHeader: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: awsRequestHandler(egress, {
      policy: { hosts: [endpoint ? host : `${bucket}.${hostname}`], loopback: protocol === 'http:' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: Math.max(PART_BYTES, MAX_LIST_BYTES),
    }),
  })
  const of = (key: string) => ({ Bucket: bucket, Key: key })

  return {
    async write(key, bytes) {
      const sending = new Upload({
        client,
        params: { ...of(key), Body: bytes },
        partSize: PART_BYTES,
        queueSize: 2,
        leavePartsOnError: false,
      })
      let broken: unknown
      bytes.once('error', (err: NodeJS.ErrnoException) => {
        // An upload that failed by itself ends its stream so: its own error says more.
        if (err.code === 'ABORT_ERR') return
        broken = err
        void sending.abort()
      })
      await sending.done().catch((err: unknown) => {
        throw broken ?? err
      })
    },
    async read(key) {
      const { ContentLength: size = 0 } = await client.send(new HeadObjectCommand(of(key)))
      async function* parts(): AsyncGenerator<Uint8Array> {
        for (let start = 0; start < size; start += PART_BYTES) {
          const Range = `bytes=${start}-${Math.min(size, start + PART_BYTES) - 1}`
          const { Body } = await client.send(new GetObjectCommand({ ...of(key), Range }))
          if (Body) yield await Body.transformToByteArray()
        }
      }
      return Readable.from(parts(), { objectMode: false })
    },
    async list(prefix) {
      const found = []
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const { Key: key = '', Size: bytes = 0, LastModified: at = new Date(0) } of page.Contents ?? [])
          found.push({ key, bytes, at })
      }
      return found
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(of(key)))
    },
  }
}
