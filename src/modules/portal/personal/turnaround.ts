import type { ProcessContext } from '../../../platform/database/process-context.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { PageRequest } from '../../../platform/http/pages.ts'
import type { KitRow } from '../../kits/queries.ts'
import { selectTurnaround } from '../queries.ts'

/** How many days a panel's reports usually take from the sample in the laboratory, in whole days; null: too few to say. */
export type UsualTime = { medianDays: number; mostDays: number } | null

const DAY_MS = 86_400_000
const WINDOW_MS = 90 * DAY_MS
const FEWEST = 20
// It reads the reports of 90 days, and changes little in an hour.
const REFRESH_MS = 3_600_000
const known = new WeakMap<ProcessContext, Map<string, { at: number; usual: UsualTime }>>()

/**
 * For each panel of these kits: half of the reports of the last 90 days took no longer than `medianDays`, nine of ten no longer
 * than `mostDays`. Fewer than 20 reports give no estimate.
 */
export async function usualTimes(
  request: PageRequest,
  { now, context }: Tx,
  kits: readonly KitRow[],
): Promise<ReadonlyMap<string, UsualTime>> {
  const cached = known.get(context) ?? new Map<string, { at: number; usual: UsualTime }>()
  known.set(context, cached)
  const shown = new Map<string, UsualTime>()
  for (const kitType of new Set(kits.filter(({ status }) => status !== 'published').map((kit) => kit.kitType))) {
    const before = cached.get(kitType)
    const isFresh = before && Math.abs(now.getTime() - before.at) < REFRESH_MS
    const usual = isFresh ? before.usual : await measured(request, kitType, now)
    if (!isFresh) cached.set(kitType, { at: now.getTime(), usual })
    shown.set(kitType, usual)
  }
  return shown
}

async function measured(request: PageRequest, kitType: string, now: Date): Promise<UsualTime> {
  const since = new Date(now.getTime() - WINDOW_MS)
  const { count, medianDays, mostDays } = await request.asSystem((tx) => selectTurnaround(tx, kitType, since))
  if (count < FEWEST || medianDays === null || mostDays === null) return null
  return { medianDays: Math.max(1, Math.ceil(medianDays)), mostDays: Math.max(1, Math.ceil(mostDays)) }
}
