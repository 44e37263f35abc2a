import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { StartError } from '../../domain/errors.ts'
import { randomBytes } from '../../domain/random-bytes.ts'
import { constantTimeEqual } from '../crypto.ts'
import { type KeyProvider, noProvider } from '../sealing/key-provider.ts'

/** Follows head.json, so that nothing of the head is used before it is verified; the other one follows manifest.json. */
export const HEAD_SIGNATURE = 'head.signature.json'
export const MANIFEST_SIGNATURE = 'manifest.signature.json'

// No realm has this number: a key of backups is no key of a realm.
const BACKUPS = -1
const Signature = z.object({ wrappedBy: z.string(), key: z.base64(), hmac: z.string() })

const json = (value: z.infer<typeof Signature>) => Buffer.from(`${JSON.stringify(value)}\n`)
const hmacOf = (key: Buffer, parts: readonly Buffer[]) => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${part.length}\n`).update(part)
  return hmac.digest('hex')
}

/** Signs what a backup is made of, in order; each signature is over all that was given until then. */
export interface Signer {
  sign(part: Buffer): Buffer
}

/**
 * A signer with a key of its own for one backup (HMAC-SHA256), which only the master key unwraps: somebody who has the public key of
 * backups alone can encrypt an archive, and not sign it. Undefined in a process without a master key.
 */
export async function createSigner(provider: KeyProvider): Promise<Signer | undefined> {
  if (provider === noProvider) return undefined
  const key = randomBytes(32)
  const wrapped = { wrappedBy: provider.current, key: (await provider.wrap(key, BACKUPS)).toString('base64') }
  const parts: Buffer[] = []
  return {
    sign(part) {
      parts.push(part)
      return json({ ...wrapped, hmac: hmacOf(key, parts) })
    },
  }
}

/** `none`: a release before signatures made it, or somebody with the public key. `wrong`: not by this master key, or changed. */
export type SignatureState = 'valid' | 'none' | 'wrong'

/** Compares signatures as they are read. */
export interface SignatureReader {
  /** `signature`: undefined where none follows the part. */
  verify(part: Buffer, signature: Buffer | undefined): Promise<SignatureState>
}

export function signatureReader(provider: KeyProvider): SignatureReader {
  const parts: Buffer[] = []
  return {
    async verify(part, signature) {
      parts.push(part)
      if (!signature) return 'none'
      const read = Signature.safeParse(parsed(signature))
      if (!read.success) return 'wrong'
      const { wrappedBy, key: wrapped, hmac } = read.data
      const key = await provider.unwrap(Buffer.from(wrapped, 'base64'), wrappedBy, BACKUPS).catch((err: unknown) => {
        // A local key that is another one, or bytes that it did not wrap. A key management service may only be away.
        if (provider.isRemote) throw err
      })
      return key && constantTimeEqual(hmac, hmacOf(key, parts)) ? 'valid' : 'wrong'
    },
  }
}

const reasons: Readonly<Record<Exclude<SignatureState, 'valid'>, string>> = {
  none: 'has no signature',
  wrong: 'has a signature that was not made with this encryption key, or what is signed was changed',
}

/** @throws StartError that names the word of consent, unless the signature is valid */
export function refuseUnsigned(state: SignatureState, name: string): void {
  if (state === 'valid') return
  throw new StartError(
    `${name} ${reasons[state]}. Anyone who has the public key of backups can make such a file, with rows of their choice, and ` +
      'nothing of it was restored. Releases before signatures made backups without one: if you know where it comes from, add --allow-unsigned.',
  )
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    // No JSON is no signature.
    return undefined
  }
}
