import { selectBeats, selectServerFigures } from '../../../platform/database/server-figures.ts'
import type { Database, SystemTx } from '../../../platform/database/tx.ts'
import type { Figures, Sample } from '../../../platform/http/metrics.ts'
import { selectQueueFigures } from '../../../platform/jobs/inspect.ts'
import { selectNewestSeal, selectUnsealed } from '../../audit/seal-queries.ts'
import { backupFigures } from '../../backups/service.ts'
import { selectLatestLedgerCheck } from '../../credits/check-queries.ts'
import { countAlarms } from '../../oversight/alarms/queries.ts'
import { countStages } from '../overview/service.ts'
import type { FigureName } from './helps.ts'
import * as queries from './queries.ts'

const actor = { name: 'figures' }
const DAY_MS = 86_400_000

type Shown = Figures<FigureName>

/** How the whole service is, in one transaction whose statements leave together. */
export function readFigures(database: Database): Promise<Shown> {
  return database.asSystem(actor, async (tx) => {
    const parts = await Promise.all([
      orders(tx),
      people(tx),
      queues(tx),
      outgoing(tx),
      audit(tx),
      backups(tx),
      workers(tx),
    ])
    return Object.assign({}, ...parts, await server(tx))
  })
}

async function orders(tx: SystemTx): Promise<Shown> {
  const [placed, tallies] = await Promise.all([queries.selectPlaced(tx), queries.selectKitTallies(tx)])
  const kits = placed.flatMap(({ mode, kits: all }) => {
    const moved = tallies.filter((tally) => tally.mode === mode && tally.key !== INITIAL_STATUSES)
    const amount = all - moved.reduce((sum, tally) => sum + tally.amount, 0)
    return countStages([...moved, { name: 'kit', key: INITIAL_STATUSES, amount }]).map(({ stage, count }) => ({
      labels: { mode, stage },
      value: count,
    }))
  })
  return {
    kitlane_orders_placed: placed.map(({ mode, orders: value }) => ({ labels: { mode }, value })),
    kitlane_kits: kits,
  }
}

// Kits have tallies only once they leave the state in which they are placed.
const INITIAL_STATUSES = 'preparing/awaitingCollection/notStarted'

async function people(tx: SystemTx): Promise<Shown> {
  const rows = await queries.selectWaitingForPeople(tx)
  return {
    kitlane_waiting_for_people: rows.map(({ what, waiting: value }) => ({ labels: { what }, value })),
    kitlane_waiting_for_people_oldest_seconds: rows.map(({ what, oldestAt }) => ({
      labels: { what },
      value: since(tx, oldestAt),
    })),
  }
}

async function queues(tx: SystemTx): Promise<Shown> {
  const rows = await selectQueueFigures(tx)
  return {
    kitlane_job_queue_jobs: rows.flatMap(({ name: queue, queued, active, failed }) =>
      byLabel({ queued, active, failed }, (state) => ({ queue, state })),
    ),
    kitlane_job_queue_oldest_seconds: rows.map(({ name: queue, oldestSeconds }) => ({
      labels: { queue },
      value: Math.max(0, oldestSeconds),
    })),
  }
}

async function outgoing(tx: SystemTx): Promise<Shown> {
  const [due, endpoints, emails, payments] = await Promise.all([
    queries.selectDueWebhooks(tx),
    queries.selectEndpointStates(tx),
    queries.selectEmails(tx, new Date(tx.now.getTime() - DAY_MS)),
    queries.selectUnsettled(tx),
  ])
  const of = (failing: boolean) => due.find((row) => row.failing === failing) ?? { waiting: 0, oldestAt: null }
  const [healthy, failing] = [of(false), of(true)]
  return {
    kitlane_webhooks_due: byLabel({ healthy: healthy.waiting, failing: failing.waiting }, (endpoint) => ({ endpoint })),
    kitlane_webhooks_due_oldest_seconds: byLabel(
      { healthy: since(tx, healthy.oldestAt), failing: since(tx, failing.oldestAt) },
      (endpoint) => ({ endpoint }),
    ),
    kitlane_webhook_endpoints: byLabel({ ...endpoints }, (state) => ({ state })),
    kitlane_emails_queued: emails.waiting,
    kitlane_emails_queued_oldest_seconds: since(tx, emails.oldestAt),
    kitlane_emails_failed: emails.failed,
    kitlane_payments_unsettled: payments.waiting,
    kitlane_payments_unsettled_oldest_seconds: since(tx, payments.oldestAt),
  }
}

async function audit(tx: SystemTx): Promise<Shown> {
  const [unsealed, newest, alarms, ledger] = await Promise.all([
    selectUnsealed(tx),
    selectNewestSeal(tx),
    countAlarms(tx),
    selectLatestLedgerCheck(tx),
  ])
  return {
    kitlane_audit_unsealed_entries: unsealed.entries,
    kitlane_audit_unsealed_oldest_seconds: since(tx, unsealed.oldest),
    ...(newest.at && { kitlane_audit_newest_seal_seconds: since(tx, newest.at) }),
    kitlane_alarms_open: alarms,
    ...(ledger && { kitlane_ledger_ok: ledger.ok ? 1 : 0, kitlane_ledger_check_seconds: since(tx, ledger.at) }),
  }
}

async function backups(tx: SystemTx): Promise<Shown> {
  const { ageSeconds, ok, lateSeconds } = await backupFigures(tx)
  return {
    kitlane_backup_scheduled: lateSeconds === undefined ? 0 : 1,
    ...(ageSeconds !== undefined && { kitlane_backup_age_seconds: ageSeconds }),
    ...(ok !== undefined && { kitlane_backup_ok: ok ? 1 : 0 }),
    ...(lateSeconds !== undefined && { kitlane_backup_late_seconds: lateSeconds }),
  }
}

async function workers(tx: SystemTx): Promise<Shown> {
  const beats = await selectBeats(tx)
  return {
    kitlane_processes: beats.processes,
    kitlane_workers: beats.workers,
    ...(beats.workerSeconds !== null && { kitlane_worker_heartbeat_seconds: beats.workerSeconds }),
  }
}

async function server(tx: SystemTx): Promise<Shown> {
  const server = await selectServerFigures(tx)
  return {
    kitlane_standbys: server.standbys,
    ...(server.lagSeconds !== null && { kitlane_replication_lag_seconds: server.lagSeconds }),
    ...(server.lagBytes !== null && { kitlane_replication_lag_bytes: server.lagBytes }),
    kitlane_database_size_bytes: server.sizeBytes,
    kitlane_database_connections: server.connections,
    kitlane_database_max_connections: server.maxConnections,
    kitlane_database_oldest_transaction_seconds: Math.max(0, server.oldestTransactionSeconds),
  }
}

/** Zero where nothing waits. */
const since = (tx: SystemTx, at: Date | null): number =>
  at ? Math.max(0, (tx.now.getTime() - at.getTime()) / 1000) : 0

const byLabel = (numbers: Record<string, number>, labels: (name: string) => Record<string, string>): Sample[] =>
  Object.entries(numbers).map(([name, value]) => ({ labels: labels(name), value }))
