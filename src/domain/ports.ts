import type { Mailer } from './mailer.ts'
import type { Gateway } from './payment-gateway.ts'

/** The other systems that a mode may reach. Each mode has its own ports: sandbox work never holds a live one. */
export interface Ports {
  gateway: Gateway
  /** Undefined: e-mails are stored and not sent. The sandbox never has a mailer. */
  mailer?: Mailer
  /** Fetches a file from a host that the operator allows. @throws AppError VALIDATION_FAILED for any other host */
  fetchFile(url: string, maxBytes: number): Promise<{ mediaType: string; content: Buffer }>
}
