import { newOpaqueId } from '../../../domain/ids.ts'
import type { Actor, Database, Queries, Realm } from '../../../platform/database/tx.ts'
import { inBatches } from '../../../platform/jobs/batches.ts'
import * as audit from '../../audit/service.ts'
import { countMessagesBefore, emptyMessagesBefore } from '../../fulfilment/erasure-queries.ts'
import { holdsParcel, lockOutHolds } from './hold-queries.ts'
import { type AgedPurge, agedPurges } from './purge-aged.ts'
import { countRetained, deleteRetained, type Found } from './purge-queries.ts'
import { selectLiveRealms, selectTermsOf, upsertRun } from './queries.ts'
import { type Count, daysOf, dueBefore, retainedKinds, type Terms, termsOf } from './rules.ts'
import { termsIn } from './terms.ts'

// Rows whose purge is one statement: about 20 ms of the database.
const ROWS_AT_ONCE = 200
// What is opened and scrubbed one by one: about 100 ms.
const OPENED_AT_ONCE = 25

export interface Report {
  /** Undefined: nothing was purged, since it was only asked what would be. */
  id: string | undefined
  counts: Count[]
  isFinished: boolean
}

interface Step {
  kind: Count['kind']
  of: Count['of']
  count(): Promise<Found>
  /** Purges a batch, in a separate transaction. False when nothing is left. */
  batch(run: string, purged: (n: number) => void): Promise<boolean>
}

/**
 * Purges what has reached its term and is not held back, in batches that yield. Interrupted, the next run goes on. Each
 * batch is in the audit with the number of its records; the run is kept as a report.
 */
export async function purge(
  database: Database,
  actor: Actor,
  { signal, isDryRun = false }: { signal: AbortSignal; isDryRun?: boolean },
): Promise<Report> {
  const id = newOpaqueId('run')
  let counts: Count[] = []
  const note = async (isOver: boolean) => {
    if (!isDryRun) await database.asSystem(actor, (tx) => upsertRun(tx, { id, counts }, isOver))
  }
  await note(false)
  for (const step of await stepsOf(database, actor)) {
    const { kind, of } = step
    const count: Count = { kind, of, ...(await step.count()), purged: 0 }
    if (!isDryRun && count.due > count.held + count.awaitingReport) {
      await inBatches(signal, () => step.batch(id, (n) => (count.purged += n)))
    }
    counts = added(counts, [count])
    if (count.purged > 0) await note(false)
    if (signal.aborted) return { id, counts, isFinished: false }
  }
  await note(true)
  return { id: isDryRun ? undefined : id, counts, isFinished: true }
}

/** Adds counts of the same kind. */
function added(counts: readonly Count[], more: readonly Count[]): Count[] {
  const sums = new Map<string, Count>()
  for (const one of [...counts, ...more]) {
    const key = `${one.of} ${one.kind}`
    const sum = sums.get(key)
    if (!sum) sums.set(key, { ...one })
    else for (const name of ['due', 'purged', 'held', 'awaitingReport'] as const) sum[name] += one[name]
  }
  return [...sums.values()]
}

async function stepsOf(database: Database, actor: Actor): Promise<Step[]> {
  const { realms, defaults } = await database.asSystem(actor, async (tx) => {
    const live = await selectLiveRealms(tx)
    const termsOfRealms = live.map(async (realm) => ({ realm, terms: await termsIn(tx, realm.businessId) }))
    return { realms: await Promise.all(termsOfRealms), defaults: termsOf(...(await selectTermsOf(tx, ''))) }
  })
  const steps = realms.flatMap(({ realm, terms }) => [
    ...retainedKinds.map((kind) => retainedStep(database, actor, { realm, kind, days: daysOf(kind, terms) })),
    ...(terms.byAge ? agedPurges.map((one) => agedStep(database, actor, realm, one, terms)) : []),
  ])
  return defaults.byAge ? [...steps, carrierStep(database, actor, defaults)] : steps
}

function retainedStep(
  database: Database,
  actor: Actor,
  { realm, kind, days }: { realm: Realm; kind: (typeof retainedKinds)[number]; days: number },
): Step {
  return {
    kind,
    of: 'erased',
    count: () => database.asSystem(actor, (tx) => countRetained(tx, realm.id, kind, dueBefore(tx.now, days))),
    async batch(run, purged) {
      const n = await database.asSystem(actor, async (tx) => {
        await lockOutHolds(tx)
        const records = await deleteRetained(tx, realm.id, kind, dueBefore(tx.now, days), ROWS_AT_ONCE)
        await recordPurge(tx, { run, realm, kind, of: 'erased', records })
        return records
      })
      purged(n)
      return n > 0
    },
  }
}

function agedStep(
  database: Database,
  actor: Actor,
  realm: Realm,
  { kind, count, purge }: AgedPurge,
  terms: Terms,
): Step {
  const days = daysOf(kind, terms)
  const size = kind === 'requisition' ? OPENED_AT_ONCE : ROWS_AT_ONCE
  return {
    kind,
    of: 'live',
    count: () => database.inRealm(realm, actor, (tx) => count(tx, dueBefore(tx.now, days))),
    async batch(run, purged) {
      const n = await database.inRealm(realm, actor, async (tx) => {
        await lockOutHolds(tx)
        const records = await purge(tx, dueBefore(tx.now, days), size)
        await recordPurge(tx, { run, realm, kind, of: 'live', records })
        return records
      })
      purged(n)
      return n > 0
    },
  }
}

/** Messages of carriers belong to no business: the operator's default decides. */
function carrierStep(database: Database, actor: Actor, { correspondenceDays: days }: Terms): Step {
  return {
    kind: 'correspondence',
    of: 'live',
    async count() {
      const counted = await database.asSystem(actor, (tx) =>
        countMessagesBefore(tx, dueBefore(tx.now, days), holdsParcel),
      )
      return { ...counted, awaitingReport: 0 }
    },
    async batch(run, purged) {
      const n = await database.asSystem(actor, async (tx) => {
        await lockOutHolds(tx)
        const records = await emptyMessagesBefore(tx, dueBefore(tx.now, days), holdsParcel, ROWS_AT_ONCE)
        if (records > 0) {
          const details = { kind: 'correspondence', of: 'live', records }
          await audit.recordSystem(tx, [
            { action: 'retention.purged', objectType: 'retention', objectId: run, details },
          ])
        }
        return records
      })
      purged(n)
      return n > 0
    },
  }
}

interface Batch {
  run: string
  realm: Realm
  kind: Count['kind']
  of: Count['of']
  records: number
}

/** One entry a batch, in its transaction: the business sees what ended of its records. */
async function recordPurge(tx: Queries, { run, realm, kind, of, records }: Batch): Promise<void> {
  if (records === 0) return
  const details = { kind, of, records }
  await audit.recordIn(tx, [
    { action: 'retention.purged', objectType: 'retention', objectId: run, details, realm, actor: tx.actor },
  ])
}
