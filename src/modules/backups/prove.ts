import type { Actor, Database, Realm, Tx } from '../../platform/database/tx.ts'
import { sealAll } from '../audit/seal.ts'
import { verifyAudit } from '../audit/verify.ts'
import { verifyLedger } from '../credits/verify.ts'
import { listPage } from '../customers/service.ts'
import { eventTypes } from '../events/event-types.ts'
import { readFeed } from '../events/queries.ts'
import { listKits } from '../kits/records.ts'
import { list } from '../orders/read.ts'
import { type RealmCounts, selectRealmCounts, selectStatuses } from './queries.ts'

/** One thing that a restored installation must show. */
export interface Proof {
  what: string
  expected: string
  found: string
  ok: boolean
}

const check = (what: string, expected: number | string, found: number | string): Proof => ({
  what,
  expected: String(expected),
  found: String(found),
  ok: expected === found,
})

/**
 * Proves that a restored installation is whole for those who use it: the ledger adds up, the audit is intact, and anyone who
 * reads a feed to its end, or a list, gets as much as there is.
 */
export async function proveRestored(database: Database, actor: Actor): Promise<Proof[]> {
  const ledger = await database.asSystem(actor, verifyLedger)
  await sealAll(database, actor)
  const audit = await database.asSystem(actor, verifyAudit)
  const realms = await database.asSystem(actor, selectRealmCounts)
  const found = { events: 0, orders: 0, kits: 0, statuses: 0, customers: 0 }
  for (const { id, businessId, mode, ...counts } of realms) {
    const seen = await readRealm(database, { id, businessId, mode }, actor, counts)
    for (const name of Object.keys(found) as (keyof typeof found)[]) found[name] += seen[name]
  }
  const sum = (name: keyof RealmCounts) => realms.reduce((total, realm) => total + Number(realm[name]), 0)
  return [
    check('the ledger adds up', 'yes', ledger.ok ? 'yes' : 'no'),
    // An installation that nobody has used has nothing to seal.
    check('the audit is intact', 'yes', audit.intact || audit.entries === 0 ? 'yes' : 'no'),
    check('events, by the feed', sum('events'), found.events),
    check('orders, by their list', sum('orders'), found.orders),
    check('kits, by their list', sum('kits'), found.kits),
    check('kits, by the lists of each status', sum('kits'), found.statuses),
    check('customers, by their list', sum('customers'), found.customers),
  ]
}

// As large as the API allows.
const PAGE = 250

type Counts = Pick<RealmCounts, 'events' | 'orders' | 'kits' | 'customers'>

async function readRealm(database: Database, realm: Realm, actor: Actor, counts: Counts) {
  const inRealm = <T>(work: (tx: Tx) => Promise<T>) => database.inRealm(realm, actor, work)
  const paged = { page: 0, size: 1 }
  const statuses = await inRealm(selectStatuses)
  let byStatus = 0
  for (const { status } of statuses)
    byStatus += (await inRealm((tx) => listKits(tx, { ...paged, kitStatuses: [status] }))).total
  return {
    events: counts.events === 0 ? 0 : await readToTheEnd(inRealm),
    orders: (await inRealm((tx) => list(tx, {}, { ...paged, isOldestFirst: false }))).total,
    kits: (await inRealm((tx) => listKits(tx, paged))).total,
    statuses: byStatus,
    customers: (await inRealm((tx) => listPage(tx, paged))).total,
  }
}

/** Opens every event, too: with a wrong key it would fail. */
async function readToTheEnd(inRealm: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Promise<number> {
  const types = [...eventTypes, 'webhook.test']
  const seen = new Set<string>()
  for (let after: string | undefined; ; ) {
    const { events, hasMore } = await inRealm((tx) => readFeed(tx, { types, size: PAGE, ...(after && { after }) }))
    for (const { id } of events) seen.add(id)
    after = events.at(-1)?.id
    if (!hasMore) return seen.size
  }
}
