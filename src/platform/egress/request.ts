import type { IncomingHttpHeaders } from 'node:http'
import type { Policy } from './url.ts'

export interface EgressRequest {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For the whole request: DNS, connection, answer, body. */
  timeoutMs: number
  /** Reading stops here and the connection is closed. */
  maxResponseBytes: number
  policy: Policy
  signal?: AbortSignal
  /** Asked when the connection is there, right before the first byte: if false, nothing is sent, and it fails as NOT_SENT. */
  mayBegin?: (() => boolean) | undefined
}

export interface EgressResponse {
  /** Redirects are not followed: they are answers like any other. */
  status: number
  headers: IncomingHttpHeaders
  /** The body as sent, not decompressed. */
  body: Buffer
  truncated: boolean
  durationMs: number
}
