import type { AlarmLimits } from '../../../domain/operator-channels.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { networkOf } from '../../../platform/http/attempts.ts'
import { readOn } from '../../audit/reader.ts'
import type { SealedEntry } from '../../audit/reader-queries.ts'
import {
  addCounts,
  countDifferent,
  deleteOldCounts,
  mayAlarm,
  selectAddresses,
  selectFiles,
  selectSizes,
  selectSum,
  type WholeFile,
} from './queries.ts'
import { type Count, type CountedKind, countsOf, isWholeFile, windowMs } from './rules.ts'
import { raise } from './service.ts'

// 60 ms of the database.
const AT_ONCE = 2000
const RETENTION_MS = 24 * 3_600_000
/** How long a place where somebody signed in stays a known one. */
const PLACE_MS = 180 * 24 * 3_600_000

/** Looks at the next sealed entries, and raises alarms. True while more may wait. */
export const watchEntries = (tx: SystemTx, limits: AlarmLimits): Promise<boolean> =>
  readOn(tx, 'alarms', { limit: AT_ONCE, wanted: mayAlarm }, async (entries) => {
    const counts = countsOf(entries, networkOf, await sizesFor(tx, entries.filter(isWholeFile)))
    if (counts.length > 0) await addCounts(tx, counts)
    for (const count of newestOf(counts)) await checkCount(tx, count, limits)
    for (const entry of entries) if (entry.action === 'session.started') await checkPlace(tx, entry)
  })

export const forgetCounts = (tx: SystemTx): Promise<void> =>
  deleteOldCounts(tx, new Date(tx.now.getTime() - RETENTION_MS))

/** How many people a file of a whole list showed: as many as the business has of its kind. */
async function sizesFor(tx: SystemTx, files: readonly WholeFile[]): Promise<(file: WholeFile) => number> {
  const businessIds = [...new Set(files.flatMap(({ businessId }) => businessId ?? []))]
  const sizes = businessIds.length > 0 ? await selectSizes(tx, businessIds) : []
  return ({ businessId, mode, objectType }) => {
    const found = sizes.find((one) => one.businessId === businessId && one.mode === mode)
    if (!found) return 1
    return { customer: found.customers, order: found.orders }[objectType] ?? found.kits
  }
}

/** One count for each caller: its newest minute. */
function newestOf(counts: readonly Count[]): Count[] {
  const newest = new Map<string, Count>()
  for (const count of counts) {
    const key = `${count.kind} ${count.subject}`
    const known = newest.get(key)
    if (!known || known.minute < count.minute) newest.set(key, count)
  }
  return [...newest.values()]
}

const limitOf = (kind: CountedKind, { refusals, people }: AlarmLimits): number =>
  kind === 'refusals' ? refusals : people

async function checkCount(tx: SystemTx, { kind, subject, minute }: Count, limits: AlarmLimits): Promise<void> {
  const limit = limitOf(kind, limits)
  const after = new Date(minute.getTime() - windowMs[kind])
  const { amount, firstEntry } = await selectSum(tx, { kind, subject }, { after, until: minute })
  if (amount < limit) return
  const exact = kind === 'refusals' ? amount : await countPeople(tx, subject, firstEntry)
  if (exact >= limit) await raise(tx, { kind, subject, amount: exact })
}

/** How many different people a caller has seen, at least: in one list it saw all of a file, or those that it names. */
async function countPeople(tx: SystemTx, caller: string, firstEntry: number): Promise<number> {
  const files = await selectFiles(tx, caller, firstEntry)
  const sizeOf = await sizesFor(tx, files)
  return Math.max(await countDifferent(tx, caller, firstEntry), ...files.map(sizeOf))
}

/** A sign-in from a network that the user has not signed in from, of a user who has signed in before. */
async function checkPlace(tx: SystemTx, { id, at, objectId, ip }: SealedEntry): Promise<void> {
  if (ip === null) return
  const since = new Date(at.getTime() - PLACE_MS)
  const known = await selectAddresses(tx, objectId, { before: id, since })
  const isNew = known.length > 0 && !known.some((address) => networkOf(address) === networkOf(ip))
  if (isNew) await raise(tx, { kind: 'new_place', subject: `user:${objectId}`, amount: 1 })
}
