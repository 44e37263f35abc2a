import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { toEgressError } from '../../platform/egress/errors.ts'
import type { Settings } from '../../settings.ts'
import { operator } from '../session.ts'
import { selectWebhookUrls } from './queries.ts'

const TIMEOUT_MS = 10_000
const READ_BYTES = 64 * 1024
const STRIPE = 'https://api.stripe.com'

/** Connects to the mail server and logs in; sends nothing. */
export async function checkMail({ smtpUrl, publicUrl }: Settings): Promise<Finding> {
  if (!smtpUrl) return warn('mail', 'SMTP_URL is not set: e-mails are kept, not sent.', 'Set SMTP_URL.')
  const { tryMailServer } = await import('../../modules/emails/smtp.ts')
  const problem = await tryMailServer({ smtpUrl, publicUrl })
  if (!problem) return ok('mail', 'The mail server answers and takes the log-in.')
  return fail(
    'mail',
    `The mail server does not serve us (${problem}).`,
    'Check SMTP_URL: host, port, user and password.',
  )
}

/** Asks the gateway for something harmless with the key of the settings. */
export async function checkGateway({ stripe }: Settings, egress: Egress): Promise<Finding> {
  if (!stripe.secretKey)
    return warn('gateway', 'STRIPE_SECRET_KEY is not set: cards are simulated.', 'Set it before you sell.')
  const origin = new URL(stripe.apiUrl ?? STRIPE)
  const todo = 'Check the network, STRIPE_SECRET_KEY, and status.stripe.com.'
  try {
    const { status } = await egress.request({
      url: new URL('/v1/balance', origin).href,
      method: 'GET',
      headers: { authorization: `Bearer ${stripe.secretKey}` },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: READ_BYTES,
      policy: { hosts: [origin.host], loopback: stripe.apiUrl?.startsWith('http:') ?? false },
    })
    if (status === 401) return fail('gateway', 'Stripe does not know the key.', todo)
    if (status >= 500) return fail('gateway', `Stripe answers with ${status}.`, todo)
    // A restricted key may lack the right to read the balance.
    if (!stripe.webhookSecret)
      return warn(
        'gateway',
        'Stripe answers, but STRIPE_WEBHOOK_SECRET is not set.',
        'Set it, so that refunds made at Stripe are noticed.',
      )
    return ok('gateway', 'Stripe answers and knows the key.')
  } catch (error) {
    return fail('gateway', `Stripe cannot be reached (${toEgressError(error).code}).`, todo)
  }
}

const TRIED = 3

/** Connects to the hosts of some healthy endpoints, without a message to them. */
export async function checkWebhooks(database: Database, egress: Egress): Promise<Finding> {
  const urls = await database.asSystem(operator, (tx) => selectWebhookUrls(tx, 50))
  const origins = [...new Set(urls.map(({ url }) => new URL(url).origin))].slice(0, TRIED)
  if (origins.length === 0) return ok('webhook hosts', 'No endpoint is in use.')
  const failed: string[] = []
  for (const origin of origins) {
    try {
      await egress.request({
        url: `${origin}/`,
        method: 'HEAD',
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: READ_BYTES,
        policy: 'public',
      })
    } catch (error) {
      failed.push(toEgressError(error).code)
    }
  }
  if (failed.length === 0) return ok('webhook hosts', `${origins.length} of ${origins.length} tried answer.`)
  const found = `${failed.length} of ${origins.length} tried do not answer (${failed.join(', ')}).`
  if (failed.length < origins.length) return warn('webhook hosts', found, 'See the deliveries in the dashboard.')
  return fail('webhook hosts', found, 'Open the firewall for outgoing https, and check DNS.')
}
