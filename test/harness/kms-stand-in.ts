import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { open, seal, secretKey } from '../../src/platform/crypto.ts'
import { isSigned } from './aws-signature.ts'

export const kmsCredentials = { accessKeyId: 'AKIDKITLANE', secretAccessKey: 'wJalrKitlaneSecret' }
export const kmsRegion = 'eu-central-1'

export interface KmsStandIn {
  url: string
  /** What was asked, in order: the action, the key and the encryption context. */
  asked: { action: string; keyId: string; context: Record<string, string> }[]
  /** What was wrong with requests, such as a signature that does not verify. */
  problems: string[]
  /** Is waited for before each answer. */
  beforeAnswer: (() => Promise<void>) | undefined
  stop(): Promise<void>
}

/** AWS KMS as far as the program uses it: it checks the signature (SigV4), the key and the encryption context. */
export async function startKms(keyIds: readonly string[]): Promise<KmsStandIn> {
  const keys = new Map(keyIds.map((id) => [id, secretKey(randomBytes(32))]))
  const asked: KmsStandIn['asked'] = []
  const problems: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const refuse = (status: number, type: string) => {
      problems.push(type)
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify({ __type: type, message: type }))
    }
    if (!isSigned(request, body, { ...kmsCredentials, region: kmsRegion, service: 'kms' }))
      return refuse(400, 'InvalidSignatureException')
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '')
    const { KeyId: keyId, EncryptionContext: context = {}, Plaintext, CiphertextBlob } = JSON.parse(body.toString())
    asked.push({ action, keyId, context })
    await self.beforeAnswer?.()
    const key = keys.get(keyId)
    if (!key) return refuse(400, 'NotFoundException')
    const place = JSON.stringify(context)
    try {
      const answer =
        action === 'Encrypt'
          ? { CiphertextBlob: seal(key, Buffer.from(Plaintext, 'base64'), place).toString('base64') }
          : { Plaintext: open(key, Buffer.from(CiphertextBlob, 'base64'), place).toString('base64') }
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify({ KeyId: keyId, ...answer }))
    } catch {
      refuse(400, 'InvalidCiphertextException')
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const self: KmsStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    problems,
    beforeAnswer: undefined,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return self
}
