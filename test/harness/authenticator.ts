import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

interface Made {
  id: string
  privateKey: KeyObject
  userHandle: string
  counter: number
}

interface Situation {
  /** The page that asks. */
  origin: string
  rpId?: string
  /** False: nobody checked who holds the device. */
  isVerified?: boolean
  /** What it says it has counted; default: one more than before. */
  counter?: number
}

interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** A device that holds passkeys, in software. It signs whatever it is told, so that a test can also cheat. */
export class Authenticator {
  readonly #made: Made[] = []

  /** Answers like `navigator.credentials.create`. */
  create(options: Options, { origin, isVerified = true }: Situation) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(32)
    this.#made.push({ id: id.toString('base64url'), privateKey, userHandle: options.user?.id ?? '', counter: 0 })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const cose = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const head = authenticatorData(options.rp?.id ?? '', (isVerified ? VERIFIED : 0) | PRESENT | ATTESTED, 0)
    const authData = Buffer.concat([head, Buffer.alloc(16), length, id, cose])
    const attestation = cborMap([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ])
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Answers like `navigator.credentials.get`, with its newest passkey or the one named. */
  get(options: Options, { origin, rpId, isVerified = true, counter }: Situation, id?: string) {
    const made = id === undefined ? this.#made.at(-1) : this.#made.find((one) => one.id === id)
    if (!made) throw new Error('the authenticator has no such passkey')
    made.counter = counter ?? made.counter + 1
    const flags = (isVerified ? VERIFIED : 0) | PRESENT
    const authData = authenticatorData(rpId ?? options.rpId ?? '', flags, made.counter)
    const data = clientData('webauthn.get', options.challenge, origin)
    const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
    return {
      id: made.id,
      rawId: made.id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, made.privateKey).toString('base64url'),
        userHandle: made.userHandle,
      },
    }
  }
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
}

type Cbor = number | string | Buffer | Map<string, string>

/** RFC 8949, as far as an attestation needs it. */
function cborMap(entries: readonly (readonly [number | string, Cbor])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cbor)])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return cborHead(5, 0)
  return Buffer.concat([cborHead(2, value.length), value])
}

function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
