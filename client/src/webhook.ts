import type { WebhookEvent } from './events.ts'

/** `CryptoKey`, which not every environment's types name. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const PREFIX = 'whsec_'
const TOLERANCE_SECONDS = 300

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookOptions {
  /** How far the time of a webhook may be from now, so that nobody sends an old one again. Default 300. */
  toleranceSeconds?: number
}

/** Why a webhook was not accepted: answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly reason: 'HEADERS_MISSING' | 'TOO_OLD' | 'TOO_NEW' | 'SIGNATURE_WRONG' | 'BODY_UNREADABLE'

  constructor(reason: WebhookError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Checks webhooks, and signs them for tests, by Standard Webhooks. */
export class Webhook {
  readonly #keys: readonly Promise<Key>[]
  readonly #toleranceSeconds: number

  /** `whsec_…`, or several of them while a secret is changed. */
  constructor(secret: string | readonly string[], { toleranceSeconds = TOLERANCE_SECONDS }: WebhookOptions = {}) {
    const secrets = typeof secret === 'string' ? [secret] : secret
    if (secrets.length === 0) throw new TypeError('new Webhook() needs a secret')
    this.#keys = secrets.map(keyOf)
    this.#toleranceSeconds = toleranceSeconds
  }

  /**
   * The event, if one of the signatures is right and its time is near. `body` is the raw body, before anything parsed it.
   * @throws WebhookError
   */
  async verify(body: string | Uint8Array | ArrayBuffer, headers: HeaderSource): Promise<WebhookEvent> {
    const id = headerOf(headers, 'webhook-id')
    const time = headerOf(headers, 'webhook-timestamp')
    const signatures = headerOf(headers, 'webhook-signature')
    if (!id || !time || !signatures || !/^\d{1,12}$/.test(time)) {
      throw new WebhookError(
        'HEADERS_MISSING',
        'webhook-id, webhook-timestamp or webhook-signature is missing or malformed',
      )
    }
    const age = Date.now() / 1000 - Number(time)
    if (age > this.#toleranceSeconds) throw new WebhookError('TOO_OLD', 'The webhook is too old')
    if (age < -this.#toleranceSeconds)
      throw new WebhookError('TOO_NEW', 'The webhook is from the future: check the clock')
    const signed = contentOf(id, time, body)
    if (!(await this.#isSigned(signed, signatures))) {
      throw new WebhookError('SIGNATURE_WRONG', 'No signature fits: check the secret, and that the body is the raw one')
    }
    return { id, ...parse(body) } as WebhookEvent
  }

  /** The headers of a webhook with this body, to test a receiver with. */
  async sign(
    body: string | Uint8Array | ArrayBuffer,
    { id = 'evt_test', at = new Date() } = {},
  ): Promise<Record<string, string>> {
    const time = String(Math.floor(at.getTime() / 1000))
    const signed = contentOf(id, time, body)
    const made = this.#keys.map(async (key) => `v1,${toBase64(await crypto.subtle.sign('HMAC', await key, signed))}`)
    return {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': (await Promise.all(made)).join(' '),
    }
  }

  async #isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
    const given = signatures
      .split(' ')
      .flatMap((one) => (one.startsWith('v1,') ? (fromBase64(one.slice(3)) ?? []) : []))
    for (const key of this.#keys) {
      // WebCrypto compares in constant time.
      for (const signature of given) if (await crypto.subtle.verify('HMAC', await key, signature, signed)) return true
    }
    return false
  }
}

function keyOf(secret: string): Promise<Key> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!bytes || bytes.length === 0) throw new TypeError('The secret of a webhook is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  // Not by `instanceof`: frameworks bring a Headers of their own.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

const encoder = new TextEncoder()

function contentOf(id: string, time: string, body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${time}.`)
  const tail = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

function parse(body: string | Uint8Array | ArrayBuffer): object {
  try {
    const event: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
    if (typeof event === 'object' && event !== null) return event
  } catch {
    // Answered below.
  }
  throw new WebhookError('BODY_UNREADABLE', 'The body is no JSON object')
}

const toBase64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)))

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
