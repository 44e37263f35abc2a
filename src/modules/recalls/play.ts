import type { Tx } from '../../platform/database/tx.ts'
import { insertKits, PLAYED } from './queries.ts'
import { RECALLS_JOB } from './work.ts'

/** Plays the recall of a component with a kit of a sandbox. The job does the rest, as with a live one. */
export async function playRecall(tx: Tx, kitId: string): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only a kit of a sandbox is recalled for play')
  await insertKits(tx, PLAYED, [kitId])
  await tx.enqueue(RECALLS_JOB, {})
}
