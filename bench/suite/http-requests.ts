/** A request without its Host and Idempotency-Key. */
export interface Template {
  method: string
  path: string
  token?: string
  body?: string
}

const DIGITS = 9
const ZERO = 0x30
const KEY = 'idempotency-key: '

/**
 * Writes each request once. `keyed`: the prefix of unique Idempotency-Keys, whose digits alone change from one use to the
 * next. `inFlight`: how many requests may be unanswered at once, so that no request changes while it is being sent.
 */
export function requestSource(
  templates: readonly Template[],
  { keyed, inFlight }: { keyed?: string; inFlight: number },
): () => Buffer {
  const count = keyed ? Math.ceil((2 * inFlight) / templates.length) * templates.length : templates.length
  const written = Array.from({ length: Math.max(count, templates.length) }, (_, n) =>
    write(templates[n % templates.length] as Template, keyed),
  )
  let sent = 0
  return () => {
    const { bytes, keyEnd } = written[sent % written.length] as Written
    sent++
    if (keyEnd > 0) {
      for (let at = keyEnd - 1, rest = sent; at >= keyEnd - DIGITS; at--) {
        const next = Math.floor(rest / 10)
        bytes[at] = ZERO + rest - next * 10
        rest = next
      }
    }
    return bytes
  }
}

interface Written {
  bytes: Buffer
  /** Where the digits of the key end; 0 without a key. */
  keyEnd: number
}

function write({ method, path, token, body }: Template, keyed: string | undefined): Written {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: bench']
  if (token) lines.push(`authorization: Token ${token}`)
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  const key = keyed && `${KEY}${keyed}-${'0'.repeat(DIGITS)}`
  if (key) lines.push(key)
  const head = lines.join('\r\n')
  const bytes = Buffer.from(`${head}\r\n\r\n${body ?? ''}`)
  return { bytes, keyEnd: key ? Buffer.byteLength(head) : 0 }
}
