import { stripeHook } from './modules/checkout/stripe-hook.ts'
import { simulatedGateway } from './modules/payments/gateways/simulated.ts'
import type { Clock } from './platform/clock.ts'
import type { Database, Mode } from './platform/database/tx.ts'
import type { Gateway } from './platform/effects/gateway.ts'
import type { Effects, EffectsOf } from './platform/effects/outside.ts'
import type { Hook } from './platform/http/hooks.ts'
import type { Logger } from './platform/log.ts'
import { createOutbound, type Outbound } from './platform/outbound/client.ts'

/** Which other systems there are. Without any, cards are simulated. */
export interface Reach {
  stripe?: { secretKey: string; webhookSecret?: string; apiUrl?: string }
  /** Lets webhooks go to this machine: for development and tests. */
  allowLoopbackWebhooks?: boolean
}

export interface OpenedEffects {
  effectsOf: EffectsOf
  outbound: Outbound
  /** Where the other systems tell us something. */
  hooks: Hook[]
  close(): Promise<void>
}

/** Opens the ways to other systems, by mode: what works for the sandbox is never given a live one. */
export async function openEffects(options: {
  database: Database
  clock: Clock
  log: Logger
  reach: Reach
}): Promise<OpenedEffects> {
  const { database, clock, log, reach } = options
  const outbound = createOutbound({ allowLoopback: reach.allowLoopbackWebhooks ?? false, log })
  const simulated = simulatedGateway({ database })
  const live = await liveGateway(reach, outbound, { database, clock })
  const byMode: Record<Mode, Effects> = {
    sandbox: { gateway: simulated },
    live: { gateway: live?.gateway ?? simulated },
  }
  return {
    effectsOf(mode) {
      const effects = byMode[mode]
      if (!effects) throw new Error(`unknown mode ${String(mode)}`)
      return effects
    },
    outbound,
    hooks: live ? [live.hook] : [],
    close: () => outbound.close(),
  }
}

async function liveGateway(
  { stripe }: Reach,
  outbound: Outbound,
  { database, clock }: { database: Database; clock: Clock },
): Promise<{ gateway: Gateway; hook: Hook } | undefined> {
  if (!stripe) return undefined
  // Loaded only where it is used: the SDK is large.
  const { createStripe } = await import('./modules/payments/gateways/stripe.ts')
  const gateway = createStripe({ ...stripe, outbound })
  return { gateway, hook: stripeHook(gateway, database, clock) }
}
