import type { Actor, Database, SystemTx } from '../../platform/database/tx.ts'
import * as verification from '../../platform/database/verification.ts'
import * as checkQueries from './check-queries.ts'

export interface LedgerVerification {
  ok: boolean
  balances: checkQueries.BalanceCheck[]
  /** At most 100. */
  orders: checkQueries.OrderMismatch[]
  /** IDs of kits without an order; at most 100. */
  orphans: string[]
}

type Rows = 'transfers' | 'orders' | 'kits'

interface Realm extends checkQueries.ReadLedger {
  target: Record<Rows, number>
}

/** What was found so far. The check continues, since a repair needs the whole list. */
interface Found {
  isWhole: boolean
  orders: checkQueries.OrderMismatch[]
  orphans: string[]
}

const CHECKS_RETENTION_MS = 90 * 24 * 3600 * 1000
// About 100 ms each.
const AT_ONCE: Record<Rows, number> = { transfers: 20_000, orders: 4000, kits: 8000 }
const LISTED = 100
const NONE: checkQueries.ReadLedger = { transfers: 0, orders: 0, kits: 0, sums: {} }

const verifier: verification.Verifier<Found, Realm, 'wrong'> = { name: 'ledger', begin, batch }

async function begin(
  tx: SystemTx,
  last: verification.Pass<Found, Realm> | undefined,
): Promise<verification.Pass<Found, Realm>> {
  await tx.allowMs(60_000)
  const realms = await checkQueries.selectLastRows(tx)
  const parts = realms.map(({ realmId, ...target }): [number, Realm] => [
    realmId,
    { ...(last?.parts.get(realmId) ?? NONE), target },
  ])
  return { head: { isWhole: !last, orders: [], orphans: [] }, parts: new Map(parts) }
}

async function batch(
  tx: SystemTx,
  pass: verification.Pass<Found, Realm>,
): Promise<verification.Batch<Found, Realm, 'wrong'>> {
  await tx.allowMs(60_000)
  for (const [rows, check] of [
    ['transfers', checkTransfers],
    ['orders', checkOrders],
    ['kits', checkKits],
  ] as const) {
    const wanted = wantedOf(pass.parts, rows)
    if (wanted.length === 0) continue
    const { head, moved } = await check(tx, pass, wanted)
    return { head, moved, isOver: false, percent: percentOf(new Map([...pass.parts, ...moved])) }
  }
  const balances = await checkQueries.selectBalanceChecks(tx, readOf(pass.parts))
  const { head } = pass
  const isRight = head.orders.length === 0 && head.orphans.length === 0 && balances.every(({ ok }) => ok)
  return { head, moved: [], isOver: true, percent: 100, ...(!isRight && { finding: 'wrong' as const }) }
}

const readOf = (parts: verification.Pass<Found, Realm>['parts']) =>
  [...parts].map(([realmId, { target: _, ...read }]) => ({ realmId, ...read }))

function wantedOf(parts: verification.Pass<Found, Realm>['parts'], rows: Rows): checkQueries.WantedRows[] {
  const wanted: checkQueries.WantedRows[] = []
  let left = AT_ONCE[rows]
  for (const [realmId, { [rows]: above, target }] of parts) {
    if (left <= 0) break
    if (target[rows] <= above) continue
    const isLast = target[rows] - above > left
    // Numbers of transfers have no gaps. Those of orders and kits may: their rows are counted.
    wanted.push({ realmId, above, upTo: isLast && rows === 'transfers' ? above + left : target[rows] })
    left -= Math.min(left, target[rows] - above)
  }
  return wanted
}

type Checked = Pick<verification.Batch<Found, Realm, 'wrong'>, 'head' | 'moved'>
type Check = (
  tx: SystemTx,
  pass: verification.Pass<Found, Realm>,
  wanted: readonly checkQueries.WantedRows[],
) => Promise<Checked>

const checkTransfers: Check = async (tx, { head, parts }, wanted) => {
  const sums = Map.groupBy(await checkQueries.sumTransfers(tx, wanted), ({ realmId }) => realmId)
  // A whole pass comes to every order.
  const orders = head.isWhole ? [] : await checkQueries.selectMismatchesOfTransfers(tx, wanted)
  const moved = wanted.flatMap(({ realmId, upTo }): [number, Realm][] => {
    const realm = parts.get(realmId)
    return realm ? [[realmId, { ...realm, transfers: upTo, sums: added(realm.sums, sums.get(realmId) ?? []) }]] : []
  })
  return { head: withOrders(head, orders), moved }
}

const checkOrders: Check = async (tx, { head, parts }, wanted) => {
  const reached = await checkQueries.selectReached(tx, 'orders', wanted, AT_ONCE.orders)
  const bound = boundBy(wanted, reached, AT_ONCE.orders)
  const orders = await checkQueries.selectOrderMismatches(tx, bound, AT_ONCE.orders)
  return { head: withOrders(head, orders), moved: movedTo(parts, 'orders', bound) }
}

const checkKits: Check = async (tx, { head, parts }, wanted) => {
  const reached = await checkQueries.selectReached(tx, 'kits', wanted, AT_ONCE.kits)
  const bound = boundBy(wanted, reached, AT_ONCE.kits)
  const orphans = [...head.orphans, ...(await checkQueries.selectOrphanKits(tx, bound, AT_ONCE.kits))]
  return { head: { ...head, orphans: orphans.slice(0, LISTED) }, moved: movedTo(parts, 'kits', bound) }
}

/** Up to the last row that was read, where there are more. */
function boundBy(
  wanted: readonly checkQueries.WantedRows[],
  reached: readonly { realmId: number; rows: number; last: number }[],
  limit: number,
): checkQueries.WantedRows[] {
  const full = new Map(reached.filter(({ rows }) => rows >= limit).map(({ realmId, last }) => [realmId, last]))
  return wanted.map((one) => ({ ...one, upTo: full.get(one.realmId) ?? one.upTo }))
}

const movedTo = (
  parts: verification.Pass<Found, Realm>['parts'],
  rows: 'orders' | 'kits',
  read: readonly checkQueries.WantedRows[],
) =>
  read.flatMap(({ realmId, upTo }): [number, Realm][] => {
    const realm = parts.get(realmId)
    return realm ? [[realmId, { ...realm, [rows]: upTo }]] : []
  })

function withOrders(head: Found, more: readonly checkQueries.OrderMismatch[]): Found {
  const key = ({ orderId, kitType }: checkQueries.OrderMismatch) => `${orderId} ${kitType}`
  const all = new Map([...head.orders, ...more].map((one) => [key(one), one]))
  return { ...head, orders: [...all.values()].slice(0, LISTED) }
}

function added(sums: Realm['sums'], more: readonly checkQueries.SummedTransfers[]): Realm['sums'] {
  const after = { ...sums }
  for (const { kitType, available, reserved, spent, issued } of more) {
    const before = after[kitType]
    after[kitType] = {
      available: available + (before?.available ?? 0),
      reserved: reserved + (before?.reserved ?? 0),
      spent: spent + (before?.spent ?? 0),
      issued: issued + (before?.issued ?? 0),
    }
  }
  return after
}

function percentOf(parts: verification.Pass<Found, Realm>['parts']): number {
  let [done, all] = [0, 0]
  for (const { target, ...read } of parts.values())
    for (const rows of ['transfers', 'orders', 'kits'] as const) {
      done += Math.min(read[rows], target[rows])
      all += target[rows]
    }
  return all === 0 ? 100 : Math.floor((100 * done) / all)
}

async function outcome(tx: SystemTx, { head, parts }: verification.Pass<Found, Realm>, isWrong: boolean) {
  const balances = await checkQueries.selectBalanceChecks(tx, readOf(parts))
  const { orders, orphans } = head
  return { ok: !isWrong && balances.every(({ ok }) => ok), balances, orders, orphans }
}

/**
 * Proves in one transaction that no credit was lost or made: balances equal their entries, orders cost what they should,
 * kits have orders.
 */
export async function verifyLedger(tx: SystemTx): Promise<LedgerVerification> {
  const pass = await verification.verifyIn(tx, verifier)
  return outcome(tx, pass, pass.finding !== undefined)
}

/** The same in batches, which keeps how far it came. */
export async function verifyLedgerInBatches(
  database: Database,
  actor: Actor,
  options: verification.VerifyOptions,
): Promise<LedgerVerification & verification.Run> {
  const run = await verification.verifyInBatches(database, actor, verifier, options)
  const { isOver, continued, wholeEndedAt } = run
  const found = await database.asSystem(actor, async (tx) => {
    await tx.allowMs(60_000)
    return outcome(tx, run, run.finding !== undefined)
  })
  return { ...found, isOver, continued, wholeEndedAt }
}

/**
 * Verifies the ledger, and keeps for 90 days whether it is right: doctor, figures and alerts read it. An interrupted
 * run keeps nothing: the next one goes on.
 */
export async function checkLedger(
  database: Database,
  actor: Actor,
  options: verification.VerifyOptions,
): Promise<LedgerVerification & verification.Run> {
  const run = await verifyLedgerInBatches(database, actor, options)
  if (!run.isOver) return run
  await database.asSystem(actor, async (tx) => {
    await checkQueries.insertLedgerCheck(tx, run.ok)
    await checkQueries.deleteLedgerChecks(tx, new Date(tx.now.getTime() - CHECKS_RETENTION_MS))
  })
  return run
}
