import { newOpaqueId } from '../../../domain/ids.ts'
import type { Actor, Database, Queries, Realm, Tx } from '../../../platform/database/tx.ts'
import { inBatches } from '../../../platform/jobs/batches.ts'
import * as audit from '../../audit/service.ts'
import * as customers from '../../customers/service.ts'
import type { IdentityRecord } from '../../define-module.ts'
import { countEmailsBefore, deleteEmailsBefore, deleteEmailsOf } from '../../emails/queries.ts'
import {
  countMessagesBefore,
  emptyCarrierMessages,
  emptyMessagesBefore,
  messagesOf,
} from '../../fulfilment/erasure-queries.ts'
import { blankConsents, blankKits, blankReasons, lockKits } from '../../kits/erasure-queries.ts'
import { acrossRealms, deleteData, deleteReceivedOfResults } from '../../lab/erasure-queries.ts'
import { type BlankedOrder, blankRecipients } from '../../orders/erasure-queries.ts'
import { deleteTerms } from '../../orders/search-queries.ts'
import { deleteReports, deleteUnassessedResults } from '../../reports/erasure-queries.ts'
import { identityOf, tells } from '../rules.ts'
import { fromRegistration, scrubEvents } from '../scrub-events.ts'
import {
  aged,
  countAged,
  countRetained,
  deleteRetained,
  type Found,
  selectAged,
  selectHeldCustomers,
} from './purge-queries.ts'
import { hasHold, holdsParcel, lockOutHolds, selectLiveRealms, selectTermsOf, upsertRun } from './queries.ts'
import { type AgedKind, type Count, daysOf, dueBefore, retainedKinds, type Terms, termsOf } from './rules.ts'
import { termsIn } from './terms.ts'

/** One sort of rows that end by age, of people who were not erased. */
interface AgedPurge {
  kind: AgedKind
  count(tx: Tx, before: Date): Promise<Found>
  /** Purges up to `limit`. Returns how many. */
  purge(tx: Tx, before: Date, limit: number): Promise<number>
}

/** In this order: a report before what it was made of, and before the requisition that it answers. */
const agedPurges: readonly AgedPurge[] = [
  {
    kind: 'laboratory',
    count: (tx, before) => countAged(tx, aged.agedReports(tx, before)),
    async purge(tx, before, limit) {
      const ids = await selectAged(tx, aged.agedReports(tx, before), limit)
      await deleteUnassessedResults(tx, { ofReports: ids })
      await deleteReports(tx, ids)
      return ids.length
    },
  },
  {
    kind: 'laboratory',
    count: (tx, before) => countAged(tx, aged.agedUnassessed(tx, before)),
    async purge(tx, before, limit) {
      const ids = await selectAged(tx, aged.agedUnassessed(tx, before), limit)
      await deleteReceivedOfResults(tx, ids)
      await deleteUnassessedResults(tx, { ids })
      return ids.length
    },
  },
  {
    kind: 'laboratory',
    count: (tx, before) => countAged(tx, aged.agedData(tx, before)),
    async purge(tx, before, limit) {
      const ids = await selectAged(tx, aged.agedData(tx, before), limit)
      await deleteData(tx, ids)
      return ids.length
    },
  },
  {
    kind: 'requisition',
    count: (tx, before) => countAged(tx, aged.agedKits(tx, before)),
    async purge(tx, before, limit) {
      const kitIds = await lockKits(tx, await selectAged(tx, aged.agedKits(tx, before), limit))
      const registrations = await blankKits(tx, kitIds)
      const consents = await blankConsents(tx, kitIds, undefined)
      await forgetWhatPassed(tx, { kitIds, orderIds: [] }, [...registrations.map(fromRegistration), ...consents])
      return kitIds.length
    },
  },
  {
    kind: 'requisition',
    count: async (tx, before) => countAged(tx, await aged.agedOrders(tx, before, await heldEmails(tx))),
    async purge(tx, before, limit) {
      const orderIds = await selectAged(tx, await aged.agedOrders(tx, before, await heldEmails(tx)), limit)
      const orders = await blankRecipients(tx, orderIds)
      await deleteTerms(tx, orders)
      await forgetWhatPassed(tx, { kitIds: [], orderIds }, orders, orders)
      return orders.length
    },
  },
  {
    // An e-mail must be opened to see whose it is: any hold in the realm holds all of them back.
    kind: 'correspondence',
    async count(tx, before) {
      const due = await countEmailsBefore(tx, before)
      return { due, held: (await hasHold(tx)) ? due : 0, awaitingReport: 0 }
    },
    purge: async (tx, before, limit) => ((await hasHold(tx)) ? 0 : deleteEmailsBefore(tx, before, limit)),
  },
]

/** Events, e-mails and carriers' words about requisitions that have ended. */
async function forgetWhatPassed(
  tx: Tx,
  about: { kitIds: readonly string[]; orderIds: readonly string[] },
  records: readonly IdentityRecord[],
  orders: readonly BlankedOrder[] = [],
): Promise<void> {
  const { kitIds, orderIds } = about
  const carrierMessages = await acrossRealms(tx, () => emptyCarrierMessages(tx, orderIds, kitIds))
  const identity = identityOf(records, messagesOf(carrierMessages))
  await scrubEvents(tx, { customerId: undefined, ...about }, identity, orders)
  await blankReasons(tx, about, (reason) => tells(reason, identity))
  await deleteEmailsOf(tx, orderIds, kitIds)
}

async function heldEmails(tx: Tx): Promise<string[]> {
  const emails: string[] = []
  for (const id of await selectHeldCustomers(tx)) {
    const customer = await customers.maybeFind(tx, id)
    if (customer) emails.push(customer.email)
  }
  return emails
}

// Rows whose purge is one statement: about 20 ms of the database.
const ROWS_AT_ONCE = 200
// What is opened and scrubbed one by one: about 100 ms.
const OPENED_AT_ONCE = 25

interface Report {
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
