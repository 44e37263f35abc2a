import { newDatedId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { usualActions } from './decision.ts'
import { insertKits, insertRecall } from './queries.ts'
import { RECALLS_JOB } from './work.ts'

/** Plays the recall of a component with a kit of a sandbox. The job does the rest, as with a live one. */
export async function playRecall(tx: Tx, kitId: string): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only a kit of a sandbox is recalled for play')
  const id = newDatedId('rcl', tx.now)
  await insertRecall(tx, {
    id,
    kind: 'componentLot',
    subject: 'Lancet',
    lot: 'SANDBOX',
    grade: 'II',
    reason: 'The lancets of this lot may not be sterile',
    actions: [...usualActions.componentLot],
  })
  await insertKits(tx, id, [kitId])
  await tx.enqueue(RECALLS_JOB, {})
}
