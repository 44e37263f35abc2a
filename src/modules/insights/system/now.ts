import type { OperatorScope } from '../../../domain/scopes.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { maybeNewest } from '../../backups/queries.ts'
import { selectFirstSteps, selectOldest } from './now-queries.ts'
import { type FirstStep, type OldestWaiting, type Waiting, waitingKinds } from './schema.ts'

const scopeOf: Record<Waiting, readonly OperatorScope[]> = {
  toPack: ['fulfilment'],
  atTheDoor: ['lab'],
  unmatched: ['lab'],
  uploadsToReview: ['lab'],
  inReview: ['lab', 'review'],
  critical: ['review'],
  unassessed: ['review'],
  alarms: ['audit'],
}

/** Since when the oldest of each kind of work waits, as far as the scopes reach. */
export async function oldestWaiting(tx: SystemTx, scopes: ReadonlySet<OperatorScope>): Promise<OldestWaiting> {
  const kinds = waitingKinds.filter((kind) => scopeOf[kind].some((scope) => scopes.has(scope)))
  const found = await selectOldest(tx, kinds)
  const oldest = Object.fromEntries(
    Object.entries(found).flatMap(([kind, at]) => (at ? [[kind, at.toISOString()]] : [])),
  )
  return { oldest, ...(scopes.has('system') && { firstSteps: await firstSteps(tx) }) }
}

/** What an operator does before the first live kit, and whether it is done. */
async function firstSteps(tx: SystemTx): Promise<FirstStep[]> {
  const { unsignedBiomarkers, laboratories, staffWithoutSecondFactor, withoutContact } = await selectFirstSteps(tx)
  const backup = await maybeNewest(tx, true)
  return [
    { step: 'laboratory', done: laboratories > 0 },
    { step: 'ranges', done: unsignedBiomarkers === 0, left: unsignedBiomarkers },
    { step: 'mail', done: tx.context.settings.smtpUrl !== undefined },
    { step: 'backup', done: backup !== undefined },
    { step: 'contact', done: withoutContact === 0, left: withoutContact },
    { step: 'secondFactor', done: staffWithoutSecondFactor === 0, left: staffWithoutSecondFactor },
  ]
}
