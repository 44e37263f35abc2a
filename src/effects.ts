import { simulatedGateway } from './modules/payments/gateways/simulated.ts'
import type { Database } from './platform/database/tx.ts'
import type { Gateway } from './platform/effects/gateway.ts'
import type { EffectsOf } from './platform/effects/outside.ts'

/** The other systems that the program talks to, by mode: the sandbox never gets a live one. */
export function effects(options: { database: Database; live?: Gateway }): EffectsOf {
  const simulated = simulatedGateway({ database: options.database })
  const sandbox = { gateway: simulated }
  const live = { gateway: options.live ?? simulated }
  return (mode) => {
    if (mode === 'sandbox') return sandbox
    if (mode === 'live') return live
    throw new Error(`unknown mode ${String(mode)}`)
  }
}
