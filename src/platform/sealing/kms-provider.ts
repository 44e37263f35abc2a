import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { awsRequestHandler } from '../egress/aws.ts'
import type { Egress } from '../egress/client.ts'
import type { KeyProvider } from './key-provider.ts'

export interface KmsOptions {
  /** The ARN or the alias of a symmetric key. */
  keyId: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
  /** Default: the endpoint of the region. */
  endpoint?: string | undefined
  egress: Egress
  /** Whether the endpoint may be on this machine, for tests. */
  loopback?: boolean
}

const TIMEOUT_MS = 5000
const MAX_BYTES = 65_536
const PREFIX = 'kms:'

/** The encryption context: AWS KMS unwraps only with the one that a key was wrapped with, and logs it. */
const contextOf = (realmId: number) => ({ kitlane: 'data_keys', realm: String(realmId) })

/**
 * Master keys of AWS KMS: they wrap and unwrap there, and never leave. `earlier` unwraps what a local key wrapped before.
 * Credentials come from the settings only, since every request goes through the program's one client.
 */
export function kmsProvider(options: KmsOptions, earlier?: KeyProvider): KeyProvider {
  const { keyId, region, credentials, egress, loopback = false } = options
  const endpoint = options.endpoint ?? `https://kms.${region}.amazonaws.com`
  const host = new URL(endpoint).host
  const { sessionToken, ...pair } = credentials
  const client = new KMSClient({
    region,
    endpoint,
    credentials: { ...pair, ...(sessionToken && { sessionToken }) },
    maxAttempts: 3,
    requestHandler: awsRequestHandler(egress, {
      policy: { hosts: [host], loopback },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    }),
  })
  return {
    current: PREFIX + keyId,
    isRemote: true,
    async wrap(bytes, realmId) {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ KeyId: keyId, Plaintext: bytes, EncryptionContext: contextOf(realmId) }),
      )
      if (!CiphertextBlob) throw new Error('AWS KMS answered without a wrapped key')
      return Buffer.from(CiphertextBlob)
    },
    async unwrap(wrapped, wrappedBy, realmId) {
      if (!wrappedBy.startsWith(PREFIX)) {
        if (!earlier)
          throw new Error(`The master key ${wrappedBy} is not here: set ENCRYPTION_KEY to it until keys are rotated`)
        return earlier.unwrap(wrapped, wrappedBy, realmId)
      }
      const { Plaintext } = await client.send(
        new DecryptCommand({
          KeyId: wrappedBy.slice(PREFIX.length),
          CiphertextBlob: wrapped,
          EncryptionContext: contextOf(realmId),
        }),
      )
      if (!Plaintext) throw new Error('AWS KMS answered without a key')
      return Buffer.from(Plaintext)
    },
  }
}
