import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { type FileStore, FileStoreError } from '../../domain/file-store.ts'
import { awsRequestHandler } from '../egress/aws.ts'
import type { Egress } from '../egress/client.ts'

export interface S3Options {
  bucket: string
  /** Begins every key; empty, or ends with a slash. */
  prefix: string
  region: string
  /** Default: the endpoint of the region at AWS. */
  endpoint?: string | undefined
  /** `https://endpoint/bucket/key` instead of `https://bucket.endpoint/key`. */
  pathStyle: boolean
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
}

const TIMEOUT_MS = 30_000
// A file has at most 25 MiB, a page of a list 1,000 names.
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Files in a bucket, by the S3 protocol. The hash of each body is signed with the request, so that the server refuses one
 * that changed on the way. Credentials come from the settings only, since every request goes through the program's one client.
 */
export function s3Store(options: S3Options & { egress: Egress; loopback?: boolean }): FileStore {
  const { bucket, prefix, region, pathStyle, credentials, egress, loopback = false } = options
  const endpoint = options.endpoint ?? `https://s3.${region}.amazonaws.com`
  const { host } = new URL(endpoint)
  const { sessionToken, ...pair } = credentials
  const client = new S3Client({
    region,
    endpoint,
    forcePathStyle: pathStyle,
    credentials: { ...pair, ...(sessionToken && { sessionToken }) },
    maxAttempts: 3,
    // Other servers than AWS do not know its checksums; the signed hash of the body protects it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: awsRequestHandler(egress, {
      policy: { hosts: [pathStyle ? host : `${bucket}.${host}`], loopback },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    }),
  })
  const where = `s3://${bucket}/${prefix}`
  const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  const statusOf = (err: unknown) => (err instanceof S3ServiceException ? err.$metadata.httpStatusCode : undefined)
  async function guarded<T>(what: string, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (err) {
      const reason = err instanceof Error ? err.name : 'unknown'
      throw new FileStoreError(`${where}: ${what} failed (${reason})`, { missing: statusOf(err) === 404, cause: err })
    }
  }

  return {
    where,
    async *list(begins) {
      for (let after: string | undefined, more = true; more; ) {
        const page = await guarded(
          'listing',
          client.send(
            new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}${begins}`, ContinuationToken: after }),
          ),
        )
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          yield { name: Key.slice(prefix.length), bytes: Size, writtenAt: LastModified }
        after = page.NextContinuationToken
        more = page.IsTruncated === true && after !== undefined
      }
    },
    read: (name) =>
      guarded(
        `reading ${name}`,
        client.send(new GetObjectCommand(at(name))).then(async ({ Body }) => {
          if (!Body) throw new Error('no body')
          return Buffer.from(await Body.transformToByteArray())
        }),
      ),
    async write(name, bytes) {
      await guarded(`writing ${name}`, client.send(new PutObjectCommand({ ...at(name), Body: bytes })))
    },
    async create(name, bytes) {
      try {
        await client.send(new PutObjectCommand({ ...at(name), Body: bytes, IfNoneMatch: '*' }))
        return true
      } catch (err) {
        // 409: another one is being written at this moment.
        if (statusOf(err) === 412 || statusOf(err) === 409) return false
        return guarded(`writing ${name}`, Promise.reject(err))
      }
    },
    async delete(name) {
      await guarded(`deleting ${name}`, client.send(new DeleteObjectCommand(at(name))))
    },
  }
}
