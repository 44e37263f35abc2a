import { placeDue } from '../../src/extensions/plans/place.ts'
import { selectDuePlans } from '../../src/extensions/plans/queries.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { anOrder } from './orders.ts'
import type { World } from './world.ts'

/** A plan of one kit a month, with the given changes. */
export const aPlan = (firstDate: string, changes: Record<string, unknown> = {}) =>
  anOrder({ every: { months: 1 }, firstDate, ...changes })

/** Places what is due, as the job does each quarter of an hour. Fails where one cannot be worked on. */
export async function placePlansOf({ service: { database, portsOf } }: World): Promise<void> {
  const actor = { name: 'job:plans.place' }
  const due = await database.asSystem(actor, (tx) => selectDuePlans(tx, undefined, 1000))
  for (const { realm, id } of due) await placeDue(realmPorts(database, portsOf, realm, actor), id)
}
