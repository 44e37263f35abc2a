import type { Mailer } from './mailer.ts'
import type { Gateway } from './payment-gateway.ts'

/** The other systems that a mode may reach. Each mode has its own: sandbox work never holds a live port. */
export interface Ports {
  gateway: Gateway
  /** Undefined: e-mails are kept. The sandbox never has one. */
  mailer?: Mailer
  /** Fetches a file from a host that the operator allows. @throws AppError VALIDATION_FAILED for any other */
  fetchFile(url: string, maxBytes: number): Promise<{ mediaType: string; content: Buffer }>
}
