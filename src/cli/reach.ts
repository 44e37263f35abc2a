import type { Config } from '../config.ts'
import type { Reach } from '../ports.ts'

/** The other systems that the settings configure. */
export function reachOf(config: Config): Reach {
  const { smtpUrl, publicUrl } = config
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config
  const { stripePublishableKey: publishableKey } = config
  return {
    encryptionKey: config.encryptionKey,
    previousEncryptionKey: config.previousEncryptionKey,
    ...(config.kms && { kms: { ...config.kms, loopback: config.kms.endpoint?.startsWith('http:') ?? false } }),
    ...(secretKey && { stripe: { secretKey, publishableKey, webhookSecret, apiUrl } }),
    ...(publicUrl && { publicUrl }),
    trustedProxies: config.trustedProxies,
    ...(smtpUrl && { smtp: { smtpUrl, publicUrl } }),
    twilio: config.twilio,
    carrierSecrets: { generic: config.carrierWebhookSecret, easypost: config.easypostWebhookSecret },
    files: config.files,
    numbersTo: config.numbersTo,
    uploadHosts: config.uploadHosts,
    allowLoopbackWebhooks: config.allowLoopbackWebhooks,
    oversight: config.oversight,
    backups: { ...config.backups, dataDir: config.dataDir },
    secondFactor: config.secondFactor,
    signedRangesOnly: config.signedRangesOnly,
    requestLogDays: config.requestLogDays,
    issuer: config.issuer,
  }
}
