import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { FigureName } from '../../modules/insights/figures/helps.ts'
import type { Figures } from '../../platform/http/metrics.ts'
import { age } from './finding.ts'

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
