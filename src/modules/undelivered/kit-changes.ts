import type { Tx } from '../../platform/database/tx.ts'
import type { ChangedKit } from '../kits/changed-kit.ts'
import type { KitEvent } from '../kits/rules.ts'
import type { Happening } from './decision.ts'
import { deleteOfKits } from './queries.ts'
import { type Happened, recordHappened } from './record.ts'

const meanings: Partial<Record<KitEvent, readonly Happening[]>> = {
  kitInTransit: [{ is: 'sent' }, { is: 'moving' }],
  kitDelivered: [{ is: 'delivered' }],
  kitRegistered: [{ is: 'registered' }],
  registrationException: [{ is: 'registered' }],
  sampleInTransit: [{ is: 'registered' }],
  collectionException: [{ is: 'registered' }],
  sampleReceived: [{ is: 'sampleTaken' }],
  reportReady: [{ is: 'sampleTaken' }],
  sampleRejected: [{ is: 'sampleTaken' }],
}

/** What the steps of kits say of their boxes, whoever caused them. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  // No box was in trouble before it was shipped.
  const shipped = changed.filter(({ before }) => before.progress.kitInTransit !== undefined)
  const isBegunAgain = ({ after }: ChangedKit) => after.progress.kitInTransit === undefined
  const begunAgain = shipped.filter(isBegunAgain)
  if (begunAgain.length > 0) {
    await deleteOfKits(
      tx,
      begunAgain.map(({ after }) => after.id),
    )
  }
  const happened = shipped
    .filter((one) => !isBegunAgain(one))
    .flatMap(({ before, after, steps }): Happened[] => {
      const last = steps.at(-1)?.event
      const isReplaced = before.replacedBy === null && after.replacedBy !== null
      const happenings = [...((last && meanings[last]) ?? []), ...(isReplaced ? [{ is: 'replace' as const }] : [])]
      return happenings.map((happening) => ({ kitId: after.id, happening }))
    })
  await recordHappened(
    tx,
    changed.map(({ after }) => after),
    happened,
  )
}
