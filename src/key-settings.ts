import { z } from 'zod'
import { readEncryptionKey } from './platform/encryption-key.ts'

/** http would expose a key that moves money, so it is allowed on this machine only. */
export const apiUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(({ protocol, hostname }) => protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  .refine(({ pathname, search, hash, username, password }) => pathname + search + hash + username + password === '/')
  .transform(({ origin }) => origin)

/** A master key at AWS KMS. */
export interface KmsSettings {
  keyId: string
  region: string
  endpoint: string | undefined
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
}

/** The settings of the keys that seal. */
export const keySettings = {
  ENCRYPTION_KEY: {
    schema: z.string().transform(readEncryptionKey).pipe(z.instanceof(Buffer)),
    must: '32 random bytes in base64 or as 64 hexadecimal digits; `openssl rand -base64 32` makes them',
    example: '<what it prints>',
    help: 'encrypts secrets in the database (default: a key kept in the data folder)',
  },
  ENCRYPTION_KEY_PREVIOUS: {
    schema: z.string().transform(readEncryptionKey).pipe(z.instanceof(Buffer)),
    must: 'the ENCRYPTION_KEY of before',
    example: '<the ENCRYPTION_KEY of before>',
    help: 'the ENCRYPTION_KEY of before, until kitlane keys rotate --master has ended',
  },
  KMS_KEY_ID: {
    schema: z.string().regex(/^(arn:aws[\w-]*:kms:[\w-]+:\d{12}:(key|alias)\/\S+|alias\/\S+|[0-9a-f-]{36})$/),
    must: 'the ARN, the alias or the ID of a symmetric key of AWS KMS',
    example: 'alias/kitlane',
    help: 'the master key at AWS KMS, with AWS_REGION and the credentials of AWS',
  },
  KMS_ENDPOINT_URL: {
    schema: apiUrl,
    must: 'an https URL without a path, or an http one of this machine',
    example: 'https://vpce-1.kms.eu-central-1.vpce.amazonaws.com',
    help: 'another address for AWS KMS, such as a private endpoint',
  },
}

/** The key at AWS KMS, with the credentials that AWS's own tools read. */
export function kmsOf(
  keyId: string | undefined,
  endpoint: string | undefined,
  env: Record<string, string | undefined>,
  problems: string[],
): KmsSettings | undefined {
  if (!keyId) return undefined
  const region = env.AWS_REGION ?? keyId.match(/^arn:aws[\w-]*:kms:([\w-]+):/)?.[1]
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env
  if (region && accessKeyId && secretAccessKey) {
    return { keyId, region, endpoint, credentials: { accessKeyId, secretAccessKey, sessionToken } }
  }
  problems.push(
    'KMS_KEY_ID needs AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY beside it. For example: AWS_REGION=eu-central-1',
  )
  return undefined
}
