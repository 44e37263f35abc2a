import type { Config } from '../config.ts'
import type { Reach } from '../ports.ts'

/** The other systems that the settings configure. */
export function reachOf(config: Config): Reach {
  const { smtpUrl, publicUrl } = config
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config
  return {
    encryptionKey: config.encryptionKey,
    ...(secretKey && { stripe: { secretKey, webhookSecret, apiUrl } }),
    ...(publicUrl && { publicUrl }),
    trustedProxies: config.trustedProxies,
    ...(smtpUrl && { smtp: { smtpUrl, publicUrl } }),
    carrierSecrets: { generic: config.carrierWebhookSecret, easypost: config.easypostWebhookSecret },
    uploadHosts: config.uploadHosts,
    allowLoopbackWebhooks: config.allowLoopbackWebhooks,
  }
}
