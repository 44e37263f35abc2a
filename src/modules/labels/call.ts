import type { z } from 'zod'
import type { LabelCall, LabelPort } from '../../domain/ports.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import type { Consignment, Rate } from './rules.ts'
import type { Reason } from './schema.ts'

const hosts = { easypost: 'https://api.easypost.com', shippo: 'https://api.goshippo.com' }

const TIMEOUT_MS = 30_000
// A label of 4×6 inches is a twentieth of it; an answer with all rates too.
const MAX_BYTES = 2 * 1024 * 1024

/**
 * Calls the services that sell labels, each at its host, and fetches what they printed from any public one. Their own libraries bring
 * an HTTP client that the checks of outgoing requests do not reach (docs/decisions/0040).
 */
export const labelCaller =
  (egress: Egress, apiUrl: string | undefined): LabelPort =>
  async ({ provider, path, url, ...call }: LabelCall) => {
    const base = apiUrl ?? hosts[provider]
    const { host, protocol } = new URL(base)
    const isDocument = url !== undefined
    const isNamed = !isDocument || (apiUrl !== undefined && URL.canParse(url) && new URL(url).host === host)
    const answer = await egress.request({
      ...call,
      url: url ?? `${base}${path}`,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
      policy: isNamed ? { hosts: [host], loopback: protocol === 'http:' } : 'public',
    })
    if (answer.truncated) throw new EgressError('TOO_LARGE', { status: answer.status })
    return { status: answer.status, body: answer.body }
  }

/** The service says no: asking again does not help. */
export class LabelRefusal extends Error {
  readonly reason: Reason
  readonly code: string | undefined

  constructor(reason: Reason, code?: string) {
    super(`the label service refused: ${reason}`)
    this.reason = reason
    // The words of a service may repeat the address: only what looks like a code is kept.
    this.code = code !== undefined && /^[A-Za-z0-9._-]{1,60}$/.test(code) ? code : undefined
  }
}

/** There is no answer, or none that says what happened. */
export class LabelDelay extends Error {
  /** Whether nothing of the request was sent. */
  readonly isUnsent: boolean
  readonly code: string

  constructor(code: string, isUnsent = false) {
    super(`the label service gave no answer: ${code}`)
    this.code = code
    this.isUnsent = isUnsent
  }
}

export interface Offer {
  ref: string
  /** Made with a key for tests. */
  isTest: boolean
  rates: Rate[]
}

export interface Bought {
  ref: string
  number: string
  url: string
}

/** What became of the request to refund a label. */
export type VoidState = 'none' | 'asked' | 'voided' | 'refused'

/** The references of a label at the service. */
export interface Refs {
  id: string
  shipmentRef: string
  rateRef: string
  labelRef: string | null
}

/** A service that sells labels. Each of these throws LabelRefusal or LabelDelay. */
export interface LabelService {
  /** Registers a parcel, which costs nothing, and returns what carriers offer for it. */
  offer(id: string, consignment: Consignment): Promise<Offer>
  /** `mayBegin`: asked right before the purchase is sent. */
  buy(refs: Refs, wanted: { format: string; fileType: string }, mayBegin: () => boolean): Promise<Bought | 'pending'>
  /** The label of an offer, whether or not the answer to its purchase was heard. */
  find(refs: Refs): Promise<Bought | 'pending' | undefined>
  askVoid(refs: Refs): Promise<VoidState>
  voidState(refs: Refs): Promise<VoidState>
}

// After these no byte of the request was sent.
const unsent = new Set<string>(['REFUSED_URL', 'REFUSED_ADDRESS', 'DNS', 'CONNECT', 'TLS', 'NOT_SENT'])

/** Calls of one service, whose answers are read by their shape. @throws LabelDelay, and what `refusalOf` makes of a refusal */
export const client =
  (
    port: LabelPort,
    { provider, authorization }: { provider: LabelCall['provider']; authorization: string },
    refusalOf: (status: number, body: unknown) => LabelRefusal,
  ) =>
  async <T extends z.ZodType>(
    shape: T,
    method: string,
    path: string,
    given: { body?: object; mayBegin?: () => boolean } = {},
  ): Promise<z.output<T>> => {
    const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' }
    const body = given.body && JSON.stringify(given.body)
    const call = { provider, method, path, headers, mayBegin: given.mayBegin, ...(body && { body }) }
    const answer = await heard(port, call)
    const { status } = answer
    if (status >= 500 || status === 429 || status === 408) throw new LabelDelay(`HTTP_${status}`)
    const said = parsed(answer.body)
    if (status >= 400) throw refusalOf(status, said)
    const read = shape.safeParse(said)
    if (!read.success) throw new LabelDelay('UNKNOWN_ANSWER')
    return read.data
  }

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const heard = (port: LabelPort, call: LabelCall) =>
  port(call).catch((err: unknown) => {
    if (!(err instanceof EgressError)) throw err
    throw new LabelDelay(err.code, unsent.has(err.code))
  })

/** Fetches a printed label. @throws LabelDelay; undefined where it is no label */
export async function fetchLabel(
  port: LabelPort,
  call: LabelCall,
): Promise<{ mediaType: string; bytes: Buffer } | undefined> {
  const { status, body } = await heard(port, call)
  if (status !== 200) throw new LabelDelay(`HTTP_${status}`)
  if (body.subarray(0, 5).toString('latin1') === '%PDF-') return { mediaType: 'application/pdf', bytes: body }
  if (body.subarray(0, 4).toString('latin1') === '\x89PNG') return { mediaType: 'image/png', bytes: body }
  return undefined
}
