import type { Tally } from '../../businesses/tally-queries.ts'
import { kitExceptions, lifecycle, lifetimeStatuses } from '../../kits/lifecycle.ts'
import { current, type KitEvent, type KitState } from '../../kits/rules.ts'
import type { Overview } from './schema.ts'

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
export function countTrouble(tallies: readonly Tally[]): { exception: number; rejected: number } {
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
