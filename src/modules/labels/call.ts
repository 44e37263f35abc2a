import type { z } from 'zod'
import type { ShippingCall, ShippingPort } from '../../domain/ports.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import type { Consignment, Rate } from './rules.ts'
import type { Reason } from './schema.ts'

const hosts: Record<ShippingCall['provider'], string> = {
  easypost: 'https://api.easypost.com',
  shippo: 'https://api.goshippo.com',
  shipstation: 'https://api.shipstation.com',
  shipbob: 'https://api.shipbob.com',
}

const TIMEOUT_MS = 30_000
// A label of 4×6 inches is a twentieth of it; an answer with all rates too.
const MAX_BYTES = 2 * 1024 * 1024

/**
 * Calls the services that sell labels and the warehouses, each at its host, and fetches what they printed from any public one. Their own libraries bring
 * an HTTP client that the checks of outgoing requests do not reach (docs/decisions/0040).
 */
export const shippingCaller =
  (egress: Egress, apiUrl: string | undefined): ShippingPort =>
  async ({ provider, path, url, ...call }: ShippingCall) => {
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
export class Refusal<R extends string = Reason> extends Error {
  readonly reason: R
  readonly code: string | undefined
  /** Of the answer. */
  status?: number

  constructor(reason: R, code?: string) {
    super(`the service refused: ${reason}`)
    this.reason = reason
    // The words of a service may repeat the address: only what looks like a code is kept.
    this.code = code !== undefined && /^[A-Za-z0-9._-]{1,60}$/.test(code) ? code : undefined
  }
}

/** There is no answer, or none that says what happened. */
export class Delay extends Error {
  /** Whether nothing of the request was sent. */
  readonly isUnsent: boolean
  readonly code: string

  constructor(code: string, isUnsent = false) {
    super(`the service gave no answer: ${code}`)
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
  charged: Pick<Rate, 'amount' | 'currency'> | undefined
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

/** A service that sells labels. Each of these throws Refusal or Delay. */
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

/** Calls of one service, whose answers are read by their shape. @throws Delay, and what `refusalOf` makes of a refusal */
export const client =
  (
    port: ShippingPort,
    { provider, headers: own }: Required<Pick<ShippingCall, 'provider' | 'headers'>>,
    refusalOf: (status: number, body: unknown) => Refusal<string>,
  ) =>
  async <T extends z.ZodType>(
    shape: T,
    method: string,
    path: string,
    given: { body?: object; mayBegin?: () => boolean } = {},
  ): Promise<z.output<T>> => {
    const headers = { ...own, 'content-type': 'application/json', accept: 'application/json' }
    const body = given.body && JSON.stringify(given.body)
    const call = { provider, method, path, headers, mayBegin: given.mayBegin, ...(body && { body }) }
    const answer = await heard(port, call)
    const { status } = answer
    if (status >= 500 || status === 429 || status === 408) throw new Delay(`HTTP_${status}`)
    const said = parsed(answer.body)
    if (status >= 400) throw Object.assign(refusalOf(status, said), { status })
    const read = shape.safeParse(said)
    if (!read.success) throw new Delay('UNKNOWN_ANSWER')
    return read.data
  }

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const heard = (port: ShippingPort, call: ShippingCall) =>
  port(call).catch((err: unknown) => {
    if (!(err instanceof EgressError)) throw err
    throw new Delay(err.code, unsent.has(err.code))
  })

/** Fetches a printed label. @throws Delay; undefined where it cannot be printed */
export async function fetchLabel(
  port: ShippingPort,
  call: ShippingCall,
): Promise<{ mediaType: string; bytes: Buffer } | undefined> {
  const { status, body } = await heard(port, call)
  if (status !== 200) throw new Delay(`HTTP_${status}`)
  const mediaType = await printableTypeOf(body)
  return mediaType && { mediaType, bytes: body }
}

// In millimetres. 4×6 inches are 101.6 × 152.4, and A6 is 105 × 148; some carriers print up to 7 inches.
const WIDTH = { least: 95, most: 112 }
const HEIGHT = { least: 140, most: 180 }
const MM_OF_POINT = 25.4 / 72
// A bar code of less than this is not read: 4 inches at 100 dots per inch.
const LEAST_DOTS = 400

const isBetween = (value: number, { least, most }: typeof WIDTH) => value >= least && value <= most

/** The type of a file that a label printer prints; undefined for any other, and for one that does something when it is opened. */
async function printableTypeOf(bytes: Buffer): Promise<'application/pdf' | 'image/png' | undefined> {
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-')
    return (await isLabelPdf(bytes)) ? 'application/pdf' : undefined
  return isLabelPng(bytes) ? 'image/png' : undefined
}

function isLabelPng(bytes: Buffer): boolean {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return false
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.lastIndexOf('IEND') < 0) return false
  const [short = 0, long = 0] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)].sort((a, b) => a - b)
  const ratio = long / short
  return short >= LEAST_DOTS && ratio >= HEIGHT.least / WIDTH.most && ratio <= HEIGHT.most / WIDTH.least
}

async function isLabelPdf(bytes: Buffer): Promise<boolean> {
  if (/\/(JavaScript|Launch)\b/.test(bytes.toString('latin1'))) return false
  // Loaded with the first label.
  const { getDocumentProxy } = await import('unpdf')
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    try {
      const opening = await pdf.getOpenAction()
      if (opening?.action || (await pdf.getJSActions())) return false
      const page = await pdf.getPage(1)
      if (await page.getJSActions()) return false
      const { width, height } = page.getViewport({ scale: MM_OF_POINT })
      const [short = 0, long = 0] = [width, height].sort((a, b) => a - b)
      return isBetween(short, WIDTH) && isBetween(long, HEIGHT)
    } finally {
      await pdf.loadingTask.destroy()
    }
  } catch {
    // The parser throws for what is no PDF, and for one with a password.
    return false
  }
}
