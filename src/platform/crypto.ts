import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../domain/errors.ts'
import { randomBytes } from '../domain/random-bytes.ts'
import { inSlices } from './slices.ts'

export interface SecretKey {
  /** Four bytes of the key's hash: they identify the key and reveal nothing about it. */
  readonly id: Buffer
  /** Of 32 bytes. With bytes in its place, Node takes 12 µs to begin a cipher or an HMAC, and 1.5 with this. */
  readonly key: KeyObject
}

/** What is sealed: 1 the value itself, 2 its packed form (`sealing/packing.ts`). It is the first byte, and authenticated. */
export type SealForm = 1 | 2
const idLength = 4
const ivLength = 12
const tagLength = 16
const headLength = 1 + idLength

/** How many bytes longer a value is when it is sealed. */
export const SEAL_BYTES = headLength + ivLength + tagLength

export function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Compares in constant time. Hashing first also hides the length. */
export function constantTimeEqual(left: string | Buffer, right: string | Buffer): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

export function secretKey(bytes: Buffer): SecretKey {
  if (bytes.length !== 32) throw new Error('An AES-256 key has 32 bytes')
  return {
    id: sha256(Buffer.concat([Buffer.from('kitlane key id'), bytes])).subarray(0, idLength),
    key: createSecretKey(bytes),
  }
}

const shortAad = Buffer.alloc(1024)

/** The bytes that are authenticated with a value, until the next call. */
function aadOf(head: Buffer, place: string): Buffer {
  if (headLength + place.length * 3 > shortAad.length)
    return Buffer.concat([head.subarray(0, headLength), Buffer.from(place)])
  head.copy(shortAad, 0, 0, headLength)
  return shortAad.subarray(0, headLength + shortAad.write(place, headLength))
}

function begin({ id, key }: SecretKey, aad: string, form: SealForm) {
  const head = Buffer.concat([Buffer.of(form), id])
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(aadOf(head, aad))
  return { cipher, head, iv }
}

/**
 * AES-256-GCM: form 1 | key id 4 | IV 12 | tag 16 | ciphertext. `aad` names the place of the value, e.g.
 * `customers.phone/<realm>/<id>`, so that a value copied to another row cannot be opened.
 * Random IVs allow 2^32 values for one key (NIST SP 800-38D, 8.3).
 */
export function seal(key: SecretKey, plaintext: string | Buffer, aad: string, form: SealForm = 1): Buffer {
  const { cipher, head, iv } = begin(key, aad, form)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  return Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext])
}

/** The four bytes that identify the key of a sealed value. */
export const keyIdOf = (sealed: Buffer): Buffer => sealed.subarray(1, headLength)

function beginOpening({ id, key }: SecretKey, sealed: Buffer, aad: string) {
  if (sealed.length < SEAL_BYTES || !(sealed[0] === 1 || sealed[0] === 2)) {
    throw new Error('This is not a sealed value')
  }
  if (sealed.readInt32BE(1) !== id.readInt32BE()) {
    throw new Error('The value was sealed with another key: ENCRYPTION_KEY is not the one that wrote this database')
  }
  const iv = sealed.subarray(headLength, headLength + ivLength)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
  decipher.setAAD(aadOf(sealed, aad))
  decipher.setAuthTag(sealed.subarray(headLength + ivLength, SEAL_BYTES))
  return { decipher, ciphertext: sealed.subarray(SEAL_BYTES) }
}

/** Decrypts. Throws if the value was sealed with another key, for another place, or was changed. */
export function open(key: SecretKey, sealed: Buffer, aad: string): Buffer {
  const { decipher, ciphertext } = beginOpening(key, sealed, aad)
  const plaintext = decipher.update(ciphertext)
  // A stream cipher keeps nothing back: this only checks the tag.
  decipher.final()
  return plaintext
}

// A quarter of a millisecond.
const PIECE_BYTES = 256 * 1024

async function inPieces(bytes: Buffer, update: (piece: Buffer) => Buffer): Promise<Buffer[]> {
  const starts = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, piece) => piece * PIECE_BYTES)
  const pieces: Buffer[] = []
  await inSlices(starts, (at) => void pieces.push(update(bytes.subarray(at, at + PIECE_BYTES))))
  return pieces
}

/** `seal` for a long value: other work goes on in between. */
export async function sealInSlices(key: SecretKey, plaintext: Buffer, aad: string): Promise<Buffer> {
  const { cipher, head, iv } = begin(key, aad, 1)
  const pieces = await inPieces(plaintext, (piece) => cipher.update(piece))
  pieces.push(cipher.final())
  return Buffer.concat([head, iv, cipher.getAuthTag(), ...pieces])
}

/** `open` for a long value. */
export async function openInSlices(key: SecretKey, sealed: Buffer, aad: string): Promise<Buffer> {
  const { decipher, ciphertext } = beginOpening(key, sealed, aad)
  const pieces = await inPieces(ciphertext, (piece) => decipher.update(piece))
  pieces.push(decipher.final())
  return Buffer.concat(pieces)
}

// OWASP Password Storage Cheat Sheet: Argon2id with m=46 MiB, t=1, p=1. The library's default algorithm is Argon2id.
const argon2Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

// Two at once: a burst of sign-ins takes 92 MiB and two of the thread pool's four threads.
const twoAtOnce = pLimit(2)
// About 3 s of work. Later callers are asked to try again, so that the queue stays bounded.
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
