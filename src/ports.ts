import type { Mailer } from './domain/mailer.ts'
import type { Gateway } from './domain/payment-gateway.ts'
import type { Ports } from './domain/ports.ts'
import type { SmtpSettings } from './modules/emails/smtp.ts'
import { type CarrierSecrets, carrierHooks } from './modules/fulfilment/hooks.ts'
import { stripeHook } from './modules/orders/payment/stripe-hook.ts'
import { simulatedGateway } from './modules/payments/gateways/simulated.ts'
import type { Clock } from './platform/clock.ts'
import type { Database, Mode } from './platform/database/tx.ts'
import { createEgress, type Egress } from './platform/egress/client.ts'
import { fileFetcher } from './platform/egress/file.ts'
import type { Hook } from './platform/http/hooks.ts'
import type { Logger } from './platform/log.ts'
import type { PortsOf } from './platform/ports/realm-ports.ts'

/** Which other systems there are, and what is kept from them. Without any, cards are simulated. */
export interface Reach {
  /** 32 bytes; secrets that have to be read again are sealed with it. */
  encryptionKey?: Buffer
  /** Under which others reach this service; default: where it listens. Links in e-mails and on boxes begin with it. */
  publicUrl?: string
  /** Proxies in front of this service, whose word on who calls counts. None by default. */
  trustedProxies?: string[]
  /** Without it e-mails are only kept. */
  smtp?: SmtpSettings
  stripe?: { secretKey: string; webhookSecret?: string; apiUrl?: string }
  carrierSecrets?: CarrierSecrets
  /** Hosts (`name` or `name:port`) that files may be fetched from. None by default. */
  uploadHosts?: string[]
  /** Lets webhooks go to this machine: for development and tests. */
  allowLoopbackWebhooks?: boolean
}

export interface OpenedPorts {
  portsOf: PortsOf
  egress: Egress
  /** Where the other systems tell us something. */
  hooks: Hook[]
  close(): Promise<void>
}

/** Opens the ways to other systems, by mode: what works for the sandbox is never given a live one. */
export async function openPorts(options: {
  database: Database
  clock: Clock
  log: Logger
  reach: Reach
}): Promise<OpenedPorts> {
  const { database, clock, log, reach } = options
  const egress = createEgress({ allowLoopback: reach.allowLoopbackWebhooks ?? false, log })
  const simulated = simulatedGateway({ database })
  const live = await liveGateway(reach, egress, { database, clock })
  const fetchFile = fileFetcher(egress, reach.uploadHosts ?? [])
  const byMode: Record<Mode, Ports> = {
    sandbox: { gateway: simulated, fetchFile },
    live: { gateway: live?.gateway ?? simulated, mailer: await mailerOf(reach), fetchFile },
  }
  return {
    portsOf(mode) {
      const ports = byMode[mode]
      if (!ports) throw new Error(`unknown mode ${String(mode)}`)
      return ports
    },
    egress,
    hooks: [...(live ? [live.hook] : []), ...carrierHooks(database, reach.carrierSecrets ?? {})],
    close: () => egress.close(),
  }
}

async function liveGateway(
  { stripe }: Reach,
  egress: Egress,
  { database, clock }: { database: Database; clock: Clock },
): Promise<{ gateway: Gateway; hook: Hook } | undefined> {
  if (!stripe) return undefined
  // Loaded only where it is used: the SDK is large.
  const { createStripe } = await import('./modules/payments/gateways/stripe.ts')
  const gateway = createStripe({ ...stripe, egress })
  return { gateway, hook: stripeHook(gateway, database, clock) }
}

async function mailerOf({ smtp }: Reach): Promise<Mailer | undefined> {
  if (!smtp) return undefined
  const { createSmtpMailer } = await import('./modules/emails/smtp.ts')
  return createSmtpMailer(smtp)
}
