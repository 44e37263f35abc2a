import type { Archives } from './archives.ts'
import type { Backups } from './backups.ts'
import type { FileStore } from './file-store.ts'
import type { Mailer } from './mailer.ts'
import type { OperatorChannels } from './operator-channels.ts'
import type { Gateway } from './payment-gateway.ts'

export interface ShopCall {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

export interface ShopReply {
  status: number
  body: string
  retryAfter: string | undefined
}

/** Calls the shop of a business at a public address that the business entered. @throws EgressError */
export type ShopPort = (call: ShopCall) => Promise<ShopReply>

export interface LaboratoryCall {
  /** `https://…`, `mllp://…`, `mllps://…`, or `folder:<name>`. */
  url: string
  headers: Record<string, string>
  body: string
  /** The name of the file, in a folder. */
  name: string
  /** Whether a text answers this message. Over MLLP others are passed over, such as an acknowledgement that came too late. */
  isAnswer(text: string): boolean
}

export interface LaboratoryReply {
  status: number
  body: string
  /** Nothing of it answers the message. */
  isUnclear?: true
  /** The connection, where more may come on it. The caller closes it. */
  line?: {
    /** What comes within a moment. */
    more(): AsyncIterable<string>
    write(text: string): void
    close(): void
  }
}

/** Sends an order to a laboratory that the settings name, and waits for its answer; a folder gives none. @throws EgressError */
export type LaboratoryPort = (call: LaboratoryCall) => Promise<LaboratoryReply>

export interface ShippingCall {
  provider: 'easypost' | 'shippo' | 'shipstation' | 'shipbob'
  method: string
  /** Below the service's own host. */
  path?: string
  /** Of a printed label, wherever the service keeps it. */
  url?: string
  headers?: Record<string, string>
  body?: string
  /** Asked right before the first byte: if false, nothing is sent. */
  mayBegin?: (() => boolean) | undefined
}

/** Calls a service that sells shipping labels, or a warehouse. @throws EgressError */
export type ShippingPort = (call: ShippingCall) => Promise<{ status: number; body: Buffer }>

/** The other systems that a mode may reach. Each mode has its own ports: sandbox work never holds a live one. */
export interface Ports {
  gateway: Gateway
  /** Undefined: e-mails are stored and not sent. The sandbox never has a mailer. */
  mailer?: Mailer
  /** Sends text messages: of a message only `to`, a number in E.164, and `text`. Undefined: they are kept. Never in the sandbox. */
  texter?: Mailer
  /** Live only: notices are about the whole installation. */
  operator?: OperatorChannels
  /** Live only: a backup holds the whole installation. */
  backups?: Backups
  /** Live only, for the same reason. */
  archives?: Archives
  /** Live only: where the kits and credits of each day are written. Undefined: nowhere. */
  numbers?: FileStore
  /** Where files are kept; the same for both modes. */
  fileStore: FileStore
  callShop: ShopPort
  /** Live only: no laboratory tests the samples of a sandbox. */
  callLaboratory?: LaboratoryPort
  /** Live only: a kit of a sandbox is never sent. */
  callShipping?: ShippingPort
  /** Fetches a file from a host that the operator allows. @throws AppError VALIDATION_FAILED for any other host */
  fetchFile(url: string, maxBytes: number): Promise<{ mediaType: string; content: Buffer }>
}
