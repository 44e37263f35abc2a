import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { FigureName } from '../../modules/insights/figures/helps.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { toEgressError } from '../../platform/egress/errors.ts'
import type { Figures } from '../../platform/http/metrics.ts'
import type { Settings } from '../../settings.ts'
import { operator } from '../session.ts'
import { selectWebhookUrls } from './queries.ts'

/** `90 s`, `3 h`: one whole number, for people. */
export function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** The first sentence of an error that was written for people; what libraries say may quote anything. */
export function reasonOf(error: unknown, code = 'unknown'): string {
  if (!(error instanceof Error)) return code
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name === 'StartError' ? error.message : code
}

type Shown = Figures<FigureName>

const DAY_S = 86_400

/** What the figures of `/metrics` say, by the bounds of the alerts (ops/prometheus/alerts.yaml). */
export function judgeFigures(figures: Shown): Finding[] {
  const one = (name: FigureName): number | undefined => {
    const value = figures[name]
    return typeof value === 'number' ? value : undefined
  }
  const of = (name: FigureName, labels: Record<string, string> = {}) =>
    samplesOf(figures, name).filter((sample) =>
      Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
    )
  const sum = (name: FigureName, labels: Record<string, string> = {}) =>
    of(name, labels).reduce((all, { value }) => all + value, 0)
  const oldest = (name: FigureName, labels: Record<string, string> = {}) =>
    Math.max(0, ...of(name, labels).map(({ value }) => value))

  return [
    (one('kitlane_workers') ?? 0) > 0
      ? ok('workers', `${one('kitlane_workers')} of ${one('kitlane_processes')} processes run jobs.`)
      : warn(
          'workers',
          'No worker was heard of for a minute.',
          'Start the service, or one process with --role worker.',
        ),
    late({
      about: 'jobs',
      seconds: oldest('kitlane_job_queue_oldest_seconds'),
      from: 300,
      todo: 'See the queues: GET /operator/v1/jobs.',
    }),
    failedJobs(sum('kitlane_job_queue_jobs', { state: 'failed' })),
    late({
      about: 'webhooks',
      seconds: oldest('kitlane_webhooks_due_oldest_seconds', { endpoint: 'healthy' }),
      from: 120,
      todo: 'Add a worker, or open the firewall for port 443.',
    }),
    late({
      about: 'e-mails',
      seconds: one('kitlane_emails_queued_oldest_seconds') ?? 0,
      from: 900,
      todo: 'Look at the line about mail.',
    }),
    late({
      about: 'payments',
      seconds: one('kitlane_payments_unsettled_oldest_seconds') ?? 0,
      from: 900,
      fails: true,
      todo: 'Look at the line about the gateway. Charge nothing again.',
    }),
    late({
      about: 'audit seals',
      seconds: one('kitlane_audit_unsealed_oldest_seconds') ?? 0,
      from: 600,
      todo: 'End old transactions, then run: kitlane verify-audit',
    }),
    ledger(one('kitlane_ledger_ok'), one('kitlane_ledger_check_seconds') ?? 0),
    alarms(one('kitlane_alarms_open') ?? 0),
    connections(one('kitlane_database_connections') ?? 0, one('kitlane_database_max_connections') ?? 0),
  ]
}

const samplesOf = (figures: Shown, name: FigureName) => {
  const value = figures[name]
  return Array.isArray(value) ? value : []
}

function late(what: { about: string; seconds: number; from: number; fails?: boolean; todo: string }): Finding {
  const { about, seconds, from, fails, todo } = what
  if (seconds === 0) return ok(about, 'Nothing waits.')
  const found = `The oldest that is due has waited for ${age(seconds)}.`
  if (seconds <= from) return ok(about, found)
  return fails ? fail(about, found, todo) : warn(about, found, todo)
}

const failedJobs = (count: number): Finding =>
  count === 0
    ? ok('failed jobs', 'None in seven days.')
    : warn(
        'failed jobs',
        `${count} were given up in seven days.`,
        'See GET /operator/v1/jobs/failed, mend the cause, and retry them.',
      )

function ledger(isOk: number | undefined, seconds: number): Finding {
  if (isOk === undefined) return warn('ledger', 'It was never checked.', 'Run: kitlane verify-ledger')
  if (isOk === 0) return fail('ledger', 'It does not add up.', 'Run: kitlane verify-ledger, and make a backup first.')
  const found = `It added up ${age(seconds)} ago.`
  return seconds > 2 * DAY_S
    ? warn('ledger', found, 'Run: kitlane verify-ledger, and look at the workers.')
    : ok('ledger', found)
}

const alarms = (count: number): Finding =>
  count === 0
    ? ok('alarms', 'None is open.')
    : warn('alarms', `${count} wait for somebody.`, 'Look at them in the dashboard, and acknowledge them.')

const connections = (count: number, max: number): Finding =>
  count < 0.9 * max
    ? ok('connections', `${count} of ${max} are in use.`)
    : warn('connections', `${count} of ${max} are in use.`, 'Raise max_connections, or put PgBouncer in front.')

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
