import type { SessionScope } from '../../../domain/scopes.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { settings } from '../../businesses/service.ts'
import { selectTallies, type Tally } from '../../businesses/tally-queries.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import { modulesOf } from '../../define-module.ts'
import { kitExceptions, lifecycle, lifetimeStatuses } from '../../kits/lifecycle.ts'
import { current, type KitEvent, type KitState } from '../../kits/rules.ts'
import { latePlaces } from '../../kits/usual-days.ts'
import { countOrdersByDay, LATE_COUNTED, selectBalances, selectExamples, selectLate } from './queries.ts'
import type { Attention, AttentionKind, Overview } from './schema.ts'

/** What a tally of kits says: where they are, and whether something was done about it already. */
function readKitKey(key: string): { stage: KitEvent; replaced: boolean } {
  const [kitStatus, sampleStatus, status, mark] = key.split('/')
  const shown = { kitStatus, sampleStatus, status } as Pick<KitState, 'kitStatus' | 'sampleStatus' | 'status'>
  const reached = lifetimeStatuses.findLast((step) => isAt(step, shown, mark === 'packed')) ?? 'orderPlaced'
  return { stage: current({ ...shown, progress: { [reached]: 'then' } }), replaced: mark === 'replaced' }
}

/** Results that are partial, or published, are a report that is ready. */
function isAt(step: (typeof lifetimeStatuses)[number], shown: Omit<KitState, 'progress'>, packed: boolean): boolean {
  const row = lifecycle[step]
  if (step === 'kitPreparing' && !packed) return false
  if (step === 'reportReady') return ['resulted', 'partiallyResulted'].includes(shown.sampleStatus)
  return row.kitStatus === shown.kitStatus && row.sampleStatus === shown.sampleStatus
}

/** How many kits are where. */
export function countStages(tallies: readonly Tally[]): Overview['kits'] {
  const counts = new Map<KitEvent, number>()
  for (const { name, key, amount } of tallies) {
    if (name !== 'kit') continue
    const { stage } = readKitKey(key)
    counts.set(stage, (counts.get(stage) ?? 0) + amount)
  }
  return [...lifetimeStatuses, ...kitExceptions].map((stage) => ({ stage, count: counts.get(stage) ?? 0 }))
}

const cared = new Set<KitEvent>(['deliveryException', 'collectionException', 'registrationException'])

/** Kits that somebody has to care for: in an exception, or with a rejected sample, and not replaced. */
function countTrouble(tallies: readonly Tally[]): { exception: number; rejected: number } {
  const trouble = { exception: 0, rejected: 0 }
  for (const { name, key, amount } of tallies) {
    if (name !== 'kit') continue
    const { stage, replaced } = readKitKey(key)
    if (replaced) continue
    if (cared.has(stage)) trouble.exception += amount
    if (stage === 'sampleRejected') trouble.rejected += amount
  }
  return trouble
}

// A caller who may read only orders sees only what is about orders.
const neededBy: Record<AttentionKind, SessionScope> = {
  late: 'kits:read',
  exception: 'kits:read',
  rejected: 'kits:read',
  pendingPayment: 'orders:read',
  shopOrders: 'orders:read',
  heldSamples: 'kits:read',
  recalledKits: 'kits:read',
  inReview: 'reports:read',
  lowCredits: 'credits:read',
  noContact: 'settings:read',
  dataRequests: 'customers:read',
}

const DAY_MS = 86_400_000

const SHOWN_DAYS = 30

/** The last 30 days before and with the day of `now`, UTC, oldest first. */
function lastDays(now: Date): string[] {
  const day = (back: number) => new Date(now.getTime() - back * DAY_MS).toISOString().slice(0, 10)
  return Array.from({ length: SHOWN_DAYS }, (_, index) => day(SHOWN_DAYS - 1 - index))
}

/**
 * The first page of a business, limited to what the caller's scopes can read: six statements, as fast with millions of
 * orders as with one, and what modules below add. A kit is late when its next step takes longer than usual (kits/usual-days.ts).
 */
export async function overview(tx: Tx, scopes: ReadonlySet<SessionScope>): Promise<Overview> {
  const days = lastDays(tx.now)
  const tallies = await selectTallies(tx, days[0] ?? '')
  const placed = await countOrdersByDay(tx, days)
  const balances = await selectBalances(tx)
  const late = await selectLate(tx, latePlaces(tx.now))
  const examples = await selectExamples(tx)
  const count = (name: string, key: string) =>
    tallies.find((tally) => tally.name === name && tally.key === key)?.amount ?? 0
  const sum = (name: string) =>
    tallies.filter((tally) => tally.name === name).reduce((total, { amount }) => total + amount, 0)
  const pending = count('order', 'pending')
  const { exception, rejected } = countTrouble(tallies)
  const low = balances.filter((balance) => balance.low)
  const isUnreachable = tx.realm.mode === 'live' && sum('order') > 0 && (await settings(tx)).contactEmail === null
  const attention = [
    ...lateKits(late),
    ...item('exception', exception - examples.givenUp, examples.exception),
    ...item('rejected', rejected, examples.rejected),
    ...item('pendingPayment', pending - examples.waitingForProvider, examples.pendingPayment),
    ...(await attentionElsewhere(tx)),
    ...item('inReview', count('report', 'inReview'), examples.inReview),
    ...item('lowCredits', low.length, low[0] ? publicKitType(low[0].kitType) : null),
    ...item('noContact', isUnreachable ? 1 : 0, null),
    ...item('dataRequests', examples.dataRequests, null),
  ]
  return {
    orders: { total: sum('order'), last30Days: placed.reduce((total, { orders }) => total + orders, 0), pending },
    kits: scopes.has('kits:read') ? countStages(tallies) : [],
    attention: attention.filter(({ kind }) => scopes.has(neededBy[kind])),
    credits: (scopes.has('credits:read') ? balances : []).map(({ kitType, ...rest }) => ({
      type: publicKitType(kitType),
      ...rest,
    })),
    days: days.map((date) => ({
      date,
      orders: placed.find((day) => day.date === date)?.orders ?? 0,
      ...(scopes.has('reports:read') && { reports: count('report.day', date) }),
    })),
  }
}

/** What modules that this one does not know would have looked at. */
async function attentionElsewhere(tx: Tx): Promise<Attention[]> {
  const found: Attention[] = []
  for (const { attention } of modulesOf(tx.context)) {
    if (!attention) continue
    const { count, example } = await attention.count(tx)
    found.push(...item(attention.kind, count, example))
  }
  return found
}

function lateKits(late: readonly { count: number; example: string }[]): Attention[] {
  const total = late.reduce((sum, { count }) => sum + count, 0)
  const isMore = late.some(({ count }) => count === LATE_COUNTED)
  return item('late', total, late[0]?.example ?? null).map((entry) => ({ ...entry, ...(isMore && { more: true }) }))
}

const item = (kind: AttentionKind, count: number, example: string | null): Attention[] =>
  count > 0 ? [{ kind, count, ...(example !== null && { example }) }] : []
