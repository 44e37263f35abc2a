import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../domain/errors.ts'

export interface SecretKey {
  /** Four bytes of the key's hash: they identify the key and reveal nothing about it. */
  readonly id: Buffer
  readonly bytes: Buffer
}

const version = 1
const idLength = 4
const ivLength = 12
const tagLength = 16
const headLength = 1 + idLength

export function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Compares in constant time. Hashing first also hides the length. */
export function constantTimeEqual(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

export function secretKey(bytes: Buffer): SecretKey {
  if (bytes.length !== 32) throw new Error('An AES-256 key has 32 bytes')
  return { id: sha256(Buffer.concat([Buffer.from('kitlane key id'), bytes])).subarray(0, idLength), bytes }
}

/**
 * AES-256-GCM: version 1 | key id 4 | IV 12 | tag 16 | ciphertext. `aad` names the place of the value, e.g.
 * `customers.phone/<realm>/<id>`, so that a value copied to another row cannot be opened.
 * Random IVs allow 2^32 values for one key (NIST SP 800-38D, 8.3).
 */
export function seal(key: SecretKey, plaintext: string | Buffer, aad: string): Buffer {
  const head = Buffer.concat([Buffer.of(version), key.id])
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv)
  cipher.setAAD(Buffer.concat([head, Buffer.from(aad)]))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext])
}

/** Decrypts. Throws if the value was sealed with another key, for another place, or was changed. */
export function open(key: SecretKey, sealed: Buffer, aad: string): Buffer {
  if (sealed.length < headLength + ivLength + tagLength || sealed[0] !== version) {
    throw new Error('This is not a sealed value')
  }
  const head = sealed.subarray(0, headLength)
  if (!head.subarray(1).equals(key.id)) {
    throw new Error('The value was sealed with another key: ENCRYPTION_KEY is not the one that wrote this database')
  }
  const iv = sealed.subarray(headLength, headLength + ivLength)
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: tagLength })
  decipher.setAAD(Buffer.concat([head, Buffer.from(aad)]))
  decipher.setAuthTag(sealed.subarray(headLength + ivLength, headLength + ivLength + tagLength))
  const ciphertext = sealed.subarray(headLength + ivLength + tagLength)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}

// OWASP Password Storage Cheat Sheet: Argon2id with m=46 MiB, t=1, p=1. The library's default algorithm is Argon2id.
const argon2Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

// Two at once: a burst of sign-ins takes 92 MiB and two of the thread pool's four threads.
const twoAtOnce = pLimit(2)
// About 3 s of work. Later callers are told to try again, so that the queue stays bounded.
const MAX_WAITING = 100

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (twoAtOnce.pendingCount >= MAX_WAITING) {
    throw new AppError('OVERLOADED', 'The service is busy, try again in a moment')
  }
  return twoAtOnce(work)
}

/** A PHC string (`$argon2id$…`) with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, argon2Options))
}

/** Whether the password matches the hash. Throws if the text is not a hash: the row is broken. */
export function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return inTurn(() => verify(hashed, password))
}
