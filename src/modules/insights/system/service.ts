import type { OperatorScope } from '../../../domain/scopes.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { OperatorAccess } from '../../../platform/http/caller.ts'
import { type FailedJob as FailedRow, listQueues } from '../../../platform/jobs/inspect.ts'
import { VERSION } from '../../../platform/package-root.ts'
import { countToApprove } from '../../approvals/service.ts'
import { maybeNewest } from '../../backups/queries.ts'
import { selectLatestLedgerCheck } from '../../credits/check-queries.ts'
import { usualDays } from '../../kits/usual-days.ts'
import { countAlarms } from '../../oversight/alarms/queries.ts'
import { countCriticalsOfAll } from '../../reports/critical/queries.ts'
import { countWaitingOfAll } from '../../reports/unassessed/list-queries.ts'
import { countLow } from '../../stock/level-queries.ts'
import * as queries from './queries.ts'
import * as schema from './schema.ts'

const DAY_MS = 24 * 3600 * 1000
const RECENT_MS = 30 * DAY_MS

const before = (tx: SystemTx, ms: number) => new Date(tx.now.getTime() - ms)

/** How the service is doing, as one process sees it. */
export async function system(tx: SystemTx): Promise<schema.System> {
  const postgres = await queries.selectPostgres(tx)
  const counts = await queries.selectCounts(tx, before(tx, RECENT_MS))
  const ledger = await selectLatestLedgerCheck(tx)
  const backup = await lastBackup(tx)
  return {
    version: VERSION,
    node: process.versions.node,
    uptimeSeconds: Math.floor(process.uptime()),
    memoryBytes: process.memoryUsage.rss(),
    postgres: {
      version: postgres.version,
      // The name that its own PostgreSQL is started with (platform/database/embedded).
      embedded: postgres.clusterName.startsWith('kitlane-'),
      sizeBytes: postgres.sizeBytes,
      connections: postgres.connections,
      maxConnections: postgres.maxConnections,
    },
    migrations: { version: postgres.schemaVersion, appliedDate: postgres.schemaAppliedAt.toISOString() },
    webhooks: { due: counts.webhooksDue, failingEndpoints: counts.failingEndpoints },
    mail: {
      configured: tx.context.settings.smtpUrl !== undefined,
      queued: counts.mailQueued,
      failed: counts.mailFailed,
    },
    ...(ledger && { ledger: { ok: ledger.ok, checkedDate: ledger.at.toISOString() } }),
    ...(backup && { backup }),
    businesses: counts.businesses,
    kits: { live: counts.liveKits, sandbox: counts.sandboxKits },
  }
}

async function lastBackup(tx: SystemTx): Promise<schema.System['backup']> {
  const made = await maybeNewest(tx, true)
  const failed = await maybeNewest(tx, false)
  if (!made && !failed) return undefined
  const since = failed && (!made || failed.endedAt > made.endedAt) ? failed : undefined
  return {
    ...(made && { madeDate: made.startedAt.toISOString(), bytes: Number(made.bytes), location: made.location }),
    ...(since && { failedDate: since.endedAt.toISOString() }),
  }
}

const ALL_OPEN = { mode: 'live' as const, state: ['open' as const], page: 0, size: 1 }

/** What waits for a person, as far as the caller's scopes reach. */
export async function overview(tx: SystemTx, access: OperatorAccess): Promise<schema.OperatorOverview> {
  const { scopes } = access
  const late = (usualDays.kitPreparing ?? 0) * DAY_MS
  const queues = scopes.has('system') ? await listQueues(tx) : undefined
  const reviews = scopes.has('review') || scopes.has('lab')
  return {
    ...(scopes.has('fulfilment') &&
      (await queries.selectToPack(tx, { lateBefore: before(tx, late), since: before(tx, RECENT_MS) }))),
    ...(scopes.has('fulfilment') && { lowStock: await countLow(tx) }),
    ...(scopes.has('lab') && (await queries.selectToReceive(tx))),
    ...(reviews && { inReview: await queries.countInReview(tx) }),
    ...(scopes.has('approvals') && { toApprove: await countToApprove(tx, access) }),
    ...(scopes.has('review') && { critical: await countCriticalsOfAll(tx, ALL_OPEN) }),
    ...(scopes.has('review') && (await queries.countNotices(tx))),
    ...(scopes.has('review') && { unassessed: await countWaitingOfAll(tx, ALL_OPEN) }),
    ...(scopes.has('audit') && { alarms: await countAlarms(tx) }),
    ...(queues && { failedJobs: queues.reduce((sum, { failed }) => sum + failed, 0) }),
    ...(scopes.has('mail') && { failedEmails: (await queries.selectCounts(tx, before(tx, RECENT_MS))).mailFailed }),
  }
}

/** A failed job as the operator sees it: what kind of error it was, never what it was about. */
export function shownJob({ id, name, createdAt, failedAt, attempts, businessId, output }: FailedRow): schema.FailedJob {
  return {
    id,
    name,
    attempts,
    createdDate: createdAt.toISOString(),
    ...(failedAt && { failedDate: failedAt.toISOString() }),
    ...(businessId && { businessID: businessId }),
    error: wordsOf(output),
  }
}

interface StoredFailure {
  reason?: { type?: unknown; code?: unknown; message?: unknown }
  message?: unknown
}

/** `reason` is what platform/jobs left of our own error; without one pg-boss itself gave the job up (a worker died, time ran out). */
function wordsOf(output: unknown): string {
  if (typeof output !== 'object' || output === null) return 'Unknown'
  const { reason, message } = output as StoredFailure
  if (!reason) return typeof message === 'string' ? message.slice(0, 200) : 'Unknown'
  const head = [reason.type, reason.code].filter((part) => typeof part === 'string').join(' ')
  return typeof reason.message === 'string' ? `${head}: ${reason.message}` : head
}

const scopeOf: Record<schema.Waiting, readonly OperatorScope[]> = {
  toPack: ['fulfilment'],
  cameBack: ['fulfilment'],
  atTheDoor: ['lab'],
  heldSamples: ['lab'],
  unmatched: ['lab'],
  uploadsToReview: ['lab'],
  inReview: ['lab', 'review'],
  critical: ['review'],
  unassessed: ['review'],
  alarms: ['audit'],
}

/** Since when the oldest of each kind of work waits, as far as the scopes reach. */
export async function oldestWaiting(tx: SystemTx, scopes: ReadonlySet<OperatorScope>): Promise<schema.OldestWaiting> {
  const kinds = schema.waitingKinds.filter((kind) => scopeOf[kind].some((scope) => scopes.has(scope)))
  const found = await queries.selectOldest(tx, kinds)
  const oldest = Object.fromEntries(
    Object.entries(found).flatMap(([kind, at]) => (at ? [[kind, at.toISOString()]] : [])),
  )
  return { oldest, ...(scopes.has('system') && { firstSteps: await firstSteps(tx) }) }
}

/** What an operator does before the first live kit, and whether it is done. */
async function firstSteps(tx: SystemTx): Promise<schema.FirstStep[]> {
  const { unsignedBiomarkers, laboratories, staffWithoutSecondFactor, withoutContact } =
    await queries.selectFirstSteps(tx)
  const backup = await maybeNewest(tx, true)
  return [
    { step: 'laboratory', done: laboratories > 0 },
    { step: 'ranges', done: unsignedBiomarkers === 0, left: unsignedBiomarkers },
    { step: 'mail', done: tx.context.settings.smtpUrl !== undefined },
    { step: 'backup', done: backup !== undefined },
    { step: 'contact', done: withoutContact === 0, left: withoutContact },
    { step: 'secondFactor', done: staffWithoutSecondFactor === 0, left: staffWithoutSecondFactor },
  ]
}
