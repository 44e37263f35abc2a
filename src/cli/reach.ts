import type { Reach } from '../effects.ts'
import type { Config } from '../platform/config.ts'

/** The other systems that the settings name. */
export function reachOf(config: Config): Reach {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config
  return {
    ...(secretKey && { stripe: { secretKey, webhookSecret, apiUrl } }),
    allowLoopbackWebhooks: config.allowLoopbackWebhooks,
  }
}
