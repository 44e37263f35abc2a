import type { Tx } from '../../platform/database/tx.ts'
import type { ChangedKit, KitFact } from '../kits/changed-kit.ts'
import type { KitRow } from '../kits/queries.ts'
import { selectRecalled } from '../kits/recall-queries.ts'
import { kitsToSendAgain } from '../undelivered/service.ts'
import * as stored from './queries.ts'

export const BUY_JOB = 'labels.buy'

const soon = async (tx: Tx, kitIds: Iterable<string>): Promise<void> => {
  for (const kitId of new Set(kitIds)) await tx.enqueue(BUY_JOB, { realm: tx.realm, kitId })
}

/** What becomes of a label that nobody wants any more; undefined where nothing does. */
export function unwanted(row: stored.LabelRow, now: Date): Partial<stored.LabelRow> | undefined {
  if (row.isOnParcel) return undefined
  if (row.state === 'refused') return { state: 'closed', dueAt: null }
  if (row.state === 'bought' || row.state === 'used') return { state: 'voiding', reason: null, code: null, dueAt: now }
  if (row.state !== 'queued' || row.isWithdrawn) return undefined
  // Whether it was bought is looked up first.
  return row.askedAt === null ? { state: 'withdrawn', dueAt: null } : { isWithdrawn: true, dueAt: now }
}

const numbersOn = ({ shipment: { toUser, toLab } }: KitRow): string[] =>
  [toUser, toLab].flatMap((leg) => leg?.trackingNumber ?? [])

/** What a label becomes by the parcels there are, and by whether its kit still waits to be packed. */
const settled = (row: stored.LabelRow, isWaiting: boolean, now: Date) => {
  if (row.isOnParcel) return row.state === 'bought' ? { state: 'used' as const } : undefined
  return isWaiting || row.state === 'used' ? undefined : unwanted(row, now)
}

async function apply(
  tx: Tx,
  rows: readonly stored.LabelRow[],
  changesOf: (row: stored.LabelRow) => Partial<stored.LabelRow> | undefined,
): Promise<void> {
  const due: string[] = []
  for (const row of rows) {
    const changes = changesOf(row)
    if (!changes) continue
    await stored.saveLabel(tx, { ...row, ...changes })
    if (changes.dueAt) due.push(row.kitId)
  }
  await soon(tx, due)
}

const isMoved = ({ before, after }: ChangedKit): boolean =>
  before.kitStatus !== after.kitStatus ||
  before.shipment.toUser?.trackingNumber !== after.shipment.toUser?.trackingNumber

/** Uses, withdraws and voids labels of kits that were shipped, canceled or taken back, or are not packed any more. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  if (tx.realm.mode !== 'live') return
  const moved = new Map(changed.filter(isMoved).map((one) => [one.after.id, one.after]))
  if (moved.size === 0) return
  // Of shipments that are taken back within minutes: their labels come off.
  const takenBack = new Set(
    changed.filter(({ after }) => after.kitStatus === 'preparing').flatMap(({ before }) => numbersOn(before)),
  )
  const numbers = [...takenBack, ...[...moved.values()].flatMap(numbersOn)]
  const rows = await stored.lockLabels(tx, [...moved.keys()], numbers)
  const again = rows.length > 0 ? await kitsToSendAgain(tx, [...moved.keys()]) : new Set()
  await apply(tx, rows, (row) => {
    if (row.state === 'used' && takenBack.has(row.number ?? '')) return unwanted(row, tx.now)
    const kit = moved.get(row.kitId)
    const isWaiting = !kit || kit.kitStatus === 'preparing' || again.has(kit.id)
    return settled(row, isWaiting, tx.now)
  })
}

/** Voids labels that lead to an address of before, and those of kits that a recall stops or that are not sent again any more. */
export async function afterKitFacts(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void> {
  if (tx.realm.mode !== 'live' || (fact !== 'person' && fact !== 'recall' && fact !== 'notSentAgain')) return
  const rows = (await stored.lockLabels(tx, kitIds)).filter(({ state }) => state === 'queued' || state === 'bought')
  if (rows.length === 0) return
  if (fact === 'notSentAgain') return apply(tx, rows, (row) => settled(row, false, tx.now))
  const stopped = new Set<string>()
  if (fact === 'recall') {
    for (const [id, { stopsUse }] of await selectRecalled(tx, kitIds)) if (stopsUse) stopped.add(id)
  } else {
    for (const { id, kitId, digest } of rows) {
      const recipient = (await stored.selectDestination(tx, kitId))?.recipient
      const isSame = digest === null || (recipient && digest.equals(await stored.digestOf(tx, recipient)))
      if (!isSame) stopped.add(id)
    }
  }
  await apply(tx, rows, (row) => (stopped.has(row.id) || stopped.has(row.kitId) ? unwanted(row, tx.now) : undefined))
}

/** Forgets what was printed for a person, and voids what was not used. */
export async function eraseLabels(
  tx: Tx,
  { email, kitIds, kitOrderIds }: { email: string; kitIds: readonly string[]; kitOrderIds: readonly string[] },
): Promise<{ counts: Record<string, number> }> {
  const ids = await stored.selectKitsOf(tx, { email, kitIds, orderIds: kitOrderIds })
  const rows = await stored.lockLabels(tx, ids)
  await apply(tx, rows, (row) => (row.state === 'used' ? undefined : unwanted(row, tx.now)))
  await stored.dropDocuments(
    tx,
    rows.map(({ id }) => id),
  )
  return { counts: { labels: rows.filter(({ file }) => file !== null).length } }
}
