import { AppError } from '../../../domain/errors.ts'
import type { Actor, Database, Queries, SystemTx } from '../../../platform/database/tx.ts'
import { deleteChanges, deleteChangesOfSandboxes } from '../../businesses/tally-queries.ts'
import { internalKitType, publicKitType } from '../../catalogue/kit-type.ts'
import * as countingQueries from './counting-queries.ts'
import { selectCreditsLeft, selectCreditWeeks } from './credit-queries.ts'
import { selectLegLengths, selectLegs } from './leg-queries.ts'
import { countRejected, selectFunnel, selectLiveRealms, selectPromised, selectRejectionReasons } from './queries.ts'
import type { CountedRange } from './range-queries.ts'
import * as rules from './rules.ts'
import {
  type CreditsUsed,
  type Funnel,
  type FunnelRange,
  legs,
  type NumbersRange,
  type Promises,
  type Rejections,
  type Turnaround,
} from './schema.ts'

const DAY_MS = 86_400_000
// 57 weeks of 350 keys. Beyond it an answer is longer than somebody reads: about 6 MB.
const MAX_ROWS = 20_000
// Opening one takes about 20 µs of the event loop.
const MAX_REASONS = 2000
const MAX_FORECASTS = 1000
// Up to so many kits are read as they are now. Of more, the days that a job has counted are read.
const MAX_READ = 300

/** The live realms that the operator asks about. An unknown business has none, and so no numbers. */
export const liveRealmsOf = (tx: SystemTx, { businessID }: NumbersRange): Promise<number[]> =>
  selectLiveRealms(tx, businessID)

/** How many kits came how far, by when they were ordered. @throws VALIDATION_FAILED */
export async function funnel(tx: Queries, realmIds: readonly number[], query: FunnelRange): Promise<Funnel> {
  const { days, kits } = await read(tx, realmIds, query)
  const { per, by } = query
  const rows = await selectFunnel(tx, kits, { per, by, limit: MAX_ROWS + 1 })
  if (rows.length > MAX_ROWS) throw refused('More rows than 20,000: ask for months, or for a shorter time', 'from')
  return {
    ...days,
    rows: rows.map(({ cohort, key, name, ...counts }) => ({
      cohort,
      ...(key !== null && { key: by === 'panel' ? publicKitType(key) : key }),
      ...(by && { name: name ?? 'Not shipped yet' }),
      ...rules.withShares(counts),
    })),
    total: rules.totalOf(rows),
  }
}

const beginOf = (length: number): number => Math.expm1(length / rules.LENGTHS_OF_E) / 10

/** Where half of the kits end, and 95 of 100: between the two ends of a length as if its kits were spread evenly. */
function hoursOf(lengths: readonly rules.LegLength[]): rules.LegHours[] {
  return legs.map((leg) => {
    const ofLeg = lengths.filter((one) => one.leg === leg).toSorted((a, b) => a.length - b.length)
    const kits = ofLeg.reduce((sum, one) => sum + one.kits, 0)
    return { leg, kits, p50Hours: within(ofLeg, 0.5 * (kits - 1)), p95Hours: within(ofLeg, 0.95 * (kits - 1)) }
  })
}

function within(lengths: readonly rules.LegLength[], place: number): number | null {
  let before = 0
  for (const { length, kits } of lengths) {
    if (place <= before + kits - 1 || length === lengths.at(-1)?.length) {
      const part = Math.min(1, Math.max(0, (place - before + 0.5) / kits))
      return beginOf(length) + part * (beginOf(length + 1) - beginOf(length))
    }
    // Between the last kit of this length and the first of the next one.
    if (place < before + kits) return beginOf(length + 1)
    before += kits
  }
  return null
}

/** How long each leg took for kits ordered in that time. @throws VALIDATION_FAILED */
export async function turnaround(tx: Queries, realmIds: readonly number[], query: NumbersRange): Promise<Turnaround> {
  const { days, kits } = await read(tx, realmIds, query)
  const legs = kits.counted.length > 0 ? hoursOf(await selectLegLengths(tx, kits)) : await selectLegs(tx, kits)
  return { ...days, legs: rules.turnaroundOf(legs) }
}

/** How often reports came when they were promised. @throws VALIDATION_FAILED */
export async function promised(tx: Queries, realmIds: readonly number[], query: NumbersRange): Promise<Promises> {
  const { days, kits } = await read(tx, realmIds, query)
  const rows = await selectPromised(tx, kits)
  return {
    ...days,
    rows: rows.map(({ kitType, ...row }) => ({
      type: publicKitType(kitType),
      ...row,
      keptShare: rules.shareInTime(row),
    })),
  }
}

/** How many samples were rejected, and why. @throws VALIDATION_FAILED */
export async function rejections(tx: Queries, realmIds: readonly number[], query: NumbersRange): Promise<Rejections> {
  const { days, kits } = await read(tx, realmIds, query)
  const { received, rejected } = await countRejected(tx, kits)
  const reasons = rejected > 0 ? await selectRejectionReasons(tx, kits, MAX_REASONS) : []
  return {
    ...days,
    received,
    rejected,
    share: rules.rejectedShare(rejected, received),
    reasons: rules.reasonsOf(reasons, received),
    ...(rejected > MAX_REASONS && { more: true as const }),
  }
}

/**
 * Credits used by week, and for how long the rest will do. `isNamed`: forecasts say whose they are. The forecast rests on the
 * last 28 days, whatever range was asked for. @throws VALIDATION_FAILED
 */
export async function creditsUsed(
  tx: Queries,
  realmIds: readonly number[],
  query: NumbersRange,
  { isNamed = false } = {},
): Promise<CreditsUsed> {
  const { from, to, start, before, kitTypes } = rangeOf(tx, query)
  const since = new Date(tx.now.getTime() - rules.FORECAST_DAYS * DAY_MS)
  const counted = await countingQueries.selectCountedRealms(tx, realmIds)
  const ledgers = { counted, live: realmIds.filter((id) => !counted.includes(id)) }
  const weeks = await selectCreditWeeks(tx, { ...ledgers, from: start, before, kitTypes })
  const left = await selectCreditsLeft(tx, { ...ledgers, since, kitTypes, limit: MAX_FORECASTS + 1 })
  return {
    from,
    to,
    weeks: weeks.map(({ week, kitType, used }) => ({ week, type: publicKitType(kitType), used })),
    forecasts: left.slice(0, MAX_FORECASTS).map(({ businessId, business, kitType, name, available, used }) => ({
      ...(isNamed && { businessID: businessId, business }),
      type: publicKitType(kitType),
      name,
      available,
      usedIn28Days: used,
      ...rules.forecastOf(available, used),
    })),
    ...(left.length > MAX_FORECASTS && { more: true as const }),
  }
}

async function read(
  tx: Queries,
  realmIds: readonly number[],
  query: NumbersRange,
): Promise<{ days: { from: string; to: string; countedAt: string }; kits: CountedRange }> {
  const { from, to, start, before, kitTypes } = rangeOf(tx, query)
  const standing = await countingQueries.selectStanding(tx, realmIds, { from: start, before }, MAX_READ)
  const counted = standing.kits > MAX_READ ? standing.counted : []
  const live = standing.kits > MAX_READ ? standing.uncounted : [...standing.counted, ...standing.uncounted]
  const at = counted.length > 0 && standing.isChanged ? (standing.countedAt ?? tx.now) : tx.now
  return { days: { from, to, countedAt: at.toISOString() }, kits: { live, counted, from: start, before, kitTypes } }
}

function rangeOf(tx: Queries, query: NumbersRange) {
  const days = rules.daysOf(query, tx.now)
  if ('problem' in days) throw refused(days.problem, days.path)
  return { ...days, kitTypes: query.panel?.map(internalKitType) }
}

const refused = (message: string, path: string) =>
  new AppError('VALIDATION_FAILED', message, { details: [{ message, path }] })

// A kit is counted with all of its day, and its day changes for weeks: more often, a kit would cost more than its order.
const ALL_AFTER_MS = 6 * 3_600_000
// A day of a business with four million kits in two years has 5,500.
const DAYS_OF_STATEMENT = 10
const DAYS_AT_ONCE = 50
const STATEMENT_MS = 60_000
const KITS_AT_ONCE = 5000
const CHANGES_AT_ONCE = 5000
const TRANSFERS_AT_ONCE = 50_000

/**
 * Counts transfers, and days with half of their kits are new or changed; every six hours, or if `isAll`, each day of which
 * any is. A run that is stopped goes on in the next one.
 */
export async function countChanges(
  database: Database,
  actor: Actor,
  signal: AbortSignal,
  { isAll }: { isAll?: boolean } = {},
): Promise<void> {
  const began = database.now()
  const { realmIds, countedAt } = await database.asSystem(actor, async (tx) => {
    await deleteChangesOfSandboxes(tx)
    return { realmIds: await countingQueries.selectUncounted(tx), countedAt: await countingQueries.selectCountedAt(tx) }
  })
  const all = isAll || countedAt === null || began.getTime() - countedAt.getTime() >= ALL_AFTER_MS
  for (const realmId of realmIds) {
    let goesOn = true
    while (goesOn) {
      signal.throwIfAborted()
      goesOn = await database.asSystem(actor, (tx) => countSome(tx, realmId, all))
    }
  }
  if (all) await database.asSystem(actor, (tx) => countingQueries.updateCountedAt(tx, began))
}

/** @returns whether there is more to count */
async function countSome(tx: SystemTx, realmId: number, isTime: boolean): Promise<boolean> {
  await tx.allowMs(STATEMENT_MS)
  const { kits, transfers, whole, lastKit, lastTransfer } = await countingQueries.lockCounted(tx, realmId)
  const isAll = isTime || !whole
  const isDue = (changed: number, counted: number) => isAll || changed * 2 >= counted
  const newKits = Math.min(lastKit, kits + KITS_AT_ONCE)
  const ofNew = newKits > kits ? await countingQueries.selectDaysOfKits(tx, realmId, kits, newKits) : []
  const areNewDue = isDue(
    newKits - kits,
    ofNew.reduce((sum, { counted }) => sum + counted, 0),
  )
  const days = new Set(areNewDue ? ofNew.map(({ day }) => day) : [])
  const changed = await countingQueries.selectChangedDays(tx, realmId, CHANGES_AT_ONCE)
  const due = changed.filter(
    ({ day, kitIds, counted }) => day === null || days.has(day) || isDue(kitIds.length, counted),
  )
  const some = due.slice(0, DAYS_AT_ONCE)
  for (const { day } of some) if (day !== null) days.add(day)
  // Before they are counted: what changes after this is not deleted, and counted once more.
  await deleteChanges(
    tx,
    realmId,
    some.flatMap(({ kitIds }) => kitIds),
  )
  for (const part of partsOf([...days])) await countingQueries.recountDays(tx, realmId, part)
  const upto = { kits: areNewDue ? newKits : kits, transfers: Math.min(lastTransfer, transfers + TRANSFERS_AT_ONCE) }
  if (upto.transfers > transfers) await countingQueries.countCredits(tx, realmId, transfers, upto.transfers)
  const changes = changed.reduce((sum, one) => sum + one.changes, 0)
  const isWhole = upto.kits === lastKit && some.length === changed.length && changes < CHANGES_AT_ONCE
  await countingQueries.updateCounted(tx, realmId, { ...upto, isWhole })
  const isMore = areNewDue && upto.kits < lastKit
  return isMore || upto.transfers < lastTransfer || some.length < due.length || (isAll && !isWhole)
}

const partsOf = (days: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(days.length / DAYS_OF_STATEMENT) }, (_, part) =>
    days.slice(part * DAYS_OF_STATEMENT, (part + 1) * DAYS_OF_STATEMENT),
  )
