const sentences = {
  REFUSED_URL: 'the URL is not one that may be called',
  REFUSED_ADDRESS: 'the host has an address that may not be called',
  DNS: 'the host name has no address',
  CONNECT: 'no connection could be made',
  TLS: 'the certificate or the encryption was refused',
  TIMEOUT: 'there was no whole answer in time',
  RESET: 'the connection broke off',
  PROTOCOL: 'the answer is not well-formed HTTP',
  TOO_LARGE: 'the answer is larger than allowed',
  CLOSED: 'the program is stopping',
  NOT_SENT: 'it was too late to begin',
} as const

export type EgressCode = keyof typeof sentences

/** Why an outgoing request failed. Holds no URL and no body; `reason` is a short code of the system or a library. */
export class EgressError extends Error {
  readonly code: EgressCode
  readonly reason: string | undefined
  /** The status, if the answer began before the failure. */
  readonly status: number | undefined

  constructor(code: EgressCode, options: { reason?: string; status?: number } = {}) {
    super(sentences[code])
    this.name = 'EgressError'
    this.code = code
    this.reason = options.reason
    this.status = options.status
  }
}

const byReason: [RegExp, EgressCode][] = [
  [/^(ETIMEDOUT|UND_ERR_\w*TIMEOUT|ABORT_ERR|UND_ERR_ABORTED)$/, 'TIMEOUT'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/, 'CONNECT'],
  [/^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|ERR_OSSL)/, 'TLS'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|UND_ERR_REQ_CONTENT|ERR_HTTP)/, 'PROTOCOL'],
  [/^(UND_ERR_CLOSED|UND_ERR_DESTROYED)$/, 'CLOSED'],
]

/** Converts an error of Node or undici. If several addresses failed, the first attempt counts. */
export function toEgressError(err: unknown, status?: number): EgressError {
  if (err instanceof EgressError) return err
  const first = err instanceof AggregateError ? err.errors[0] : err
  if (first instanceof EgressError) return first
  const reason = reasonOf(first)
  const known = byReason.find(([pattern]) => pattern.test(reason))
  return new EgressError(known ? known[1] : 'RESET', { reason, status })
}

export function reasonOf(err: unknown): string {
  const { code, name } = (err ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  // Some errors of undici's parser have no code.
  return name === 'HTTPParserError' ? 'HPE_UNKNOWN' : 'UNKNOWN'
}
