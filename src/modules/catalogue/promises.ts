import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from './kit-type.ts'
import { insertPromise, selectPromised, selectPromises } from './queries.ts'

/** How many days are promised now from the sample in the laboratory to the report, by kit type. */
export async function promises(tx: Queries): Promise<ReadonlyMap<string, number>> {
  return new Map((await selectPromises(tx)).map(({ kitType, days }) => [kitType, days]))
}

/** What is promised of one of them, as a field. */
export function promisedOf(days: ReadonlyMap<string, number>, kitType: string): { promisedDays?: number } {
  const promisedDays = days.get(kitType)
  return promisedDays === undefined ? {} : { promisedDays }
}

/** Promises it for samples that come from now on; null: promises nothing any more. The panel is known to exist. */
export async function promise(tx: SystemTx, kitType: string, days: number | null): Promise<void> {
  if (((await promises(tx)).get(kitType) ?? null) === days) return
  await insertPromise(tx, kitType, days)
  const details = days === null ? {} : { promisedDays: days }
  await audit.recordSystem(tx, [
    { action: 'panel.promised', objectType: 'panel', objectId: publicKitType(kitType), details },
  ])
}

export interface Promised {
  days: number
  /** When it is broken. */
  ends: Date
}

/** What was promised of kits, by their IDs, for samples that came then, or come now. */
export async function promisedOfKits(
  tx: Tx,
  kits: readonly { id: string; kitType: string; progress: { sampleReceived?: string | undefined } }[],
): Promise<ReadonlyMap<string, Promised>> {
  const promisedKits = kits.map(({ id, kitType, progress: { sampleReceived } }) => ({
    id,
    kitType,
    received: sampleReceived === undefined ? tx.now : new Date(sampleReceived),
  }))
  return new Map((await selectPromised(tx, promisedKits)).map(({ id, ...promised }) => [id, promised]))
}
