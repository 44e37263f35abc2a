import { fileURLToPath } from 'node:url'
import type { S3Settings } from '../platform/backup/s3.ts'
import type { S3Options } from '../platform/files/s3-store.ts'
import type { KmsOptions } from '../platform/sealing/kms-provider.ts'
import { S3_URL, type Settings } from '../settings.ts'

/** A folder, or a bucket; `loopback` allows one on this machine. */
export type FilePlace = { folder: string } | { s3: S3Options; loopback: boolean }

const credentialsOf = ({ accessKeyId, secretAccessKey, sessionToken }: Partial<Settings['aws']>) =>
  accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined

const isLoopback = (endpoint: string | undefined) => endpoint?.startsWith('http:') ?? false

/** The master key at AWS KMS; undefined without a key, a region or credentials. */
export function kmsOf({ kms, aws }: Settings): Omit<KmsOptions, 'egress'> | undefined {
  const region = aws.region ?? kms?.keyId.match(/^arn:aws[\w-]*:kms:([\w-]+):/)?.[1]
  const credentials = credentialsOf(aws)
  if (!kms || !region || !credentials) return undefined
  const { keyId, endpointUrl: endpoint } = kms
  return { keyId, region, endpoint, credentials, loopback: isLoopback(endpoint) }
}

/** Where `url` of the settings is; undefined for a bucket without a region or credentials. */
export function filePlaceOf({ files, aws }: Settings, url: string): FilePlace | undefined {
  const found = S3_URL.exec(url)
  if (!found) return { folder: url.startsWith('file:') ? fileURLToPath(url) : url }
  const region = files.region ?? aws.region
  const credentials = credentialsOf({
    accessKeyId: files.accessKeyId ?? aws.accessKeyId,
    secretAccessKey: files.secretAccessKey ?? aws.secretAccessKey,
    // A key of one's own does not go with the session of another.
    sessionToken: files.accessKeyId ? undefined : aws.sessionToken,
  })
  if (!region || !credentials) return undefined
  const { endpointUrl: endpoint, pathStyle = endpoint !== undefined } = files
  const [, bucket = '', path = ''] = found
  const prefix = path.replace(/\/+$/, '')
  return {
    s3: { bucket, prefix: prefix && `${prefix}/`, region, endpoint, pathStyle, credentials },
    loopback: isLoopback(endpoint),
  }
}

/** The bucket of backups and archives; undefined without a region or credentials. */
export function backupBucketOf({ aws, backup }: Settings): S3Settings | undefined {
  const credentials = credentialsOf(aws)
  return aws.region && credentials ? { region: aws.region, endpoint: backup.endpointUrl, credentials } : undefined
}
